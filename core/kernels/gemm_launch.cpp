#include "kernels/gemm_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "kernels/memory_bound.h"
#include "kernels/power.h"
#include "kernels/sustained.h"
#include "kernels/traffic.h"

namespace synperf {

namespace {

// Put together by hand, not formatted: a prediction costs a few microseconds.
std::string kernel_name(GemmRule rule, const GemmTile& tile, std::int64_t slices) {
    std::string text = rule == GemmRule::sm80 ? "sm80 " : rule == GemmRule::sm90 ? "sm90 " : "sm100 ";
    const auto put_number = [&text](std::int64_t number) {
        std::array<char, 24> digits{};
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    };
    put_number(tile.m);
    text += 'x';
    put_number(tile.n);
    text += 'x';
    put_number(tile.k);
    if (slices > 1) {
        text += " split ";
        put_number(slices);
    }
    return text;
}

// The split reduction: one 16-byte load of fp32 partials a thread.
constexpr int kReductionThreads = 256;
constexpr double kReductionOutputsPerCta = 4.0 * kReductionThreads;

}  // namespace

GemmLauncher::GemmLauncher(const GemmCall& call, const GpuSpec& gpu, const GemmTiles& tiles, const Calibration& calibration)
    : call_(call), gpu_(gpu), rule_(tiles.rule(call.rule)), calibration_(calibration), m_(static_cast<double>(call.problem.m)),
      n_(static_cast<double>(call.problem.n)), k_(static_cast<double>(call.problem.k)), batch_(static_cast<double>(call.batch)) {
    smem_room_ = kibibytes(gpu[GpuField::smem_per_block_max_kib]).value;
    smem_per_sm_ = kibibytes(gpu[GpuField::smem_per_sm_kib]).value;
    a_bytes_ = batch_ * m_ * k_ * call.format.activation_bytes;
    b_bytes_ = batch_ * n_ * k_ * call.format.weight_bytes;
    c_bytes_ = batch_ * m_ * n_ * call.format.output_bytes;
    reuse_bytes_ = static_cast<double>(call.weight_copies) * b_bytes_ + a_bytes_ + c_bytes_;
    miss_ = l2_miss_share({reuse_bytes_}, gpu, calibration);

    const DType math = call.format.math;
    const bool tensor = math != DType::fp32;
    const Hertz clock = tensor ? gpu.tensor_clock() : gpu.boost_clock();
    const double useful_flop = 2.0 * batch_ * m_ * n_ * k_;
    compute_rate_ = tensor ? gpu.tensor_flop_per_clk_per_sm(math).value_or(0) * tensor_sustained(gpu, calibration) *
                                 power_share(useful_flop, math, gpu, calibration, clock)
                           : 2.0 * gpu.fma_per_clk_per_sm() * calibration.fma_sustained;
    compute_rate_ *= clock.value;
    // Operands reach the tensor pipe by the byte: a narrower format multiplies its rate but not the feed at the edges of a tile. Parts whose
    // narrow rate is below the 16-bit one of an H100 are fed in time.
    const double element = bytes_per_element(math);
    const double rate = gpu.tensor_flop_per_clk_per_sm(math).value_or(0);
    edge_loss_ = 32.0 * calibration.tile_edge_loss * (element < 2 ? std::min(2.0 / element, rate / calibration.tile_edge_rate) : 1.0);
    dram_seconds_ = miss_ * (a_bytes_ + b_bytes_) / (gpu.dram_bandwidth().value * dram_sustained(gpu, calibration));
    const double l2_port = calibration.l2_port_bytes_per_clk * clock.value * gpu.sms();
    const double l2_peak = gpu.knows(GpuField::l2_bandwidth_gbps) ? std::min(l2_port, calibration.l2_peak_over_stated * gpu.l2_bandwidth().value) : l2_port;
    l2_bytes_per_second_ = l2_peak * calibration.l2_sustained;
}

double GemmLauncher::stage_bytes(const GemmTile& tile) const {
    return tile.k * (tile.m * call_.format.activation_bytes + tile.n * call_.format.weight_bytes);
}

std::int64_t GemmLauncher::stages(const GemmTile& tile) const {
    if (call_.stages > 0) return call_.stages;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(smem_room_ / stage_bytes(tile)), 2, rule_.most_stages);
}

double GemmLauncher::k_in_flight() const {
    const double two_byte = call_.rule == GemmRule::sm80 ? calibration_.k_in_flight_cp_async : calibration_.k_in_flight_tma;
    return two_byte * std::sqrt(2.0 / call_.element_bytes());
}

double GemmLauncher::tile_efficiency(const GemmTile& tile) const {
    return 1.0 / (1.0 + edge_loss_ * (1.0 / tile.m + 1.0 / tile.n));
}

// A tile waits for its first loads, and for the epilogue of the one before, where a math warp group of 128 threads stores 64 rows at a time.
double GemmLauncher::fill_share(const GemmTile& tile) const {
    const double groups = rule_.resources(tile.m, tile.n, 0).threads >= 256 + rule_.producer_threads ? 2.0 : 1.0;
    return rule_.wait + rule_.wait_per_64_rows * std::max(1.0, tile.m / (64.0 * groups));
}

double GemmLauncher::least_seconds(const GemmTile& tile, std::int64_t split_k) const {
    const double sms = gpu_.sms();
    const auto split = static_cast<double>(std::max<std::int64_t>(1, split_k));
    const double tiles_m = std::ceil(m_ / tile.m);
    const double tiles_n = std::ceil(n_ / tile.n);
    const double k_tiles = std::ceil(k_ / tile.k);
    const double tasks = tiles_m * tiles_n * batch_ * split;
    const double per_slice = std::ceil(k_tiles / split);
    const double shortest = std::max(1.0, k_tiles - (split - 1) * per_slice) * tile.k;  // of the slices along k
    const double rounds = std::ceil(tasks / sms);
    const bool tensor = call_.format.math != DType::fp32;
    const double compute = 2.0 * tile.m * tile.n * shortest * rounds / (compute_rate_ * (tensor ? tile_efficiency(tile) : 1.0));

    // One worker an SM where the kernel is persistent, else at most as many CTAs as shared memory holds.
    const bool persistent = call_.rule != GemmRule::sm80 && split == 1;
    const double resident = persistent ? 1.0 : std::max(1.0, std::floor(smem_per_sm_ / (static_cast<double>(stages(tile)) * stage_bytes(tile))));
    const double waves = std::ceil(tasks / (sms * resident));
    const double latency_s = calibration_.load_latency_us * 1e-6;
    const double latency = (waves * shortest / k_in_flight() + (waves - 1.0) * calibration_.fill_factor * fill_share(tile)) * latency_s;
    const double l2 = batch_ * m_ * n_ * k_ *
                      (call_.format.activation_bytes / (tile.n * rule_.multicast_m) + call_.format.weight_bytes / (tile.m * rule_.multicast_n)) /
                      l2_bytes_per_second_;
    const auto beside = [](double a, double b) { return std::cbrt(a * a * a + b * b * b); };
    // The busiest SM, and the launch as a whole, which DRAM bounds beside the mean SM's products.
    const double mean = 2.0 * tile.m * tile.n * tiles_m * tiles_n * batch_ * k_ / sms / (compute_rate_ * (tensor ? tile_efficiency(tile) : 1.0));
    const double body = std::max(beside(compute, std::max(latency, l2)), beside(mean, dram_seconds_));
    const double ramp = body > 0 ? std::min(1.0, fill_share(tile)) * calibration_.ramp_factor * latency_s * body / (body + calibration_.ramp_saturation * latency_s) : 0.0;
    if (split <= 1) return body + ramp;
    return body + ramp + calibration_.reduction_start_us * 1e-6 + 4.0 * split * batch_ * m_ * n_ / l2_bytes_per_second_;
}

TaskGroup GemmLauncher::tasks(const GemmTiling& tiling, const GemmTile& tile, std::int64_t count, std::int64_t depth, double dram_bytes) const {
    const OperandFormat& format = call_.format;
    const auto k = static_cast<double>(depth);
    const double area = static_cast<double>(tile.m) * tile.n;
    // Rows and columns beyond the matrix are computed but not fetched. All tasks count as the fullest tile, so that a row more is never faster.
    const double rows = std::min<double>(tile.m, m_);
    const double columns = std::min<double>(tile.n, n_);
    const double stored = tiling.split_k_slices > 1 ? 4.0 : format.output_bytes;  // split slices write fp32 partial sums
    TaskGroup group;
    group.count = count;
    group.steps = k / k_in_flight();
    Demand& demand = group.demand;
    if (format.math == DType::fp32) {
        demand[Pipe::fma] = area * k;
    } else {
        demand[Pipe::tensor] = 2.0 * area * k;
        demand[Pipe::fma] = area + format.dequantize_ops * tile.n * k;  // scaling in the epilogue; weights unpacked by every CTA
    }
    demand[Pipe::smem] = rule_.smem_reads(tile.m, tile.n) * k * call_.element_bytes();
    demand[Pipe::l2] = (rows * format.activation_bytes / rule_.multicast_m + columns * format.weight_bytes / rule_.multicast_n) * k + rows * columns * stored;
    demand[Pipe::dram] = dram_bytes;
    return group;
}

void GemmLauncher::count_traffic(Launch& launch, const GemmTiling& tiling, const GemmTile& tile) const {
    launch.traffic.compulsory_read = {a_bytes_ + b_bytes_};
    launch.traffic.compulsory_write = {c_bytes_};
    // Re-reads beyond the first touch, from where a product's operands do not fit in L2 together.
    const double mean_bytes = (a_bytes_ + b_bytes_) / (batch_ * k_ * (m_ + n_));
    const Bytes one_product = dram_operand_reads({m_, n_, k_, mean_bytes, std::min<double>(tile.m, m_), std::min<double>(tile.n, n_), static_cast<double>(gpu_.sms())},
                                                 gpu_, calibration_);
    launch.traffic.dram_read = one_product * batch_;
    launch.traffic.reuse_distance = {reuse_bytes_};
    const double reread = std::max(0.0, launch.traffic.dram_read.value - launch.traffic.compulsory_read.value);
    // Slices write fp32 partial sums, which the reduction soon reads: they reach DRAM only where L2 can not hold them all.
    double written = miss_ * c_bytes_;
    if (tiling.split_k_slices > 1) {
        const double partials = batch_ * m_ * n_ * 4.0 * static_cast<double>(tiling.split_k_slices);
        written = l2_miss_share({partials}, gpu_, calibration_) * partials;
    }
    const double dram = miss_ * launch.traffic.compulsory_read.value + written + reread;
    const double per_task = dram / static_cast<double>(launch.task_count());
    for (TaskGroup& group : launch.groups) group.demand[Pipe::dram] = per_task;
}

Result<Launch> GemmLauncher::launch(const GemmTile& tile, std::int64_t split_k) const {
    Launch launch;
    launch.math = call_.format.math;
    launch.start = microseconds(calibration_.kernel_gap_us);
    if (call_.problem.m == 0 || call_.batch == 0) return launch;  // nothing to do: launched all the same
    const double grid = std::ceil(m_ / tile.m) * std::ceil(n_ / tile.n) * batch_ * static_cast<double>(std::max<std::int64_t>(1, split_k));
    if (grid > kMostGemmTiles) return failure(fmt::format("{:.3g} tiles of {} x {} are more than the {:.3g} a grid can hold", grid, tile.m, tile.n, kMostGemmTiles), "tile_m");
    GemmTiling tiling = gemm_tiling(call_.problem, tile, call_.rule, split_k, call_.cta_count, gpu_.sms());
    const std::int64_t tiles = tiling.tile_count * call_.batch;
    if (tiling.workers > 0) tiling.workers = std::min<std::int64_t>(call_.cta_count > 0 ? call_.cta_count : gpu_.sms(), tiles);
    launch.grid = {tiling.tiles_m, tiling.tiles_n, tiling.split_k_slices * call_.batch};
    launch.scheduler = tiling.workers > 0 ? SchedulerKind::persistent_static : SchedulerKind::hardware;
    launch.workers = tiling.workers;
    launch.even_pace = launch.scheduler == SchedulerKind::hardware;  // the last slice along k is shorter

    launch.cta = rule_.resources(tile.m, tile.n, static_cast<double>(stages(tile)) * stage_bytes(tile));
    if (launch.cta.smem_bytes > smem_room_) {
        return failure(fmt::format("{} stages of {} x {} x {} need {} of shared memory, a CTA on {} can have {}", stages(tile), tile.m, tile.n, tile.k,
                                   format_bytes({launch.cta.smem_bytes}), gpu_.id, format_bytes({smem_room_})),
                       call_.stages > 0 ? "stages" : "tile_m");
    }
    const std::int64_t full_slices = tiling.k_last == tiling.k_per_cta ? tiling.split_k_slices : tiling.split_k_slices - 1;
    launch.groups.reserve(2);
    if (full_slices > 0) launch.groups.push_back(tasks(tiling, tile, tiles * full_slices, tiling.k_per_cta, 0));
    if (full_slices < tiling.split_k_slices) launch.groups.push_back(tasks(tiling, tile, tiles, tiling.k_last, 0));
    count_traffic(launch, tiling, tile);
    launch.tensor_rate_factor = tile_efficiency(tile);
    launch.fill_share = fill_share(tile);
    launch.useful_flop = 2.0 * batch_ * m_ * n_ * k_;
    if (tiling.split_k_slices > 1) launch.followers.push_back(reduction(tiling.split_k_slices));
    if (call_.quantizer) launch.leaders.push_back(quantizer(*call_.quantizer));
    if (call_.packs_scales) pack_scales(*call_.format.scale_packing, launch.leaders);
    return launch;
}

void GemmLauncher::describe(Launch& launch, const GemmTile& tile) const {
    if (launch.groups.empty()) {
        launch.kernel = "nothing to multiply";
        return;
    }
    const std::int64_t slices = launch.grid[2] / call_.batch;
    launch.kernel = kernel_name(call_.rule, tile, slices);
    if (call_.split_k > slices) {
        launch.notes.push_back(fmt::format("split_k {} is more than k has whole tiles for: {} slices are used", call_.split_k, slices));
    }
    if (call_.cta_count > 0 && launch.workers > 0 && launch.workers < call_.cta_count) {
        launch.notes.push_back(fmt::format("cta_count {} is more than there are tiles: {} CTAs have work", call_.cta_count, launch.workers));
    }
    launch.chosen.reserve(6);
    const auto choose = [&launch](GemmParam param, std::int64_t asked, std::int64_t value) {
        if (asked == 0) launch.chosen.push_back({index(param), value});
    };
    choose(GemmParam::tile_m, call_.tile.m, tile.m);
    choose(GemmParam::tile_n, call_.tile.n, tile.n);
    choose(GemmParam::tile_k, call_.tile.k, tile.k);
    choose(GemmParam::stages, call_.stages, stages(tile));
    choose(GemmParam::split_k, call_.split_k, slices);
    choose(GemmParam::cta_count, call_.cta_count, launch.workers > 0 ? launch.workers : launch.task_count());
}

// Sums the fp32 partials of every slice.
Launch GemmLauncher::reduction(std::int64_t slices) const {
    const double outputs = batch_ * m_ * n_;
    const auto sum_terms = static_cast<double>(slices);
    StreamKernel kernel{.name = "split reduction", .ctas = static_cast<std::int64_t>(std::ceil(outputs / kReductionOutputsPerCta)), .threads = kReductionThreads};
    const double per_cta = outputs / static_cast<double>(kernel.ctas);
    kernel.read_bytes = per_cta * 4.0 * sum_terms;
    kernel.write_bytes = per_cta * call_.format.output_bytes;
    kernel.fma_ops = per_cta * sum_terms;
    kernel.fullest_over_mean = fullest_over_mean(outputs, kReductionOutputsPerCta);
    kernel.rounds = 0;  // the loads of all slices are independent
    kernel.after_producer = true;
    Launch launch = stream_launch(kernel, gpu_, calibration_);
    launch.start = microseconds(calibration_.reduction_start_us);
    // The sums stay in L2 for the next kernel; partials are read from where they are.
    launch.groups.front().demand[Pipe::dram] = kernel.read_bytes * l2_miss_share(launch.traffic.compulsory_read, gpu_, calibration_);
    return launch;
}

Launch GemmLauncher::quantizer(const Quantizer& how) const {
    const double elements = batch_ * m_ * k_;
    const double per_pass = how.threads * how.elements_per_load;
    // A scale a row needs the whole row in one CTA.
    const bool row_scales = call_.format.quantize_group < 0;
    const double ctas = row_scales ? batch_ * m_ : std::ceil(elements / per_pass);
    const double per_cta = elements / ctas;
    const double passes = row_scales ? 2.0 : 1.0;  // the maximum of a row first, then its elements
    StreamKernel kernel{.name = "quantise activations", .ctas = static_cast<std::int64_t>(ctas), .threads = how.threads, .registers_per_thread = how.registers_per_thread};
    kernel.read_bytes = per_cta * call_.format.source_bytes;
    kernel.write_bytes = per_cta * call_.format.activation_bytes;
    kernel.fma_ops = per_cta * how.fma_ops;
    if (!row_scales) kernel.fullest_over_mean = fullest_over_mean(elements, per_pass);
    kernel.rounds = how.other_rounds + passes * std::ceil(per_cta / per_pass);
    return stream_launch(kernel, gpu_, calibration_);
}

// A has a scale a row and group, which one kernel packs. B has one a block: four kernels number its columns, find the block of each, give each column
// its block's scales and pack them.
void GemmLauncher::pack_scales(const ScalePacking& how, std::vector<Launch>& leaders) const {
    constexpr double kFp32 = 4, kIndex = 8, kPacked = 1;
    const double scales_along_k = std::ceil(k_ / call_.format.quantize_group);
    const auto add = [&](std::string name, int threads, double rows, double rows_per_cta, double read_of_row, double written_of_row, double rounds) {
        StreamKernel kernel{.name = std::move(name), .ctas = static_cast<std::int64_t>(std::ceil(rows / rows_per_cta)), .threads = threads};
        const double mean_rows = rows / static_cast<double>(kernel.ctas);
        kernel.read_bytes = mean_rows * read_of_row;
        kernel.write_bytes = mean_rows * written_of_row;
        kernel.fullest_over_mean = fullest_over_mean(rows, rows_per_cta);
        kernel.rounds = rounds;
        kernel.after_producer = true;
        leaders.push_back(stream_launch(kernel, gpu_, calibration_));
    };
    const double columns_per_cta = how.elementwise_threads * how.elements_per_thread;
    const auto elementwise = [&](std::string name, double elements, double read, double written) { add(std::move(name), how.elementwise_threads, elements, columns_per_cta, read, written, 1); };
    const double loads = std::ceil(how.rows_per_cta * scales_along_k / (how.threads * how.elements_per_load));
    const auto pack = [&](std::string name, double rows) { add(std::move(name), how.threads, rows, how.rows_per_cta, kFp32 * scales_along_k, kPacked * scales_along_k, loads); };
    pack("pack scales of A", batch_ * m_);
    elementwise("number columns of B", n_, 0, kIndex);
    elementwise("find blocks of columns", n_, kIndex, kIndex);
    elementwise("repeat scales of B", batch_ * n_ * scales_along_k, kFp32, kFp32);
    pack("pack scales of B", batch_ * n_);
}

}  // namespace synperf
