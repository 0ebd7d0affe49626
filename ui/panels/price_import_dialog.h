// A table of prices that was read: every correction line by line, the day where the table has none, and whether to keep it.
#pragma once

#include <QDialog>
#include <filesystem>

#include "economics/price_import.h"
#include "models/cost_worker.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace synperf::ui {

class PriceImportDialog : public QDialog {
    Q_OBJECT
public:
    /// `text` is the file's; `first` what was read of it without a day.
    PriceImportDialog(Document& document, const CostWorker& worker, QString file, std::string text, ImportedPrices first, QWidget* parent = nullptr);

    [[nodiscard]] QString correctionText() const;
    void accept() override;

private:
    void refresh();

    Document& document_;
    PriceCatalogue known_;
    QString file_;
    std::string text_;
    ImportedPrices imported_;
    bool asks_;  ///< for the day
    QPlainTextEdit* lines_;
    QLineEdit* date_;
    QLabel* problem_;
    QPushButton* keep_;
};

}  // namespace synperf::ui
