// One price in full: its range, source and date, and what owning a bought GPU takes.
#pragma once

#include <QDialog>
#include <map>

#include "models/price_list_model.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace synperf::ui {

class ValueField;

class PriceEntryDialog : public QDialog {
    Q_OBJECT
public:
    /// Edits `before`, a row of the list; adds a new price where it is null.
    PriceEntryDialog(const Engine& engine, PriceListModel& prices, const PriceListModel::Row* before, QWidget* parent = nullptr);

    void accept() override;

private:
    [[nodiscard]] Result<PriceEntry> entry() const;
    [[nodiscard]] Result<double> number(const char* key, double empty) const;
    void refresh();

    const Engine& engine_;
    PriceListModel& prices_;
    PriceListModel::Row before_;
    bool edits_;
    QComboBox *gpu_, *kind_, *currency_;
    QLineEdit *source_, *date_;
    QWidget* owning_;
    QLabel *derived_, *problem_;
    std::map<std::string, ValueField*> fields_;
};

}  // namespace synperf::ui
