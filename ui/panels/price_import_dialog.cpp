#include "panels/price_import_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "economics/price_edit.h"
#include "models/core_text.h"
#include "theme/theme.h"

namespace synperf::ui {

PriceImportDialog::PriceImportDialog(Document& document, const CostWorker& worker, QString file, std::string text, ImportedPrices first, QWidget* parent)
    : QDialog(parent),
      document_(document),
      known_(worker.catalogue(document.cost())),
      file_(std::move(file)),
      text_(std::move(text)),
      imported_(std::move(first)),
      asks_(imported_.date_missing),
      lines_(new QPlainTextEdit),
      date_(new QLineEdit(this)),
      problem_(new QLabel),
      keep_(nullptr) {
    setObjectName(QStringLiteral("priceImport"));
    setWindowTitle(tr("Prices from %1").arg(QFileInfo(file_).fileName()));
    auto* column = new QVBoxLayout(this);
    auto* intro = new QLabel(tr("How the table was read, and what was corrected:"));
    intro->setWordWrap(true);
    column->addWidget(intro);
    lines_->setReadOnly(true);
    lines_->setAccessibleName(tr("Corrections"));
    lines_->setObjectName(QStringLiteral("corrections"));
    column->addWidget(lines_, 1);
    date_->setObjectName(QStringLiteral("importDate"));
    date_->setVisible(asks_);
    if (asks_) {
        auto* row = new QHBoxLayout;
        auto* label = new QLabel(tr("The table states no day. Prices are of"));
        label->setBuddy(date_);
        row->addWidget(label);
        date_->setAccessibleName(tr("Day of the prices"));
        date_->setPlaceholderText(tr("as of import, %1").arg(QString::fromStdString(format_date(today()))));
        row->addWidget(date_, 1);
        column->addLayout(row);
        connect(date_, &QLineEdit::textEdited, this, &PriceImportDialog::refresh);
    }
    problem_->setProperty("look", "error");
    problem_->setObjectName(QStringLiteral("importProblem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    column->addWidget(problem_);
    auto* buttons = new QDialogButtonBox;
    keep_ = buttons->addButton(tr("Add to my prices"), QDialogButtonBox::AcceptRole);
    keep_->setObjectName(QStringLiteral("keepPrices"));
    buttons->addButton(tr("Discard"), QDialogButtonBox::RejectRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &PriceImportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(Theme::instance().px(560), Theme::instance().px(360));
    refresh();
}

void PriceImportDialog::refresh() {
    problem_->clear();
    keep_->setEnabled(true);
    if (asks_) {
        auto again = import_prices(text_, file_.toStdString(), document_.engine().gpus, known_, {date_->text().trimmed().toStdString(), {}, {}, {}, today()});
        if (!again) {
            problem_->setText(coreText(again.error().message));
            keep_->setEnabled(false);
            return;
        }
        imported_ = std::move(*again);
    }
    QStringList lines;
    for (const std::string& decision : imported_.decisions) {
        const QString plain = QString::fromStdString(decision);
        lines << coreText(plain.section(QStringLiteral("; --"), 0, 0).toStdString());  // the field below states what the command's option would
    }
    lines_->setPlainText(lines.join(QLatin1Char('\n')));
}

QString PriceImportDialog::correctionText() const { return lines_->toPlainText(); }

void PriceImportDialog::accept() {
    CostInputs inputs = document_.cost();
    inputs.own = std::make_shared<const PriceBooks>(with_book(inputs.own_books(), imported_.book));
    document_.setCost(inputs, tr("prices of %1").arg(QFileInfo(file_).fileName()));
    QDialog::accept();
}

}  // namespace synperf::ui
