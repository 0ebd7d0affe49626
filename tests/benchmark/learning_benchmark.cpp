// Speeds of learning for a 40-256-128-64-1 network, on two threads where it says so, at every instruction level of this machine.
#include <benchmark/benchmark.h>

#include <string>
#include <thread>

#include "learning/ensemble.h"
#include "learning/random.h"

using namespace synperf;

namespace {

constexpr std::size_t kInputs = 40;
constexpr std::size_t kThreads = 2;

TrainingSet random_rows(std::size_t rows) {
    TrainingSet set{.inputs = kInputs, .features = {}, .base = {}, .target = {}, .weight = {}};
    Random random(1);
    for (std::size_t i = 0; i < rows * kInputs; ++i) set.features.push_back(static_cast<float>(2.0 * random.uniform() - 1.0));
    for (std::size_t i = 0; i < rows; ++i) set.target.push_back(static_cast<float>(0.05 + 0.9 * random.uniform()));
    set.base.assign(rows, 0.0F);
    set.weight.assign(rows, 1.0F);
    return set;
}

Network network() { return new_network({kInputs, {256, 128, 64}, 1, Activation::relu}, 1); }

void forward_rows(benchmark::State& state, CpuLevel level) {
    constexpr std::size_t kChunk = 4096;
    constexpr std::size_t kChunks = 16;  // a thread
    const Network trained = network();
    const TrainingSet set = random_rows(kChunk);
    for (auto _ : state) {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < kThreads; ++t) {
            threads.emplace_back([&] {
                Workspace workspace;
                std::vector<float> out(kChunk);
                for (std::size_t c = 0; c < kChunks; ++c) {
                    forward(trained, set.features.data(), kChunk, out.data(), workspace, network_kernels(level));
                    benchmark::DoNotOptimize(out.data());
                }
            });
        }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * kThreads * kChunks * kChunk));
}

void forward_one(benchmark::State& state, CpuLevel level) {
    const Network trained = network();
    const TrainingSet set = random_rows(1);
    Workspace workspace;
    float out = 0.0F;
    for (auto _ : state) {
        forward(trained, set.features.data(), 1, &out, workspace, network_kernels(level));
        benchmark::DoNotOptimize(out);
    }
}

// Two members on two cores; rows of both are counted.
void train_rows(benchmark::State& state, CpuLevel level, Recipe recipe) {
    constexpr std::size_t kRows = 32 * 1024;
    const TrainingSet set = random_rows(kRows);
    recipe.epochs = 2;
    recipe.patience = 0;
    for (auto _ : state) {
        const auto trained = train_ensemble(set, {}, recipe, kThreads, {.level = level, .threads = kThreads});
        if (!trained) return state.SkipWithError(trained.error().to_string().c_str());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * kThreads * recipe.epochs * kRows));
}

[[maybe_unused]] const bool kRegistered = [] {
    Recipe silu;
    silu.activation = Activation::silu;
    for (const CpuLevel level : kCpuLevels) {
        if (level > best_cpu_level()) continue;
        const std::string end = "/" + std::string(name(level));
        benchmark::RegisterBenchmark(("BM_NetworkForward4096On2Threads" + end).c_str(), forward_rows, level)->UseRealTime();
        benchmark::RegisterBenchmark(("BM_NetworkForwardOneRow" + end).c_str(), forward_one, level);
        benchmark::RegisterBenchmark(("BM_NetworkTrainingOn2Threads" + end).c_str(), train_rows, level, Recipe{})->UseRealTime();
        benchmark::RegisterBenchmark(("BM_NetworkTrainingSiluOn2Threads" + end).c_str(), train_rows, level, silu)->UseRealTime();
        benchmark::RegisterBenchmark(("BM_NetworkTrainingBatchNormDropoutOn2Threads" + end).c_str(), train_rows, level, published_recipe())->UseRealTime();
    }
    return true;
}();

}  // namespace
