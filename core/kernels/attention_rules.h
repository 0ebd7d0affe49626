// Tile, split and iteration rules of the FlashAttention kernels, method.md 3.4 and 3.5, with its defects corrected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/gpu_spec.h"

namespace synperf {

struct AttentionShape {
    std::int64_t num_heads = 1;
    std::int64_t num_kv_heads = 1;
    std::int64_t head_dim = 128;     ///< as the model has it
    std::int64_t padded_head_dim = 128;  ///< as the kernel has it
    bool causal = true;
    std::int64_t window = 0;         ///< newest keys a query sees; 0 = all
    double kv_element_bytes = 2;

    [[nodiscard]] std::int64_t gqa_group() const { return num_heads / num_kv_heads; }
};

/// One request: new query tokens and all tokens it attends to (new ones included).
struct AttentionRequest {
    std::int64_t q = 0;
    std::int64_t kv = 0;
};

/// The head sizes kernels exist for; a model's size is padded to the next.
[[nodiscard]] std::int64_t padded_head_dim(std::int64_t head_dim);

struct AttentionTile {
    int q = 128;    ///< rows of packed queries a CTA holds
    int kv = 64;    ///< keys of one iteration
    int kv_warps = 1;
    int num_mma_kv = 1;
    int blocks_per_sm = 1;
};

/// FlashInfer's FA2 choice. `mean_packed_q` is floor(mean of q x GQA group). Two CTAs share an SM where their shared memory fits.
[[nodiscard]] AttentionTile fa2_tile(std::int64_t mean_packed_q, const AttentionShape& shape, const GpuSpec& gpu);
/// FlashAttention-3's choice on Hopper; `paged` reads K and V through a page table.
[[nodiscard]] AttentionTile fa3_tile(const AttentionShape& shape, bool paged);

struct SplitKv {
    bool on = false;
    std::int64_t chunk = 0;  ///< keys of one CTA
};
/// Smallest chunk with which all CTAs fit in two per SM, in whole pages (page 1 where not paged), at least 128 keys.
[[nodiscard]] SplitKv fa2_split(std::span<const AttentionRequest> requests, int tile_q, const AttentionShape& shape, int sms, std::int64_t page_size);

/// Iterations of the FA2 CTA of query tile `t` (of packed rows) and KV chunk `j`.
[[nodiscard]] std::int64_t fa2_iterations(const AttentionRequest& request, std::int64_t t, std::int64_t j, std::int64_t chunk,
                                          const AttentionTile& tile, const AttentionShape& shape);
/// Iterations and scheduling cost of the FA3 work tile `t` (of unpacked rows).
struct Fa3Work {
    std::int64_t iterations = 0;
    double cost = 0;  ///< what the kernel's own scheduler balances
};
[[nodiscard]] Fa3Work fa3_work(const AttentionRequest& request, std::int64_t t, const AttentionTile& tile, const AttentionShape& shape);

}  // namespace synperf
