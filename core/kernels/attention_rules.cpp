#include "kernels/attention_rules.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/integer_math.h"

namespace synperf {

namespace {

// Keys [begin, end) that query rows see, where the last row of the tile reaches `reach` and the first one `reach - rows + 1`.
struct KeyRange {
    std::int64_t begin = 0, end = 0;
};
KeyRange visible_keys(const AttentionRequest& request, std::int64_t first_row, std::int64_t end_row, const AttentionShape& shape) {
    const std::int64_t past = request.kv - request.q;
    KeyRange keys{0, request.kv};
    if (shape.causal) keys.end = std::clamp<std::int64_t>(past + end_row, 0, request.kv);
    if (shape.window > 0) keys.begin = std::clamp<std::int64_t>(past + first_row - shape.window + 1, 0, keys.end);
    return keys;
}

}  // namespace

std::int64_t padded_head_dim(std::int64_t head_dim) {
    constexpr std::array<std::int64_t, 10> kSizes{64, 96, 128, 192, 256, 320, 384, 448, 512, 576};
    for (const std::int64_t size : kSizes) {
        if (head_dim <= size) return size;
    }
    return head_dim;
}

AttentionTile fa2_tile(std::int64_t mean_packed_q, const AttentionShape& shape, const GpuSpec& gpu) {
    AttentionTile tile;
    const std::int64_t d = shape.padded_head_dim;
    tile.q = mean_packed_q > 64 && d < 256 ? 128 : mean_packed_q > 16 ? 64 : 16;
    const int q_warps = tile.q > 16 ? 4 : 1;
    tile.kv_warps = 4 / q_warps;
    const int q_fragments = tile.q > 64 ? 2 : 1;
    const std::int64_t d_fragments = d / 16;

    const double q_bytes = static_cast<double>(tile.q) * static_cast<double>(d) * 2.0;
    const double kv_step_bytes = 2.0 * static_cast<double>(d) * 16.0 * tile.kv_warps * shape.kv_element_bytes;
    const double smem = kibibytes(gpu[GpuField::smem_per_sm_kib]).value;
    tile.blocks_per_sm = smem >= 2 * (q_bytes + kv_step_bytes) ? 2 : 1;
    const double share = std::floor(smem / tile.blocks_per_sm);

    const int most = std::min(static_cast<int>(std::floor((share - q_bytes) / kv_step_bytes)), 8 / q_fragments);
    const auto legal = [&](int mma_kv) {
        if (d_fragments < 4) return false;
        if (d_fragments == 4 && mma_kv % 2 != 0) return false;
        if (shape.kv_element_bytes < 2 && (2 * mma_kv) % q_warps != 0) return false;
        return q_fragments * (8 * d_fragments + 8 * mma_kv) < 256;
    };
    tile.num_mma_kv = 1;
    for (int mma_kv = most; mma_kv >= 1; --mma_kv) {
        if (legal(mma_kv)) {
            tile.num_mma_kv = mma_kv;
            break;
        }
    }
    tile.kv = 16 * tile.num_mma_kv * tile.kv_warps;
    return tile;
}

AttentionTile fa3_tile(const AttentionShape& shape, bool paged) {
    AttentionTile tile;
    const std::int64_t d = shape.padded_head_dim;
    tile.q = d <= 64 ? 192 : 128;
    if (paged) {
        tile.kv = d <= 128 ? 96 : 32;
    } else if (d <= 64) {
        tile.kv = 128;
    } else if (d <= 128) {
        tile.kv = shape.causal ? 128 : 192;
    } else {
        tile.kv = 64;
    }
    return tile;
}

SplitKv fa2_split(std::span<const AttentionRequest> requests, int tile_q, const AttentionShape& shape, int sms, std::int64_t page_size) {
    const std::int64_t page = std::max<std::int64_t>(1, page_size);
    const std::int64_t capacity = 2 * sms / shape.num_kv_heads;
    std::int64_t most_pages = 1;
    for (const AttentionRequest& request : requests) most_pages = std::max(most_pages, ceil_div(request.kv, page));
    const auto fits = [&](std::int64_t pages) {
        std::int64_t ctas = 0;
        for (const AttentionRequest& request : requests) {
            const std::int64_t tiles = ceil_div(request.q * shape.gqa_group(), tile_q);
            ctas += tiles * ceil_div(std::max<std::int64_t>(1, ceil_div(request.kv, page)), pages);
            if (ctas > capacity) return false;
        }
        return true;
    };
    std::int64_t low = std::max<std::int64_t>(1, 128 / page);
    std::int64_t high = most_pages;
    if (low >= high) return {false, low * page};
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (fits(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return {low < most_pages, low * page};
}

std::int64_t fa2_iterations(const AttentionRequest& request, std::int64_t t, std::int64_t j, std::int64_t chunk, const AttentionTile& tile,
                            const AttentionShape& shape) {
    // Packed row p belongs to query p / group.
    const std::int64_t first_row = t * tile.q / shape.gqa_group();
    const std::int64_t end_row = ceil_div((t + 1) * tile.q, shape.gqa_group());
    const KeyRange keys = visible_keys(request, first_row, end_row, shape);
    const std::int64_t begin = std::max(j * chunk, keys.begin);
    const std::int64_t end = std::min({(j + 1) * chunk, request.kv, keys.end});
    return end > begin ? ceil_div(end - begin, tile.kv) : 0;
}

Fa3Work fa3_work(const AttentionRequest& request, std::int64_t t, const AttentionTile& tile, const AttentionShape& shape) {
    const KeyRange keys = visible_keys(request, t * tile.q, (t + 1) * tile.q, shape);
    const std::int64_t length = keys.end - keys.begin;
    return {ceil_div(std::max<std::int64_t>(length, 0), tile.kv), static_cast<double>(tile.q) * static_cast<double>(length)};
}

}  // namespace synperf
