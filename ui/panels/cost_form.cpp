#include "panels/cost_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "economics/ranking.h"
#include "models/core_text.h"
#include "models/cost_text.h"
#include "models/typed_number.h"
#include "panels/search_popup.h"
#include "panels/value_field.h"
#include "theme/theme.h"
#include "views/cost_cell.h"

namespace synperf::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

QLabel* caption(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("look", "caption");
    return label;
}

void say(QLabel& label, const QString& message) {
    label.setText(message);
    label.setVisible(!message.isEmpty());
}

QLabel* errorLabel(const QString& name) {
    auto* label = new QLabel;
    label->setProperty("look", "error");
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->hide();
    return label;
}

}  // namespace

CostForm::CostForm(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      candidates_(document),
      list_(new QListView),
      add_(new QPushButton(tr("Add a GPU…"))),
      remove_(new QPushButton(tr("Remove"))),
      picker_(new SearchPopup(&gpus_, GpuListModel::searchRole, GpuListModel::secondRole, tr("GPU, architecture, …"), this)),
      kind_(new QComboBox),
      currency_(new QComboBox),
      error_(errorLabel(QStringLiteral("costError"))) {
    setAccessibleName(tr("Candidates and limits"));
    gpus_.setCatalogue(document.engine().gpus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::instance().px(6));
    buildCandidates(column);
    buildFields(column);
    column->addWidget(error_);
    column->addStretch(1);
    connect(picker_, &SearchPopup::chosen, this, [this](const QModelIndex& index) { candidates_.add(gpus_.gpu(index.row())); });
    connect(&document_, &Document::costChanged, this, &CostForm::refresh);
    connect(&candidates_, &QAbstractItemModel::modelReset, this, &CostForm::fitList);
    connect(&Theme::instance(), &Theme::changed, this, &CostForm::fitList);
    refresh();
    fitList();
}

void CostForm::buildCandidates(QVBoxLayout* column) {
    column->addWidget(caption(tr("Candidate GPUs")));
    list_->setObjectName(QStringLiteral("candidates"));
    list_->setAccessibleName(tr("Candidate GPUs"));
    list_->setProperty("look", "plain");
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setModel(&candidates_);
    list_->setItemDelegate(new CandidateCell(list_));
    list_->setMouseTracking(true);
    list_->installEventFilter(this);
    column->addWidget(list_);
    add_->setObjectName(QStringLiteral("addCandidate"));
    remove_->setObjectName(QStringLiteral("removeCandidate"));
    remove_->setToolTip(tr("Take the chosen GPU out of the list; the Delete key does it, too"));
    auto* row = new QHBoxLayout;
    row->addWidget(add_, 1);
    row->addWidget(remove_);
    column->addLayout(row);
    connect(add_, &QPushButton::clicked, this, &CostForm::openGpuPicker);
    connect(remove_, &QPushButton::clicked, this, &CostForm::removeCandidate);
    const auto follow = [this] { remove_->setEnabled(list_->currentIndex().isValid()); };
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, follow);
    connect(&candidates_, &QAbstractItemModel::modelReset, this, follow);
    follow();
}

void CostForm::buildFields(QVBoxLayout* column) {
    const auto gridUnder = [column](const QString& title) {
        column->addSpacing(Theme::instance().px(6));
        column->addWidget(caption(title));
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(Theme::instance().px(8));
        grid->setVerticalSpacing(Theme::instance().px(4));
        grid->setColumnStretch(0, 1);
        column->addLayout(grid);
        return grid;
    };
    auto* limits = gridUnder(tr("Limits"));
    addField(limits, "ttft-limit", tr("TTFT at most"), tr("Most time to the first token; empty: no limit"), tr("ms"), [](const CostInputs& in) { return in.ttft_ms; }, [](CostInputs& in, double v) { in.ttft_ms = v; }).most = RankingLimits::kMostMs;
    addField(limits, "tpot-limit", tr("TPOT at most"), tr("Most time for each output token; empty: no limit"), tr("ms"), [](const CostInputs& in) { return in.tpot_ms; }, [](CostInputs& in, double v) { in.tpot_ms = v; }).most = RankingLimits::kMostMs;
    Field& most = addField(limits, "most-gpus", tr("GPUs at most"), tr("Most GPUs that serve one copy of the model"), {}, [](const CostInputs& in) { return in.most_gpus; }, [](CostInputs& in, double v) { in.most_gpus = static_cast<int>(v); });
    most.whole = true;
    most.optional = false;
    most.least = 1;
    most.most = CostInputs::kMostGpus;
    most.field->setStepper([](const QString& now, int steps) { return step_integer(now, steps, 1, CostInputs::kMostGpus); });

    auto* prices = gridUnder(tr("Prices"));
    for (const PriceKind kind : {PriceKind::on_demand, PriceKind::spot, PriceKind::reserved, PriceKind::purchase}) kind_->addItem(priceKindName(kind), static_cast<int>(kind));
    addChoice(prices, kind_, "price-kind", tr("Kind"), tr("Which prices count; bought: the hourly cost of owning, from purchase price, life and power"));
    addChoice(prices, currency_, "currency", tr("Currency"), tr("Of all amounts; price books in another need a rate"));
    auto* book = new QPushButton(tr("Price book…"));
    book->setObjectName(QStringLiteral("openPrices"));
    prices->addWidget(book, prices->rowCount(), 0, 1, 2);
    connect(book, &QPushButton::clicked, this, &CostForm::pricesRequested);
    connect(kind_, &QComboBox::activated, this, [this] {
        CostInputs inputs = document_.cost();
        inputs.kind = static_cast<PriceKind>(kind_->currentData().toInt());
        document_.setCost(inputs, tr("%1 prices").arg(kind_->currentText()));
    });
    connect(currency_, &QComboBox::activated, this, [this] {
        CostInputs inputs = document_.cost();
        inputs.currency = currency_->currentText().toStdString();
        document_.setCost(inputs, tr("currency %1").arg(currency_->currentText()));
    });

    auto* load = gridUnder(tr("Target load"));
    addField(load, "target-qps", tr("Queries/s"), tr("Queries a second that a fleet must serve; empty: no fleet is asked for"), {}, [](const CostInputs& in) { return in.target_qps; }, [](CostInputs& in, double v) { in.target_qps = v; }).most = kMostQueriesPerSecond;
}

CostForm::Field& CostForm::addField(QGridLayout* grid, const char* key, const QString& name, const QString& tip, const QString& unit, std::function<double(const CostInputs&)> get,
                                    std::function<void(CostInputs&, double)> set) {
    Field& field = fields_[key];
    field.field = new ValueField;
    field.error = errorLabel(QStringLiteral("error:") + QLatin1String(key));
    field.name = name;
    field.get = std::move(get);
    field.set = std::move(set);
    auto* label = new DragLabel(name);
    label->setToolTip(tip);
    field.field->setObjectName(QStringLiteral("cost:") + QLatin1String(key));
    field.field->setToolTip(tip);
    field.field->setAccessibleName(name);
    field.field->setUnit(unit);
    field.field->setPlaceholder(tr("none"));
    field.field->setFixedWidth(Theme::instance().px(118));
    field.field->setStepper([&field](const QString& now, int steps) {
        const auto value = typed_number(now);
        return !value || *value == 0 ? QString() : number_to_edit(step_real(QString::number(*value, 'g', 12), steps, field.least, field.most).toDouble());
    });
    label->setField(field.field);
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    grid->addWidget(field.field, line, 1);
    grid->addWidget(field.error, line + 1, 0, 1, 2);
    connect(field.field, &ValueField::edited, this, [this, key = std::string(key)](const QString& text) { typed(key, text); });
    return field;
}

void CostForm::addChoice(QGridLayout* grid, QComboBox* box, const char* key, const QString& name, const QString& tip) {
    box->setObjectName(QStringLiteral("cost:") + QLatin1String(key));
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setFixedWidth(Theme::instance().px(118));
    auto* label = new QLabel(name);
    label->setBuddy(box);
    label->setToolTip(tip);
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    grid->addWidget(box, line, 1);
}

void CostForm::typed(const std::string& key, const QString& typed_text) {
    Field& field = fields_.at(key);
    const QString plain = typed_text.trimmed();
    const auto number = plain.isEmpty() ? Result<double>(0) : typed_number(plain);
    const double value = number.value_or(0);
    field.wrong.clear();
    if (plain.isEmpty() && !field.optional) {
        field.wrong = tr("needs a number");
    } else if (!number) {
        field.wrong = text(number.error().message);
    } else if (!plain.isEmpty() && (value < field.least || value > field.most || (field.least == 0 && value == 0))) {
        const QLocale locale;
        field.wrong = field.least == 0 ? tr("should be above 0 and at most %1").arg(locale.toString(field.most, 'g', 12)) : tr("should be from %1 to %2").arg(locale.toString(field.least, 'g', 12), locale.toString(field.most, 'g', 12));
    } else if (field.whole && value != std::floor(value)) {
        field.wrong = tr("should be a whole number");
    }
    say(*field.error, field.wrong);
    field.field->setBad(!field.wrong.isEmpty());
    if (field.wrong.isEmpty()) {
        field.shown = value;
        CostInputs inputs = document_.cost();
        field.set(inputs, value);
        document_.setCost(inputs, plain.isEmpty() ? tr("no %1").arg(field.name) : tr("%1 %2").arg(field.name, plain), static_cast<int>(std::distance(fields_.begin(), fields_.find(key))));
    }
    emit inputErrorChanged();
}

void CostForm::refresh() {
    const CostInputs& inputs = document_.cost();
    for (auto& [key, field] : fields_) {
        const double value = field.get(inputs);
        if (field.shown == value && (field.wrong.isEmpty() || field.field->hasFocus())) continue;
        field.shown = value;
        field.wrong.clear();
        say(*field.error, {});
        field.field->setBad(false);
        field.field->setShownText(field.optional && value == 0 ? QString() : number_to_edit(value));
    }
    kind_->setCurrentIndex(kind_->findData(static_cast<int>(inputs.kind)));
    const QString code = text(inputs.currency);
    if (currency_->findText(code) < 0) currency_->addItem(code);
    currency_->setCurrentIndex(currency_->findText(code));
    emit inputErrorChanged();
}

void CostForm::setCurrencies(const QStringList& codes) {
    QStringList all = codes;
    const QString now = text(document_.cost().currency);
    if (!all.contains(now)) all << now;
    QStringList shown;
    for (int i = 0; i < currency_->count(); ++i) shown << currency_->itemText(i);
    if (shown == all) return;
    currency_->clear();
    currency_->addItems(all);
    currency_->setCurrentText(now);
}

void CostForm::setError(const QString& message) { say(*error_, message); }

void CostForm::catalogueChanged() { gpus_.setCatalogue(document_.engine().gpus); }

void CostForm::openGpuPicker() { picker_->openAt(add_->mapToGlobal(QPoint(0, add_->height())), std::max(add_->width(), Theme::instance().px(420))); }

void CostForm::removeCandidate() {
    const int row = list_->currentIndex().row();
    candidates_.remove(row);
    if (candidates_.rowCount() > 0) list_->setCurrentIndex(candidates_.index(std::min(row, candidates_.rowCount() - 1)));
}

bool CostForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Delete)) {
        removeCandidate();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

// As high as its rows, up to a dozen: the form around it scrolls.
void CostForm::fitList() {
    constexpr int kMostRows = 12;
    const int rows = std::clamp(candidates_.rowCount(), 1, kMostRows);
    const int each = candidates_.rowCount() > 0 ? std::max(list_->sizeHintForRow(0), Theme::instance().px(22)) : Theme::instance().px(24);
    list_->setFixedHeight(rows * each + Theme::instance().px(4));
}

QString CostForm::inputError() const {
    for (const auto& [key, field] : fields_)
        if (!field.wrong.isEmpty()) return tr("%1 %2").arg(field.name, field.wrong);
    return {};
}

}  // namespace synperf::ui
