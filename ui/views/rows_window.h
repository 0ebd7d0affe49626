// Rows of kernels in a window of their own: sorted, filtered, copied, saved, and each opened as the scenario.
#pragma once

#include "models/rows_model.h"
#include "views/table_window.h"

class QLineEdit;
class QPushButton;

namespace synperf::ui {

class RowsWindow : public TableWindow {
    Q_OBJECT
public:
    RowsWindow(const QString& title, QWidget* parent);

    /// `note` stands under the table beside how many rows are shown.
    void setRows(std::shared_ptr<const Rows> rows, const QString& note = {});
    [[nodiscard]] RowsModel* model() const { return model_; }
    [[nodiscard]] QLineEdit* filterField() const { return filter_; }
    [[nodiscard]] TableData fileTable() const override;
    /// Takes the place of the note until the rows change.
    void showProblem(const QString& text);
    /// Rows that are no calls have nothing to open.
    void setCanOpen(bool can);

    /// A button before those to copy and save.
    QPushButton* addButton(const QString& text);

signals:
    /// A double click, Enter or the button: a row of the table.
    void rowOpened(std::size_t table_row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void openCurrent();
    void sortByCurrent();
    void refreshNote();

    QLineEdit* filter_;
    QPushButton* open_;
    QAction* open_action_;
    RowsModel* model_ = nullptr;
    QString rows_note_;
};

}  // namespace synperf::ui
