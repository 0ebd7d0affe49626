#include "panels/comparison_table.h"

#include <QBrush>
#include <QFont>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/core_text.h"
#include "panels/latency_card.h"
#include "theme/theme.h"
#include "views/lane_view.h"
#include "views/scene.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
QString number(double value, int digits = 4) { return text(format_number(value, digits)); }

// "172.4 (162.5 to 186.4)"
QString within(double value, double lower, double upper, int digits = 4) {
    // A range of prices is no more exact than two digits.
    const int ends = digits < 4 ? 2 : digits;
    return lower < upper ? ComparisonTable::tr("%1 (%2 to %3)").arg(number(value, digits), number(lower, ends), number(upper, ends)) : number(value, digits);
}

// "528.8 (505.4 to 574.4)" and "+356.4 µs, +207 %" broken where they fall into two, and further where that is not enough.
QString foldedText(QString cell, int folded) {
    if (folded == 0) return cell;
    // Translations may have full-width brackets without a blank before them.
    static const QRegularExpression kBracket(QStringLiteral(" ?(?=[(（])"));
    const auto opens = kBracket.match(cell);
    const qsizetype bracket = opens.hasMatch() ? opens.capturedStart() : -1, comma = cell.indexOf(QLatin1String(", "));
    if (bracket > 0) cell.replace(bracket, opens.capturedLength(), QStringLiteral("\n"));
    else if (comma > 0) cell.replace(comma, 2, QLatin1Char('\n'));
    if (folded == 1) return cell;
    constexpr qsizetype kLong = 14;
    if (const qsizetype to = cell.indexOf(QLatin1Char(' '), bracket + 1); bracket > 0 && to > 0) cell.replace(to, 1, QLatin1Char('\n'));
    else if (const qsizetype space = cell.lastIndexOf(QLatin1Char(' ')); bracket < 0 && comma < 0 && cell.size() > kLong && space > 0) cell.replace(space, 1, QLatin1Char('\n'));
    return cell;
}

}  // namespace

QString certaintyHelp(Certainty certainty) {
    switch (certainty) {
        case Certainty::distinguishable: return ComparisonTable::tr("More than the uncertainty: the 90 % intervals do not overlap");
        case Certainty::not_distinguishable: return ComparisonTable::tr("The 90 % intervals overlap");
        case Certainty::unknown: break;
    }
    return ComparisonTable::tr("Without an interval of both, whether that is more than the uncertainty is not known");
}

QString confidenceMark(Confidence confidence) {
    switch (confidence) {
        case Confidence::measured_range: return ComparisonTable::tr("measured range");
        case Confidence::near: return ComparisonTable::tr("near measured");
        case Confidence::extrapolating: return ComparisonTable::tr("extrapolating");
        case Confidence::analytical: break;
    }
    return ComparisonTable::tr("analytical");
}

QString notMeasuredText(double share) { return share < 0.005 ? ComparisonTable::tr("measured") : share > 0.995 ? ComparisonTable::tr("not measured") : ComparisonTable::tr("%1 not measured").arg(percent(share)); }

QString comparedName(const Comparison& comparison, std::size_t index) { return text(comparison.inputs.gpus[index].gpu.name); }

// Ids differ from GPU to GPU and so does the sentence: they stand as GPU_A, GPU_B in what is translated.
QString sentenceText(const std::string& sentence, const CompareInputs& inputs) {
    std::vector<std::pair<qsizetype, const GpuSpec*>> found;
    QString plain = text(sentence);
    std::vector<const GpuSpec*> longest_first;
    for (const ComparedGpu& each : inputs.gpus) longest_first.push_back(&each.gpu);
    std::ranges::stable_sort(longest_first, [](const GpuSpec* a, const GpuSpec* b) { return a->id.size() > b->id.size(); });
    for (const GpuSpec* gpu : longest_first) {
        const QString id = text(gpu->id);
        for (qsizetype at = plain.indexOf(id); at >= 0; at = plain.indexOf(id, at)) {
            plain.replace(at, id.size(), QString(id.size(), QChar(u'\x01')));
            found.emplace_back(at, gpu);
        }
    }
    std::ranges::sort(found);
    QString key;
    qsizetype end = 0;
    QStringList marks, names;
    for (const auto& [at, gpu] : found) {
        // "4 x ID" is one name.
        static const QRegularExpression several(QStringLiteral("\\d+ x $"));
        const QString before = plain.mid(end, at - end), count = several.match(before).captured();
        marks << QStringLiteral("GPU_") + QChar(static_cast<char16_t>(u'A' + marks.size() % 26));
        names << count + text(gpu->name);
        key += before.left(before.size() - count.size()) + marks.back();
        end = at + static_cast<qsizetype>(gpu->id.size());
    }
    QString said = coreText((key + plain.mid(end)).toStdString());
    for (qsizetype i = 0; i < marks.size(); ++i) said.replace(marks[i], names[i]);
    return said;
}

template <class Make>
void ComparisonTable::add(const char* key, const QString& label, const QString& help, Make make) {
    Measure measure{key, label, help, {}};
    for (std::size_t i = 0; i < comparison_->size(); ++i) measure.cells.push_back(comparison_->latency(i) ? make(i) : Cell{QStringLiteral("\u2013"), {}, 0, coreText(comparison_->why_not(i)), true});
    measures_.push_back(std::move(measure));
}

ComparisonTable::Cell ComparisonTable::change(std::size_t index) const {
    const auto standard = comparison_->latency(comparison_->inputs.baseline);
    if (index == comparison_->inputs.baseline) return {tr("baseline"), 0.0, 0, {}};
    if (!standard) return {QStringLiteral("\u2013"), {}, 0, {}, true};
    const Estimate mine = *comparison_->latency(index);
    const double relative = standard->value.value > 0 ? mine.value / standard->value - 1 : 0;
    return {changeText(mine.value, standard->value), 100 * relative, relative > kSameChange ? 1 : relative < -kSameChange ? -1 : 0, certaintyHelp(comparison_->certainty(index))};
}

// In words, with what they stand on.
ComparisonTable::Cell ComparisonTable::difference(std::size_t index) const {
    const auto standard = comparison_->latency(comparison_->inputs.baseline);
    if (index == comparison_->inputs.baseline || !standard) return {QStringLiteral("\u2013"), {}, 0, {}, index != comparison_->inputs.baseline};
    const double relative = standard->value.value > 0 ? comparison_->latency(index)->value / standard->value - 1 : 0;
    const Certainty certainty = comparison_->certainty(index);
    return {coreText(difference_in_words(relative, certainty)), {}, 0, certaintyHelp(certainty)};
}

// A stale price has the star that the command prints.
ComparisonTable::Cell ComparisonTable::cost(const Range& cost, const Quote& quote) const {
    return {within(cost.median, cost.low, cost.high, 3) + (quote.stale ? QStringLiteral("*") : QString()), cost.median, 0, tr("%1, %2%3").arg(text(quote.source), text(quote.date), quote.stale ? tr(", stale") : QString())};
}

void ComparisonTable::addKernelRows() {
    const auto of = [this](std::size_t i) -> const ComparedKernel& { return comparison_->kernels.kernels[i]; };
    const auto prediction = [of](std::size_t i) -> const Prediction& { return of(i).explanation->prediction; };
    add("latency", tr("Predicted latency, µs"), tr("Median, and the 90 % interval"), [this](std::size_t i) {
        const Estimate time = *comparison_->latency(i);
        return Cell{within(to_microseconds(time.value), to_microseconds(time.lower), to_microseconds(time.upper)), to_microseconds(time.value), 0, coreText(comparison_->kernels.kernels[i].explanation->prediction.provenance)};
    });
    add("change", tr("Against the baseline"), {}, [this](std::size_t i) { return change(i); });
    add("difference", tr("Difference"), tr("Whether it is more than the uncertainty: 90 % intervals that overlap are not distinguishable"), [this](std::size_t i) { return difference(i); });
    add("ceiling", tr("Ceiling, µs"), tr("What no implementation of this decomposition could beat"), [prediction](std::size_t i) {
        const double us = to_microseconds(prediction(i).ceiling);
        return Cell{number(us), us, 0, {}};
    });
    add("efficiency", tr("Efficiency"), tr("Ceiling over latency"), [prediction](std::size_t i) { return Cell{percent(prediction(i).efficiency, 1), prediction(i).efficiency, 0, {}}; });
    add("tflops", tr("TFLOP/s"), tr("Useful operations over the latency"), [of](std::size_t i) { return Cell{number(of(i).tflops(), 3), of(i).tflops(), 0, {}}; });
    add("bound", tr("Bound by"), {}, [prediction](std::size_t i) { return Cell{coreText(long_name(prediction(i).bound)), {}, 0, {}}; });
    add("confidence", tr("Confidence"), {}, [prediction](std::size_t i) { return Cell{confidenceMark(prediction(i).confidence), {}, prediction(i).confidence == Confidence::extrapolating ? 1 : 0, confidenceText(prediction(i).confidence)}; });
    add("cost", tr("USD per 1000 calls"), tr("On-demand price of a GPU-hour x latency: median, and from the lowest price and the lower end to the highest price and the upper end. * the price is old"), [this, of](std::size_t i) {
        const ComparedKernel& kernel = of(i);
        if (!kernel.per_thousand) return Cell{tr("no price"), {}, 0, {}, true};
        return cost(*kernel.per_thousand, *kernel.quote);
    });
}

void ComparisonTable::addQueryRows() {
    const auto result = [this](std::size_t i) -> const ServingResult& { return comparison_->plan(i)->result; };
    const auto time = [this, result](const char* key, const QString& label, const QString& help, const Estimate ServingResult::*which) {
        add(key, label, help, [result, which](std::size_t i) {
            const Estimate& estimate = result(i).*which;
            return Cell{within(estimate.value.value * 1e3, estimate.lower.value * 1e3, estimate.upper.value * 1e3), estimate.value.value * 1e3, 0, {}};
        });
    };
    time("latency", tr("End to end, ms"), tr("From the start to the last token of the batch, and the 90 % interval"), &ServingResult::total);
    add("change", tr("Against the baseline"), {}, [this](std::size_t i) { return change(i); });
    add("difference", tr("Difference"), tr("Whether it is more than the uncertainty: 90 % intervals that overlap are not distinguishable"), [this](std::size_t i) { return difference(i); });
    time("ttft", tr("Time to first token, ms"), {}, &ServingResult::ttft);
    time("tpot", tr("Time per output token, ms"), {}, &ServingResult::tpot);
    add("tokens", tr("Tokens/s"), tr("Output tokens of all requests over the whole time"), [result](std::size_t i) { return Cell{number(result(i).tokens_per_second()), result(i).tokens_per_second(), 0, {}}; });
    add("gpus", tr("GPUs (tensor parallel)"), tr("The fewest that hold the model and its cache"), [this](std::size_t i) { return Cell{QLocale().toString(comparison_->plan(i)->tp), static_cast<double>(comparison_->plan(i)->tp), 0, text(comparison_->plan(i)->plan)}; });
    add("cost", tr("USD per 1000 queries"), tr("On-demand price of a GPU-hour x time x GPUs over the queries at a time: median, lowest and highest. * the price is old"), [this](std::size_t i) {
        const RankedPlan& plan = *comparison_->plan(i);
        if (!plan.cost || !plan.quote) return Cell{tr("no price"), {}, 0, {}, true};
        return cost(plan.cost->per_query * 1000, *plan.quote);
    });
    add("confidence", tr("Not measured"), tr("Share of a decode step's kernels that no measurement is near to: extrapolated, or by the analysis alone"), [result](std::size_t i) {
        const double share = unmeasured_share(result(i).decode_parts);
        return Cell{percent(share), share, share > kMuch ? 1 : 0, {}};
    });
}

void ComparisonTable::setComparison(ComparisonPtr comparison) {
    beginResetModel();
    comparison_ = std::move(comparison);
    measures_.clear();
    if (comparison_) comparison_->workload() ? addQueryRows() : addKernelRows();
    endResetModel();
}

std::vector<std::string> ComparisonTable::order(int row, bool descending) const {
    if (!comparison_ || row < 0 || row >= rowCount()) return {};
    std::vector<std::size_t> order(comparison_->size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<Cell>& cells = measures_[static_cast<std::size_t>(row)].cells;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const Cell &x = cells[a], &y = cells[b];
        if (x.missing || y.missing) return !x.missing && y.missing;
        if (x.value && y.value) return descending ? *x.value > *y.value : *x.value < *y.value;
        return descending ? x.text > y.text : x.text < y.text;
    });
    std::vector<std::string> ids;
    for (const std::size_t i : order) ids.push_back(comparison_->inputs.gpus[i].gpu.id);
    return ids;
}

void ComparisonTable::setFolded(int folded) {
    if (folded_ == folded) return;
    folded_ = folded;
    if (rowCount() == 0 || columnCount() == 0) return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DisplayRole});
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int ComparisonTable::lines(int row) const {
    qsizetype breaks = 0;
    for (const Cell& cell : measures_[static_cast<std::size_t>(row)].cells) breaks = std::max(breaks, foldedText(cell.text, folded_).count(QLatin1Char('\n')));
    return 1 + static_cast<int>(breaks);
}

ComparisonTable::Shown ComparisonTable::shown(const QString& words) const {
    Shown shown{std::vector<bool>(measures_.size(), true), std::vector<bool>(comparison_ ? comparison_->size() : 0, true)};
    std::vector<bool> named(shown.columns.size());
    bool any = false;
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        bool of_gpu = false;
        for (std::size_t i = 0; i < named.size(); ++i) {
            if (!comparedName(*comparison_, i).contains(word, Qt::CaseInsensitive)) continue;
            named[i] = of_gpu = any = true;
        }
        for (std::size_t i = 0; !of_gpu && i < measures_.size(); ++i)
            if (!measures_[i].label.contains(word, Qt::CaseInsensitive)) shown.rows[i] = false;
    }
    if (any) shown.columns = named;
    return shown;
}

int ComparisonTable::row(std::string_view key) const {
    const auto found = std::ranges::find(measures_, key, &Measure::key);
    return found == measures_.end() ? -1 : static_cast<int>(found - measures_.begin());
}

int ComparisonTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(measures_.size()); }
int ComparisonTable::columnCount(const QModelIndex& parent) const { return parent.isValid() || !comparison_ ? 0 : static_cast<int>(comparison_->size()); }

QVariant ComparisonTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Cell& cell = measures_[static_cast<std::size_t>(index.row())].cells[static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole: return foldedText(cell.text, folded_);
        case kWholeTextRole: return cell.text;
        case Qt::ToolTipRole: return cell.more.isEmpty() ? QVariant() : QVariant(cell.more);
        case valueRole: return cell.value ? QVariant(*cell.value) : QVariant();
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::ForegroundRole: return cell.tone == 0 ? QVariant() : QVariant(QBrush(Theme::instance().color(cell.tone > 0 ? Role::loss : Role::gain)));
        case Qt::FontRole: {
            QFont font = Theme::instance().font(FontRole::body);
            if (static_cast<std::size_t>(index.column()) == comparison_->inputs.baseline) font.setWeight(QFont::DemiBold);
            return font;
        }
        default: return {};
    }
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (!comparison_ || section < 0) return {};
    if (orientation == Qt::Horizontal) {
        if (section >= columnCount()) return {};
        const bool base = static_cast<std::size_t>(section) == comparison_->inputs.baseline;
        const QString name = comparedName(*comparison_, static_cast<std::size_t>(section));
        if (role == Qt::DisplayRole) return base && folded_ < kMostFolded ? tr("%1 (baseline)").arg(name) : name;
        if (role == Qt::ToolTipRole) return name;
        if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter);
        return {};
    }
    if (section >= rowCount()) return {};
    const Measure& measure = measures_[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return measure.label;
    if (role == Qt::ToolTipRole) return measure.help.isEmpty() ? tr("Click to order the GPUs by this") : measure.help + QLatin1Char('\n') + tr("Click to order the GPUs by this");
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter);  // a header reads a plain number
    return {};
}

}  // namespace synperf::ui
