// A model trained on measured tables and judged beside the one in use, on rows that it did not learn from.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "training/train_model.h"

namespace synperf {

/// Which models the rows of a table are for.
struct TableSummary {
    std::map<std::string, std::size_t> models;  ///< rows by the name of their model
    std::size_t unusable = 0;
    std::string first_problem;                  ///< of the first unusable row, with its line
};
/// Fails where no row can be learned from: the columns of no known table, no measured times, no rows.
[[nodiscard]] Result<TableSummary> summarise_table(const CsvTable& table, const Engine& engine, const std::stop_token& stop = {});

struct RetrainOptions {
    ModelRecipe recipe = default_recipe();
    int copies = kImaginedCopies;  ///< imagined GPUs around each row's
    bool leave_out = false;  ///< learn from GPUs left out how far to trust it on others, which takes several times as long
    std::string model;       ///< of those that the tables have rows for; empty: the one with most
};

struct RetrainProgress {
    enum class Stage : std::uint8_t { rows, folds, networks, judging };
    Stage stage = Stage::rows;
    double share = 0;        ///< of `rows`
    TrainingProgress epoch;  ///< of `folds` and `networks`
};

/// Errors are |predicted / measured - 1|.
struct ModelFigures {
    std::size_t rows = 0;
    double mean_error = 0, median_error = 0, p90_error = 0;
    std::size_t with_interval = 0;    ///< rows with an interval; of those:
    std::size_t inside = 0;           ///< measured inside it
    std::size_t slower_than_p80 = 0;
};

struct JudgedRow {
    std::size_t table = 0, row = 0;
    double measured_us = 0, trained_us = 0, used_us = 0;
    [[nodiscard]] double trained_error() const { return trained_us / measured_us - 1.0; }
    [[nodiscard]] double used_error() const { return used_us / measured_us - 1.0; }
};

struct ModelComparison {
    ModelFigures trained, used;
    std::map<std::string, std::pair<ModelFigures, ModelFigures>> by_gpu;  ///< trained, used
    std::vector<JudgedRow> rows;  ///< the largest error of the trained one first
    bool used_is_analytical = false;  ///< there was no model in use for these calls
};

struct Retrained {
    std::shared_ptr<const LearnedModel> model;
    ModelComparison comparison;
    std::size_t learned = 0;  ///< rows that it learned from
    TrainingRowsReport report;
};

/// One shape in ten of each GPU is kept out of training, and both models are judged on it; whether the one in use learned from these rows is
/// not known here. The model's card says what was done, but no date. Fails with one line for rows that can not be used or are too few, and
/// when stopped.
[[nodiscard]] Result<Retrained> retrain(std::span<const CsvTable> tables, const Engine& engine, const RetrainOptions& options,
                                        const std::function<void(const RetrainProgress&)>& progress = {}, const std::stop_token& stop = {});

/// The engine's models with `model` in the place of its name's.
[[nodiscard]] std::shared_ptr<const ModelSet> with_model(const ModelSet& models, std::shared_ptr<const LearnedModel> model);

}  // namespace synperf
