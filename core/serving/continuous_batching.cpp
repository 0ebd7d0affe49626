#include "serving/continuous_batching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>

#include "serving/step_table.h"

namespace synperf {

namespace {

constexpr std::size_t kKeptIterations = 200'000;  // of the timeline; a longer run keeps its first ones
constexpr std::size_t kStepsBetweenReports = 256;

struct Prompt {
    std::size_t request = 0;
    std::int64_t done = 0;  // tokens of it that were computed
};

double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    const auto place = static_cast<std::size_t>(std::min(static_cast<double>(values.size() - 1), std::floor(share * static_cast<double>(values.size()))));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return values[place];
}

double mean(const std::vector<double>& values) { return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()); }

class Simulation {
public:
    Simulation(StepTimer& timer, const Workload& workload, std::int64_t cache_tokens)
        : table_(timer), workload_(workload), framework_(timer.deployment().framework), cache_tokens_(cache_tokens), order_(workload.size()), first_(workload.size()), end_(workload.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return workload[i].arrival; });
    }

    Result<ServingResult> run(const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
        for (std::size_t steps = 0; done_ < workload_.size(); ++steps) {
            if (stop.stop_requested()) return failure("cancelled");
            if (progress && steps % kStepsBetweenReports == 0) progress(done_);
            admit();
            if (decoding_ == 0 && prompts_.empty()) {  // idle until the next arrival
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
        record(mixed, *time, q);
        complete(finished);
        return {};
    }

    void record(const MixedStep& mixed, const Estimate& time, std::int64_t prompt_tokens) {
        if (result_.iterations.size() < kKeptIterations)
            result_.iterations.push_back({{now_}, time.value, prompt_tokens + mixed.decodes, mixed.chunks + mixed.decodes, mixed.chunks > 0});
        busy_ += time;
        if (mixed.chunks > 0) prefill_steps_.push_back(time.value.value);
        else decode_steps_.push_back(time.value.value);
        now_ += time.value.value;
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

    ServingResult finish() {
        std::vector<double> ttft, tpot;
        double start = workload_[order_.front()].arrival;
        for (std::size_t i = 0; i < workload_.size(); ++i) {
            const Request& request = workload_[i];
            ttft.push_back(first_[i] - request.arrival);
            if (request.output > 1) tpot.push_back((end_[i] - first_[i]) / static_cast<double>(request.output - 1));
            result_.prompt_tokens += static_cast<double>(request.prompt);
            result_.output_tokens += static_cast<double>(request.output);
        }
        const double lower = busy_.lower / busy_.value, upper = busy_.upper / busy_.value;
        const auto scaled = [&](double value) { return Estimate{{value}, {value * lower}, {value * upper}}; };
        result_.ttft = scaled(mean(ttft));
        result_.tpot = scaled(mean(tpot));
        result_.prefill = scaled(percentile(prefill_steps_, 0.5));
        result_.decode_step = scaled(percentile(decode_steps_, 0.5));
        result_.total = scaled(now_ - start);
        result_.ttft_percentiles = {percentile(ttft, 0.5), percentile(ttft, 0.9), percentile(ttft, 0.99)};
        result_.tpot_percentiles = {percentile(tpot, 0.5), percentile(tpot, 0.9), percentile(tpot, 0.99)};
        result_.notes.push_back(fmt::format("continuous batching: steps of at most {} tokens and {} requests, {} cached tokens; a request waits until its prompt and output fit", framework_.token_budget,
                                            framework_.most_sequences, cache_tokens_));
        return std::move(result_);
    }

    StepTable table_;
    const Workload& workload_;
    const FrameworkProfile& framework_;
    std::int64_t cache_tokens_;
    std::vector<std::size_t> order_;   // by arrival
    std::size_t next_ = 0, done_ = 0;
    std::deque<Prompt> prompts_;       // admitted, not all of the prompt computed; in order
    std::int64_t decoding_ = 0, decode_kv_ = 0;  // requests, and tokens in their caches
    std::int64_t reserved_ = 0;        // cache tokens
    std::int64_t decoded_ = 0;         // steps so far
    std::map<std::int64_t, std::vector<std::size_t>> ends_;  // requests by the step that makes their last token
    double now_ = 0;
    std::vector<double> first_, end_, prefill_steps_, decode_steps_;
    Estimate busy_;
    ServingResult result_;
};

}  // namespace

Result<ServingResult> run_continuous_batching(StepTimer& timer, const Workload& workload, const MemoryFit& memory, const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    if (workload.empty()) return failure("no requests, at least one is needed");
    if (memory.largest_batch < 1) return failure("not one request fits");
    return Simulation(timer, workload, memory.cache_tokens()).run(progress, stop);
}

}  // namespace synperf
