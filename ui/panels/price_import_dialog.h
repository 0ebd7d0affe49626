// A table of prices that was read: every correction line by line, the day where the table has none, and whether to keep it.
#pragma once

#include <QDialog>

#include "economics/price_import.h"
#include "models/document.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace synperf::ui {

class PriceImportDialog : public QDialog {
    Q_OBJECT
public:
    /// `read`: what `file` holds, without a day that the table does not state.
    PriceImportDialog(Document& document, QString file, ImportedPrices read, QWidget* parent = nullptr);

    [[nodiscard]] QString correctionText() const;
    void accept() override;

private:
    void refresh();

    Document& document_;
    QString file_;
    ImportedPrices read_, dated_;  ///< as the file has it, and with the day that was typed
    QPlainTextEdit* lines_;
    QLineEdit* date_;
    QLabel* problem_;
    QPushButton* keep_;
};

}  // namespace synperf::ui
