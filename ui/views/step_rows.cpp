#include "views/step_rows.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <map>

#include "models/core_text.h"
#include "panels/latency_card.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

class Steps {
    Q_DECLARE_TR_FUNCTIONS(Steps)
};

// How much of the panel's colour is mixed in, in turn.
constexpr std::array kShades{0.0, 0.42, 0.22, 0.6};

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(x + (y - x) * share); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

Role roleOf(std::string_view part) {
    if (part == "attention") return Role::accent;
    if (part == "mlp" || part == "experts") return Role::gain;
    if (part == "communication") return Role::loss;
    if (part == "norm") return Role::text_faint;
    if (part == "host") return Role::text_second;
    return Role::wave5;
}

}  // namespace

std::vector<OperatorTime> stepRows(const StepTime& step) {
    std::vector<OperatorTime> rows = step.operators;
    if (step.host.value.value > 0) {
        OperatorTime host;
        host.name = host.part = "host";
        host.count = 1;
        host.each = host.all = step.host;
        rows.push_back(std::move(host));
    }
    return rows;
}

QColor partColor(std::string_view part, int shade) {
    const Theme& theme = Theme::instance();
    return mixed(theme.color(roleOf(part)), theme.color(Role::panel), kShades[static_cast<std::size_t>(shade) % kShades.size()]);
}

std::vector<int> shadesOf(const std::vector<OperatorTime>& rows) {
    std::map<std::string, int> seen;
    std::vector<int> shades;
    for (const OperatorTime& row : rows) shades.push_back(seen[row.part]++);
    return shades;
}

QColor textOn(const QColor& ground) {
    const Theme& theme = Theme::instance();
    const auto distance = [&ground](const QColor& colour) { return std::abs(colour.lightness() - ground.lightness()); };
    const QColor text = theme.color(Role::text), panel = theme.color(Role::panel);
    return distance(text) >= distance(panel) ? text : panel;
}

QString remarkOn(const OperatorTime& row) {
    if (!row.stand_in.empty()) return Steps::tr("stand-in: %1").arg(coreText(row.stand_in));
    if (row.family != nullptr && row.confidence == Confidence::extrapolating) return confidenceText(row.confidence);
    return {};
}

TableData stepTable(const QString& title, std::vector<OperatorTime> rows, Seconds total) {
    TableData table;
    table.title = title;
    table.headers = {Steps::tr("Operator"), Steps::tr("Part"), Steps::tr("Calls"), Steps::tr("Each (µs)"), Steps::tr("All (ms)"), Steps::tr("Lower (ms)"), Steps::tr("Upper (ms)"), Steps::tr("Share (%)"),
                     Steps::tr("Kernel"), Steps::tr("Confidence"), Steps::tr("Remark")};
    table.columns = {"operator", "part", "calls", "each_us", "all_ms", "all_ms_lower", "all_ms_upper", "share_percent", "kernel", "confidence", "remark"};
    table.rows = static_cast<qint64>(rows.size());
    table.cell = [rows = std::make_shared<const std::vector<OperatorTime>>(std::move(rows)), total](qint64 at, int column) -> QVariant {
        const OperatorTime& row = (*rows)[static_cast<std::size_t>(at)];
        switch (column) {
            case 0: return text(row.name);
            case 1: return coreText(row.part);
            case 2: return qlonglong{row.count};
            case 3: return to_microseconds(row.each.value);
            case 4: return row.all.value.value * 1e3;
            case 5: return row.all.lower.value * 1e3;
            case 6: return row.all.upper.value * 1e3;
            case 7: return total.value > 0 ? 100 * (row.all.value / total) : 0.0;
            case 8: return row.family != nullptr ? text(row.family->id()) : QString();
            case 9: return row.family != nullptr ? confidenceText(row.confidence) : QString();
            default: return remarkOn(row);
        }
    };
    return table;
}

void drawNothingYet(QPainter& painter, const QRect& area) {
    painter.setFont(Theme::instance().font(FontRole::body));
    painter.setPen(Theme::instance().color(Role::text_faint));
    painter.drawText(area.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, Steps::tr("Nothing to show until a plan fits"));
}

QString durationText(Seconds time) { return QString::fromStdString(format_duration(time)); }

QString intervalText(const Estimate& estimate) {
    if (!(estimate.lower < estimate.upper)) return {};
    return Steps::tr("%1 to %2").arg(durationText(estimate.lower), durationText(estimate.upper));
}

}  // namespace synperf::ui
