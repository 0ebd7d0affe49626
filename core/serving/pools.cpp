#include "serving/pools.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "hardware/strict_json.h"
#include "serving/communication.h"

namespace synperf {

namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// "50GB/s": the number before its unit, above 0.
std::optional<double> quantity(std::string_view text, std::string_view unit) {
    if (!text.ends_with(unit)) return std::nullopt;
    text.remove_suffix(unit.size());
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size() || !(value > 0 && value <= 1e6)) return std::nullopt;
    return value;
}

struct Transfer {
    Seconds each;      // one request's cache
    double per_s = 0;  // of the whole link
    std::string how;
};

// Every rank of a copy sends its part at once; the fewer of the two copies' GPUs carry it.
Result<Transfer> transfer_of(const PoolPlan& plan, const CollectiveModel& collectives, double bytes) {
    const int lanes = std::min(plan.prefill.tp * plan.prefill.pp, plan.decode.tp * plan.decode.pp);
    const int copies = std::min(plan.prefill.replicas(), plan.decode.replicas());
    Transfer transfer;
    if (plan.link.topology.empty()) {
        transfer.each = Seconds{bytes / lanes / (plan.link.gbps * 1e9) + plan.link.latency_us * 1e-6};
        transfer.how = fmt::format("{} GB/s of each of {} GPUs, {} us", plan.link.gbps, lanes, plan.link.latency_us);
    } else {
        CollectiveCall call;
        call.op = CollectiveOp::send_recv;
        call.bytes = std::max(1.0, bytes / lanes);
        call.topology = plan.link.topology;
        call.devices_per_node = 1;
        const auto time = collectives.time(call, plan.prefill.gpu);
        if (!time) return tl::unexpected<Error>(time.error());
        transfer.each = time->latency;
        transfer.how = time->provenance;
    }
    transfer.per_s = copies / transfer.each.value;
    return transfer;
}

Result<void> check_fit(const MemoryFit& memory, const char* pool) {
    if (memory.fits()) return {};
    const std::string offer = memory.largest_batch > 0 ? fmt::format("at most {} sequences of {} tokens do", memory.largest_batch, memory.tokens) : std::string("not one sequence does");
    return failure(fmt::format("{} sequences of a copy do not fit in the {} pool: {} on each GPU; {}", memory.sequences, pool, memory.sum(), offer));
}

Result<PoolResult> prefill_pool(const PoolPlan& plan, StepTimer& timer, const std::stop_token& stop) {
    PoolResult pool;
    const Deployment& deployment = plan.prefill;
    const std::int64_t share = (plan.shape.batch + deployment.replicas() - 1) / deployment.replicas();
    pool.batch = std::clamp<std::int64_t>(deployment.framework.token_budget / plan.shape.prompt, 1, share);
    const Workload prompts(static_cast<std::size_t>(pool.batch), Request{plan.shape.prompt, 1, 0});
    pool.memory = memory_fit(plan.config, deployment, prompts, pool.batch * plan.shape.prompt);
    if (auto fits = check_fit(pool.memory, "prefill"); !fits) return tl::unexpected<Error>(fits.error());
    auto run = run_static_batch(timer, prompts, false, stop);
    if (!run) return tl::unexpected<Error>(run.error());
    pool.step = run->prefill;
    pool.parts = std::move(run->prefill_parts);
    pool.requests_per_s = real(deployment.replicas() * pool.batch) / pool.step.value.value;
    return pool;
}

// Decoding alone: a batch that is prefilled in no time.
struct Decoding {
    PoolResult pool;
    Estimate span;  // of one request: all tokens but the first
};

Result<Decoding> decode_pool(const PoolPlan& plan, StepTimer& timer, std::int64_t batch, const std::stop_token& stop) {
    Decoding decoding;
    const Workload requests(static_cast<std::size_t>(batch), Request{plan.shape.prompt, plan.shape.output, 0});
    decoding.pool.batch = batch;
    decoding.pool.memory = memory_fit(plan.config, plan.decode, requests, batch);
    if (auto fits = check_fit(decoding.pool.memory, "decode"); !fits) return tl::unexpected<Error>(fits.error());
    auto run = run_static_batch(timer, requests, false, stop);
    if (!run) return tl::unexpected<Error>(run.error());
    decoding.span = run->tpot * real(plan.shape.output - 1);
    decoding.pool.step = run->decode_step;
    decoding.pool.parts = std::move(run->decode_parts);
    decoding.pool.requests_per_s = real(plan.decode.replicas() * batch) / decoding.span.value.value;
    return decoding;
}

// The smallest batch of a copy whose rate is the one at which prompts arrive: what decodes where they come too slowly.
Result<Decoding> fed_at(const PoolPlan& plan, StepTimer& timer, std::int64_t most, double requests_per_s, const std::stop_token& stop) {
    std::int64_t low = 1, high = most;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        const auto at = decode_pool(plan, timer, middle, stop);
        if (!at) return at;
        if (at->pool.requests_per_s >= requests_per_s) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return decode_pool(plan, timer, low, stop);
}

}  // namespace

Result<PoolLink> PoolLink::parse(const std::string& text) {
    PoolLink link;
    if (text.find("GB/s") == std::string::npos) {
        if (text.empty()) return failure("an id of specs/topologies, or 50GB/s,10us, is needed", "--link");
        link.topology = text;
        return link;
    }
    const auto parts = split(text, ',');
    const auto rate = quantity(parts.front(), "GB/s");
    const auto latency = parts.size() > 1 ? quantity(parts[1], "us") : std::optional<double>(0);
    if (!rate || !latency || parts.size() > 2) return failure(fmt::format("\"{}\" is not a link: 50GB/s or 50GB/s,10us", shown(text)), "--link");
    link.gbps = *rate;
    link.latency_us = *latency;
    return link;
}

Result<Deployment> parse_pool(const std::string& text, const GpuCatalogue& gpus, Deployment base, const std::string& option) {
    const auto parts = split(text, ':');
    std::vector<int> numbers;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        int value = 0;
        const auto [end, code] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), value);
        if (code != std::errc{} || end != parts[i].data() + parts[i].size() || value < 1) numbers.push_back(0);
        else numbers.push_back(value);
    }
    if (parts.front().empty() || numbers.size() < 2 || numbers.size() > 3 || std::ranges::find(numbers, 0) != numbers.end())
        return failure(fmt::format("\"{}\" is not GPU:count:tp or GPU:count:tp:pp, as in H100:4:2", shown(text)), option);
    const auto gpu = gpus.find(std::string(parts.front()));
    if (!gpu) return tl::unexpected<Error>(gpu.error());
    base.gpu = **gpu;
    base.count = numbers[0];
    base.tp = numbers[1];
    base.pp = numbers.size() > 2 ? numbers[2] : 1;
    base.ep = std::min(base.ep, base.tp);
    return base;
}

Result<PoolsResult> serve_pools(const Engine& engine, const CollectiveModel& collectives, const PoolPlan& plan, const std::stop_token& stop) {
    for (const auto& [deployment, option] : {std::pair(&plan.prefill, "--prefill-pool"), std::pair(&plan.decode, "--decode-pool")}) {
        if (auto checked = check_deployment(plan.config, *deployment); !checked) return failure(checked.error().to_string(), option);
    }
    if (plan.shape.output < 2) return failure(fmt::format("{} leaves nothing to decode: two tokens or more are needed", plan.shape.output), "--output");
    const auto workload = equal_requests(plan.shape.batch, plan.shape.prompt, plan.shape.output);
    if (!workload) return tl::unexpected<Error>(workload.error());
    if (auto checked = check_lengths(*workload, plan.config.longest); !checked) return tl::unexpected<Error>(checked.error());

    PoolsResult result;
    StepTimer prefill_timer(engine, plan.config, plan.prefill, communication_of(collectives, plan.prefill));
    StepTimer decode_timer(engine, plan.config, plan.decode, communication_of(collectives, plan.decode));
    auto prefill = prefill_pool(plan, prefill_timer, stop);
    if (!prefill) return tl::unexpected<Error>(prefill.error());
    const std::int64_t most = (plan.shape.batch + plan.decode.replicas() - 1) / plan.decode.replicas();
    auto decode = decode_pool(plan, decode_timer, most, stop);
    if (!decode) return tl::unexpected<Error>(decode.error());

    result.kv_bytes = cache_bytes(plan.config, plan.decode, plan.shape.prompt);
    const auto transfer = transfer_of(plan, collectives, result.kv_bytes);
    if (!transfer) return tl::unexpected<Error>(transfer.error());
    result.transfer = transfer->each;
    result.transfers_per_s = transfer->per_s;
    result.link = transfer->how;
    const double prefill_each = prefill->requests_per_s / plan.prefill.count, decode_each = decode->pool.requests_per_s / plan.decode.count;
    result.balance = decode_each / prefill_each;
    const double fed = std::min(prefill->requests_per_s, result.transfers_per_s);
    const bool starved = fed < decode->pool.requests_per_s;
    result.limit = !starved ? "decode" : prefill->requests_per_s <= result.transfers_per_s ? "prefill" : "transfer";
    result.requests_per_s = std::min(fed, decode->pool.requests_per_s);
    if (starved) {
        const double pool_rate = decode->pool.requests_per_s;
        decode = fed_at(plan, decode_timer, most, fed, stop);
        if (!decode) return tl::unexpected<Error>(decode.error());
        decode->pool.requests_per_s = pool_rate;
    }
    result.tpot = decode->span * (1.0 / real(plan.shape.output - 1));
    result.decoding = result.requests_per_s * decode->span.value.value;
    const Estimate moved{result.transfer, result.transfer, result.transfer};
    result.ttft = prefill->step + moved;
    result.total = result.ttft + decode->span;
    result.output_tokens_per_s = result.requests_per_s * real(plan.shape.output);
    result.prefill = std::move(*prefill);
    result.decode = std::move(decode->pool);
    return result;
}

}  // namespace synperf
