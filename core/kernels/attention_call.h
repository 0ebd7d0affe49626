// An attention call with everything decided but the order of tasks: which kernel, tile, head packing and split of the keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/dtype.h"
#include "hardware/error.h"
#include "kernels/attention_kernels.h"
#include "kernels/attention_rules.h"
#include "kernels/params.h"

namespace synperf {

/// Positions in the schema.
enum class AttentionParam : std::size_t {
    batch, q_len, kv_len, q_lengths, kv_lengths, num_heads, num_kv_heads, head_dim, v_head_dim, causal, window, dtype, kv_dtype, kv_write, framework,
    algorithm, page_size, pack_gqa, kv_chunk, task_order, kv_sub_tasks
};
[[nodiscard]] constexpr std::size_t at(AttentionParam param) { return static_cast<std::size_t>(param); }

/// `kernels` are the choices of `algorithm` after auto.
[[nodiscard]] std::vector<ParamSchema> attention_schema(const AttentionData& data);

enum class TaskOrder : std::uint8_t {
    natural,       ///< as the kernel does
    mirrored,      ///< one task does the n-th shortest and the n-th longest tile of a request: all take about as long
    longest_first
};

struct AttentionCall {
    const AttentionKernel* kernel = nullptr;
    std::string_view generation;
    std::vector<AttentionRequest> requests;  ///< the different ones
    std::int64_t equal = 1;                  ///< each stands for this many
    AttentionShape shape;
    DType dtype = DType::bf16;
    double element_bytes = 2;
    std::int64_t page_size = 0;
    std::int64_t pack = 1;   ///< query heads that share a tile
    AttentionTile tile;
    int stages = 1;          ///< K and V tiles that fit in shared memory
    SplitKv split;           ///< chunk is at least the longest request where off
    TaskOrder order = TaskOrder::natural;
    bool decode = false;     ///< runs the kernels of decode: no request has more than one new token
    std::int64_t window = 0;  ///< as asked; shape.window is 0 where the kernel masks instead of skipping
    bool one_latent = false;  ///< MLA as absorbed: V is the first part of the one key
    bool kv_write = false;
    std::string framework;

    [[nodiscard]] std::int64_t heads() const { return shape.num_heads / pack; }  ///< lists of tiles of one request
    [[nodiscard]] std::int64_t tiles(const AttentionRequest& request) const;
    [[nodiscard]] std::int64_t chunks(const AttentionRequest& request) const;
    [[nodiscard]] double smem_bytes() const;
};

/// Errors name the parameter.
[[nodiscard]] Result<AttentionCall> attention_call(const Params& params, const GpuSpec& gpu, const AttentionData& data);

/// One task: up to two tiles of one request (mirrored order pairs them) and a chunk of its keys.
struct AttentionTask {
    std::int32_t request = 0;
    std::int32_t chunk = 0;
    std::int64_t tile = 0;
    std::int64_t partner = -1;     ///< second tile, -1 for none
    std::int64_t iterations = 0;   ///< of both
    std::int32_t busy_tiles = 0;   ///< of the two, those that see any key of the chunk
    std::int64_t keys = 0;  ///< fetched, of both
    std::int64_t rows = 0;  ///< queries of a full tile of the request, of both
};
/// Tasks of one head, in launch order.
[[nodiscard]] std::vector<AttentionTask> attention_tasks(const AttentionCall& call);

}  // namespace synperf
