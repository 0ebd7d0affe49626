#include "training/training_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "results/batch.h"
#include "results/parallel_rows.h"
#include "learning/random.h"
#include "training/published.h"

namespace synperf {

namespace {

// Standard deviations of the logarithms. Source: an exploration on the GEMM table; wider or narrower by half changed left-out errors by
// less than their spread over seeds.
constexpr double kRateJitter = 0.25;   // clock, DRAM and L2 bandwidth, L2 size
constexpr double kFloorJitter = 0.18;
constexpr double kSizeJitter = 0.15;   // SMs, power limit

double log_normal(Random& random, double deviation) { return std::exp(deviation * static_cast<double>(random.normal())); }

// What one row became.
struct Outcome {
    std::string model, implementation;
    std::vector<float> values;
    double analytical_us = 0, ceiling_us = 0, roofline_us = 0;
    std::optional<PublishedCall> published;
    const GpuSpec* gpu = nullptr;
    std::string error;
    bool aside = false;
    bool imagined = false;
};

double positive(std::string_view cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) ? value : 0.0;
}

bool measures_something_else(const CsvTable& table, std::size_t row) {
    const auto is = [&](std::string_view column, std::string_view value) {
        const std::size_t at = table.column(column);
        return at < table.columns.size() && table.rows[row][at] == value;
    };
    return is("timing", "eager") || is("grouped_topk", "1");
}

void describe(const RowCall& call, const GpuSpec& gpu, const Engine& engine, bool published, Outcome& out) {
    const auto analysed = engine.predictor.analyse_call(*call.family, call.params, gpu);
    if (!analysed) {
        out.error = analysed.error().to_string();
        return;
    }
    if (analysed->launch.groups.empty() || analysed->times.ceiling.value <= 0) {
        out.error = "there is nothing to compute";
        return;
    }
    out.model = call.family->model(call.params);
    out.implementation = implementation_key(call.family->implementation(call.params, analysed->launch), gpu);
    out.analytical_us = to_microseconds(analysed->times.latency);
    out.ceiling_us = to_microseconds(analysed->times.ceiling);
    out.roofline_us = to_microseconds(analysed->times.roofline);
    if (published) out.published = published_call(*call.family, gpu, *analysed);
    out.gpu = call.gpu;
    out.values.reserve(128);
    FeatureWriter writer(out.values);
    call_features(*call.family, call.params, gpu, *analysed, writer);
}

// Names of a model's features: what writing one call's with names gives.
std::vector<std::string> feature_names(const RowCall& call, const Engine& engine) {
    std::vector<float> values;
    std::vector<std::string> names;
    if (const auto analysed = engine.predictor.analyse_call(*call.family, call.params, *call.gpu)) {
        FeatureWriter writer(values, &names);
        call_features(*call.family, call.params, *call.gpu, *analysed, writer);
    }
    return names;
}

// Rows of one shape on one GPU share a hash, whoever measured them in whichever format, as the tables' own splits are cut.
std::uint32_t cell_hash(const CsvTable& table, std::size_t row) {
    static constexpr std::array kNotShape{"dtype", "framework", "framework_version", "kernel", "latency_us", "timing", "distribution", "record", "kv_dtype", "attn_dtype",
                                          "block_m", "block_n", "block_k", "group_m", "num_warps", "num_stages"};
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (std::ranges::find(kNotShape, table.columns[c]) != kNotShape.end()) continue;
        for (const char letter : table.rows[row][c]) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
        hash = (hash ^ 0xFFU) * 16777619U;
    }
    return hash ^ (hash >> 15U);
}

std::uint16_t index_of(std::vector<std::string>& names, const std::string& name) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (at == names.size()) names.push_back(name);
    return static_cast<std::uint16_t>(at);
}

// A call without published numbers, or of another width than the first, keeps its place with zeros.
void add_published(const std::optional<PublishedCall>& published, TrainingRows& rows) {
    if (rows.published_columns == 0 && published) {
        rows.published_columns = published->features.size();
        rows.published.assign(rows.published_us.size() * rows.published_columns, 0.0F);
    }
    const bool fits = published && published->features.size() == rows.published_columns;
    if (fits) {
        rows.published.insert(rows.published.end(), published->features.begin(), published->features.end());
    } else {
        rows.published.resize(rows.published.size() + rows.published_columns, 0.0F);
    }
    rows.published_us.push_back(fits ? published->theoretical_us : 0.0);
}

}  // namespace

GpuSpec imagined_gpu(const GpuSpec& gpu, std::uint64_t seed) {
    Random random(seed);
    GpuSpec other = gpu;
    other.origin = SpecOrigin::user;  // its numbers are not those that were measured
    const auto scale = [&other](GpuField field, double factor) {
        if (other.knows(field)) other[field] *= factor;
    };
    const double clock = log_normal(random, kRateJitter);
    const double sms = std::max(1.0, std::round(gpu[GpuField::sm_count] * log_normal(random, kSizeJitter))) / gpu[GpuField::sm_count];
    for (const GpuField field : {GpuField::base_mhz, GpuField::boost_mhz, GpuField::tensor_clock_mhz}) scale(field, clock);
    for (const GpuField field : {GpuField::bf16_tflops, GpuField::fp16_tflops, GpuField::tf32_tflops, GpuField::fp8_tflops, GpuField::fp4_tflops, GpuField::int8_tops,
                                 GpuField::fp32_tflops}) {
        scale(field, clock * sms);
    }
    scale(GpuField::sm_count, sms);
    other[GpuField::sm_count] = std::round(other[GpuField::sm_count]);
    scale(GpuField::bandwidth_gbps, log_normal(random, kRateJitter));
    scale(GpuField::l2_bandwidth_gbps, log_normal(random, kRateJitter));
    scale(GpuField::l2_mib, log_normal(random, kRateJitter));
    scale(GpuField::launch_floor_us, log_normal(random, kFloorJitter));
    scale(GpuField::tdp_w, log_normal(random, kSizeJitter));
    return other;
}

Result<std::map<std::string, TrainingRows>> training_rows(std::span<const CsvTable> tables, const Engine& engine, const TrainingRowsOptions& options,
                                                          TrainingRowsReport& report, const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    std::map<std::string, TrainingRows> models;
    std::uint32_t source = 0;
    const auto copies = static_cast<std::size_t>(1 + std::max(0, options.imagined_copies));
    for (const CsvTable& table : tables) {
        const std::size_t latency = table.column("latency_us");
        if (latency == table.columns.size()) return failure("the column is missing: measured times in microseconds", "latency_us");
        std::vector<Outcome> outcomes(table.rows.size() * copies);
        for_each_row(table.rows.size(), progress, stop, [&](std::size_t i) {
            Outcome* out = &outcomes[i * copies];
            out->aside = measures_something_else(table, i);
            if (out->aside) return;
            const auto call = row_call(table, i, engine);
            if (!call) {
                out->error = call.error().to_string();
                return;
            }
            if (positive(table.rows[i][latency]) <= 0) {
                out->error = fmt::format("latency_us: \"{}\" is no time above 0", table.rows[i][latency].substr(0, 40));
                return;
            }
            describe(*call, *call->gpu, engine, options.published, *out);
            for (std::size_t c = 1; c < copies && out->error.empty(); ++c) {
                out[c].imagined = true;
                describe(*call, imagined_gpu(*call->gpu, options.seed + (source + i) * copies + c), engine, false, out[c]);
            }
        });
        if (stop.stop_requested()) return failure("cancelled");
        for (std::size_t i = 0; i < table.rows.size(); ++i, ++source) {
            const Outcome& real = outcomes[i * copies];
            if (real.aside) {
                ++report.set_aside;
                continue;
            }
            if (!real.error.empty()) {
                if (report.failed++ == 0) report.first_failure = fmt::format("line {}: {}", table.lines[i], real.error);
                continue;
            }
            ++report.used;
            const double measured = positive(table.rows[i][latency]);
            TrainingRows& rows = models[real.model];
            if (rows.features.empty()) {
                rows.model = real.model;
                rows.features = feature_names(*row_call(table, i, engine), engine);
            }
            for (std::size_t c = 0; c < copies; ++c) {
                const Outcome& out = outcomes[i * copies + c];
                if (!out.error.empty() || out.values.size() != rows.features.size()) continue;  // the imagined GPU can not run it
                rows.values.insert(rows.values.end(), out.values.begin(), out.values.end());
                // An imagined GPU is as far from its own analysis as the real one.
                rows.latency_us.push_back(measured / real.analytical_us * out.analytical_us);
                rows.analytical_us.push_back(out.analytical_us);
                rows.ceiling_us.push_back(out.ceiling_us);
                rows.roofline_us.push_back(out.roofline_us);
                rows.gpu.push_back(index_of(rows.gpus, real.gpu->id));
                rows.implementation.push_back(index_of(rows.implementations, real.implementation));
                rows.cell.push_back(cell_hash(table, i));
                rows.table.push_back(static_cast<std::uint16_t>(&table - tables.data()));
                rows.table_row.push_back(static_cast<std::uint32_t>(i));
                rows.imagined.push_back(c > 0 ? 1 : 0);
                if (options.published) add_published(out.published, rows);
            }
        }
    }
    return models;
}

}  // namespace synperf
