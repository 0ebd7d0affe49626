#include "models/cost_table_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/core_text.h"
#include "models/cost_text.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

const QString kDash = QStringLiteral("\u2013");

double logOf(double value) { return std::log10(std::max(value, 1e-15)); }

QString numberText(double value) { return QLocale().toString(value, 'g', 3); }

QString rateText(double value) { return value >= 1000 ? QLocale().toString(value, 'f', 0) : QLocale().toString(value, 'g', 3); }

}  // namespace

void CostTableModel::setOutcome(CostOutcomePtr outcome) {
    beginResetModel();
    outcome_ = std::move(outcome);
    names_ = outcome_ ? planNames(outcome_->ranking) : QStringList();
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
    for (std::size_t i = 0; outcome_ && i < outcome_->ranking.plans.size(); ++i) {
        const RankedPlan& one = outcome_->ranking.plans[i];
        if (!one.cost) continue;
        low_ = std::min(low_, logOf(one.cost->per_query.low));
        high_ = std::max(high_, logOf(one.cost->per_query.high));
    }
    if (!(high_ > low_)) high_ = low_ + 1;
    endResetModel();
}

int CostTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() || !outcome_ ? 0 : static_cast<int>(outcome_->ranking.plans.size()); }

int CostTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString CostTableModel::textOf(const RankedPlan& one, int row, int column) const {
    const std::string& currency = outcome_->ranking.currency;
    const auto money = [&](double value) { return one.cost ? moneyText(value, currency) : kDash; };
    switch (column) {
        case place: return one.rank > 0 ? QLocale().toString(one.rank) : kDash;
        case plan: return names_[row];
        case latency: return one.served ? durationText(one.result.total.value) : kDash;
        case cost: return money(one.cost ? one.cost->per_query.median : 0);
        case per_input: return money(one.cost ? one.cost->per_million_input.median : 0);
        case per_output: return money(one.cost ? one.cost->per_million_output.median : 0);
        case energy: return one.cost && one.run.watts > 0 ? tr("%1 Wh").arg(numberText(one.cost->energy_wh.median)) : kDash;
        case per_gpu_hour: return one.cost ? rateText(one.cost->queries_per_gpu_hour.median) : kDash;
        case per_unit: return one.cost ? rateText(one.cost->queries_per_unit.median) : kDash;
        case fleet: return one.fleet ? tr("%1 GPUs").arg(QLocale().toString(qlonglong{one.fleet->gpus})) : kDash;
        case price: return one.quote ? moneyText(one.quote->per_gpu_hour.median, currency) : kDash;
        default: break;
    }
    QStringList parts;
    for (const std::string& why : one.fails) parts << coreText(why);
    parts << coreText(one.plan);
    return parts.join(QStringLiteral(". "));
}

// What a column is sorted by; invalid where there is nothing.
QVariant CostTableModel::valueOf(const RankedPlan& one, int column) const {
    const auto of_cost = [&one](const Range& range) { return one.cost ? QVariant(range.median) : QVariant(); };
    const QueryCost figures = one.cost.value_or(QueryCost{});
    switch (column) {
        case place: return one.rank > 0 ? QVariant(one.rank) : QVariant();
        case latency: return one.served ? QVariant(one.result.total.value.value) : QVariant();
        case cost: return of_cost(figures.per_query);
        case per_input: return of_cost(figures.per_million_input);
        case per_output: return of_cost(figures.per_million_output);
        case energy: return one.run.watts > 0 ? of_cost(figures.energy_wh) : QVariant();
        case per_gpu_hour: return of_cost(figures.queries_per_gpu_hour);
        case per_unit: return of_cost(figures.queries_per_unit);
        case fleet: return one.fleet ? QVariant(qlonglong{one.fleet->gpus}) : QVariant();
        case price: return one.quote ? QVariant(one.quote->per_gpu_hour.median) : QVariant();
        default: return {};
    }
}

QVariant CostTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !outcome_) return {};
    const RankedPlan& one = outcome_->ranking.plans[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const std::string& currency = outcome_->ranking.currency;
    switch (role) {
        case Qt::DisplayRole: return textOf(one, index.row(), column);
        case Qt::EditRole: return column == plan || column == explained ? QVariant(textOf(one, index.row(), column)) : valueOf(one, column);
        case meetsRole: return one.meets;
        case Qt::ToolTipRole:
            if (column == cost && one.cost) return moneyRange(one.cost->per_query, currency);
            if (column == price && one.quote) return coreText(one.quote->how);
            return textOf(one, index.row(), explained);
        case secondRole:
            if (column == plan) return one.meets ? one.quote ? tr("%1 a GPU-hour").arg(moneyText(one.quote->per_gpu_hour.median, currency)) : QString() : shortReason(one, outcome_->request.limits);
            if (column == latency && one.served) return intervalText(one.result.total);
            if (column == fleet && one.fleet && one.cost) return tr("%1 an hour").arg(moneyText(one.fleet->cost_per_hour.median, currency));
            return {};
        case rangeRole: {
            if (column != cost || !one.cost) return {};
            const auto share = [this](double value) { return (logOf(value) - low_) / (high_ - low_); };
            return QVariant::fromValue(QList<double>{share(one.cost->per_query.low), share(one.cost->per_query.median), share(one.cost->per_query.high)});
        }
        default: return {};
    }
}

QVariant CostTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
    const QString unit = !outcome_ || outcome_->ranking.currency == "USD" ? tr("dollar") : QString::fromStdString(outcome_->ranking.currency);
    if (role == Qt::DisplayRole) {
        const QStringList names{QString(),          tr("Plan"),                tr("Latency"),           tr("Cost per query"), tr("per 1M out tokens"), tr("per 1M in tokens"), tr("Energy per query"),
                                tr("per GPU-hour"), tr("per %1").arg(unit), tr("Fleet for the load"), tr("Price"),          tr("Plan explained")};
        return names[section];
    }
    if (role != Qt::ToolTipRole) return {};
    const QStringList tips{tr("Place by median cost per query"),
                           tr("GPU and how many of them serve one copy of the model: the fewest that hold it and meet the limits"),
                           tr("From the start of a query to its last token, with the 90 % interval"),
                           tr("Price of a GPU-hour x seconds x GPUs / (3600 x queries at a time), from the low price and the short end to the high price and the long end"),
                           tr("What all but reading the prompts costs, over the output tokens"),
                           tr("What reading the prompts costs, over their tokens"),
                           tr("TDP x seconds x GPUs / queries at a time: an upper bound"),
                           tr("Queries per hour of one GPU"),
                           tr("Queries for one %1").arg(unit),
                           tr("Whole deployments for the target load, and their cost an hour"),
                           tr("Of one GPU-hour, the median"),
                           tr("Why this many GPUs, or why the plan fails")};
    return tips[section];
}

CostOrder::CostOrder(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(Qt::EditRole);
}

void CostOrder::setWords(const QString& text) {
    words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool CostOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
    const QVariant left = a.data(Qt::EditRole), right = b.data(Qt::EditRole);
    // Nothing is last, whichever way the rest runs.
    if (left.isValid() != right.isValid()) return left.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (!left.isValid()) return a.row() < b.row();
    if (left.userType() == QMetaType::QString) return QString::localeAwareCompare(left.toString(), right.toString()) < 0;
    return left.toDouble() < right.toDouble();
}

bool CostOrder::filterAcceptsRow(int row, const QModelIndex& parent) const {
    QString line;
    for (int column = 0; column < sourceModel()->columnCount(); ++column) {
        const QModelIndex cell = sourceModel()->index(row, column, parent);
        line += cell.data().toString() + QLatin1Char('\n') + cell.data(CostTableModel::secondRole).toString() + QLatin1Char('\n');
    }
    return std::ranges::all_of(words_, [&line](const QString& word) { return line.contains(word, Qt::CaseInsensitive); });
}

}  // namespace synperf::ui
