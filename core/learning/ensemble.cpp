#include "learning/ensemble.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace synperf {

Result<std::vector<TrainedNetwork>> train_ensemble(const TrainingSet& rows, const TrainingSet& validation, const Recipe& recipe, int members,
                                                   const std::function<void(int, const EpochReport&)>& progress, const std::stop_token& stop,
                                                   const std::filesystem::path& checkpoint) {
    if (members < 1) return failure("an ensemble needs a member");
    std::vector<std::optional<Result<TrainedNetwork>>> results(static_cast<std::size_t>(members));
    std::mutex reporting;
    std::atomic<int> next{0};
    const auto work = [&] {
        for (int member = next.fetch_add(1); member < members; member = next.fetch_add(1)) {
            Recipe own = recipe;
            own.seed = recipe.seed + static_cast<std::uint64_t>(member);
            TrainingHooks hooks;
            hooks.stop = stop;
            if (!checkpoint.empty()) hooks.checkpoint = checkpoint.string() + "." + std::to_string(member);
            if (progress) {
                hooks.progress = [&, member](const EpochReport& report) {
                    const std::scoped_lock lock(reporting);
                    progress(member, report);
                };
            }
            results[static_cast<std::size_t>(member)] = train(rows, validation, own, hooks);
        }
    };
    {
        const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
        std::vector<std::jthread> threads;
        for (int i = 1; i < std::min(members, cores); ++i) threads.emplace_back(work);
        work();
    }
    std::vector<TrainedNetwork> trained;
    for (auto& result : results) {
        if (!*result) return tl::unexpected(result->error());
        trained.push_back(std::move(**result));
    }
    return trained;
}

void forward_mean(std::span<const Network> members, std::span<const float> rows, std::span<float> out, std::vector<float>& one, ForwardScratch& scratch,
                  const NetworkKernels& kernels) {
    if (members.empty()) return;
    forward(members.front(), rows, out, scratch, kernels);
    if (one.size() < out.size()) one.resize(out.size());
    for (std::size_t m = 1; m < members.size(); ++m) {
        forward(members[m], rows, std::span(one).first(out.size()), scratch, kernels);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += one[i];
    }
    const float share = 1.0F / static_cast<float>(members.size());
    for (float& value : out) value *= share;
}

}  // namespace synperf
