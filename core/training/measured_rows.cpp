#include "training/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "results/batch.h"
#include "training/training_rows.h"

namespace synperf {

namespace fs = std::filesystem;

namespace {

constexpr double kChoosing = 0.2;  // of the time, before the chosen rows are analysed

CsvTable rows_of_model(const CsvTable& table, const LearnedModel& model, const Engine& engine, const std::function<void(double)>& progress,
                       const std::stop_token& stop) {
    CsvTable chosen{table.columns, {}, {}};
    for (std::size_t i = 0; i < table.rows.size() && !stop.stop_requested(); ++i) {
        if (progress && i % 4096 == 0) progress(kChoosing * static_cast<double>(i) / static_cast<double>(table.rows.size()));
        const auto call = row_call(table, i, engine);
        if (!call || call->family->model(call->params) != model.name) continue;
        chosen.rows.push_back(table.rows[i]);
        chosen.lines.push_back(table.lines[i]);
    }
    return chosen;
}

}  // namespace

Result<std::vector<fs::path>> measured_tables(const fs::path& folder, const LearnedModel& model) {
    std::vector<fs::path> all;
    std::error_code error, none_there;
    const auto collect = [&all](const fs::path& from, std::error_code& failed) {
        for (fs::directory_iterator at(from, failed), end; !failed && at != end; at.increment(failed)) {
            const std::string name = at->path().filename().string();
            if (name.ends_with(".csv") || name.ends_with(".csv.gz")) all.push_back(at->path());
        }
    };
    collect(folder, error);
    if (!error) collect(folder / "train", none_there);
    if (error) return tl::unexpected(Error{"can not be read: " + error.message(), {}, folder.string()});
    if (all.empty()) return tl::unexpected(Error{"has no tables, which end in .csv or .csv.gz", {}, folder.string()});
    std::ranges::sort(all);
    const std::string command = model.card.is_object() ? model.card.value("command", std::string()) : std::string();
    std::vector<fs::path> named;
    for (const fs::path& file : all) {
        if (command.find(" " + file.filename().string() + " ") != std::string::npos) named.push_back(file);
    }
    if (!named.empty()) return named;
    if (all.size() > kMostMeasuredTables)
        return tl::unexpected(Error{fmt::format("has {} tables, at most {} are read", all.size(), kMostMeasuredTables), {}, folder.string()});
    return all;
}

Result<MeasuredRows> measured_rows(const CsvTable& table, const LearnedModel& model, const Engine& engine, const std::function<void(double)>& progress,
                                   const std::stop_token& stop) {
    MeasuredRows measured;
    measured.table.columns = table.columns;
    if (table.column("latency_us") == table.columns.size() || !check_columns(table)) return measured;  // a table of something else
    const CsvTable chosen = rows_of_model(table, model, engine, progress, stop);
    if (stop.stop_requested()) return failure("cancelled");
    if (chosen.rows.empty()) return measured;
    TrainingRowsReport report;
    const double all = static_cast<double>(chosen.rows.size());
    auto models = training_rows(std::span(&chosen, 1), engine, {}, report,
                                [&](std::size_t done) { if (progress) progress(kChoosing + (1 - kChoosing) * static_cast<double>(done) / all); }, stop);
    if (!models) return tl::unexpected(models.error());
    const auto found = models->find(model.name);
    if (found == models->end()) return measured;
    TrainingRows& rows = found->second;
    if (rows.features != model.features) return failure(fmt::format("the model {} looks at other features than this program computes", model.name));
    for (const std::uint32_t row : rows.table_row) {
        measured.table.rows.push_back(chosen.rows[row]);
        measured.table.lines.push_back(chosen.lines[row]);
    }
    model.scaler.apply(rows.values);
    measured.scaled = std::move(rows.values);
    return measured;
}

}  // namespace synperf
