// Speeds of serving: whole runs with models loaded. Tests never assert wall time; this prints it.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "economics/ranking.h"
#include "hardware/spec_paths.h"
#include "serving/continuous_batching.h"
#include "serving/llm_catalogue.h"
#include "serving/static_batch.h"
#include "serving/user_collectives.h"

using namespace synperf;

namespace {

const std::filesystem::path kSpecs = std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs";

template <class T>
T needed(Result<T> result) {
    if (result) return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
    std::exit(1);
}

const Engine& learned() {
    static const Engine loaded = needed(Engine::load(kSpecs, {}, model_folders(kSpecs)));
    return loaded;
}

StepTimer timer_of(const char* model, int tp) {
    static const LlmCatalogue models = LlmCatalogue::load(kSpecs / "llms");
    Deployment where;
    where.gpu = *needed(learned().gpus.find("H100"));
    where.tp = where.count = tp;
    where.framework = needed(read_framework("sglang", kSpecs));
    return StepTimer(learned(), *needed(models.find(model)), where, [](CommunicationOp, double bytes, int) -> Result<Estimate> {
        const Seconds time{1e-5 + bytes / 3e11};
        return Estimate{time, time, time};
    });
}

// 12 prompts of 1,197 to 3,851 tokens, 182 tokens each: Qwen3-32B at tp 2.
Workload ragged_batch() {
    Workload workload;
    for (const std::int64_t prompt : {1844, 1275, 3758, 1197, 3849, 3184, 1511, 1981, 3339, 3237, 3851, 3324}) workload.push_back({prompt, 182, 0});
    return workload;
}

// What an edit of the Cost workspace asks for, four times; a prompt of another length each time, so that no kernel is known already.
void BM_RankFourModelsOnSixGpus(benchmark::State& state) {
    const LlmCatalogue models = LlmCatalogue::load(kSpecs / "llms");
    const PriceCatalogue prices = PriceCatalogue::load(kSpecs / "prices");
    std::vector<Error> unread;
    const CollectiveModel collectives = load_collectives(learned().gpus, kSpecs, {}, unread);
    std::vector<GpuSpec> gpus;
    for (const char* id : {"A100-SXM4-80GB", "H100-SXM5-80GB", "H200-SXM5-141GB", "L40S", "B200-SXM-180GB", "RTX-PRO-6000-Server"}) gpus.push_back(*needed(learned().gpus.find(id)));
    std::int64_t prompt = 1000;
    for (auto _ : state) {
        ++prompt;
        for (const char* model : {"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b", "qwen3-30b-a3b"}) {
            RankingRequest request;
            request.config = *needed(models.find(model));
            request.deployment.framework = needed(read_framework("vllm", kSpecs));
            request.shape = {8, prompt, 128};
            request.today = today();
            benchmark::DoNotOptimize(needed(rank(learned(), collectives, prices, gpus, request)).plans.size());
        }
    }
}

void BM_Run182IterationsCachesEmpty(benchmark::State& state) {
    const Workload workload = ragged_batch();
    (void)learned();
    for (auto _ : state) {
        StepTimer timer = timer_of("qwen3-32b", 2);
        benchmark::DoNotOptimize(needed(run_static_batch(timer, workload)).total);
    }
}

void BM_Run182IterationsWarm(benchmark::State& state) {
    const Workload workload = ragged_batch();
    StepTimer timer = timer_of("qwen3-32b", 2);
    for (auto _ : state) benchmark::DoNotOptimize(needed(run_static_batch(timer, workload)).total);
}

void BM_Continuous10000Requests(benchmark::State& state) {
    std::mt19937 random(3);
    std::exponential_distribution<double> gap(8.0);
    std::lognormal_distribution<double> prompt(6.5, 0.9), output(5.0, 0.7);
    Workload workload;
    for (double at = 0; workload.size() < 10'000; at += gap(random)) workload.push_back({1 + static_cast<std::int64_t>(prompt(random)), 1 + static_cast<std::int64_t>(output(random)), at});
    for (auto _ : state) {
        StepTimer timer = timer_of("llama-3.1-8b", 1);
        const MemoryFit memory = memory_fit(timer.config(), timer.deployment(), {{30'000, 2'000, 0}}, 8192);
        benchmark::DoNotOptimize(needed(run_continuous_batching(timer, workload, memory)).total);
    }
}

}  // namespace

BENCHMARK(BM_RankFourModelsOnSixGpus)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Run182IterationsCachesEmpty)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Run182IterationsWarm)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Continuous10000Requests)->Unit(benchmark::kMillisecond);
