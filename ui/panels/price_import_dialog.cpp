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

PriceImportDialog::PriceImportDialog(Document& document, QString file, ImportedPrices read, QWidget* parent)
    : QDialog(parent),
      document_(document),
      file_(std::move(file)),
      read_(std::move(read)),
      dated_(read_),
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
    date_->setVisible(read_.date_missing);
    if (read_.date_missing) {
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
    dated_ = read_;
    if (const std::string day = date_->text().trimmed().toStdString(); !day.empty()) {
        auto made = of_day(read_, day, today());
        if (!made) {
            problem_->setText(parse_date(day) ? coreText(made.error().message) : tr("\"%1\" is not a day like 2025-09-17").arg(date_->text().trimmed().left(20)));
            keep_->setEnabled(false);
            return;
        }
        dated_ = std::move(*made);
    }
    QStringList lines;
    for (const std::string& decision : dated_.decisions) {
        const QString plain = QString::fromStdString(decision);
        lines << coreText(plain.section(QStringLiteral("; --"), 0, 0).toStdString());  // the field below states what the command's option would
    }
    lines_->setPlainText(lines.join(QLatin1Char('\n')));
}

QString PriceImportDialog::correctionText() const { return lines_->toPlainText(); }

void PriceImportDialog::accept() {
    CostInputs inputs = document_.cost();
    auto own = with_book(inputs.own_books(), dated_.book);
    if (!own) {
        problem_->setText(coreText(own.error().message));
        return;
    }
    inputs.own = std::make_shared<const PriceBooks>(std::move(*own));
    document_.setCost(inputs, tr("prices of %1").arg(QFileInfo(file_).fileName()));
    QDialog::accept();
}

}  // namespace synperf::ui
