// The table twin of a picture in a window of its own, with copy and CSV.
#pragma once

#include <QDialog>
#include <QTableView>

#include "views/table_data.h"

namespace synperf::ui {

class TableWindow : public QDialog {
    Q_OBJECT
public:
    explicit TableWindow(TableData table, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* view() const { return view_; }
    /// The selected cells as tab-separated text with their headers; everything (up to 100,000 rows) when nothing is
    /// selected.
    [[nodiscard]] QString selectedText() const;

private:
    TableModel* model_;
    QTableView* view_;
};

}  // namespace synperf::ui
