// Tile, split and iteration rules of the FlashAttention kernels, method.md 3.4 to 3.7, with its defects corrected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/gpu_spec.h"
#include "kernels/attention_kernels.h"

namespace synperf {

struct AttentionShape {
    std::int64_t num_heads = 1;
    std::int64_t num_kv_heads = 1;
    std::int64_t head_dim = 128;         ///< of queries and keys, as the model has it
    std::int64_t padded_head_dim = 128;  ///< as the kernel has it
    std::int64_t v_head_dim = 0;         ///< of values and outputs; 0 = head_dim
    std::int64_t padded_v_head_dim = 0;
    bool causal = true;
    std::int64_t window = 0;  ///< newest keys a query sees; 0 = all
    double kv_element_bytes = 2;

    [[nodiscard]] std::int64_t gqa_group() const { return num_heads / num_kv_heads; }
    [[nodiscard]] std::int64_t v_dim() const { return v_head_dim > 0 ? v_head_dim : head_dim; }
    [[nodiscard]] std::int64_t padded_v_dim() const { return padded_v_head_dim > 0 ? padded_v_head_dim : padded_head_dim; }
};

/// One request: new query tokens and all tokens it attends to (new ones included).
struct AttentionRequest {
    std::int64_t q = 0;
    std::int64_t kv = 0;
};
/// First key that any query of the request sees: 0 without a window.
[[nodiscard]] std::int64_t first_key(const AttentionRequest& request, const AttentionShape& shape);

/// The head sizes kernels exist for; a model's size is padded to the next.
[[nodiscard]] std::int64_t padded_head_dim(std::int64_t head_dim);

struct AttentionTile {
    int q = 128;  ///< rows of queries (packed with heads where the kernel does that) a CTA holds
    int kv = 64;  ///< keys of one iteration
    int kv_warps = 1;
    int num_mma_kv = 1;
    int blocks_per_sm = 1;
};

/// FlashInfer's FA2 choice. `mean_packed_q` is floor(mean of q x GQA group). Two CTAs share an SM where their shared memory fits.
[[nodiscard]] AttentionTile fa2_tile(std::int64_t mean_packed_q, const AttentionShape& shape, const GpuSpec& gpu);
/// The first line of the kernel's table that fits; `rows` are the most query rows of a request, packed where heads are.
[[nodiscard]] AttentionTile table_tile(const AttentionKernel& kernel, const AttentionShape& shape, bool paged, std::int64_t rows);

struct SplitKv {
    bool on = false;
    std::int64_t chunk = 0;  ///< keys of one CTA
};
/// Smallest chunk with which all CTAs fit in two per SM, in whole pages (page 1 where not paged), at least 128 keys. `equal`: each request
/// stands for this many.
[[nodiscard]] SplitKv fa2_split(std::span<const AttentionRequest> requests, int tile_q, const AttentionShape& shape, int sms, std::int64_t page_size,
                                std::int64_t equal = 1);
/// FlashAttention's heuristic: one split where `tiles` fill 80 % of the SMs or the keys are at most 4 blocks; else the fewest splits whose
/// wave fill is within 85 % of the best. Source: num_splits_heuristic of the flash-attn library.
[[nodiscard]] std::int64_t efficient_splits(std::int64_t tiles, std::int64_t kv_blocks, std::int64_t sms, std::int64_t most);

/// Iterations of query tile `t` and KV chunk `j`, and what they fetch. `pack` heads share a tile: its row p belongs to query p / pack.
struct WorkTile {
    std::int64_t iterations = 0;
    std::int64_t keys = 0;  ///< that are fetched: whole tiles, but none behind the end of the request or chunk
    std::int64_t rows = 0;  ///< of the request's fullest query tile: one with fewer takes as long
};
[[nodiscard]] WorkTile work_tile(const AttentionRequest& request, std::int64_t t, std::int64_t j, std::int64_t chunk, const AttentionTile& tile,
                                 std::int64_t pack, const AttentionShape& shape);

}  // namespace synperf
