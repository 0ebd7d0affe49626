// A table in a window of its own, with copy and CSV: the twin of a picture, or rows of a file.
#pragma once

#include <QBoxLayout>
#include <QDialog>
#include <QLabel>
#include <QTableView>
#include <functional>

#include "views/table_data.h"

namespace synperf::ui {

/// The selected rows as tab-separated text with their headers, all rows where none is selected; `most` rows at most.
[[nodiscard]] QString tableText(const QTableView& view, qint64 most);

/// A table inside a panel: rows are selected whole, copied by key and menu and saved as CSV; `file` is what is saved.
[[nodiscard]] QTableView* panelTable(const QString& name, std::function<TableData()> file, QWidget* parent = nullptr);
/// Shows `table` there, columns as wide as their contents.
void showTable(QTableView& view, TableData table);

class TableWindow : public QDialog {
    Q_OBJECT
public:
    explicit TableWindow(TableData table, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* view() const { return view_; }
    /// The selected cells as tab-separated text with their headers; everything when nothing is selected. At
    /// most kMostCopiedRows rows: each cell is worked out when it is asked for, and more is a file, not a clipboard.
    [[nodiscard]] QString selectedText() const;
    static constexpr qint64 kMostCopiedRows = 10'000;
    /// What the last copy left out, or how many rows there are.
    [[nodiscard]] QString note() const { return note_->text(); }
    /// What "Save as CSV" writes.
    [[nodiscard]] virtual TableData fileTable() const { return table_; }

protected:
    /// Empty until `setTable` or `setModel`.
    TableWindow(const QString& title, QWidget* parent);
    void setTable(TableData table);
    void setModel(QAbstractItemModel* model);
    void setNote(const QString& note) { note_->setText(note); }
    /// The row above the table, empty at first.
    [[nodiscard]] QHBoxLayout* above() const { return above_; }
    /// The row of buttons under the table; the note is first in it.
    [[nodiscard]] QHBoxLayout* buttons() const { return buttons_; }

private:
    void copy();
    [[nodiscard]] qint64 selectedRows() const;

    QLabel* note_;
    TableData table_;
    QTableView* view_;
    QHBoxLayout *above_, *buttons_;
};

}  // namespace synperf::ui
