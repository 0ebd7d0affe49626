// What `serve --prefill-pool --decode-pool` prints.
#include <fmt/ostream.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/serving_report.h"
#include "cli/table.h"

namespace synperf::cli {

namespace {

using json = nlohmann::ordered_json;


void put(json& out, const std::string& name, const Estimate& estimate) {
    out[name + "_ms"] = rounded(estimate.value.value * 1e3);
    out[name + "_ms_lower"] = rounded(estimate.lower.value * 1e3);
    out[name + "_ms_upper"] = rounded(estimate.upper.value * 1e3);
}

json pool_json(const Deployment& deployment, const PoolResult& pool) {
    json out{{"gpu", deployment.gpu.id}, {"count", deployment.count}, {"tp", deployment.tp}, {"pp", deployment.pp}, {"replicas", deployment.replicas()}, {"batch", pool.batch}};
    put(out, "step", pool.step);
    out["requests_per_s"] = rounded(pool.requests_per_s);
    out["needed_gb"] = rounded(pool.memory.needed / 1e9);
    out["usable_gb"] = rounded(pool.memory.usable / 1e9);
    return out;
}

std::vector<std::string> pool_row(const char* name, const Deployment& deployment, const PoolResult& pool) {
    return {name, fmt::format("{} x {}", deployment.count, deployment.gpu.name), fmt::format("{} x tp {} pp {}", deployment.replicas(), deployment.tp, deployment.pp),
            fmt::format("{}", pool.batch), format_duration(pool.step.value), format_number(pool.requests_per_s), fmt::format("{:.1f} of {:.1f}", pool.memory.needed / 1e9, pool.memory.usable / 1e9)};
}

}  // namespace

nlohmann::ordered_json pools_json(const PoolPlan& plan, const PoolsResult& result) {
    const int gpus = plan.prefill.count + plan.decode.count;
    json out{{"model", plan.config.id}, {"framework", plan.prefill.framework.id}};
    out["prefill_pool"] = pool_json(plan.prefill, result.prefill);
    out["decode_pool"] = pool_json(plan.decode, result.decode);
    out["link"] = {{"bytes_per_request", rounded(result.kv_bytes)}, {"transfer_ms", rounded(result.transfer.value * 1e3)}, {"requests_per_s", rounded(result.transfers_per_s)}, {"how", result.link}};
    put(out, "ttft", result.ttft);
    put(out, "tpot", result.tpot);
    put(out, "total", result.total);
    out["requests_per_s"] = rounded(result.requests_per_s);
    out["limit"] = result.limit;
    out["decoding"] = rounded(result.decoding);
    out["balance"] = rounded(result.balance);
    out["tokens_per_s"] = rounded(result.output_tokens_per_s);
    out["tokens_per_s_per_gpu"] = rounded(result.output_tokens_per_s / gpus);
    out["tokens_per_s_per_user"] = result.tpot.value.value > 0 ? rounded(1.0 / result.tpot.value.value) : 0.0;
    out["prefill_operators"] = operators_json(result.prefill.parts);
    out["decode_operators"] = operators_json(result.decode.parts);
    out["not_understood"] = plan.config.not_understood;
    out["assumed"] = plan.config.assumed;
    return out;
}

void print_pools(std::ostream& out, const PoolPlan& plan, const PoolsResult& result) {
    const int gpus = plan.prefill.count + plan.decode.count;
    fmt::print(out, "{}, {:.2f} B parameters, prefill and decode on GPUs of their own, {}\n\n", plan.config.id, parameter_count(plan.config) / 1e9, plan.prefill.framework.name);
    print_table(out, {{"pool"}, {"GPUs"}, {"copies"}, {"batch", true}, {"step", true}, {"requests/s", true}, {"memory GB", true}},
                {pool_row("prefill", plan.prefill, result.prefill), pool_row("decode", plan.decode, result.decode)});
    fmt::print(out, "\na cache of {:.1f} MB moves in {} ({}): {} requests/s\n", result.kv_bytes / 1e6, format_duration(result.transfer), result.link, format_number(result.transfers_per_s));
    fmt::print(out, "{} limits the pair to {} requests/s, {} of them decode at a time; {:.3g} GPUs of the prefill pool to one of the decode pool would keep both busy\n\n", result.limit,
               format_number(result.requests_per_s), format_number(result.decoding), result.balance);
    const auto row = [](const char* label, const Estimate& estimate) {
        const bool interval = estimate.lower < estimate.upper;
        return std::vector<std::string>{label, format_duration(estimate.value), interval ? fmt::format("{} to {}", format_duration(estimate.lower), format_duration(estimate.upper)) : ""};
    };
    print_table(out, {{"result"}, {"time", true}, {"90 % interval"}},
                {row("time to first token", result.ttft), row("time per output token", result.tpot), row("one request", result.total)});
    fmt::print(out, "\n{} output tokens/s, {} per GPU, {} for a user\n", format_number(result.output_tokens_per_s), format_number(result.output_tokens_per_s / gpus),
               format_number(result.tpot.value.value > 0 ? 1.0 / result.tpot.value.value : 0.0));
    print_breakdown(out, "prefill step", result.prefill.parts);
    print_breakdown(out, "decode step", result.decode.parts);
}

}  // namespace synperf::cli
