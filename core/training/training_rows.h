// Measured tables as columns of numbers: what each row's call looks like to a learned model, and how long it really took.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "data/csv.h"
#include "prediction/engine.h"

namespace synperf {

/// Rows that one model learns from. Every vector but those of names and `published` has an entry a row.
struct TrainingRows {
    std::string model;
    std::vector<std::string> features;  ///< names of the columns of `values`
    std::vector<float> values;          ///< row-major
    std::vector<double> latency_us;     ///< measured
    std::vector<double> analytical_us;
    std::vector<double> ceiling_us;
    std::vector<double> roofline_us;
    std::vector<std::uint16_t> gpu;             ///< index into `gpus`
    std::vector<std::uint16_t> implementation;  ///< index into `implementations`
    std::vector<std::uint32_t> cell;            ///< hash of the row's GPU and whole shape: rows held back for calibration are cut along it
    std::vector<std::uint16_t> table;           ///< which of the tables that were read
    std::vector<std::uint32_t> table_row;       ///< which row of that table
    std::vector<std::uint8_t> imagined;         ///< 1 for a copy of a row on a GPU that does not exist
    std::size_t published_columns = 0;          ///< of `published`; 0 where the published numbers were not asked for
    std::vector<float> published;               ///< row-major: published_call's features, 0 where it has none
    std::vector<double> published_us;           ///< the time that the published efficiency refers to, 0 where there is none; empty where not asked for
    std::vector<std::string> gpus;
    std::vector<std::string> implementations;   ///< as implementation_key gives them

    [[nodiscard]] std::size_t rows() const { return latency_us.size(); }
    [[nodiscard]] std::span<const float> row(std::size_t i) const { return std::span(values).subspan(i * features.size(), features.size()); }
};

/// Imagined copies that the shipped models learned from; trainings that are to be found again in a cache need as many.
inline constexpr int kImaginedCopies = 1;

struct TrainingRowsOptions {
    int imagined_copies = 0;    ///< of every row, on GPUs with other clocks, bandwidths and sizes around the real one's
    std::uint64_t seed = 1;
    bool published = false;     ///< also what the published method computes of each call
};

/// What could not be used and why.
struct TrainingRowsReport {
    std::size_t used = 0;
    std::size_t set_aside = 0;   ///< timed eagerly or grouped_topk: they measure something else
    std::size_t failed = 0;      ///< no prediction, or no positive latency
    std::string first_failure;
};

/// One table a model, by the model's name. A table needs the columns of a canonical table and latency_us.
[[nodiscard]] Result<std::map<std::string, TrainingRows>> training_rows(std::span<const CsvTable> tables, const Engine& engine,
                                                                       const TrainingRowsOptions& options, TrainingRowsReport& report,
                                                                       const std::function<void(std::size_t)>& progress = {},
                                                                       const std::stop_token& stop = {});

/// A GPU like `gpu` but with other clocks, memory and size: each field times a log-normal factor, rates kept consistent.
[[nodiscard]] GpuSpec imagined_gpu(const GpuSpec& gpu, std::uint64_t seed);

}  // namespace synperf
