#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "kernels/elementwise_rules.h"
#include "kernels/families.h"
#include "kernels/integer_math.h"
#include "kernels/params_build.h"

namespace synperf {

namespace {

// Everything a decomposition reads. `numbers` is the operator's own kernel, `table` holds the others of its launch sequence.
struct Call {
    std::string_view id;
    const Params& params;
    const GpuSpec& gpu;
    const Calibration& calibration;
    const StreamNumbers& numbers;
    const StreamTable& table;
};

using Decompose = Result<Launch> (*)(const Call& call);

// One operator: everything but the numbers of its kernels.
struct Operator {
    std::string_view id;
    std::string_view title;
    std::string_view summary;
    std::vector<ParamSchema> (*schema)();
    Decompose decompose;
    std::vector<Preset> (*presets)();
};

double real(std::int64_t value) { return static_cast<double>(value); }

DType dtype_at(const Params& params, std::size_t index) { return *parse_dtype(params.choice(index)); }

Launch launch_of(CountedStream stream, const Call& call) {
    // Loads of these kernels take about as many SM cycles on every GPU; the scheduler counts waiting in load latencies.
    stream.kernel.rounds = stream.cycles / (microseconds(call.calibration.load_latency_us) * call.gpu.boost_clock()).value;
    Launch launch = stream_launch(stream.kernel, call.gpu, call.calibration);
    launch.floor_share = call.table.floor_share();
    launch.cta_start_clk = stream.cta_start_clk;
    launch.l2_rate_factor = call.table.l2_copy_share();
    return launch;
}

// Full loads are 16 bytes. Put together by hand, not formatted: odd widths come in tables of thousands of rows.
void note_narrow_loads(std::int64_t vector, std::int64_t asked, double element_bytes, Launch& launch) {
    if (asked > 0 || real(vector) * element_bytes >= 8) return;
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), vector).ptr;
    launch.notes.push_back("the width allows loads of " + std::string(digits.data(), end) + " elements only: widths that are multiples of 8 are faster");
}

// --- schemas ---

constexpr double kMostTokens = 1'073'741'824;
constexpr double kMostWidth = 1'048'576;

ParamSchema tokens_param(std::int64_t initial) { return integer_param("num_tokens", "tokens", "Rows of the batch: tokens of all requests.", "Shape", 0, kMostTokens, initial); }
ParamSchema hidden_param(std::int64_t initial) {
    return integer_param("hidden", "", "Elements each row has in the output on this GPU.", "Shape", 1, kMostWidth, initial);
}
ParamSchema dtype_param() { return choice_param("dtype", "Format of the tensors.", "Shape", {"bf16", "fp16", "fp32"}); }
ParamSchema vector_param() {
    return integer_param("vector", "elements", "Elements of one load of a thread; 0 is as many as 16 bytes and the width allow, 1 is a scalar kernel.", "Kernel", 0,
                         16, 0, true);
}
ParamSchema operands_param(std::int64_t initial) {
    return integer_param("operands", "", "Tensors read; 1 is an operand and a scalar, each above 2 is one more kernel.", "Shape", 1, 16, initial);
}

enum RowParam : std::size_t { kTokens, kHidden, kDtype, kFourth, kFifth };

std::vector<ParamSchema> rmsnorm_schema() {
    return {tokens_param(4096), hidden_param(5120), dtype_param(),
            boolean_param("residual", "Adds a residual first and writes the sum back: two reads and two writes.", "Shape", false), vector_param()};
}
std::vector<ParamSchema> layernorm_schema() { return {tokens_param(4096), hidden_param(4096), dtype_param()}; }
std::vector<ParamSchema> softmax_schema() { return {tokens_param(4096), hidden_param(4096), dtype_param()}; }
std::vector<ParamSchema> silu_mul_schema() { return {tokens_param(4096), hidden_param(14336), dtype_param(), vector_param()}; }
std::vector<ParamSchema> gelu_schema() {
    return {tokens_param(4096), hidden_param(16384), dtype_param(),
            boolean_param("gated", "Multiplies by a second half of each row: two elements read for one written.", "Shape", false), vector_param()};
}
std::vector<ParamSchema> unary_schema() { return {tokens_param(4096), hidden_param(4096), dtype_param()}; }
std::vector<ParamSchema> binary_schema() { return {tokens_param(4096), hidden_param(4096), dtype_param(), operands_param(2)}; }
std::vector<ParamSchema> pow_schema() { return {tokens_param(4096), hidden_param(4096), dtype_param(), operands_param(1)}; }

// --- kernels with one CTA a row ---

Result<Launch> rmsnorm(const Call& call) {
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kDtype));
    const std::int64_t asked = p.integer(kFifth);
    const RowKernel row = rmsnorm_row(p.integer(kHidden), element, call.numbers, asked);
    const double once = real(p.integer(kTokens)) * real(p.integer(kHidden)) * element * (p.boolean(kFourth) ? 2 : 1);
    Launch launch = launch_of(row_stream("rmsnorm", row, p.integer(kTokens), {once, once, p.boolean(kFourth)}, call.numbers), call);
    note_narrow_loads(row.vector, asked, element, launch);
    return launch;
}

Result<Launch> silu_mul(const Call& call) {
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kDtype));
    RowKernel row = silu_mul_row(2 * p.integer(kHidden), element, call.numbers, p.integer(kFourth));
    // Each thread loads from both halves of the row in one round.
    row.rounds = ceil_div(p.integer(kHidden), row.vector * row.block);
    // The published counts are per element read, but an output needs one exponential and one reciprocal for its two elements: at
    // full counts the XU pipe of an H20 alone would take longer than measured (5121 x 2304: 22.7 us against 21.9 us).
    row.fma_warp_instructions /= 2;
    row.xu_warp_instructions /= 2;
    const double once = real(p.integer(kTokens)) * real(p.integer(kHidden)) * element;
    return launch_of(row_stream("silu_mul", row, p.integer(kTokens), {2 * once, once}, call.numbers), call);
}

Result<Launch> layernorm(const Call& call) {
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kDtype));
    const RowKernel row = plain_row(p.integer(kHidden), element, call.numbers);
    const double once = real(p.integer(kTokens)) * real(p.integer(kHidden)) * element;
    Launch launch = launch_of(row_stream("layernorm", row, p.integer(kTokens), {once, once}, call.numbers), call);
    note_narrow_loads(row.vector, 0, element, launch);
    return launch;
}

// PyTorch keeps rows of up to 1024 elements in the registers of one warp, four warps a CTA; two rows a warp up to 128 elements.
constexpr std::int64_t kWarpSoftmaxWidth = 1024;
constexpr std::int64_t kTwoRowsWidth = 128;

Result<Launch> softmax(const Call& call) {
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kDtype));
    const std::int64_t width = p.integer(kHidden);
    const std::int64_t rows = p.integer(kTokens);
    const double once = real(rows) * real(width) * element;
    if (width > kWarpSoftmaxWidth) {
        const RowKernel row = plain_row(width, element, call.numbers);
        Launch launch = launch_of(row_stream("softmax", row, rows, {once, once}, call.numbers), call);
        note_narrow_loads(row.vector, 0, element, launch);
        return launch;
    }
    const StreamNumbers& warp = *call.table.find("softmax_warp");
    const std::int64_t rows_per_cta = warp.threads / 32 * (width <= kTwoRowsWidth ? 2 : 1);
    const std::int64_t ctas = ceil_div(rows, rows_per_cta);
    RowKernel row;
    row.block = warp.threads;
    row.rounds = 1;
    const double share = ctas > 0 ? real(rows) / real(ctas) : 0.0;
    row.fma_warp_instructions = warp.fma_per_element * real(width) * share / 32;
    row.xu_warp_instructions = (warp.xu_per_element * real(width) + warp.xu_per_row) * share / 32;
    CountedStream stream = row_stream("softmax, a warp a row", row, ctas, {once, once}, warp);
    stream.kernel.fullest_over_mean = fullest_over_mean(real(rows), real(rows_per_cta));
    return launch_of(std::move(stream), call);
}

// --- kernels over a flat array ---

Result<Launch> flat(const Call& call, double operands) {
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kDtype));
    const double elements = real(p.integer(kTokens)) * real(p.integer(kHidden));
    // The array is contiguous, so only the widest load of the kernel matters, not the width of a row.
    const std::int64_t vector = vector_elements(1 << 20, element, call.numbers);
    return launch_of(flat_stream(std::string(call.id), elements, vector, {operands * elements * element, elements * element}, call.numbers), call);
}

Result<Launch> unary(const Call& call) { return flat(call, 1); }

// A sum of three tensors is two kernels of two: PyTorch fuses nothing by itself.
Result<Launch> binary(const Call& call) {
    const std::int64_t operands = call.params.integer(kFourth);
    auto launch = flat(call, operands == 1 ? 1 : 2);
    if (!launch) return launch;
    const Launch step = *launch;
    for (std::int64_t more = 2; more < operands; ++more) launch->followers.push_back(step);
    return launch;
}

Result<Launch> gelu(const Call& call) {
    const Params& p = call.params;
    if (!p.boolean(kFourth)) return unary(call);
    const double element = bytes_per_element(dtype_at(p, kDtype));
    const StreamNumbers& numbers = *call.table.find("gelu_gated");
    const RowKernel row = plain_row(p.integer(kHidden), element, numbers, p.integer(kFifth));
    const double once = real(p.integer(kTokens)) * real(p.integer(kHidden)) * element;
    Launch launch = launch_of(row_stream("gelu and mul", row, p.integer(kTokens), {2 * once, once}, numbers), call);
    note_narrow_loads(row.vector, p.integer(kFifth), element, launch);
    return launch;
}

// --- the kernels around attention ---

std::vector<ParamSchema> rope_schema() {
    return {tokens_param(4096),
            integer_param("num_heads", "heads", "Query heads on this GPU.", "Shape", 1, 16384, 32),
            integer_param("num_kv_heads", "heads", "Key heads on this GPU, rotated too; values are not.", "Shape", 0, 16384, 8),
            integer_param("head_dim", "elements", "Elements of a head.", "Shape", 1, 1024, 128), dtype_param(), vector_param()};
}

Result<Launch> rope(const Call& call) {
    enum : std::size_t { kRopeTokens, kHeads, kKvHeads, kHeadDim, kRopeDtype, kVector };
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kRopeDtype));
    const std::int64_t tokens = p.integer(kRopeTokens);
    const std::int64_t width = (p.integer(kHeads) + p.integer(kKvHeads)) * p.integer(kHeadDim);
    const RowKernel row = plain_row(width, element, call.numbers, p.integer(kVector));
    const double once = real(tokens) * real(width) * element;
    // Beside the heads a token reads its position (8 bytes) and a row of cosines and sines.
    const double table = real(tokens) * (8 + real(p.integer(kHeadDim)) * element);
    return launch_of(row_stream("rope", row, tokens, {once + table, once, true}, call.numbers), call);
}

std::vector<ParamSchema> embedding_schema() {
    return {tokens_param(4096), hidden_param(8192),
            integer_param("vocab_size", "rows", "Rows of the table on this GPU; tokens that repeat are read from DRAM once.", "Shape", 1, 100'000'000, 128256), dtype_param(),
            boolean_param("masked", "Tokens of other GPUs' vocabulary shards are masked first, in kernels of their own.", "Shape", false), vector_param()};
}

Result<Launch> embedding(const Call& call) {
    enum : std::size_t { kEmbTokens, kWidth, kVocab, kEmbDtype, kMasked, kVector };
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kEmbDtype));
    const double tokens = real(p.integer(kEmbTokens));
    const double width = real(p.integer(kWidth));
    const std::int64_t asked = p.integer(kVector);
    const std::int64_t vector = vector_elements(p.integer(kWidth), element, call.numbers, asked);
    const bool scalar = real(vector) * element < 16;  // the vectorised gather needs whole 16-byte loads
    const StreamNumbers& numbers = scalar ? *call.table.find("embedding_scalar") : call.numbers;
    const double once = tokens * width * element;
    Launch launch = launch_of(flat_stream(scalar ? "embedding, element by element" : "embedding", tokens * width, scalar ? 1 : vector, {once + 8 * tokens, once}, numbers), call);
    // Distinct rows of random tokens.
    const double vocab = real(p.integer(kVocab));
    const double distinct = tokens > 0 ? -vocab * std::expm1(tokens * std::log1p(-1.0 / vocab)) : 0.0;
    const double table_bytes = std::min(tokens, distinct) * width * element;
    if (!launch.groups.empty()) {
        TaskGroup& group = launch.groups.front();
        const double moved = launch.traffic.compulsory_read.value + launch.traffic.compulsory_write.value;
        const double needed = table_bytes + 8 * tokens + once;
        group.demand[Pipe::dram] *= needed / moved;
        launch.full_waves_share_dram = false;  // repeated rows come from L2, in whichever CTA they are
        launch.traffic.compulsory_read = {table_bytes + 8 * tokens};
        launch.traffic.dram_read = launch.traffic.compulsory_read;
        launch.traffic.reuse_distance = {needed};
        if (p.boolean(kMasked)) {
            // Compare with the shard's range, subtract its start: 8-byte token ids in, ids and a byte of mask out.
            const StreamNumbers& mask = *call.table.find("embedding_mask");
            launch.leaders.push_back(launch_of(flat_stream("token mask", tokens, 1, {8 * tokens, 9 * tokens}, mask), call));
        }
    }
    return launch;
}

std::vector<ParamSchema> kv_write_schema() {
    return {tokens_param(4096), integer_param("num_kv_heads", "heads", "Key and value heads on this GPU.", "Shape", 1, 16384, 8),
            integer_param("head_dim", "elements", "Elements of a head.", "Shape", 1, 1024, 128), dtype_param(),
            choice_param("kv_dtype", "Format of the cache; auto is that of the tensors.", "Shape", {"auto", "fp8", "int8", "bf16", "fp16", "fp32"}),
            choice_param("layout", "Order inside a page: a token's heads together, or a head's tokens together.", "Shape", {"nhd", "hnd"})};
}

constexpr double kSector = 32;  // bytes: the least that DRAM and L2 write

Result<Launch> kv_write(const Call& call) {
    enum : std::size_t { kKvTokens, kHeads, kHeadDim, kKvDtype, kCacheDtype, kLayout };
    const Params& p = call.params;
    const double element = bytes_per_element(dtype_at(p, kKvDtype));
    const double stored = p.choice(kCacheDtype) == "auto" ? element : bytes_per_element(dtype_at(p, kCacheDtype));
    const std::int64_t tokens = p.integer(kKvTokens);
    const std::int64_t width = p.integer(kHeads) * p.integer(kHeadDim);
    // What lies together in the cache is written in whole sectors.
    const double run = p.choice(kLayout) == "nhd" ? real(width) : real(p.integer(kHeadDim));
    const double written = std::ceil(run * stored / kSector) * kSector * (real(width) / run);
    RowKernel row = plain_row(width, element, call.numbers);
    row.fma_warp_instructions *= 2;  // K and V
    const double slot = 8;  // the token's place in the paged cache
    return launch_of(row_stream("kv cache write", row, tokens, {real(tokens) * (2 * real(width) * element + slot), real(tokens) * 2 * written}, call.numbers), call);
}

// --- quantisers ---

std::vector<ParamSchema> quantize_schema() {
    return {tokens_param(4096), hidden_param(8192), dtype_param(),
            choice_param("format", "Format of the result; nvfp4 packs two elements a byte.", "Quantisation", {"fp8", "int8", "nvfp4"}),
            choice_param("scale", "What shares a scale: the tensor, a token's row, 128 or 16 elements. auto is 16 for nvfp4 and a token for the rest.", "Quantisation",
                         {"auto", "tensor", "token", "128", "16"})};
}

enum class Scale : std::uint8_t { tensor, token, group };

Result<Launch> quantize(const Call& call) {
    enum : std::size_t { kQuantTokens, kWidth, kQuantDtype, kFormat, kScale };
    const Params& p = call.params;
    const std::string& format = p.choice(kFormat);
    const std::string& scale = p.choice(kScale);
    const bool fp4 = format == "nvfp4";
    if (fp4 && scale != "auto" && scale != "16") return failure(fmt::format("{}: nvfp4 has a scale for 16 elements, use 16 or auto", scale), "scale");
    const double element = bytes_per_element(dtype_at(p, kQuantDtype));
    const double stored = fp4 ? 0.5 : 1.0;
    const std::int64_t tokens = p.integer(kQuantTokens);
    const std::int64_t width = p.integer(kWidth);
    const double elements = real(tokens) * real(width);
    const double in = elements * element;
    const double out = real(tokens) * std::ceil(real(width) * stored);
    if (fp4 || scale == "16" || scale == "128") {
        const std::int64_t group = scale == "128" ? 128 : 16;
        const StreamNumbers& numbers = *call.table.find(group == 128 ? "quantize_128" : "quantize_16");
        const double groups = real(tokens) * real(ceil_div(width, group));
        const double scales = groups * (group == 128 ? 4 : 1);  // fp32, or fp8 beside blocks of 16
        CountedStream stream = flat_stream(group == 128 ? "quantize by 128" : "quantize by 16", elements, vector_elements(width, element, numbers), {in, out + scales}, numbers);
        if (stream.kernel.ctas > 0) stream.kernel.xu_ops += groups * numbers.xu_per_row / real(stream.kernel.ctas);
        return launch_of(std::move(stream), call);
    }
    if (scale != "tensor") {
        const RowKernel row = plain_row(width, element, call.numbers);
        return launch_of(row_stream("quantize by token", row, tokens, {in, out + 4.0 * real(tokens)}, call.numbers), call);
    }
    // The largest magnitude of the whole tensor first, then everything is read again.
    const StreamNumbers& most = *call.table.find("quantize_absmax");
    const StreamNumbers& numbers = *call.table.find("quantize_tensor");
    CountedStream stream = flat_stream("quantize by tensor", elements, vector_elements(1 << 20, element, numbers), {in, out}, numbers);
    stream.kernel.after_producer = true;
    Launch launch = launch_of(std::move(stream), call);
    if (tokens > 0) launch.leaders.push_back(launch_of(row_stream("largest magnitude", plain_row(width, element, most), tokens, {in, 4}, most), call));
    return launch;
}

// --- the table ---

using Values = std::vector<std::pair<std::string, std::string>>;

std::vector<Preset> one_token(std::string first, Values width) {
    Values decode = std::move(width);
    decode.insert(decode.begin(), {"num_tokens", "1"});
    return {{std::move(first), {}}, {"Decode: one token", std::move(decode)}};
}

const std::array kOperators{
    Operator{"rmsnorm", "RMSNorm", "Root-mean-square normalisation of each row, with or without a residual add.", rmsnorm_schema, rmsnorm,
             [] { return std::vector<Preset>{{"Qwen3-32B, 4096 tokens", {}}, {"One token of 8192", {{"num_tokens", "1"}, {"hidden", "8192"}}}}; }},
    Operator{"silu_mul", "SiLU & Mul", "Gated activation: silu(gate) x up, both halves of each row read, one written.", silu_mul_schema, silu_mul,
             [] { return std::vector<Preset>{{"Llama-3.1-8B, 4096 tokens", {}}, {"One token of 25600", {{"num_tokens", "1"}, {"hidden", "25600"}}}}; }},
    Operator{"layernorm", "LayerNorm", "Mean and variance normalisation of each row.", layernorm_schema, layernorm,
             [] { return one_token("4096 rows of 4096", {{"hidden", "2560"}}); }},
    Operator{"gelu", "GELU", "GELU activation, plain or gated.", gelu_schema, gelu,
             [] { return std::vector<Preset>{{"4096 tokens of 16384", {}}, {"Gated, as in Gemma", {{"hidden", "21504"}, {"gated", "true"}}}}; }},
    Operator{"softmax", "Softmax", "Softmax of each row, not fused with attention.", softmax_schema, softmax,
             [] { return std::vector<Preset>{{"4096 rows of 4096", {}}, {"Router: 128 experts", {{"hidden", "128"}}}, {"Logits of 32 tokens", {{"num_tokens", "32"}, {"hidden", "128256"}}}}; }},
    Operator{"rope", "RoPE", "Rotates query and key heads by their positions, in place.", rope_schema, rope,
             [] { return one_token("Llama-3.1-8B, 4096 tokens", {}); }},
    Operator{"embedding", "Embedding", "Gathers a table row for each token.", embedding_schema, embedding,
             [] { return one_token("Llama-3.1-70B, 4096 tokens", {}); }},
    Operator{"quantize", "Quantise", "Scales activations and stores them in fewer bits.", quantize_schema, quantize,
             [] {
                 return std::vector<Preset>{{"fp8 by token, 4096 x 8192", {}},
                                            {"fp8 by blocks of 128", {{"hidden", "7168"}, {"scale", "128"}}},
                                            {"fp8 by tensor", {{"scale", "tensor"}}},
                                            {"nvfp4", {{"format", "nvfp4"}}}};
             }},
    Operator{"kv_write", "KV-cache write", "Scatters new keys and values into the paged cache.", kv_write_schema, kv_write,
             [] {
                 auto presets = one_token("Llama-3.1-8B, 4096 tokens", {});
                 presets.push_back({"fp8 cache", {{"kv_dtype", "fp8"}}});
                 return presets;
             }},
    Operator{"add", "Add", "Sum of tensors, element by element.", binary_schema, binary, [] { return one_token("Residual, 4096 x 4096", {}); }},
    Operator{"mul", "Multiply", "Product of tensors, element by element.", binary_schema, binary, [] { return one_token("4096 x 4096", {}); }},
    Operator{"div", "Divide", "Quotient of tensors, element by element.", binary_schema, binary, [] { return one_token("4096 x 4096", {}); }},
    Operator{"pow", "Power", "Power of each element.", pow_schema, binary, [] { return one_token("4096 x 4096", {}); }},
    Operator{"relu", "ReLU", "Negative elements become 0.", unary_schema, unary, [] { return one_token("4096 x 4096", {}); }},
    Operator{"tanh", "Tanh", "Hyperbolic tangent of each element.", unary_schema, unary, [] { return one_token("4096 x 4096", {}); }},
};

// Kernels that only appear inside an operator.
constexpr std::array kParts{"softmax_warp", "gelu_gated", "embedding_scalar", "embedding_mask", "quantize_128", "quantize_16", "quantize_tensor", "quantize_absmax"};

class StreamFamily final : public KernelFamily {
public:
    StreamFamily(const Operator& op, const Calibration& calibration, std::shared_ptr<const StreamTable> table)
        : operator_(op), calibration_(calibration), table_(std::move(table)), numbers_(*table_->find(op.id)), schema_(op.schema()) {}

    std::string_view id() const override { return operator_.id; }
    std::string_view title() const override { return operator_.title; }
    std::string_view summary() const override { return operator_.summary; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }
    std::vector<Preset> presets() const override { return operator_.presets(); }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        auto launch = operator_.decompose({operator_.id, params, gpu, calibration_, numbers_, *table_});
        if (!launch) return tl::unexpected(launch.error());
        std::vector<Launch> launches;
        launches.push_back(std::move(*launch));
        return launches;
    }

    // fp32 tables were measured with a launch from the host in every value, so 16-bit calls alone share what was learned.
    std::string model(const Params& params) const override { return element_bytes(params) == 2 ? "memory_bound" : "memory_bound_fp32"; }
    std::string implementation(const Params& params, const Launch&) const override {
        const std::size_t vector = param_index(schema_, "vector");
        const bool scalar = vector < schema_.size() && params.integer(vector) == 1;
        return fmt::format("{}{}", operator_.id, scalar ? " scalar" : "");
    }
    void write_features(const Params& params, const Launch& launch, FeatureWriter& out) const override;

    std::string task_label(const Params& params, const GpuSpec&, const Launch& launch, std::int64_t index) const override {
        const bool row_each = launch.grid[0] == params.integer(kTokens);
        return fmt::format("{} {}", row_each ? "row" : "part", index);
    }

private:
    double element_bytes(const Params& params) const { return bytes_per_element(dtype_at(params, param_index(schema_, "dtype"))); }

    const Operator& operator_;
    Calibration calibration_;
    std::shared_ptr<const StreamTable> table_;
    const StreamNumbers& numbers_;
    std::vector<ParamSchema> schema_;
};

void StreamFamily::write_features(const Params& params, const Launch& launch, FeatureWriter& out) const {
    const double tokens = real(params.integer(kTokens));
    const double moved = launch.traffic.compulsory_read.value + launch.traffic.compulsory_write.value;
    for (const Operator& op : kOperators) out.number(op.id, op.id == operator_.id ? 1 : 0);
    out.size("num_tokens", tokens);
    out.size("bytes a row", tokens > 0 ? moved / tokens : 0.0);
    out.size("bytes", moved);
    out.ratio("read over written", launch.traffic.compulsory_write.value > 0 ? launch.traffic.compulsory_read / launch.traffic.compulsory_write : 1.0);
    const std::size_t vector = param_index(schema_, "vector");
    out.number("scalar", vector < schema_.size() && params.integer(vector) == 1 ? 1 : 0);
}

}  // namespace

Result<std::vector<std::shared_ptr<const KernelFamily>>> make_memory_bound(const Calibration& calibration, const std::filesystem::path& numbers_file) {
    auto read = StreamTable::read(numbers_file);
    if (!read) return tl::unexpected(read.error());
    const auto table = std::make_shared<const StreamTable>(std::move(*read));
    const auto missing = [&](std::string_view id) -> tl::unexpected<Error> {
        return tl::unexpected<Error>(Error{"the kernel is missing", fmt::format("kernels.{}", id), numbers_file.string()});
    };
    for (const char* part : kParts) {
        if (!table->find(part)) return missing(part);
    }
    std::vector<std::shared_ptr<const KernelFamily>> families;
    for (const Operator& op : kOperators) {
        if (!table->find(op.id)) return missing(op.id);
        families.push_back(std::make_shared<const StreamFamily>(op, calibration, table));
    }
    return families;
}

}  // namespace synperf
