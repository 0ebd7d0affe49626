// The attention kernels that libraries ship: their tiles, resources and measured rates, read from specs/calibration/attention.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

/// One line of a tile table; the first that fits is taken.
struct AttentionTileRule {
    int most_head_dim = 0;
    int causal = -1;  ///< 1 only causal, 0 only not, -1 both
    int paged = -1;   ///< the same for a page table
    int most_rows = 0;  ///< query rows of a request at most; 0 = any
    int q = 0, kv = 0;
};

enum class PackHeads : std::uint8_t {
    always,   ///< query heads of a KV head are rows of one tile
    short_q,  ///< where that fills the query tile better (FA3's should_pack_gqa)
    decode,   ///< one-token requests only, where heads are grouped and no window is set
    never
};

enum class SplitRule : std::uint8_t {
    none,
    flashinfer,  ///< smallest chunk with which all CTAs fit in two per SM
    efficiency,  ///< FlashAttention's heuristic: fewest splits within 85 % of the best wave fill
    fill         ///< as many as fill the SMs once
};

enum class AttentionScheduler : std::uint8_t {
    hardware,
    least_loaded,  ///< one CTA an SM; each task goes to the one that is free first
    round_robin    ///< work groups dealt out in turn
};

/// A number that may differ by kernel generation ("sm80", "sm90", "sm100"); "any" for the rest.
class ByGeneration {
public:
    ByGeneration() = default;
    explicit ByGeneration(std::map<std::string, double, std::less<>> values) : values_(std::move(values)) {}
    [[nodiscard]] double at(std::string_view generation) const;

private:
    std::map<std::string, double, std::less<>> values_;
};

struct AttentionKernel {
    std::string id;     ///< value of the parameter `algorithm`
    std::string title;  ///< for people
    std::vector<std::string> generations;  ///< kernel generations it exists on; "gfx" for AMD
    int most_head_dim = 576;
    std::vector<AttentionTileRule> tiles;  ///< empty: FlashInfer's rule
    PackHeads pack = PackHeads::never;
    SplitRule split = SplitRule::none;
    int most_splits = 1;
    int least_chunk = 1;        ///< keys of a chunk at least
    bool split_needs_packing = false;  ///< keys are only split where heads are packed
    bool window_unpacks = false;  ///< PackHeads::decode only with grouped heads and without a window
    AttentionScheduler scheduler = AttentionScheduler::hardware;
    bool heads_innermost = false;  ///< tasks of all heads of a tile lie side by side; else head by head
    bool longest_request_first = false;
    bool visits_whole_window = false;  ///< prefill computes keys outside a sliding window too and masks them
    bool last_tile_first = false;
    bool merge_kernel = true;   ///< partial outputs are combined by a kernel of their own
    bool q_in_registers = false;
    bool warp_groups = false;   ///< groups of 64 rows read K and V from shared memory together
    int stages = 1;             ///< K and V tiles in shared memory
    int threads = 128;
    int registers = 128;
    double xu_rescale = 4;    ///< XU operations a row for each iteration after the first
    double xu_iteration = 0;  ///< a row and iteration, beside one exponential a score
    double xu_row = 8;        ///< a row
    double xu_output = 0;     ///< an element of the output
    ByGeneration setup_steps;   ///< load latencies of a task outside its loop: work description, page table, Q, output
    ByGeneration decode_setup_steps;  ///< the same where no request has more than one new token
    ByGeneration key_step;      ///< keys of one exposed load latency in the loop, of a CTA alone
    ByGeneration tensor_share;  ///< of the rate that a GEMM sustains, without softmax
    ByGeneration xu_share;      ///< of the XU rate that the exponentials reach beside the products, which they slow as memory slows compute; 0: hidden
    ByGeneration softmax_share;  ///< of AttentionData::softmax_cycles that stay
    ByGeneration fp8_share;     ///< of that rate with 8-bit operands
    ByGeneration dram_share;    ///< of what streaming kernels sustain
    ByGeneration page1_dram_share;  ///< the same with one-token pages
};

/// What a framework's layer does around the kernel besides writing K and V: scheduling metadata, casts, plans.
struct AttentionLayer {
    std::string framework, algorithm, generation;  ///< empty: any
    int decode = -1, fp8_kv = -1;                  ///< 1 only, 0 only not, -1 both
    double us = 0;
    /// Least time of a decode kernel with more than 16 query heads a tile, for each further 16, where its tiles leave half of the SMs idle.
    double packed_heads_us = 0;
    double operand_passes = 0;  ///< times that Q, K and V are read in 16 bits and written in the kernel's format before it: casts, copies
};

struct AttentionData {
    std::vector<AttentionKernel> kernels;
    std::vector<AttentionLayer> layers;
    double softmax_cycles = 0;  ///< cycles an SM spends a score that no other work hides
    double convert_ops = 0;     ///< FMA-pipe operations that turn a narrow K or V element into the product's format

    [[nodiscard]] const AttentionKernel* find(std::string_view id) const;
    /// The first that fits, or null.
    [[nodiscard]] const AttentionLayer* layer(std::string_view framework, std::string_view algorithm, std::string_view generation, bool decode, bool fp8_kv) const;
    [[nodiscard]] std::vector<std::string> frameworks() const;  ///< that layers are known of, each once
    [[nodiscard]] static Result<AttentionData> read(const std::filesystem::path& file);
};

/// "sm80", "sm90", "sm100", "gfx".
[[nodiscard]] std::string_view attention_generation(const GpuSpec& gpu);
[[nodiscard]] bool exists_on(const AttentionKernel& kernel, const GpuSpec& gpu);

}  // namespace synperf
