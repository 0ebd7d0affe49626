#include "panels/price_entry_dialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "models/core_text.h"
#include "models/cost_text.h"
#include "models/typed_number.h"
#include "panels/value_field.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

PriceEntryDialog::PriceEntryDialog(const Engine& engine, PriceListModel& prices, const PriceListModel::Row* before, QWidget* parent)
    : QDialog(parent),
      engine_(engine),
      prices_(prices),
      edits_(before != nullptr),
      gpu_(new QComboBox),
      kind_(new QComboBox),
      currency_(new QComboBox),
      source_(new QLineEdit),
      date_(new QLineEdit),
      owning_(new QWidget),
      derived_(new QLabel),
      problem_(new QLabel) {
    if (before != nullptr) before_ = *before;
    setWindowTitle(edits_ ? tr("Edit a price") : tr("Add a price"));
    setObjectName(QStringLiteral("priceEntry"));
    const PriceEntry start = edits_ ? before_.entry : PriceEntry{};
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    auto* grid = new QGridLayout;
    auto* own_grid = new QGridLayout(owning_);
    own_grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnMinimumWidth(0, theme.px(130));
    own_grid->setColumnMinimumWidth(0, theme.px(130));
    grid->setColumnStretch(1, 1);
    own_grid->setColumnStretch(1, 1);
    const auto add = [](QGridLayout* to, const QString& name, QWidget* widget, const QString& object, const QString& tip = {}) {
        auto* label = new QLabel(name);
        label->setBuddy(widget);
        widget->setAccessibleName(name);
        widget->setObjectName(object);
        widget->setToolTip(tip);
        const int line = to->rowCount();
        to->addWidget(label, line, 0);
        to->addWidget(widget, line, 1);
    };
    const auto addNumber = [&](QGridLayout* to, const char* key, const QString& name, double value, const QString& unit, const QString& tip, const QString& standing = {}) {
        auto* field = new ValueField;
        field->setUnit(unit);
        field->setPlaceholder(standing);
        if (value != 0) field->setShownText(number_to_edit(value));
        fields_[key] = field;
        add(to, name, field, QStringLiteral("price:") + QLatin1String(key), tip);
        connect(field, &ValueField::edited, this, &PriceEntryDialog::refresh);
    };
    for (const GpuSpec& gpu : engine.gpus.gpus()) gpu_->addItem(text(gpu.name), text(gpu.id));
    if (edits_) gpu_->setCurrentIndex(gpu_->findData(text(start.price.gpu)));
    for (const PriceKind kind : {PriceKind::on_demand, PriceKind::spot, PriceKind::reserved, PriceKind::purchase}) kind_->addItem(priceKindName(kind), static_cast<int>(kind));
    kind_->setCurrentIndex(kind_->findData(static_cast<int>(start.price.kind)));
    for (const std::string& code : currencies()) currency_->addItem(text(code));
    currency_->setCurrentText(text(start.currency));
    source_->setText(text(edits_ && before_.own ? start.source : PriceEntry{}.source));
    source_->setMaxLength(200);
    const Date day = edits_ && before_.own && start.date ? *start.date : today();
    date_->setText(edits_ && before_.own && !start.date ? QString() : text(format_date(day)));
    date_->setPlaceholderText(tr("unknown; YYYY-MM-DD"));

    add(grid, tr("GPU"), gpu_, QStringLiteral("price:gpu"));
    add(grid, tr("Kind"), kind_, QStringLiteral("price:kind"));
    const QString per = tr("per GPU-hour; bought: per GPU, with its share of the server");
    addNumber(grid, "median", tr("Median"), start.price.amount.median, {}, per);
    addNumber(grid, "low", tr("Low"), start.price.amount.low, {}, per, tr("the median"));
    addNumber(grid, "high", tr("High"), start.price.amount.high, {}, per, tr("the median"));
    add(grid, tr("Currency"), currency_, QStringLiteral("price:currency"));
    addNumber(grid, "usd-per-unit", tr("USD for one unit"), start.currency == "USD" ? 0 : start.usd_per_unit, QStringLiteral("USD"), tr("Rate of the currency; without it the price counts in its own currency alone"), tr("not stated"));
    add(grid, tr("Source"), source_, QStringLiteral("price:source"));
    add(grid, tr("Date"), date_, QStringLiteral("price:date"), tr("Day of the price; empty: unknown, which counts as stale"));
    const Ownership own = start.price.ownership;
    addNumber(own_grid, "life-years", tr("Life"), own.life_years, tr("years"), tr("Over which the purchase is spread"));
    addNumber(own_grid, "utilisation", tr("Utilisation"), 100 * own.utilisation, tr("% of its life"), tr("Share of its life that the GPU works and is paid for by queries"));
    addNumber(own_grid, "power-price", tr("Power price"), own.power_price_per_kwh, tr("a kWh"), tr("In the price's currency"), tr("0"));
    addNumber(own_grid, "pue", tr("PUE"), own.pue, {}, tr("Power of the site over power of its computers"));
    addNumber(own_grid, "watts", tr("Power"), own.watts, tr("W"), tr("Of the working GPU with its share of the server"), tr("TDP"));
    column->addLayout(grid);
    column->addWidget(owning_);
    derived_->setObjectName(QStringLiteral("price:derived"));
    derived_->setProperty("look", "second");
    derived_->setWordWrap(true);
    derived_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    derived_->setMinimumHeight(2 * derived_->fontMetrics().lineSpacing() + theme.px(2));
    problem_->setObjectName(QStringLiteral("price:problem"));
    problem_->setProperty("look", "error");
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    column->addWidget(derived_);
    column->addWidget(problem_);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &PriceEntryDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QComboBox* box : {gpu_, kind_, currency_}) connect(box, &QComboBox::currentIndexChanged, this, &PriceEntryDialog::refresh);
    connect(date_, &QLineEdit::textEdited, this, &PriceEntryDialog::refresh);
    resize(theme.px(460), sizeHint().height());
    refresh();
}

Result<double> PriceEntryDialog::number(const char* key, double empty) const {
    const ValueField& field = *fields_.at(key);
    const QString typed = field.text().trimmed();
    if (typed.isEmpty()) return empty;
    const auto value = typed_number(typed);
    if (!value) return failure(tr("%1: %2").arg(field.accessibleName(), text(value.error().message)).toStdString());
    return value;
}

Result<PriceEntry> PriceEntryDialog::entry() const {
    PriceEntry made;
    made.price.gpu = gpu_->currentData().toString().toStdString();
    made.price.kind = static_cast<PriceKind>(kind_->currentData().toInt());
    made.price.note = before_.own ? before_.entry.price.note : std::string();
    made.currency = currency_->currentText().toStdString();
    made.source = source_->text().trimmed().isEmpty() ? PriceEntry{}.source : source_->text().trimmed().toStdString();
    const auto median = number("median", 0);
    if (!median) return tl::unexpected<Error>(median.error());
    if (!(*median > 0)) return failure(tr("Median: a price above 0 is needed").toStdString());
    const auto low = number("low", *median), high = number("high", *median), rate = number("usd-per-unit", 0);
    for (const auto* each : {&low, &high, &rate})
        if (!*each) return tl::unexpected<Error>(each->error());
    made.price.amount = {*low, *median, *high};
    made.usd_per_unit = made.currency == "USD" ? 1 : *rate;
    if (const QString day = date_->text().trimmed(); !day.isEmpty()) {
        made.date = parse_date(day.toStdString());
        if (!made.date) return failure(tr("Date: \"%1\" is not a day like 2025-09-17").arg(day.left(20)).toStdString());
        if (days_between(today(), *made.date) > 1) return failure(tr("Date: %1 is after today").arg(day).toStdString());
    }
    if (made.price.kind != PriceKind::purchase) return made;
    Ownership& own = made.price.ownership;
    const auto life = number("life-years", own.life_years), use = number("utilisation", 100 * own.utilisation), power = number("power-price", 0), pue = number("pue", own.pue), watts = number("watts", 0);
    for (const auto* each : {&life, &use, &power, &pue, &watts})
        if (!*each) return tl::unexpected<Error>(each->error());
    own = {*life, *power, *pue, *use / 100, *watts};
    return made;
}

void PriceEntryDialog::refresh() {
    const bool bought = static_cast<PriceKind>(kind_->currentData().toInt()) == PriceKind::purchase;
    owning_->setVisible(bought);
    derived_->setVisible(bought);
    layout()->activate();
    resize(width(), std::max(height(), minimumSizeHint().height()));
    fields_.at("usd-per-unit")->setEnabled(currency_->currentText() != QLatin1String("USD"));
    fields_.at("median")->setUnit(bought ? tr("a GPU") : tr("a GPU-hour"));
    const auto now = entry();
    problem_->setText(now || fields_.at("median")->text().isEmpty() ? QString() : text(now.error().message));
    derived_->clear();
    if (!bought || !now) return;
    const auto gpu = engine_.gpus.find(now->price.gpu);
    const double tdp = gpu ? (*gpu)->value_or(GpuField::tdp_w, 0) : 0;
    if (!(now->price.ownership.life_hours() > 0) || (!(tdp > 0) && !(now->price.ownership.watts > 0))) return;
    const ::synperf::Range hourly = hourly_cost_of_owning(now->price, tdp);
    const double power = power_cost_per_hour(now->price.ownership, tdp);
    derived_->setText(tr("%1 an hour of use: %2 for the purchase over %3 hours, %4 for power")
                          .arg(moneyText(hourly.median, now->currency), moneyText(hourly.median - power, now->currency), QLocale().toString(now->price.ownership.life_hours(), 'f', 0), moneyText(power, now->currency)));
}

void PriceEntryDialog::accept() {
    const auto now = entry();
    Result<void> done = now ? prices_.put(*now, edits_ ? &before_ : nullptr) : tl::unexpected<Error>(now.error());
    if (!done) {
        problem_->setText(coreText(done.error().to_string()));
        return;
    }
    QDialog::accept();
}

}  // namespace synperf::ui
