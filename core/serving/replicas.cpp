#include "serving/replicas.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "serving/continuous_batching.h"

namespace synperf {

namespace {

double timed_requests(const Workload& workload) {
    return static_cast<double>(std::ranges::count_if(workload, [](const Request& request) { return request.output > 1; }));
}

void append(std::vector<double>& all, const std::vector<double>& more, int times) {
    for (int i = 0; i < times; ++i) all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::vector<ReplicaLoad> split_over_replicas(const Workload& workload, int replicas) {
    if (replicas <= 1) return {{workload, 1}};
    std::vector<std::size_t> order(workload.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return workload[i].arrival; });
    const std::size_t copies = std::min(static_cast<std::size_t>(replicas), workload.size());
    std::vector<ReplicaLoad> loads;
    for (std::size_t copy = 0; copy < copies; ++copy) {
        Workload mine;
        for (std::size_t i = copy; i < order.size(); i += copies) mine.push_back(workload[order[i]]);
        // Copies with equal requests follow each other: those with one more come first.
        if (!loads.empty() && loads.back().requests == mine) {
            ++loads.back().replicas;
        } else {
            loads.push_back({std::move(mine), 1});
        }
    }
    return loads;
}

std::size_t slowest_replica(const std::vector<ServingResult>& results) {
    return static_cast<std::size_t>(std::ranges::max_element(results, {}, [](const ServingResult& each) { return each.total.value; }) - results.begin());
}

ServingResult join_replicas(const std::vector<ReplicaLoad>& loads, std::vector<ServingResult> results, int replicas) {
    if (loads.size() == 1 && loads.front().replicas == 1 && replicas == 1) return std::move(results.front());
    const std::size_t slowest = slowest_replica(results);
    Estimate ttft, tpot, total;
    double requests = 0, timed = 0, output = 0, prompt = 0;
    std::vector<double> request_ttft, request_tpot;
    int busy = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const double copies = loads[i].replicas;
        const double mine = copies * static_cast<double>(loads[i].requests.size()), mine_timed = copies * timed_requests(loads[i].requests);
        busy += loads[i].replicas;
        requests += mine;
        timed += mine_timed;
        ttft += results[i].ttft * mine;
        tpot += results[i].tpot * mine_timed;
        total = {std::max(total.value, results[i].total.value), std::max(total.lower, results[i].total.lower), std::max(total.upper, results[i].total.upper)};
        output += copies * results[i].output_tokens;
        prompt += copies * results[i].prompt_tokens;
        append(request_ttft, results[i].request_ttft, loads[i].replicas);
        append(request_tpot, results[i].request_tpot, loads[i].replicas);
    }
    ServingResult joined = std::move(results[slowest]);
    joined.ttft = ttft * (1.0 / requests);
    joined.tpot = timed > 0 ? tpot * (1.0 / timed) : Estimate{};
    joined.total = total;
    joined.output_tokens = output;
    joined.prompt_tokens = prompt;
    joined.ttft_percentiles = percentiles(request_ttft);
    joined.tpot_percentiles = percentiles(request_tpot);
    joined.request_ttft = std::move(request_ttft);
    joined.request_tpot = std::move(request_tpot);
    joined.notes.push_back(fmt::format("{} copies of the model serve the requests in turn; steps are those of the slowest", busy));
    if (busy < replicas) joined.notes.push_back(fmt::format("{} of {} copies have no request", replicas - busy, replicas));
    return joined;
}

}  // namespace synperf
