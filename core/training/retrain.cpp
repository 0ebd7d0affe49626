#include "training/retrain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/batch.h"
#include "data/statistics.h"

namespace synperf {

namespace {

constexpr std::uint32_t kKeptOut = 10;  // one cell in this many judges the model

// Rows held back for calibration are told by the last digit of the same hash, so this takes the one before.
bool kept_out(const TrainingRows& rows, std::size_t i) { return rows.cell[i] / kKeptOut % kKeptOut == 0; }

std::uint16_t index_of(std::vector<std::string>& names, const std::string& name) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (at == names.size()) names.push_back(name);
    return static_cast<std::uint16_t>(at);
}

TrainingRows without_kept_out(const TrainingRows& all) {
    TrainingRows rows;
    rows.model = all.model;
    rows.features = all.features;
    for (std::size_t i = 0; i < all.rows(); ++i) {
        if (kept_out(all, i)) continue;
        rows.values.insert(rows.values.end(), all.row(i).begin(), all.row(i).end());
        rows.latency_us.push_back(all.latency_us[i]);
        rows.analytical_us.push_back(all.analytical_us[i]);
        rows.ceiling_us.push_back(all.ceiling_us[i]);
        rows.roofline_us.push_back(all.roofline_us[i]);
        rows.gpu.push_back(index_of(rows.gpus, all.gpus[all.gpu[i]]));
        rows.implementation.push_back(index_of(rows.implementations, all.implementations[all.implementation[i]]));
        rows.cell.push_back(all.cell[i]);
        rows.table.push_back(all.table[i]);
        rows.table_row.push_back(all.table_row[i]);
        rows.imagined.push_back(all.imagined[i]);
    }
    return rows;
}

double number_of(const std::string& cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) ? value : 0.0;
}

Result<void> check_table(const CsvTable& table) {
    if (auto known = check_columns(table); !known) return known;
    if (table.column("latency_us") == table.columns.size()) return failure("the column is missing: measured times in microseconds", "latency_us");
    if (table.rows.empty()) return failure("the table has no rows to learn from");
    return {};
}

// Figures of one group, row by row.
struct Tally {
    std::vector<double> errors;
    ModelFigures figures;

    void add(const Prediction& prediction, double measured_us) {
        errors.push_back(std::abs(to_microseconds(prediction.latency) / measured_us - 1.0));
        if (!prediction.interval || !prediction.p80) return;
        const double measured = measured_us * 1e-6;
        ++figures.with_interval;
        figures.inside += measured >= prediction.interval->lower.value && measured <= prediction.interval->upper.value ? 1U : 0U;
        figures.slower_than_p80 += measured > prediction.p80->value ? 1U : 0U;
    }
    [[nodiscard]] ModelFigures done() const {
        ModelFigures result = figures;
        result.rows = errors.size();
        result.mean_error = mean(errors);
        result.median_error = quantile(errors, 0.5);
        result.p90_error = quantile(errors, 0.9);
        return result;
    }
};

struct PairOfTallies {
    Tally trained, used;
};

Engine with(const Engine& engine, std::shared_ptr<const LearnedModel> model) {
    Engine other = engine;
    other.predictor = Predictor(engine.predictor.calibration(), with_model(engine.predictor.models(), std::move(model)));
    return other;
}

Result<ModelComparison> compare(std::span<const CsvTable> tables, const TrainingRows& all, const Engine& engine, const std::shared_ptr<const LearnedModel>& model,
                                const std::stop_token& stop) {
    const Engine other = with(engine, model);
    ModelComparison comparison;
    comparison.used_is_analytical = engine.predictor.models().find(model->name) == nullptr;
    PairOfTallies whole;
    std::map<std::string, PairOfTallies> by_gpu;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        std::vector<std::size_t> asked;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < all.rows(); ++i) {
            if (all.table[i] != t || all.imagined[i] != 0 || !kept_out(all, i)) continue;
            asked.push_back(all.table_row[i]);
            places.push_back(i);
        }
        const auto trained = predict_rows(tables[t], asked, other, {}, stop);
        const auto used = predict_rows(tables[t], asked, engine, {}, stop);
        if (stop.stop_requested()) return failure("cancelled");
        for (std::size_t k = 0; k < asked.size(); ++k) {
            if (!trained[k] || !used[k]) continue;
            const double measured = all.latency_us[places[k]];
            PairOfTallies& gpu = by_gpu[all.gpus[all.gpu[places[k]]]];
            for (PairOfTallies* tally : {&whole, &gpu}) {
                tally->trained.add(*trained[k], measured);
                tally->used.add(*used[k], measured);
            }
            comparison.rows.push_back({t, asked[k], measured, to_microseconds(trained[k]->latency), to_microseconds(used[k]->latency)});
        }
    }
    comparison.trained = whole.trained.done();
    comparison.used = whole.used.done();
    for (const auto& [gpu, tally] : by_gpu) comparison.by_gpu[gpu] = {tally.trained.done(), tally.used.done()};
    std::ranges::stable_sort(comparison.rows, std::ranges::greater{}, [](const JudgedRow& row) { return std::abs(row.trained_error()); });
    return comparison;
}

// The rows of the model asked for, or of the one with most.
Result<const TrainingRows*> chosen_rows(const std::map<std::string, TrainingRows>& models, const RetrainOptions& options, const TrainingRowsReport& report) {
    if (models.empty()) return failure(fmt::format("no row can be learned from; {}", report.failed > 0 ? "the first: " + report.first_failure : "all were timed eagerly or measure something else"));
    if (!options.model.empty()) {
        const auto found = models.find(options.model);
        if (found == models.end()) return failure(fmt::format("no row of these tables is for the model {}", options.model));
        return &found->second;
    }
    const auto most = std::ranges::max_element(models, {}, [](const auto& one) { return one.second.rows(); });
    return &most->second;
}

}  // namespace

Result<TableSummary> summarise_table(const CsvTable& table, const Engine& engine, const std::stop_token& stop) {
    if (auto fine = check_table(table); !fine) return tl::unexpected(fine.error());
    TableSummary summary;
    const std::size_t latency = table.column("latency_us");
    const auto refuse = [&](std::size_t row, const std::string& why) {
        if (summary.unusable++ == 0) summary.first_problem = fmt::format("line {}: {}", table.lines[row], why);
    };
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (row % 256 == 0 && stop.stop_requested()) return failure("cancelled");
        const auto call = row_call(table, row, engine);
        if (!call) {
            refuse(row, call.error().to_string());
        } else if (number_of(table.rows[row][latency]) <= 0) {
            refuse(row, fmt::format("latency_us: \"{}\" is no time above 0", table.rows[row][latency].substr(0, 40)));
        } else {
            ++summary.models[call->family->model(call->params)];
        }
    }
    if (summary.models.empty()) return failure(fmt::format("no row can be learned from; {}", summary.first_problem));
    return summary;
}

std::shared_ptr<const ModelSet> with_model(const ModelSet& models, std::shared_ptr<const LearnedModel> model) {
    auto set = std::make_shared<ModelSet>(models);
    set->put(std::move(model));
    return set;
}

Result<Retrained> retrain(std::span<const CsvTable> tables, const Engine& engine, const RetrainOptions& options, const std::function<void(const RetrainProgress&)>& progress,
                          const std::stop_token& stop) {
    using Stage = RetrainProgress::Stage;
    std::size_t total = 0;
    for (const CsvTable& table : tables) {
        if (auto fine = check_table(table); !fine) return tl::unexpected(fine.error());
        total += table.rows.size();
    }
    if (total == 0) return failure("there are no rows to learn from");
    const auto report = [&](Stage stage, double share, const TrainingProgress& epoch) {
        if (progress) progress({stage, share, epoch});
    };
    Retrained result;
    std::size_t before = 0, last = 0;  // the count starts anew with each table
    const auto rows_done = [&](std::size_t done) {
        if (done < last) before += last;
        last = done;
        report(Stage::rows, std::min(1.0, static_cast<double>(before + done) / static_cast<double>(total)), {});
    };
    const auto models = training_rows(tables, engine, {options.copies, options.recipe.network.seed}, result.report, rows_done, stop);
    if (!models) return tl::unexpected(models.error());
    const auto chosen = chosen_rows(*models, options, result.report);
    if (!chosen) return tl::unexpected(chosen.error());
    const TrainingRows& all = **chosen;
    const TrainingRows rows = without_kept_out(all);
    const std::vector<std::string> generations = generations_of(rows, engine.gpus);
    std::vector<LeftOutFold> folds;
    if (options.leave_out) {
        auto left_out = leave_out(rows, generations, options.recipe, [&](const TrainingProgress& epoch) { report(Stage::folds, 0, epoch); }, stop);
        if (!left_out) return tl::unexpected(left_out.error());
        folds = std::move(*left_out);
    }
    auto trained = train_model(rows, generations, folds, options.recipe, [&](const TrainingProgress& epoch) { report(Stage::networks, 0, epoch); }, stop);
    if (!trained) return tl::unexpected(trained.error());
    if (stop.stop_requested()) return failure("cancelled");
    trained->card["command"] = fmt::format("trained in the window: epochs {}, members {}, copies {}, seed {}; one shape in {} kept out to compare models", options.recipe.network.epochs,
                                           options.recipe.members, options.copies, options.recipe.network.seed, kKeptOut);
    result.model = std::make_shared<const LearnedModel>(std::move(*trained));
    result.learned = static_cast<std::size_t>(std::ranges::count(rows.imagined, std::uint8_t{0}));
    report(Stage::judging, 0, {});
    auto comparison = compare(tables, all, engine, result.model, stop);
    if (!comparison) return tl::unexpected(comparison.error());
    if (comparison->rows.empty()) return failure(fmt::format("{} rows for {}: too few to keep some out and compare with", all.rows(), all.model));
    result.comparison = std::move(*comparison);
    return result;
}

}  // namespace synperf
