#include "models/batch_rows.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <charconv>
#include <cmath>
#include <limits>

#include "results/batch.h"
#include "data/statistics.h"
#include "results/collective_table.h"
#include "serving/user_collectives.h"

namespace synperf::ui {

namespace {

class Batch {
    Q_DECLARE_TR_FUNCTIONS(Batch)
};

QStringList headers_of(const CsvTable& input, bool measured) {
    QStringList headers;
    for (const std::string& column : input.columns) headers << QString::fromStdString(column);
    headers << Batch::tr("Predicted (µs)") << Batch::tr("Lower (µs)") << Batch::tr("Upper (µs)") << Batch::tr("Best of peers, P80 (µs)") << Batch::tr("Ceiling (µs)")
            << Batch::tr("Bound by") << Batch::tr("Confidence") << Batch::tr("Problem");
    if (measured) headers << Batch::tr("Error (%)");
    return headers;
}

std::optional<double> positive(const std::string& cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value) || value <= 0) return std::nullopt;
    return value;
}

BatchResult predict_links(const CsvTable& input, const Engine& engine, const std::filesystem::path& user_specs) {
    std::vector<Error> problems;  // the shipped curves answer then
    return predict_collectives(input, engine.gpus, load_collectives(engine.gpus, engine.specs, user_specs, problems));
}

// A last column: how far each prediction is from its measurement.
void add_errors(CsvTable& table, std::size_t predicted, BatchRows& batch) {
    table.columns.emplace_back("error_percent");
    std::vector<double> errors;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto measured = measured_us(table, row), answer = positive(table.rows[row][predicted]);
        const double error = measured && answer ? *answer / *measured - 1.0 : std::numeric_limits<double>::quiet_NaN();
        table.rows[row].push_back(std::isnan(error) ? std::string() : fmt::format("{:.2f}", 100 * error));
        if (!std::isnan(error)) errors.push_back(std::abs(error));
    }
    batch.measured = errors.size();
    batch.mean_error = mean(errors);
    batch.median_error = quantile(std::move(errors), 0.5);
}

}  // namespace

bool isTableFile(const QString& file) { return file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) || file.endsWith(QLatin1String(".gz"), Qt::CaseInsensitive); }

std::optional<double> measured_us(const CsvTable& table, std::size_t row) {
    const std::size_t column = table.column("latency_us");
    return column < table.columns.size() ? positive(table.rows[row][column]) : std::nullopt;
}

Result<BatchRows> batch_rows(const QString& file, const Engine& engine, const std::filesystem::path& user_specs, const BackgroundWork::Progress& progress, const std::stop_token& stop) {
    const std::string name = file.toStdString();
    const auto input = read_csv(name);
    if (!input) return tl::unexpected(input.error());
    const bool collectives = is_collective_table(*input);
    if (const auto known = check_columns(*input); !known && !collectives) return tl::unexpected(Error{known.error().message, known.error().field, name});
    if (input->rows.empty()) return tl::unexpected(Error{"the table has no rows", {}, name});
    if (input->rows.size() > kMostBatchRows) {
        return tl::unexpected(Error{fmt::format("has {} rows, a window shows at most {}; `synperf predict --batch` takes them all", input->rows.size(), kMostBatchRows), {}, name});
    }
    const auto all = static_cast<double>(input->rows.size());
    BatchResult result = collectives ? predict_links(*input, engine, user_specs) : predict_batch(*input, engine, [&](std::size_t done) { progress(static_cast<double>(done) / all); }, stop);
    if (stop.stop_requested()) return failure("cancelled");
    BatchRows batch;
    batch.calls = !collectives;
    batch.failed = result.failed;
    const bool measured = input->column("latency_us") < input->columns.size();
    if (measured) add_errors(result.table, input->columns.size(), batch);
    batch.rows = std::make_shared<const Rows>(Rows{std::move(result.table), headers_of(*input, measured)});
    return batch;
}

Result<Scenario> scenario_of_row(const CsvTable& table, std::size_t row, const Engine& engine, const Scenario& now) {
    auto call = row_call(table, row, engine);
    if (!call) return tl::unexpected(call.error());
    Scenario scenario;
    scenario.gpu = *call->gpu;
    scenario.family = call->family;
    scenario.params = std::move(call->params);
    scenario.measured_us = measured_us(table, row);
    scenario.analytical = now.analytical;
    return scenario;
}

std::shared_ptr<const Engine> engine_snapshot(const Engine& engine, const Scenario& scenario) {
    auto copy = std::make_shared<Engine>(engine);
    copy->predictor = predictor_for(engine, scenario);
    return copy;
}

}  // namespace synperf::ui
