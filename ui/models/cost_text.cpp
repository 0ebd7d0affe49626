#include "models/cost_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace synperf::ui {

namespace {

class CostText {
    Q_DECLARE_TR_FUNCTIONS(CostText)
};

constexpr double kDaysAMonth = 365.25 / 12, kHoursAMonth = 24 * kDaysAMonth;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

QString percent(double share) { return QLocale().toString(100 * share, 'f', share < 0.0995 ? 1 : 0); }

QString listed(const QStringList& parts) { return parts.join(CostText::tr(", ", "between the parts of a list")); }

QString durationOf(Seconds time) { return QString::fromStdString(format_duration(time)); }

QString shortId(const std::string& id) {
    static const QRegularExpression board(QStringLiteral("-(SXM\\d?|PCIE|Server|Workstation)(-\\d+GB)?$"));
    return text(id).remove(board).replace(QLatin1Char('-'), QLatin1Char(' '));
}

// Limits are round numbers, which need no four digits.
QString limitText(Seconds time) {
    const QLocale locale;
    return time.value >= 1 ? CostText::tr("%1 s").arg(locale.toString(time.value, 'g', 6)) : CostText::tr("%1 ms").arg(locale.toString(time.value * 1e3, 'g', 6));
}

// The cheapest of those that are faster than the winner.
std::optional<std::size_t> sooner(const std::vector<RankedPlan>& plans) {
    for (std::size_t i = 1; i < plans.size(); ++i)
        if (plans[i].meets && plans[i].cost && plans[i].result.total.value < plans[0].result.total.value) return i;
    return std::nullopt;
}

QString sureness(const RankedPlan& a, const RankedPlan& b) {
    return certainty(cost_contender(a), cost_contender(b)) == Certainty::not_distinguishable ? CostText::tr("which is less than their ranges of price and latency: not distinguishable")
                                                                                              : CostText::tr("which is more than their ranges of price and latency");
}

}  // namespace

QString moneyText(double value, const std::string& currency) {
    const int digits = value > 0 && value < 1 ? std::min(9, 2 - static_cast<int>(std::floor(std::log10(value)))) : value < 100 ? 2 : 0;
    const QString number = QLocale().toString(value, 'f', digits);
    const QString sign = currency == "USD" ? QStringLiteral("$") : currency == "EUR" ? QStringLiteral("\u20ac") : currency == "GBP" ? QStringLiteral("\u00a3") : text(currency) + QChar(0xa0);
    return sign + number;
}

QString moneyRange(const Range& range, const std::string& currency) { return CostText::tr("%1 to %2").arg(moneyText(range.low, currency), moneyText(range.high, currency)); }

QStringList planNames(const Ranking& ranking) {
    QStringList shorts, names;
    for (const RankedPlan& plan : ranking.plans) shorts << shortId(plan.gpu.id);
    for (qsizetype i = 0; i < shorts.size(); ++i) {
        const RankedPlan& plan = ranking.plans[static_cast<std::size_t>(i)];
        const bool named = std::ranges::count(ranking.plans, plan.gpu.name, [](const RankedPlan& other) { return other.gpu.name; }) == 1;
        const QString name = shorts.count(shorts[i]) == 1 ? shorts[i] : text(named ? plan.gpu.name : plan.gpu.id);
        names << QStringLiteral("%1 \u00d7%2").arg(name).arg(plan.tp);
    }
    return names;
}

QString priceKindName(PriceKind kind) {
    switch (kind) {
        case PriceKind::on_demand: return CostText::tr("on demand");
        case PriceKind::spot: return CostText::tr("spot");
        case PriceKind::reserved: return CostText::tr("reserved");
        case PriceKind::purchase: break;
    }
    return CostText::tr("bought");
}

QString shortReason(const RankedPlan& plan, const RankingLimits& limits) {
    if (plan.meets) return {};
    if (!plan.served) return CostText::tr("does not fit");
    QStringList parts;
    if (limits.ttft && plan.result.ttft.value > *limits.ttft) parts << CostText::tr("misses TTFT");
    if (limits.tpot && plan.result.tpot.value > *limits.tpot) parts << CostText::tr("misses TPOT");
    if (!plan.quote) parts << CostText::tr("no price");
    return listed(parts);
}

QStringList costSentences(const Ranking& ranking) {
    const std::vector<RankedPlan>& plans = ranking.plans;
    if (plans.empty() || !plans.front().meets || !plans.front().cost) return {CostText::tr("No candidate fits, has a price and meets the limits; the reasons stand in the table.")};
    const QStringList names = planNames(ranking);
    const RankedPlan& first = plans.front();
    const double cost = first.cost->per_query.median, time = first.result.total.value.value;
    QStringList sentences{CostText::tr("%1 costs least per query, %2.").arg(names[0], moneyText(cost, ranking.currency))};
    const auto priced = std::ranges::count_if(plans, [](const RankedPlan& plan) { return plan.meets && plan.cost.has_value(); });
    if (priced < 2) return sentences << CostText::tr("It stands alone: there is nothing to compare it with.");
    const auto faster = sooner(plans);
    if (faster) {
        const RankedPlan& other = plans[*faster];
        sentences << CostText::tr("%1 answers %2 % sooner for %3 % more, %4.")
                         .arg(names[static_cast<qsizetype>(*faster)], percent(1 - other.result.total.value.value / time), percent(other.cost->per_query.median / cost - 1), sureness(first, other));
    } else {
        sentences << CostText::tr("No other answers sooner.");
    }
    const RankedPlan& second = plans[1];
    if (second.meets && second.cost && (!faster || *faster != 1))
        sentences << CostText::tr("%1 is second at %2 % more, %3; it takes %4.").arg(names[1], percent(second.cost->per_query.median / cost - 1), sureness(first, second), durationOf(second.result.total.value));
    return sentences;
}

QStringList breakEvenSentences(const Ranking& ranking) {
    QStringList sentences;
    const QLocale locale;
    const QStringList names = planNames(ranking);
    for (std::size_t i = 0; i < ranking.plans.size(); ++i) {
        const RankedPlan& plan = ranking.plans[i];
        if (!plan.break_even) continue;
        const QString gpu = names[static_cast<qsizetype>(i)].section(QStringLiteral(" \u00d7"), 0, 0);
        const double hours = plan.break_even->hours.median, use = plan.owned_utilisation;
        if (!std::isfinite(hours)) {
            sentences << CostText::tr("Buying %1 never pays back: renting costs less than its power.").arg(gpu);
            continue;
        }
        const QString months = locale.toString(hours / (kHoursAMonth * use), 'f', 1);
        sentences << (plan.break_even->within_life ? CostText::tr("Buying pays back against renting %1 after %2 months at %3 % use.") : CostText::tr("Buying %1 pays back after %2 months at %3 % use, which is more than its life."))
                         .arg(gpu, months, percent(use));
    }
    return sentences;
}

QString priceAgeText(const PriceAges& ages) {
    const QLocale locale;
    QStringList parts{CostText::tr("Prices: %1 entries").arg(locale.toString(static_cast<qlonglong>(ages.entries)))};
    if (ages.oldest_days) parts << CostText::tr("oldest %1 months").arg(locale.toString(std::floor(static_cast<double>(std::max(0L, *ages.oldest_days)) / kDaysAMonth), 'f', 0));
    if (ages.unknown > 0) parts << CostText::tr("%1 of unknown date").arg(locale.toString(static_cast<qlonglong>(ages.unknown)));
    return listed(parts);
}

QString workloadTitle(const RankingRequest& request) {
    const QLocale locale;
    return CostText::tr("%1, %2 in, %3 out, %4 at a time")
        .arg(text(request.config.id), locale.toString(qlonglong{request.shape.prompt}), locale.toString(qlonglong{request.shape.output}), locale.toString(qlonglong{request.shape.batch}));
}

QString workloadDetails(const RankingRequest& request) {
    QStringList limits;
    if (request.limits.ttft) limits << CostText::tr("TTFT at most %1").arg(limitText(*request.limits.ttft));
    if (request.limits.tpot) limits << CostText::tr("TPOT at most %1").arg(limitText(*request.limits.tpot));
    if (limits.isEmpty()) limits << CostText::tr("no limits of latency");
    limits << CostText::tr("at most %1 GPUs").arg(QLocale().toString(request.limits.most_gpus));
    return CostText::tr("%1; %2; %3 prices, %4").arg(listed(limits), text(request.deployment.framework.name), priceKindName(request.kind), text(request.currency));
}

}  // namespace synperf::ui
