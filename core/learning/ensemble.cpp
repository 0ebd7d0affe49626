#include "learning/ensemble.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace synperf {

Result<TrainedEnsemble> train_ensemble(const TrainingSet& set, const TrainingSet& valid, const Recipe& recipe, std::size_t members,
                                       const EnsembleOptions& options) {
    constexpr std::size_t kMostMembers = 64;
    if (members < 1 || members > kMostMembers) {
        return failure("an ensemble has 1 to " + std::to_string(kMostMembers) + " members, not " + std::to_string(members), "members");
    }
    std::vector<std::optional<Result<TrainedNetwork>>> results(members);
    std::atomic<std::size_t> next{0};
    std::mutex reporting;
    const auto work = [&] {
        for (std::size_t i = next.fetch_add(1); i < members; i = next.fetch_add(1)) {
            Recipe own = recipe;
            own.seed = recipe.seed + i;
            TrainingOptions one{.stop = options.stop, .checkpoint_seconds = options.checkpoint_seconds, .level = options.level};
            if (!options.checkpoint.empty()) one.checkpoint = options.checkpoint.string() + '.' + std::to_string(i);
            if (options.progress) {
                one.progress = [&options, &reporting, i](const EpochRecord& record) {
                    const std::lock_guard lock(reporting);
                    options.progress(i, record);
                };
            }
            results[i] = train(set, valid, own, one);
        }
    };
    const std::size_t cores = options.threads > 0 ? options.threads : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 1; t < std::min(cores, members); ++t) threads.emplace_back(work);
        work();
    }
    TrainedEnsemble trained;
    for (std::optional<Result<TrainedNetwork>>& result : results) {
        if (!*result) return tl::unexpected(result->error());
        trained.ensemble.members.push_back((*result)->network);
        trained.members.push_back(std::move(**result));
    }
    return trained;
}

void forward(const Ensemble& ensemble, const float* rows, std::size_t count, std::span<float> out, EnsembleWorkspace& workspace,
             std::span<float> spread, const NetworkKernels& kernels) {
    const float share = 1.0F / static_cast<float>(ensemble.members.size());
    if (workspace.raw.size() < out.size()) workspace.raw.resize(out.size());
    std::fill(out.begin(), out.end(), 0.0F);
    std::fill(spread.begin(), spread.end(), 0.0F);
    float members = 0.0F;
    for (const Network& network : ensemble.members) {
        forward(network, rows, count, workspace.raw.data(), workspace.network, kernels);
        if (spread.empty()) {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * workspace.raw[i];
            continue;
        }
        members += 1.0F;  // Welford: running mean in `out`, sum of squares in `spread`
        for (std::size_t i = 0; i < out.size(); ++i) {
            const float before = workspace.raw[i] - out[i];
            out[i] += before / members;
            spread[i] += before * (workspace.raw[i] - out[i]);
        }
    }
    for (float& value : spread) value = std::sqrt(share * value);
}

}  // namespace synperf
