// Speeds of learning: a 40-256-128-64-1 network, rows a second counted over both threads.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "learning/training.h"
#include "learning/random.h"

using namespace synperf;

namespace {

constexpr std::size_t kColumns = 40;

NetworkShape shape() {
    NetworkShape shape;
    shape.inputs = kColumns;
    shape.hidden = {256, 128, 64};
    shape.activation = Activation::relu;
    return shape;
}

std::vector<float> random_rows(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> rows(count * kColumns);
    for (float& value : rows) value = random.normal();
    return rows;
}

// A skip instead of a number where the machine lacks the level.
bool level_is_here(benchmark::State& state, CpuLevel level) {
    state.SetLabel(std::string(name(level)));
    if (supports(level)) return true;
    state.SkipWithError("this machine lacks the level");
    return false;
}

// Run by two threads at once: google-benchmark adds up their rows.
void BM_NetworkForwardChunksOf4096(benchmark::State& state, CpuLevel level) {
    if (!level_is_here(state, level)) return;
    constexpr std::size_t kRows = 4096;
    const Network network = make_network(shape(), 1);
    const std::vector<float> rows = random_rows(kRows, static_cast<std::uint64_t>(state.thread_index()));
    std::vector<float> out(kRows);
    ForwardScratch scratch;
    for (auto _ : state) {
        forward(network, rows, out, scratch, network_kernels(level));
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}

void BM_NetworkForwardOneRow(benchmark::State& state, CpuLevel level) {
    if (!level_is_here(state, level)) return;
    const Network network = make_network(shape(), 1);
    const std::vector<float> row = random_rows(1, 1);
    std::array<float, 1> out{};
    ForwardScratch scratch;
    for (auto _ : state) {
        forward(network, row, out, scratch, network_kernels(level));
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}

// A network a thread, batches of 1024; Threads(2) adds up their rows.
void train_a_network(benchmark::State& state, CpuLevel level, bool batch_norm, double dropout) {
    if (!level_is_here(state, level)) return;
    constexpr std::size_t kRows = 64 * 1024;
    constexpr int kEpochs = 2;
    TrainingSet set;
    set.columns = kColumns;
    set.rows = random_rows(kRows, 1);
    for (std::size_t i = 0; i < kRows; ++i) {
        set.efficiency.push_back(0.5F + 0.4F * std::sin(set.rows[i * kColumns]));
        set.base.push_back(0.0F);
    }
    Recipe recipe;
    recipe.shape = shape();
    recipe.shape.batch_norm = batch_norm;
    recipe.shape.dropout = dropout;
    recipe.batch = 1024;
    recipe.epochs = kEpochs;
    recipe.seed = static_cast<std::uint64_t>(state.thread_index());
    TrainingHooks hooks;
    hooks.level = level;
    for (auto _ : state) {
        const auto trained = train(set, {}, recipe, hooks);
        if (!trained) return state.SkipWithError(trained.error().to_string().c_str());
        benchmark::DoNotOptimize(trained->network.parameters.data());
    }
    state.SetItemsProcessed(state.iterations() * kEpochs * static_cast<std::int64_t>(kRows));
}
void BM_Train(benchmark::State& state, CpuLevel level) { train_a_network(state, level, false, 0.0); }
void BM_TrainWithBatchNormAndDropout(benchmark::State& state, CpuLevel level) { train_a_network(state, level, true, 0.1); }

BENCHMARK_CAPTURE(BM_NetworkForwardChunksOf4096, baseline, CpuLevel::baseline)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_NetworkForwardChunksOf4096, v3, CpuLevel::v3)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_NetworkForwardChunksOf4096, v4, CpuLevel::v4)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_NetworkForwardOneRow, baseline, CpuLevel::baseline)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_NetworkForwardOneRow, v3, CpuLevel::v3)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_NetworkForwardOneRow, v4, CpuLevel::v4)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_Train, v3, CpuLevel::v3)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Train, v4, CpuLevel::v4)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_TrainWithBatchNormAndDropout, v3, CpuLevel::v3)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_TrainWithBatchNormAndDropout, v4, CpuLevel::v4)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
