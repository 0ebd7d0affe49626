// The price book: every price with its source and date, edited in place, added, removed, imported.
#pragma once

#include <QDialog>

#include "models/price_list_model.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace synperf::ui {

class PriceBookWindow : public QDialog {
    Q_OBJECT
public:
    PriceBookWindow(Document& document, const CostWorker& worker, QWidget* parent = nullptr);

    [[nodiscard]] PriceListModel& prices() { return *prices_; }
    [[nodiscard]] QTableView& table() { return *table_; }
    [[nodiscard]] QString note() const;
    void addPrice();
    void editPrice();
    void removePrice();
    void chooseImport();

signals:
    void importRequested(const QString& file);

private:
    [[nodiscard]] int currentRow() const;
    void follow();
    void showRow(const std::string& gpu, PriceKind kind);

    Document& document_;
    PriceListModel* prices_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QLineEdit* filter_;
    QLabel* note_;
    QPushButton *edit_, *remove_;
};

}  // namespace synperf::ui
