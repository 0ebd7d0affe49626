#include "models/model_tables.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace synperf::ui {

namespace {

class Models {
    Q_DECLARE_TR_FUNCTIONS(Models)
};

using nlohmann::json;

constexpr std::size_t kMostWorst = 1000;

QString text(const std::string& s) { return QString::fromStdString(s); }

QStringList texts(const std::vector<std::string>& all) {
    QStringList list;
    for (const std::string& one : all) list << text(one);
    return list;
}

// Cards come from files: a value of another kind is as good as none.
template <class Value>
Value value_of(const json& card, const char* key, Value otherwise) {
    if (!card.is_object() || !card.contains(key)) return otherwise;
    const json& value = card[key];
    if constexpr (std::is_same_v<Value, std::string>) {
        return value.is_string() ? value.get<std::string>() : otherwise;
    } else if constexpr (std::is_same_v<Value, bool>) {
        return value.is_boolean() ? value.get<bool>() : otherwise;
    } else {
        return value.is_number() ? value.get<Value>() : otherwise;
    }
}

QVariant percent_of(const json& card, const char* key) {
    const double value = value_of(card, key, -1.0);
    return value < 0 ? QVariant(QString()) : QVariant(std::round(value * 1e4) / 100);
}

QVariant percent(double share) { return std::round(share * 1e4) / 100; }

QVariant share_of(std::size_t part, std::size_t whole) {
    return whole == 0 ? QVariant(QString()) : percent(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::vector<std::shared_ptr<const LearnedModel>> models_in_order(const ModelSet& models) {
    std::vector<std::shared_ptr<const LearnedModel>> all;
    for (const auto& [name, model] : models.all()) all.push_back(model);
    return all;
}

TableData model_table(const ModelSet& models, const std::filesystem::path& user_folder) {
    TableData table;
    table.title = Models::tr("Models in use");
    table.headers = {Models::tr("Model"), Models::tr("Measured rows"), Models::tr("GPUs"), Models::tr("Trained"), Models::tr("Held-back error (%)"), Models::tr("From")};
    table.columns = {"model", "rows", "gpus", "date", "held_back_mean_error_percent", "from"};
    const auto all = models_in_order(models);
    table.rows = static_cast<qint64>(all.size());
    table.cell = [all, user_folder](qint64 row, int column) -> QVariant {
        const LearnedModel& model = *all[static_cast<std::size_t>(row)];
        switch (column) {
            case 0:
                return text(model.name);
            case 1:
                return static_cast<qlonglong>(value_of(model.card, "rows", std::int64_t{0}));
            case 2:
                return static_cast<qlonglong>(model.gpus.size());
            case 3:
                return text(value_of(model.card, "date", std::string()));
            case 4:
                return percent_of(model.card, "held_back_mean_error");
            default:
                if (model.file.empty()) return Models::tr("this session");
                return model.file.parent_path() == user_folder ? Models::tr("my models") : Models::tr("shipped");
        }
    };
    return table;
}

TableData left_out_table(const LearnedModel& model) {
    TableData table;
    table.title = Models::tr("Errors of %1 on GPUs left out").arg(text(model.name));
    table.headers = {Models::tr("GPU left out"), Models::tr("A sibling is known"), Models::tr("Rows"), Models::tr("Mean (%)"), Models::tr("Median (%)"), Models::tr("Analysis (%)"), Models::tr("Inside the interval (%)")};
    table.columns = {"gpu", "sibling_known", "rows", "mean_error_percent", "median_error_percent", "analytical_mean_error_percent", "inside_interval_percent"};
    const json lines = model.card.is_object() && model.card.contains("left_out") && model.card["left_out"].is_array() ? model.card["left_out"] : json::array();
    table.rows = static_cast<qint64>(lines.size());
    table.cell = [lines](qint64 row, int column) -> QVariant {
        const json& line = lines[static_cast<std::size_t>(row)];
        switch (column) {
            case 0:
                return text(value_of(line, "gpu", std::string()));
            case 1:
                return value_of(line, "sibling_known", false) ? Models::tr("yes") : Models::tr("no");
            case 2:
                return static_cast<qlonglong>(value_of(line, "rows", std::int64_t{0}));
            case 3:
                return percent_of(line, "mean_error");
            case 4:
                return percent_of(line, "median_error");
            case 5:
                return percent_of(line, "analytical_mean_error");
            default:
                return percent_of(line, "inside_interval");
        }
    };
    return table;
}

QString card_text(const LearnedModel& model) {
    QStringList lines;
    lines << Models::tr("%1 networks of %2 features, trained on %3 GPUs: %4").arg(model.members.size()).arg(model.features.size()).arg(model.gpus.size()).arg(texts(model.gpus).join(QStringLiteral(", ")));
    if (const std::string source = value_of(model.card, "source", std::string()); !source.empty()) lines << Models::tr("Data: %1").arg(text(source));
    lines << Models::tr("Share of the correction that is applied: %1 on these GPUs, %2 on their siblings, %3 elsewhere").arg(model.correction[0]).arg(model.correction[1]).arg(model.correction[2]);
    if (const std::string command = value_of(model.card, "command", std::string()); !command.empty()) lines << Models::tr("Made by: %1").arg(text(command));
    if (!model.file.empty()) lines << Models::tr("File: %1").arg(text(model.file.string()));
    return lines.join(QLatin1Char('\n'));
}

TableData comparison_table(const ModelComparison& comparison, const QString& model) {
    struct Line {
        QString name;
        ModelFigures trained, used;
    };
    std::vector<Line> lines{{Models::tr("all"), comparison.trained, comparison.used}};
    for (const auto& [gpu, figures] : comparison.by_gpu) lines.push_back({text(gpu), figures.first, figures.second});
    TableData table;
    table.title = Models::tr("New model and model in use, %1").arg(model);
    table.headers = {Models::tr("GPU"),           Models::tr("Rows"),           Models::tr("Mean, new (%)"),   Models::tr("in use (%)"),          Models::tr("Median, new (%)"),
                     Models::tr("in use (%)"),    Models::tr("Inside 90 %, new (%)"), Models::tr("in use (%)"), Models::tr("Slower than P80, new (%)"), Models::tr("in use (%)"),
                     Models::tr("p90, new (%)"),  Models::tr("in use (%)")};
    table.columns = {"gpu",       "rows",     "new_mean_percent",   "used_mean_percent",   "new_median_percent",          "used_median_percent",
                     "new_inside_percent", "used_inside_percent", "new_slower_than_p80_percent", "used_slower_than_p80_percent", "new_p90_percent", "used_p90_percent"};
    table.rows = static_cast<qint64>(lines.size());
    table.cell = [lines](qint64 row, int column) -> QVariant {
        const Line& line = lines[static_cast<std::size_t>(row)];
        if (column == 0) return line.name;
        if (column == 1) return static_cast<qlonglong>(line.trained.rows);
        const ModelFigures& figures = column % 2 == 0 ? line.trained : line.used;
        switch (column / 2) {
            case 1:
                return percent(figures.mean_error);
            case 2:
                return percent(figures.median_error);
            case 3:
                return share_of(figures.inside, figures.with_interval);
            case 4:
                return share_of(figures.slower_than_p80, figures.with_interval);
            default:
                return percent(figures.p90_error);
        }
    };
    return table;
}

SourcedRows worst_rows(const ModelComparison& comparison, const std::vector<std::shared_ptr<const CsvTable>>& tables) {
    std::vector<std::pair<std::shared_ptr<const CsvTable>, std::size_t>> picked;
    std::vector<std::vector<std::string>> lead;
    for (const JudgedRow& row : comparison.rows) {
        if (picked.size() == kMostWorst) break;
        const std::shared_ptr<const CsvTable>& table = tables[row.table];
        picked.emplace_back(table, row.row);
        lead.push_back({fmt::format("{:.2f}", 100 * row.trained_error()), fmt::format("{:.2f}", 100 * row.used_error()), table->rows[row.row][table->column("gpu")],
                        fmt::format("{:.6g}", row.measured_us), fmt::format("{:.6g}", row.trained_us), fmt::format("{:.6g}", row.used_us)});
    }
    return sourced_rows({"new_error_percent", "used_error_percent", "gpu", "latency_us", "new_us", "used_us"},
                        {Models::tr("Error, new (%)"), Models::tr("Error, in use (%)"), Models::tr("GPU"), Models::tr("Measured (µs)"), Models::tr("New (µs)"), Models::tr("In use (µs)")},
                        std::move(picked), std::move(lead));
}

}  // namespace synperf::ui
