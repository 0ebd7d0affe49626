#include "kernels/attention_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

std::int64_t first_key(const AttentionRequest& request, const AttentionShape& shape) {
    return shape.window > 0 ? std::clamp<std::int64_t>(request.kv - request.q - shape.window + 1, 0, request.kv) : 0;
}

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

AttentionTile table_tile(const AttentionKernel& kernel, const AttentionShape& shape, bool paged, std::int64_t rows) {
    const auto fits = [](int wanted, bool is) { return wanted < 0 || wanted == static_cast<int>(is); };
    AttentionTile tile;
    for (const AttentionTileRule& rule : kernel.tiles) {
        if (rule.most_head_dim < shape.padded_head_dim || (rule.most_rows > 0 && rows > rule.most_rows)) continue;
        if (!fits(rule.causal, shape.causal) || !fits(rule.paged, paged)) continue;
        tile.q = rule.q;
        tile.kv = rule.kv;
        break;
    }
    return tile;
}

SplitKv fa2_split(std::span<const AttentionRequest> requests, int tile_q, const AttentionShape& shape, int sms, std::int64_t page_size, std::int64_t equal) {
    const std::int64_t page = std::max<std::int64_t>(1, page_size);
    const std::int64_t capacity = 2 * sms / shape.num_kv_heads;
    std::int64_t most_pages = 1;
    // What the search asks again and again, in 32 bits: a division of those takes a third of the time.
    struct Pages {
        std::uint32_t tiles, pages;
    };
    std::vector<Pages> all;
    all.reserve(requests.size());
    for (const AttentionRequest& request : requests) {
        const std::int64_t pages = std::max<std::int64_t>(1, ceil_div(request.kv - first_key(request, shape), page));
        most_pages = std::max(most_pages, pages);
        const std::int64_t tiles = std::min<std::int64_t>(ceil_div(request.q * shape.gqa_group(), tile_q), std::numeric_limits<std::uint32_t>::max());
        all.push_back({static_cast<std::uint32_t>(tiles), static_cast<std::uint32_t>(pages)});
    }
    const auto fits = [&](std::int64_t pages) {
        std::int64_t ctas = 0;
        const auto divisor = static_cast<std::uint32_t>(pages);
        for (const Pages& one : all) {
            ctas += equal * static_cast<std::int64_t>(one.tiles) * ((one.pages + divisor - 1) / divisor);
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

std::int64_t efficient_splits(std::int64_t tiles, std::int64_t kv_blocks, std::int64_t sms, std::int64_t most) {
    constexpr double kEnough = 0.8;
    constexpr std::int64_t kFewBlocks = 4;
    constexpr double kNearBest = 0.85;
    if (static_cast<double>(tiles) >= kEnough * static_cast<double>(sms) || kv_blocks <= kFewBlocks) return 1;
    most = std::min({most, sms, kv_blocks});
    const auto fill = [&](std::int64_t splits) {
        return static_cast<double>(tiles * splits) / static_cast<double>(sms * ceil_div(tiles * splits, sms));
    };
    double best = 0;
    for (std::int64_t splits = 1; splits <= most; ++splits) best = std::max(best, fill(splits));
    for (std::int64_t splits = 1; splits <= most; ++splits) {
        if (fill(splits) >= kNearBest * best) return splits;
    }
    return 1;
}

WorkTile work_tile(const AttentionRequest& request, std::int64_t t, std::int64_t j, std::int64_t chunk, const AttentionTile& tile, std::int64_t pack,
                   const AttentionShape& shape) {
    const std::int64_t first_row = pack == 1 ? t * tile.q : t * tile.q / pack;
    const std::int64_t end_row = pack == 1 ? (t + 1) * tile.q : ceil_div((t + 1) * tile.q, pack);
    const KeyRange keys = visible_keys(request, first_row, end_row, shape);
    // Chunks are counted from the first key that any query of the request sees.
    const std::int64_t origin = first_key(request, shape) + j * chunk;
    const std::int64_t begin = std::max(origin, keys.begin);
    const std::int64_t end = std::min({origin + chunk, request.kv, keys.end});
    if (end <= begin) return {};
    const std::int64_t iterations = ceil_div(end - begin, tile.kv);
    return {.iterations = iterations,
            .keys = std::min(iterations * tile.kv, std::min(origin + chunk, request.kv) - begin),
            .rows = std::min<std::int64_t>(tile.q, request.q * pack)};
}

}  // namespace synperf
