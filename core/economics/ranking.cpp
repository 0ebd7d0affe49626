#include "economics/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "hardware/units.h"
#include "serving/communication.h"

namespace synperf {

namespace {

std::string gpus_in_words(int count) { return count == 1 ? std::string("1 GPU") : fmt::format("{} GPUs (tp {})", count, count); }

std::string milliseconds(Seconds time) { return fmt::format("{} ms", rounded(time.value * 1e3, 4)); }

// What the limits say to these times; empty where they are met.
std::vector<std::string> over_limits(const ServingResult& result, const RankingLimits& limits) {
    std::vector<std::string> over;
    const auto check = [&over](const char* what, const Estimate& time, const std::optional<Seconds>& limit) {
        if (limit && time.value > *limit) over.push_back(fmt::format("{} is {}, over the limit of {}", what, milliseconds(time.value), milliseconds(*limit)));
    };
    check("time to first token", result.ttft, limits.ttft);
    check("time per output token", result.tpot, limits.tpot);
    return over;
}

// The limits hold at the median but not at the upper end.
std::string near_limits(const ServingResult& result, const RankingLimits& limits) {
    const bool ttft = limits.ttft && result.ttft.upper > *limits.ttft, tpot = limits.tpot && result.tpot.upper > *limits.tpot;
    return ttft || tpot ? "; the upper end of its interval is over a limit" : "";
}

ServingPlan plan_at(const RankingRequest& request, const GpuSpec& gpu, int tp) {
    ServingPlan plan{request.config, request.deployment, {}, request.shape, {}, Batching::static_batch};
    plan.deployment.gpu = gpu;
    plan.deployment.tp = plan.deployment.count = tp;
    return plan;
}

// Fewest ranks first, until one fits and meets the limits. Every step that was passed over is told.
Result<RankedPlan> choose(const Engine& engine, const CollectiveModel& collectives, const GpuSpec& gpu, const RankingRequest& request, const std::stop_token& stop) {
    RankedPlan best;
    best.gpu = gpu;
    std::vector<std::string> passed;
    std::string impossible, too_small;
    for (int tp = 1; tp <= request.limits.most_gpus; tp *= 2) {
        if (stop.stop_requested()) return failure("cancelled");
        const ServingPlan plan = plan_at(request, gpu, tp);
        if (auto checked = check_deployment(plan.config, plan.deployment); !checked) {
            impossible = checked.error().to_string();
            continue;
        }
        const auto served = serve_plan(engine, collectives, plan, {{}, stop, false});
        if (!served) return tl::unexpected<Error>(served.error());
        if (!served->result) {
            too_small = fmt::format("{} needed, {} usable on each of {}", fmt::format("{:.1f} GB", served->memory.needed / 1e9), fmt::format("{:.1f} GB", served->memory.usable / 1e9), gpus_in_words(tp));
            if (!best.served) {
                best.tp = tp;
                best.memory = served->memory;
            }
            if (!best.served) passed.push_back(fmt::format("{} lack{} memory ({:.1f} of {:.1f} GB usable on each)", gpus_in_words(tp), tp == 1 ? "s" : "", served->memory.needed / 1e9, served->memory.usable / 1e9));
            continue;
        }
        std::vector<std::string> over = over_limits(*served->result, request.limits);
        // The last resort of a candidate that fails is its fastest plan.
        if (!best.served || over.empty() || served->result->total.value < best.result.total.value) {
            best.tp = tp;
            best.memory = served->memory;
            best.result = *served->result;
            best.fails = over;
            best.served = true;
        }
        if (over.empty()) {
            best.plan = fmt::format("{}: the fewest that hold the model and its cache{}{}", gpus_in_words(tp), request.limits.ttft || request.limits.tpot ? " and meet the limits" : "", near_limits(*served->result, request.limits));
            break;
        }
        passed.push_back(fmt::format("with {} the {}", gpus_in_words(tp), fmt::join(over, " and the ")));
    }
    if (!best.served) {
        best.fails = {!too_small.empty() ? fmt::format("does not fit: {}", too_small) : fmt::format("the model can not be cut like that: {}", impossible)};
        best.plan = fmt::format("no plan on up to {}", gpus_in_words(request.limits.most_gpus));
    } else if (!best.fails.empty()) {
        best.plan = fmt::format("{}: the fastest of up to {}, which meets not all limits", gpus_in_words(best.tp), request.limits.most_gpus);
    }
    if (!passed.empty()) best.plan += fmt::format("; {}", fmt::join(passed, "; "));
    return best;
}

void set_price(RankedPlan& plan, const PriceCatalogue& prices, const RankingRequest& request) {
    const RequestShape& shape = request.shape;
    const double watts = plan.gpu.value_or(GpuField::tdp_w, 0);
    plan.run = {plan.result.total, plan.result.prefill, plan.tp, static_cast<double>(shape.batch), static_cast<double>(shape.prompt), static_cast<double>(shape.output), watts};
    const auto quote = prices.quote(plan.gpu, request.kind, request.currency, request.today);
    if (quote) plan.quote = *quote;
    if (!quote && request.priced) plan.fails.push_back(quote.error().message);
    if (!plan.served) return;
    if (quote) plan.cost = query_cost(plan.run, quote->per_gpu_hour);
    if (request.target_qps > 0) plan.fleet = fleet_for(plan.run, quote ? quote->per_gpu_hour : Range{}, request.target_qps);
    const auto rent = prices.quote(plan.gpu, PriceKind::on_demand, request.currency, request.today), own = prices.quote(plan.gpu, PriceKind::purchase, request.currency, request.today);
    if (!rent || !own) return;
    // The purchase in the ranking's currency: its hourly cost without power, over the hours of its life.
    const Ownership& ownership = own->price.ownership;
    plan.owned_utilisation = ownership.utilisation;
    const double rate = own->per_gpu_hour.median / hourly_cost_of_owning(own->price, watts).median;
    plan.break_even = break_even(own->price.amount * rate, rent->per_gpu_hour, power_cost_per_hour(ownership, watts) * rate, ownership.life_hours());
}

double key(const RankedPlan& plan, bool priced) { return priced && plan.cost ? plan.cost->per_query.median : plan.result.total.value.value; }

void mark_front(std::vector<RankedPlan>& plans) {
    for (RankedPlan& plan : plans) {
        if (!plan.meets || !plan.cost) continue;
        plan.on_front = std::ranges::none_of(plans, [&](const RankedPlan& other) {
            if (!other.meets || !other.cost) return false;
            const double cost = other.cost->per_query.median, mine = plan.cost->per_query.median;
            const Seconds time = other.result.total.value, my_time = plan.result.total.value;
            return cost <= mine && time <= my_time && (cost < mine || time < my_time);
        });
    }
}

void sort_and_number(Ranking& ranking, bool priced) {
    std::ranges::stable_sort(ranking.plans, [&](const RankedPlan& a, const RankedPlan& b) {
        if (a.meets != b.meets) return a.meets;
        if (a.served != b.served) return a.served;
        return a.served && key(a, priced) < key(b, priced);
    });
    int rank = 0;
    for (RankedPlan& plan : ranking.plans) plan.rank = plan.meets ? ++rank : 0;
}

void judge_all(Ranking& ranking, bool priced) {
    std::vector<Contender> latencies, costs;
    for (const RankedPlan& plan : ranking.plans) {
        if (!plan.meets) continue;
        latencies.push_back(latency_contender(plan));
        if (plan.cost) costs.push_back(cost_contender(plan));
    }
    ranking.latency_verdict = sentence(latencies, {"is fastest", "latency"});
    if (priced) ranking.cost_verdict = sentence(costs, {"is cheapest", "cost a query"}, "ranges of price and latency");
}

Result<void> check(const std::vector<GpuSpec>& gpus, const RankingRequest& request) {
    if (gpus.empty()) return failure("no GPU is named", "--gpus");
    if (gpus.size() > kMostCandidates) return failure(fmt::format("{} GPUs, at most {} are compared", gpus.size(), kMostCandidates), "--gpus");
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (std::ranges::any_of(gpus.begin(), gpus.begin() + static_cast<std::ptrdiff_t>(i), [&](const GpuSpec& other) { return other.id == gpus[i].id; })) return failure(fmt::format("{} is named twice", gpus[i].id), "--gpus");
    }
    if (!is_currency(request.currency)) return failure(fmt::format("\"{}\" is not a known currency, known are {}", request.currency.substr(0, 20), fmt::join(currencies(), ", ")), "--currency");
    for (const auto& [limit, option] : {std::pair(request.limits.ttft, "--ttft-limit"), std::pair(request.limits.tpot, "--tpot-limit")})
        if (limit && !(limit->value > 0 && limit->value <= RankingLimits::kMostMs * 1e-3)) return failure(fmt::format("a limit of {} ms, it must be above 0 and at most {}", limit->value * 1e3, RankingLimits::kMostMs), option);
    if (request.limits.most_gpus < 1 || request.limits.most_gpus > RankingLimits::kMostGpus) return failure(fmt::format("{} GPUs, 1 to {} may serve one deployment", request.limits.most_gpus, RankingLimits::kMostGpus), "--most-gpus");
    if (!(request.target_qps >= 0 && request.target_qps <= kMostQueriesPerSecond)) return failure(fmt::format("{} queries a second, at most {} are possible", request.target_qps, kMostQueriesPerSecond), "--target-qps");
    const auto workload = plan_at(request, gpus.front(), 1).workload();
    if (workload) return {};
    Error error = workload.error();
    // A query's tokens have other options here than a request's in serving.
    if (error.field == "--prompt") error.field = "--in";
    if (error.field == "--output") error.field = "--out";
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace

namespace {

// Four of one GPU against one of another is no comparison of GPUs: the sentence says how many.
std::string deployed(const RankedPlan& plan) { return plan.tp > 1 ? fmt::format("{} x {}", plan.tp, plan.gpu.id) : plan.gpu.id; }

}  // namespace

Contender latency_contender(const RankedPlan& plan) { return {deployed(plan), plan.result.total.value.value, plan.result.total.lower.value, plan.result.total.upper.value}; }

Contender cost_contender(const RankedPlan& plan) {
    const Range range = plan.cost ? plan.cost->per_query : Range{};
    return {deployed(plan), range.median, range.low, range.high};
}

Result<Ranking> rank(const Engine& engine, const CollectiveModel& collectives, const PriceCatalogue& prices, const std::vector<GpuSpec>& gpus, const RankingRequest& request, const RankingControl& control) {
    if (auto checked = check(gpus, request); !checked) return tl::unexpected<Error>(checked.error());
    std::vector<Result<RankedPlan>> chosen(gpus.size(), failure("not reached"));
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex telling;
    const auto work = [&] {
        for (std::size_t i = next++; i < gpus.size(); i = next++) {
            chosen[i] = choose(engine, collectives, gpus[i], request, control.stop);
            const std::lock_guard lock(telling);
            if (control.progress) control.progress(++done, gpus.size());
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min<std::size_t>(gpus.size(), std::max(1U, std::thread::hardware_concurrency())); ++i) helpers.emplace_back(work);
        work();
    }
    Ranking ranking;
    ranking.currency = request.currency;
    ranking.prices = prices.ages(request.today);
    // One GPU that can not run the model is a candidate that fails; where none can, the call is wrong.
    if (std::ranges::none_of(chosen, [](const Result<RankedPlan>& plan) { return plan.has_value(); })) return tl::unexpected<Error>(chosen.front().error());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (control.stop.stop_requested()) return failure("cancelled");
        Result<RankedPlan>& plan = chosen[i];
        if (!plan) {
            RankedPlan impossible;
            impossible.gpu = gpus[i];
            impossible.fails = {plan.error().to_string()};
            impossible.plan = "no plan";
            plan = std::move(impossible);
        }
        set_price(*plan, prices, request);
        plan->meets = plan->served && plan->fails.empty();
        ranking.plans.push_back(std::move(*plan));
    }
    mark_front(ranking.plans);
    sort_and_number(ranking, request.priced);
    judge_all(ranking, request.priced);
    return ranking;
}

}  // namespace synperf
