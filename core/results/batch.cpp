#include "results/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "data/attention_labels.h"
#include "results/parallel_rows.h"

namespace synperf {

namespace {

constexpr std::array kAddedColumns{"predicted_us", "lower_us", "upper_us", "p80_us", "ceiling_us", "bound", "confidence", "error"};

constexpr const char* kNoKnownTable = "the columns are those of no known table: gemm, attention, moe or norm_activation, or a column family and its parameters";
constexpr const char* kCollective = "family not available: collective";

// Cells of one row by column name.
class Row {
public:
    Row(const CsvTable& table, std::size_t index) : Row(table, table.rows[index]) {}
    Row(const CsvTable& table, const std::vector<std::string>& cells) : table_(table), cells_(cells) {}

    [[nodiscard]] bool has(std::string_view column) const { return table_.column(column) < cells_.size(); }
    [[nodiscard]] std::string_view cell(std::string_view column) const {
        const std::size_t index = table_.column(column);
        return index < cells_.size() ? std::string_view(cells_[index]) : std::string_view{};
    }

private:
    const CsvTable& table_;
    const std::vector<std::string>& cells_;
};

// Parameter <- column. A parameter whose column is missing or empty keeps its default.
using Mapping = std::vector<std::pair<std::string_view, std::string_view>>;

Result<Params> map_params(const KernelFamily& family, const Row& row, const Mapping& mapping) {
    Params params = default_params(family.schema());
    for (const auto& [param, column] : mapping) {
        const std::string_view cell = row.cell(column);
        if (cell.empty()) continue;
        const std::size_t index = param_index(family.schema(), param);
        auto value = parse_param(family.schema()[index], cell);
        if (!value) return failure(value.error().message, std::string(column));
        if (const auto* list = std::get_if<IntegerList>(&*value); list != nullptr && list->empty()) {
            return failure("the list is empty, at least one entry is needed", std::string(column));
        }
        params.values[index] = std::move(*value);
    }
    return params;
}

struct Table {
    std::string_view family;
    Mapping mapping;
    std::vector<std::string_view> needed;  ///< columns whose cells may not be empty
    std::vector<std::pair<std::string_view, std::string>> fixed = {};  ///< parameters that other cells of the row decide, as texts
};

std::int64_t whole(std::string_view cell) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size() ? value : 0;
}

// Elements read for one written; 0 where the row does not say.
std::int64_t operands_of(const Row& row) {
    const std::int64_t hidden = whole(row.cell("hidden"));
    const std::int64_t in = whole(row.cell("in_elems"));
    return hidden > 0 && in % hidden == 0 ? in / hidden : 0;
}

// norm_activation: `op` names the family, hidden and in_elems how it was called.
Result<Table> norm_activation_table(const Row& row) {
    const std::string_view op = row.cell("op");
    Table table{op == "add_rmsnorm" ? "rmsnorm" : op, {{"num_tokens", "num_tokens"}, {"hidden", "hidden"}, {"dtype", "dtype"}}, {"num_tokens", "hidden"}};
    static constexpr std::array kOps{"rmsnorm", "add_rmsnorm", "layernorm", "silu_mul", "gelu", "softmax", "rope", "embedding", "quantize",
                                     "add", "mul", "div", "pow", "relu", "tanh"};
    if (std::ranges::find(kOps, op) == kOps.end()) return failure(fmt::format("family not available: {}", op.substr(0, 40)));
    const std::int64_t operands = operands_of(row);
    if (op == "add_rmsnorm" || (op == "rmsnorm" && operands == 2)) table.fixed.emplace_back("residual", "true");
    if (op == "gelu" && operands == 2) table.fixed.emplace_back("gated", "true");
    if ((op == "add" || op == "mul" || op == "div" || op == "pow") && operands > 0) table.fixed.emplace_back("operands", std::to_string(operands));
    if (op == "embedding" && whole(row.cell("tp")) > 1) table.fixed.emplace_back("masked", "true");
    if (op == "rope") {
        // The table has only the width of all heads together; how it is cut into heads changes no bytes.
        const std::int64_t hidden = whole(row.cell("hidden"));
        std::int64_t head_dim = 128;
        while (head_dim > 1 && hidden % head_dim != 0) head_dim /= 2;
        table.mapping = {{"num_tokens", "num_tokens"}, {"dtype", "dtype"}};
        table.fixed.insert(table.fixed.end(), {{"num_heads", std::to_string(hidden / head_dim)}, {"num_kv_heads", "0"}, {"head_dim", std::to_string(head_dim)}});
    }
    // Vidur profiled vLLM's first kernels, which load one element at a time.
    const bool scalar = op == "rmsnorm" || op == "silu_mul" || op == "rope" || op == "embedding";
    if (scalar && row.cell("framework") == "vidur") table.fixed.emplace_back("vector", "1");
    return table;
}

// Words of a kernel label and the moe backend that they mean; the first that is found counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMoeLabels{{{"oaitriton", "triton_kernels"},
                                                                                   {"sglang_fused_moe_triton", "sglang_triton"},
                                                                                   {"sglang_marlin", "sglang_marlin"},
                                                                                   {"trtllm", "trtllm"},
                                                                                   {"sglang_flashinfer_cutlass", "sglang_cutlass"},
                                                                                   {"cutlass", "cutlass"},
                                                                                   {"marlin", "marlin"},
                                                                                   {"triton", "triton"},
                                                                                   {"vllm_fused_moe", "triton_0_14"}}};

// What the moe table writes as one word each: "power_law_1.2", and a kernel label that names its implementation.
Result<void> moe_words(const KernelFamily& family, const Row& row, Params& params) {
    const auto set = [&](std::string_view param, std::string_view text, std::string_view column) -> Result<void> {
        const std::size_t index = param_index(family.schema(), param);
        auto value = parse_param(family.schema()[index], text);
        if (!value) return failure(value.error().message, std::string(column));
        params.values[index] = std::move(*value);
        return {};
    };
    if (row.cell("framework") == "vllm" || row.cell("framework") == "sglang") {
        if (auto done = set("framework", row.cell("framework"), "framework"); !done) return done;
    }
    const std::string_view label = row.cell("kernel");
    for (const auto& [word, backend] : kMoeLabels) {
        if (label.find(word) == std::string_view::npos) continue;
        // SGLang 0.5.10 is known as a release of its own.
        const bool older = row.cell("framework") == "sglang" && row.cell("framework_version") == "0.5.10" && backend.starts_with("sglang");
        if (auto done = set("backend", older ? fmt::format("{}_0_5_10", backend) : std::string(backend), "kernel"); !done) return done;
        break;
    }
    // This stack widens mxfp4 weights when it loads them: the layer that was measured is bf16.
    if (label.starts_with("sglang_fused_moe_triton") && row.cell("dtype") == "w4a16_mxfp4") {
        if (auto done = set("dtype", "bf16", "dtype"); !done) return done;
    }
    constexpr std::string_view kPowerLaw = "power_law_";
    const std::string_view distribution = row.cell("distribution");
    if (distribution.empty()) return {};
    if (!distribution.starts_with(kPowerLaw)) return set("distribution", distribution, "distribution");
    if (auto done = set("distribution", "power_law", "distribution"); !done) return done;
    return set("exponent", distribution.substr(kPowerLaw.size()), "distribution");
}

// A table is told by its columns.
Result<Table> table_of(const Row& row) {
    if (row.has("op") && row.has("num_gpus")) return failure(kCollective);
    if (row.has("num_experts") && row.has("weight_type")) {
        return Table{"moe_gemm", {{"weight_type", "weight_type"}, {"num_tokens", "num_tokens"}, {"hidden_size", "hidden_size"}, {"inter_size", "inter_size"},
                                  {"topk", "topk"}, {"num_experts", "num_experts"}, {"dtype", "dtype"}, {"block_m", "block_m"}, {"block_n", "block_n"},
                                  {"block_k", "block_k"}, {"group_m", "group_m"}, {"num_warps", "num_warps"}, {"num_stages", "num_stages"}},
                     {"weight_type", "num_tokens", "hidden_size", "inter_size", "topk", "num_experts"}};
    }
    if (row.has("num_experts")) {
        return Table{"moe", {{"num_tokens", "num_tokens"}, {"hidden_size", "hidden_size"}, {"inter_size", "inter_size"}, {"topk", "topk"},
                             {"num_experts", "num_experts"}, {"tp", "tp"}, {"ep", "ep"}, {"gated", "gated"}, {"grouped_topk", "grouped_topk"}, {"dtype", "dtype"}},
                     {"num_tokens", "hidden_size", "inter_size", "topk", "num_experts"}};
    }
    if (row.has("op") && row.has("num_tokens")) return norm_activation_table(row);
    if (row.has("q_lengths")) {
        return Table{"attention", {{"q_lengths", "q_lengths"}, {"kv_lengths", "kv_lengths"}, {"num_heads", "num_heads"}, {"num_kv_heads", "num_kv_heads"},
                                   {"head_dim", "head_dim"}, {"dtype", "dtype"}}, {"q_lengths", "kv_lengths", "num_heads", "num_kv_heads", "head_dim"}};
    }
    if (row.has("q_len") && row.has("kv_len")) {
        return Table{"attention", {{"batch", "batch"}, {"q_len", "q_len"}, {"kv_len", "kv_len"}, {"num_heads", "num_heads"}, {"num_kv_heads", "num_kv_heads"},
                                   {"head_dim", "head_dim"}, {"window", "window"}, {"dtype", "dtype"}, {"kv_dtype", "kv_dtype"}}, {"q_len", "kv_len", "num_heads", "num_kv_heads", "head_dim"}};
    }
    if (row.has("op") && row.has("m")) {
        const std::string_view op = row.cell("op");
        if (op != "linear" && op != "bmm") return failure(fmt::format("\"{}\" is no product: linear or bmm", op.substr(0, 40)), "op");
        return Table{"gemm", {{"batch", "b"}, {"m", "m"}, {"n", "n"}, {"k", "k"}, {"dtype", "dtype"}}, {"b", "m", "n", "k"}};
    }
    if (row.has("m") && row.has("n") && row.has("k")) {
        return Table{"gemm", {{"m", "m"}, {"n", "n"}, {"k", "k"}, {"dtype", "dtype"}, {"tile_m", "tile_m"}, {"tile_n", "tile_n"}, {"tile_k", "tile_k"},
                              {"cta_count", "cta_count"}}, {"m", "n", "k"}};
    }
    return failure(kNoKnownTable);
}

// How the row was measured decides what stands around the product (data/README.md, "How it was measured").
void set_measurement(const Row& row, const KernelFamily& family, Params& params) {
    const std::size_t framework = param_index(family.schema(), "framework");
    const std::string_view named = row.cell("framework") == "pipeweave" ? "bare" : row.cell("framework");
    if (auto value = parse_param(family.schema()[framework], named)) params.values[framework] = std::move(*value);
    const std::string_view timing = row.cell("timing");
    const auto set = [&](std::string_view name, ParamValue value) { params.values[param_index(family.schema(), name)] = std::move(value); };
    // Bare kernels get A already quantised.
    if (timing == "kernel_only" || timing == "trt_profiler") set("quantizer", std::string("none"));
    if (row.cell("framework") == "vllm" && row.cell("dtype") == "fp8") set("quantizer", std::string("row_block"));
    // One tile for every shape: the time of its rows does not depend on m up to 128.
    if (row.cell("kernel") == "pipeweave_fp8_gemm") {
        set("tile_m", std::int64_t{128});
        set("tile_n", std::int64_t{128});
    }
    // These reuse one weight instead of taking turns.
    const bool one_weight = timing == "eager" || row.has("b") || (row.cell("dtype") == "nvfp4" && row.cell("framework") == "vllm");
    if (one_weight) set("weight_copies", std::int64_t{1});
}

// Sets a choice where the family has it; a kernel that a later GPU lacks is left to `auto`.
void set_choice(const std::vector<ParamSchema>& schema, std::string_view param, std::string_view value, Params& params) {
    const std::size_t index = param_index(schema, param);
    if (auto parsed = parse_param(schema[index], value)) params.values[index] = std::move(*parsed);
}

// What the columns say beside the shapes: which kernel of which framework, and what else its layer does. Source: the tables' README.
void complete_attention(const Row& row, const GpuSpec& gpu, const std::vector<ParamSchema>& schema, Params& params) {
    const std::string_view framework = row.cell("framework");
    const bool layer = row.has("kernel");
    const bool decode = row.cell("q_len") == "1" && row.cell("kv_len") != "1";
    const AttentionCallLabel* label = attention_label(layer ? row.cell("kernel") : row.cell("attention_type"), framework, gpu, decode);
    if (label != nullptr) {
        if (label_exists_on(*label, gpu, params.integer(param_index(schema, "head_dim")))) set_choice(schema, "algorithm", label->algorithm, params);
        set_choice(schema, "page_size", label->page_size, params);
        const bool fp8_cache = row.cell("kv_dtype") == "fp8";
        if (label->fp8_products && fp8_cache && gpu.tensor_flop_per_clk_per_sm(DType::fp8)) set_choice(schema, "dtype", "fp8", params);
    }
    if (!layer) return;
    set_choice(schema, "kv_write", "true", params);
    // A version of its own where one is known to differ.
    set_choice(schema, "framework", framework, params);
    set_choice(schema, "framework", fmt::format("{} {}", framework, row.cell("framework_version")), params);
    // SGLang's rows of head_dim 192 are MiMo shapes, whose values are 128 wide.
    if (framework == "sglang" && row.cell("head_dim") == "192") set_choice(schema, "v_head_dim", "128", params);
}

// A table of calls, not of measurements, whose rows name their family: its columns are parameters by their own names. `synperf compare` writes
// such tables.
bool names_parameters(const CsvTable& table) {
    return table.column("family") < table.columns.size() && table.column("gpu") < table.columns.size() && table.column("latency_us") == table.columns.size();
}

Result<RowCall> named_call(const Row& row, const Engine& engine) {
    const std::string_view named = row.cell("family");
    const auto family = engine.kernels.find(named);
    if (!family) return failure(fmt::format("family not available: {}", named.substr(0, 40)));
    Mapping mapping;
    for (const ParamSchema& param : (*family)->schema()) {
        if (row.has(param.name)) mapping.emplace_back(param.name, param.name);
    }
    if (mapping.empty()) return failure(fmt::format("the row says {}, but no column is one of its parameters", (*family)->id()), "family");
    auto params = map_params(**family, row, mapping);
    if (!params) return tl::unexpected(params.error());
    return RowCall{*family, nullptr, std::move(*params)};
}

}  // namespace

Result<void> check_columns(const CsvTable& table) {
    if (names_parameters(table)) return {};
    const std::vector<std::string> empty(table.columns.size());
    // Which table it is does not depend on the cells; what else an empty row lacks is its own affair.
    const auto kind = table_of(Row(table, empty));
    if (!kind && (kind.error().message == kNoKnownTable || kind.error().message == kCollective)) return tl::unexpected(kind.error());
    if (table.column("gpu") == table.columns.size()) return failure("the column is missing: the GPU of each row", "gpu");
    return {};
}

Result<RowCall> row_call(const CsvTable& table, std::size_t index, const Engine& engine) {
    if (std::string wrong = wrong_width(table, index); !wrong.empty()) return failure(fmt::format("line {}: {}", table.lines[index], wrong));
    const Row row(table, index);
    if (names_parameters(table) && !row.cell("family").empty()) {
        auto call = named_call(row, engine);
        if (!call) return call;
        const auto gpu = engine.gpus.find(row.cell("gpu"));
        if (!gpu) return tl::unexpected(gpu.error());
        call->gpu = *gpu;
        return call;
    }
    const auto kind = table_of(row);
    if (!kind) return tl::unexpected(kind.error());
    for (const std::string_view column : kind->needed) {
        if (row.cell(column).empty()) return failure("the cell is empty, a value is needed", std::string(column));
    }
    RowCall call;
    const auto family = engine.kernels.find(kind->family);
    if (!family) return tl::unexpected(family.error());
    call.family = *family;
    // A table may name its family; the columns decide, so a row that names another one is not answered as this one.
    if (const std::string_view named = row.cell("family"); !named.empty()) {
        const auto asked = engine.kernels.find(named);
        if (!asked) return failure(fmt::format("family not available: {}", named.substr(0, 40)));
        if (*asked != call.family) return failure(fmt::format("the row says {}, the columns are those of {}", (*asked)->id(), call.family->id()), "family");
    }
    if (row.cell("gpu").empty()) return failure("the row names no GPU", "gpu");
    const auto gpu = engine.gpus.find(row.cell("gpu"));
    if (!gpu) return tl::unexpected(gpu.error());
    call.gpu = *gpu;
    auto params = map_params(*call.family, row, kind->mapping);
    if (!params) return tl::unexpected(params.error());
    for (const auto& [name, text] : kind->fixed) {
        const std::size_t at = param_index(call.family->schema(), name);
        auto value = parse_param(call.family->schema()[at], text);
        if (!value) return tl::unexpected(value.error());
        params->values[at] = std::move(*value);
    }
    if (call.family->id() == "gemm") set_measurement(row, *call.family, *params);
    if (kind->family == "moe") {
        if (auto done = moe_words(*call.family, row, *params); !done) return tl::unexpected(done.error());
    }
    if (kind->family == "attention") complete_attention(row, **gpu, call.family->schema(), *params);
    call.params = std::move(*params);
    return call;
}

namespace {

std::vector<std::size_t> all_rows(const CsvTable& table) {
    std::vector<std::size_t> rows(table.rows.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

}  // namespace

std::vector<Result<Prediction>> predict_rows(const CsvTable& table, std::span<const std::size_t> rows, const Engine& engine,
                                             const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    std::vector<Result<Prediction>> predictions(rows.size(), failure("cancelled"));
    // Networks are fast over many rows and slow over one: a thread takes a block of rows, analyses each, then runs the networks once.
    constexpr std::size_t kBlock = 128;
    const std::size_t blocks = (rows.size() + kBlock - 1) / kBlock;
    const auto report = progress ? std::function<void(std::size_t)>([&](std::size_t done) { progress(std::min(rows.size(), done * kBlock)); }) : progress;
    for_each_block(blocks, report, stop, [&](std::size_t block) {
        std::vector<PendingPrediction> pending;
        std::vector<std::size_t> places;
        const std::size_t end = std::min(rows.size(), (block + 1) * kBlock);
        pending.reserve(kBlock);
        for (std::size_t i = block * kBlock; i < end; ++i) {
            const auto call = row_call(table, rows[i], engine);
            auto prepared = call ? engine.predictor.prepare(*call->family, call->params, *call->gpu, stop) : tl::unexpected(call.error());
            if (prepared) {
                pending.push_back(std::move(*prepared));
                places.push_back(i);
            } else {
                predictions[i] = tl::unexpected(prepared.error());
            }
        }
        std::vector<PendingPrediction*> calls;
        for (PendingPrediction& one : pending) calls.push_back(&one);
        complete(calls);
        for (std::size_t k = 0; k < pending.size(); ++k) predictions[places[k]] = std::move(pending[k].prediction);
    });
    return predictions;
}

namespace {

// A table that was predicted before gets its predictions replaced: columns of one name would be told apart by no reader.
CsvTable without_predictions(const CsvTable& input) {
    const auto added = [](std::string_view column) { return std::ranges::find(kAddedColumns, column) != kAddedColumns.end(); };
    CsvTable kept;
    kept.lines = input.lines;
    kept.rows.resize(input.rows.size());
    for (std::size_t column = 0; column < input.columns.size(); ++column) {
        if (added(input.columns[column])) continue;
        kept.columns.push_back(input.columns[column]);
        for (std::size_t row = 0; row < kept.rows.size(); ++row) {
            kept.rows[row].push_back(column < input.rows[row].size() ? input.rows[row][column] : std::string());
        }
    }
    return kept;
}

}  // namespace

BatchResult batch_result(const CsvTable& input, const std::vector<Result<BatchAnswer>>& answers) {
    BatchResult result;
    result.table = without_predictions(input);
    const std::size_t given = result.table.columns.size();
    for (const char* column : kAddedColumns) result.table.columns.emplace_back(column);
    const auto us = [](Seconds time) { return fmt::format("{:.6g}", to_microseconds(time)); };
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Result<BatchAnswer>& answer = answers[i];
        std::vector<std::string>& row = result.table.rows[i];
        row.resize(result.table.columns.size());
        std::string* out = &row[given];
        if (!answer) {
            out[7] = answer.error().to_string();
            ++result.failed;
            continue;
        }
        out[0] = us(answer->latency);
        if (answer->interval) {
            out[1] = us(answer->interval->lower);
            out[2] = us(answer->interval->upper);
        }
        if (answer->p80) out[3] = us(*answer->p80);
        if (answer->ceiling) out[4] = us(*answer->ceiling);
        out[5] = answer->bound;
        out[6] = answer->confidence;
    }
    return result;
}

BatchResult predict_batch(const CsvTable& input, const Engine& engine, const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    std::vector<Result<BatchAnswer>> answers;
    answers.reserve(input.rows.size());
    for (const Result<Prediction>& one : predict_rows(input, all_rows(input), engine, progress, stop)) {
        if (!one) {
            answers.emplace_back(tl::unexpected(one.error()));
            continue;
        }
        answers.emplace_back(BatchAnswer{one->latency, one->interval, one->p80, one->ceiling, std::string(name(one->bound)), std::string(name(one->confidence))});
    }
    return batch_result(input, answers);
}

}  // namespace synperf
