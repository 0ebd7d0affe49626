#include "serving/continuous_batching.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>

#include "serving/iteration_step.h"
#include "serving/step_table.h"

namespace synperf {

namespace {

constexpr std::size_t kKeptIterations = 200'000;  // of the timeline; a longer run keeps its first ones
constexpr std::size_t kMostSteps = 5'000'000;
constexpr std::size_t kStepsBetweenReports = 256;

struct Prompt {
    std::size_t request = 0;
    std::int64_t done = 0;  // tokens of it that were computed
};

double mean(const std::vector<double>& values) { return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()); }

// Of one simulation, in seconds; the lists have one entry a request.
struct Outcome {
    std::vector<double> ttft, tpot;
    double prefill = 0, decode_step = 0, total = 0;
    std::vector<Iteration> iterations;
};

class Simulation {
public:
    Simulation(StepTable& table, const Workload& workload, const FrameworkProfile& framework, std::int64_t cache_tokens, Seconds Estimate::*bound)
        : table_(table), workload_(workload), framework_(framework), cache_tokens_(cache_tokens), bound_(bound), order_(workload.size()), first_(workload.size()), end_(workload.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return workload[i].arrival; });
    }

    Result<Outcome> run(const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
        for (std::size_t steps = 0; done_ < workload_.size(); ++steps) {
            if (stop.stop_requested()) return failure("cancelled");
            if (steps == kMostSteps) return failure(fmt::format("more than {} steps; fewer or shorter requests, more at a time or a larger token budget are needed", kMostSteps));
            if (progress && steps % kStepsBetweenReports == 0) progress(done_);
            admit();
            if (decoding_ == 0 && prompts_.empty()) {  // idle until the next arrival
                const Request& request = workload_[order_[next_]];
                if (request.arrival <= now_) return failure(fmt::format("a request of {} tokens does not fit in the cache of {} tokens", request.prompt + request.output, cache_tokens_));
                now_ = std::max(now_, workload_[order_[next_]].arrival);
                continue;
            }
            if (auto stepped = step(); !stepped) return tl::unexpected(stepped.error());
        }
        if (progress) progress(done_);
        return finish();
    }

private:
    void admit() {
        while (next_ < order_.size()) {
            const Request& request = workload_[order_[next_]];
            const std::int64_t needed = request.prompt + request.output;
            const auto running = decoding_ + static_cast<std::int64_t>(prompts_.size());
            if (request.arrival > now_ || running >= framework_.most_sequences || reserved_ + needed > cache_tokens_) return;
            reserved_ += needed;
            prompts_.push_back({order_[next_], 0});
            ++next_;
        }
    }

    Result<void> step() {
        MixedStep mixed;
        mixed.decodes = decoding_;
        mixed.decode_kv = decoding_ > 0 ? static_cast<double>(decode_kv_ + decoding_) / static_cast<double>(decoding_) : 0;
        mixed.sampled = decoding_;
        std::int64_t budget = std::max<std::int64_t>(1, framework_.token_budget - decoding_), q = 0, kv = 0;
        std::vector<std::size_t> finished;  // prompts that end with this step
        for (Prompt& prompt : prompts_) {
            if (budget == 0) break;
            const std::int64_t chunk = std::min(budget, workload_[prompt.request].prompt - prompt.done);
            prompt.done += chunk;
            budget -= chunk;
            q += chunk;
            kv += prompt.done;
            ++mixed.chunks;
            if (prompt.done == workload_[prompt.request].prompt) finished.push_back(prompt.request);
        }
        if (mixed.chunks > 0) {
            mixed.chunk_q = static_cast<double>(q) / static_cast<double>(mixed.chunks);
            mixed.chunk_kv = static_cast<double>(kv) / static_cast<double>(mixed.chunks);
        }
        mixed.sampled += static_cast<std::int64_t>(finished.size());
        const auto time = table_.time(mixed);
        if (!time) return tl::unexpected(time.error());
        record(mixed, (*time).*bound_, q);
        complete(finished);
        return {};
    }

    void record(const MixedStep& mixed, Seconds time, std::int64_t prompt_tokens) {
        if (outcome_.iterations.size() < kKeptIterations)
            outcome_.iterations.push_back({{now_}, time, prompt_tokens + mixed.decodes, mixed.chunks + mixed.decodes, mixed.chunks > 0, mixed});
        (mixed.chunks > 0 ? prefill_steps_ : decode_steps_).push_back(time.value);
        now_ += time.value;
        ++decoded_;
        decode_kv_ += decoding_;
    }

    // Requests whose last token this step made leave; prompts that ended begin to decode.
    void complete(const std::vector<std::size_t>& finished) {
        if (const auto due = ends_.find(decoded_); due != ends_.end()) {
            for (const std::size_t request : due->second) {
                leave(request);
                --decoding_;
                decode_kv_ -= workload_[request].prompt + workload_[request].output - 1;
            }
            ends_.erase(due);
        }
        for (const std::size_t request : finished) {
            prompts_.pop_front();
            first_[request] = now_;
            if (workload_[request].output == 1) {
                leave(request);
                continue;
            }
            ends_[decoded_ + workload_[request].output - 1].push_back(request);
            ++decoding_;
            decode_kv_ += workload_[request].prompt;
        }
    }

    void leave(std::size_t request) {
        end_[request] = now_;
        reserved_ -= workload_[request].prompt + workload_[request].output;
        ++done_;
    }

    Outcome finish() {
        for (std::size_t i = 0; i < workload_.size(); ++i) {
            const Request& request = workload_[i];
            outcome_.ttft.push_back(first_[i] - request.arrival);
            if (request.output > 1) outcome_.tpot.push_back((end_[i] - first_[i]) / static_cast<double>(request.output - 1));
        }
        outcome_.prefill = percentile(prefill_steps_, 0.5);
        outcome_.decode_step = percentile(decode_steps_, 0.5);
        outcome_.total = now_ - workload_[order_.front()].arrival;
        return std::move(outcome_);
    }

    StepTable& table_;
    const Workload& workload_;
    const FrameworkProfile& framework_;
    std::int64_t cache_tokens_;
    Seconds Estimate::*bound_;         // of each step's time
    std::vector<std::size_t> order_;   // by arrival
    std::size_t next_ = 0, done_ = 0;
    std::deque<Prompt> prompts_;       // admitted, not all of the prompt computed; in order
    std::int64_t decoding_ = 0, decode_kv_ = 0;  // requests, and tokens in their caches
    std::int64_t reserved_ = 0;        // cache tokens
    std::int64_t decoded_ = 0;         // steps so far
    std::map<std::int64_t, std::vector<std::size_t>> ends_;  // requests by the step that makes their last token
    double now_ = 0;
    std::vector<double> first_, end_, prefill_steps_, decode_steps_;
    Outcome outcome_;
};

}  // namespace

double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    const auto place = static_cast<std::size_t>(std::min(static_cast<double>(values.size() - 1), std::floor(share * static_cast<double>(values.size()))));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return values[place];
}

std::array<double, 3> percentiles(const std::vector<double>& values) { return {percentile(values, 0.5), percentile(values, 0.9), percentile(values, 0.99)}; }

namespace {

// The operators of the kept step of median time that has prompts, or none.
Result<StepTime> middle_step(StepTimer& timer, const Workload& workload, const ServingResult& result, bool prefill) {
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < result.iterations.size(); ++i) {
        if (result.iterations[i].prefill == prefill) steps.push_back(i);
    }
    if (steps.empty()) return StepTime{};
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle, {}, [&](std::size_t i) { return result.iterations[i].time.value; });
    return timer.time(iteration_step(workload, true, result, *middle));
}

}  // namespace

Result<ServingResult> run_continuous_batching(StepTimer& timer, const Workload& workload, const MemoryFit& memory, const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    if (workload.empty()) return failure("no requests, at least one is needed");
    if (memory.largest_batch < 1) return failure("not one request fits");
    const FrameworkProfile& framework = timer.deployment().framework;
    StepTable table(timer);
    std::array<Outcome, 3> outcomes;
    constexpr std::array<Seconds Estimate::*, 3> kBounds{&Estimate::value, &Estimate::lower, &Estimate::upper};
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
        auto outcome = Simulation(table, workload, framework, memory.cache_tokens(), kBounds[i]).run(i == 0 ? progress : nullptr, stop);
        if (!outcome) return tl::unexpected(outcome.error());
        outcomes[i] = std::move(*outcome);
    }
    const auto estimate = [&outcomes](const auto& of) { return Estimate{{of(outcomes[0])}, {of(outcomes[1])}, {of(outcomes[2])}}; };
    ServingResult result;
    result.ttft = estimate([](const Outcome& each) { return mean(each.ttft); });
    result.tpot = estimate([](const Outcome& each) { return mean(each.tpot); });
    result.prefill = estimate([](const Outcome& each) { return each.prefill; });
    result.decode_step = estimate([](const Outcome& each) { return each.decode_step; });
    result.total = estimate([](const Outcome& each) { return each.total; });
    result.ttft_percentiles = percentiles(outcomes[0].ttft);
    result.tpot_percentiles = percentiles(outcomes[0].tpot);
    result.iterations = std::move(outcomes[0].iterations);
    for (const bool prefill : {true, false}) {
        auto parts = middle_step(timer, workload, result, prefill);
        if (!parts) return tl::unexpected(parts.error());
        (prefill ? result.prefill_parts : result.decode_parts) = std::move(*parts);
    }
    result.request_ttft = std::move(outcomes[0].ttft);
    result.request_tpot = std::move(outcomes[0].tpot);
    for (const Request& request : workload) {
        result.prompt_tokens += static_cast<double>(request.prompt);
        result.output_tokens += static_cast<double>(request.output);
    }
    result.notes.push_back(fmt::format("continuous batching: steps of at most {} tokens and {} requests, {} cached tokens; a request waits until its prompt and output fit", framework.token_budget,
                                       framework.most_sequences, memory.cache_tokens()));
    return result;
}

}  // namespace synperf
