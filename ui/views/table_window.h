// The table twin of a picture in a window of its own, with copy and CSV.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QTableView>

#include "views/table_data.h"

namespace synperf::ui {

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

private:
    void copy();
    [[nodiscard]] qint64 selectedRows() const;

    QLabel* note_;
    TableModel* model_;
    QTableView* view_;
};

}  // namespace synperf::ui
