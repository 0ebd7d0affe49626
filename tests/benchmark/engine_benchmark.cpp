// Speeds of the engine. Tests never assert wall time; this prints it.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "prediction/engine.h"

using namespace synperf;

namespace {

const Engine& engine() {
    static const Engine loaded = [] {
        auto result = Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
        if (!result) {
            std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
            std::exit(1);
        }
        return std::move(*result);
    }();
    return loaded;
}

const std::filesystem::path kModels = std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models";

void predict(benchmark::State& state, const char* family_id, const char* gpu_id, const std::vector<std::string>& texts,
             const Predictor& predictor = engine().predictor) {
    const KernelFamily& family = **engine().kernels.find(family_id);
    const GpuSpec& gpu = **engine().gpus.find(gpu_id);
    const Params params = *parse_assignments(family.schema(), texts);
    for (auto _ : state) {
        const auto prediction = predictor.predict(family, params, gpu);
        if (!prediction) return state.SkipWithError(prediction.error().to_string().c_str());
        benchmark::DoNotOptimize(prediction->latency);
    }
}

// Decompose, schedule and analyse with the tile chosen from the whole candidate list.
void BM_Gemm8192OnH100(benchmark::State& state) { predict(state, "gemm", "H100", {"m=8192", "n=8192", "k=8192"}); }
// The same with the tile given.
void BM_Gemm8192OnH100GivenTile(benchmark::State& state) {
    predict(state, "gemm", "H100", {"m=8192", "n=8192", "k=8192", "tile_m=128", "tile_n=256", "split_k=1"});
}

// 64 requests of 64 to 2047 new tokens, 32 query and 8 KV heads.
std::vector<std::string> ragged_64() {
    std::mt19937 random(64);
    std::string lengths;
    for (int i = 0; i < 64; ++i) lengths += (i > 0 ? "," : "") + std::to_string(64 + random() % 1984);
    return {"q_lengths=" + lengths, "kv_lengths=" + lengths};
}
void BM_CausalAttention64RaggedOnH100(benchmark::State& state) { predict(state, "attention", "H100", ragged_64()); }
void BM_CausalAttention64RaggedOnA100(benchmark::State& state) { predict(state, "attention", "A100", ragged_64()); }

// A layer of 128 experts with even loads, 4096 tokens.
void BM_MoeBalancedOnH100(benchmark::State& state) { predict(state, "moe", "H100", {"num_tokens=4096"}); }
void BM_MoePowerLawOnH100(benchmark::State& state) { predict(state, "moe", "H100", {"num_tokens=4096", "distribution=power_law"}); }
// 256 experts, each with a load of its own.
void BM_Moe256ExplicitExpertsOnH100(benchmark::State& state) {
    std::mt19937 random(256);
    std::string loads;
    for (int i = 0; i < 256; ++i) loads += (i > 0 ? "," : "") + std::to_string(random() % 512);
    predict(state, "moe", "H100", {"num_tokens=8192", "num_experts=256", "distribution=explicit", "expert_tokens=" + loads});
}
void BM_MoeGemmBalancedOnH100(benchmark::State& state) { predict(state, "moe_gemm", "H100", {"num_tokens=4096"}); }

// 256 one-token requests of 1 to 8192 keys, 32 query and 8 KV heads: at most 50 us.
std::vector<std::string> decode_256() {
    std::mt19937 random(256);
    std::string lengths;
    for (int i = 0; i < 256; ++i) lengths += (i > 0 ? "," : "") + std::to_string(1 + random() % 8192);
    return {"q_lengths=1x256", "kv_lengths=" + lengths};
}
void BM_AttentionDecode256OnH100(benchmark::State& state) { predict(state, "attention", "H100", decode_256()); }
void BM_AttentionDecode256OnA100(benchmark::State& state) { predict(state, "attention", "A100", decode_256()); }
// The same with equal requests, as the measured tables have them.
void BM_AttentionDecode256EqualOnH100(benchmark::State& state) {
    predict(state, "attention", "H100", {"batch=256", "q_len=1", "kv_len=4096", "page_size=64", "kv_write=true"});
}
// Decompose, schedule and analyse of the bandwidth-bound kernels.
void BM_RmsNormOnH100(benchmark::State& state) { predict(state, "rmsnorm", "H100", {"residual=true"}); }
void BM_SiluMulOnH100(benchmark::State& state) { predict(state, "silu_mul", "H100", {}); }
void BM_AddOnH100(benchmark::State& state) { predict(state, "add", "H100", {}); }
void BM_QuantizeByTensorOnH100(benchmark::State& state) { predict(state, "quantize", "H100", {"scale=tensor"}); }

// A million CTAs, no two neighbours equal, two residents an SM that share its pipes.
void BM_EventSimulationMillionUnequalCtas(benchmark::State& state) {
    const GpuSpec& gpu = **engine().gpus.find("H100");
    std::mt19937 random(1);
    Launch launch;
    launch.cta = {.threads = 128, .registers_per_thread = 240, .smem_bytes = 100'000};
    launch.math = DType::bf16;
    for (int i = 0; i < 1'000'000; ++i) {
        TaskGroup group;
        group.count = 1;
        group.demand[Pipe::tensor] = 1e6 + static_cast<double>(random() % 3'000'000);
        group.demand[Pipe::l2] = 1e4 + static_cast<double>(random() % 50'000);
        group.demand[Pipe::dram] = 1e3;
        group.steps = 4;
        launch.groups.push_back(group);
    }
    const Machine machine = *machine_for(launch, gpu, engine().predictor.calibration());
    state.counters["residents"] = machine.occupancy.ctas_per_sm;
    for (auto _ : state) {
        const auto schedule = run_schedule(launch, machine);
        benchmark::DoNotOptimize(schedule->makespan_cycles);
    }
}

void BM_LoadEverything(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs"));
}

void BM_LoadModels(benchmark::State& state) {
    for (auto _ : state) {
        const ModelSet models = ModelSet::load({kModels});
        if (models.all().empty()) return state.SkipWithError("no models");
        benchmark::DoNotOptimize(models.all().size());
    }
}

// Features, both networks and calibrated bounds included.
void BM_LearnedGemm8192OnH100(benchmark::State& state) {
    static const Predictor learned(engine().predictor.calibration(), std::make_shared<const ModelSet>(ModelSet::load({kModels})));
    predict(state, "gemm", "H100", {"m=8192", "n=8192", "k=8192"}, learned);
}

BENCHMARK(BM_LoadModels)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LearnedGemm8192OnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Gemm8192OnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Gemm8192OnH100GivenTile)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_CausalAttention64RaggedOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_CausalAttention64RaggedOnA100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_AttentionDecode256OnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_AttentionDecode256OnA100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_AttentionDecode256EqualOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_MoeBalancedOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_MoePowerLawOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Moe256ExplicitExpertsOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_MoeGemmBalancedOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_RmsNormOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_SiluMulOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_AddOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_QuantizeByTensorOnH100)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_EventSimulationMillionUnequalCtas)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LoadEverything)->Unit(benchmark::kMillisecond);

}  // namespace
