#include "serving/step_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/power.h"

namespace synperf {

namespace {

// Exact and short: the family and every value's bytes.
std::string key_of(const Operator& op) {
    std::string key(op.family->id());
    const auto number = [&key](std::int64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const ParamValue& value : op.params.values) {
        key += static_cast<char>('0' + value.index());
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            number(*whole);
        } else if (const auto* list = std::get_if<IntegerList>(&value)) {
            number(static_cast<std::int64_t>(list->size()));
            for (const std::int64_t each : *list) number(each);
        } else {
            key += to_text(value);
            key += '\n';
        }
    }
    return key;
}

// Without a learned model the spread is assumed; no run is faster than the ceiling.
Estimate estimate_of(const Prediction& prediction, double warm_factor, double spread) {
    const double factor = prediction.bound == Bound::tensor ? warm_factor : 1.0;
    const Seconds latency = prediction.latency;
    if (!prediction.interval) return Estimate{latency, std::min(latency, std::max(prediction.ceiling, latency * std::exp(-spread))), latency * std::exp(spread)} * factor;
    return Estimate{prediction.latency, prediction.interval->lower, prediction.interval->upper} * factor;
}

}  // namespace

double warm_factor(const Deployment& deployment, const Calibration& calibration) {
    const double share = warm_power_share(DType::bf16, deployment.gpu, calibration, deployment.gpu.tensor_clock());
    return 1.0 / (1.0 - deployment.framework.warm_loss * (1.0 - share));
}

Seconds host_time(const Deployment& deployment, bool graph) {
    return (graph ? deployment.framework.decode_step : deployment.framework.prefill_step) * static_cast<double>(deployment.pp);
}

Estimate with_host(const Estimate& kernels, const Deployment& deployment, bool graph) {
    const Seconds host = host_time(deployment, graph);
    const double spread = std::exp(deployment.framework.uncertainty);
    return {kernels.value + host, {(kernels.lower + host).value / spread}, {(kernels.upper + host).value * spread}};
}

Result<void> StepTimer::learn(std::vector<std::vector<Operator>>& sequences) {
    std::vector<std::string> keys;
    std::set<std::string, std::less<>> asked;  // known only once all are: another call may fail
    std::vector<PendingPrediction> pending;
    std::vector<std::string> reasons;
    for (std::vector<Operator>& operators : sequences) {
        for (Operator& op : operators) {
            if (op.family == nullptr) continue;
            std::string key = key_of(op);
            if (known_.contains(key) || asked.contains(key)) continue;
            std::string stand_in = op.stand_in;
            auto call = engine_.predictor.prepare(*op.family, op.params, deployment_.gpu);
            if (!call && op.bytes > 0) {
                const auto add = engine_.kernels.find("add");
                if (!add) return tl::unexpected(add.error());
                const auto params = memory_bound_params(**add, op.bytes);
                if (!params) return tl::unexpected(params.error());
                stand_in = call.error().message;
                call = engine_.predictor.prepare(**add, *params, deployment_.gpu);
            }
            if (!call) return failure(fmt::format("{}: {}", op.name, call.error().message), call.error().field);
            asked.insert(key);
            keys.push_back(std::move(key));
            pending.push_back(std::move(*call));
            reasons.push_back(std::move(stand_in));
        }
    }
    std::vector<PendingPrediction*> all;
    all.reserve(pending.size());
    for (PendingPrediction& call : pending) all.push_back(&call);
    complete(all);
    for (std::size_t i = 0; i < keys.size(); ++i) known_[keys[i]] = {estimate_of(pending[i].prediction, warm_factor_, engine_.predictor.calibration().analytical_spread), pending[i].prediction.confidence, reasons[i]};
    return {};
}

Result<StepTime> StepTimer::sum(const Step& step, const std::vector<Operator>& operators, double hidden_share) {
    const bool graph = step.decodes();
    StepTime result;
    result.operators.reserve(operators.size());
    for (const Operator& op : operators) {
        OperatorTime time{op.name, op.part, op.count, {}, {}, op.stand_in, Confidence::analytical, op.family, op.params};
        if (op.family != nullptr) {
            const Known& known = known_.find(key_of(op))->second;
            time.each = known.time;
            time.confidence = known.confidence;
            time.stand_in = known.stand_in;
        } else {
            std::string key = fmt::format("{} {} {}", static_cast<int>(op.communication), op.bytes, op.ranks);
            auto known = messages_.find(key);
            if (known == messages_.end()) {
                const auto message = communication_(op.communication, op.bytes, op.ranks);
                if (!message) return failure(fmt::format("{}: {}", op.name, message.error().message), message.error().field);
                known = messages_.emplace(std::move(key), *message).first;
            }
            time.each = known->second * (1.0 - hidden_share);
        }
        time.all = time.each * static_cast<double>(op.count);
        result.kernels += time.all;
        result.operators.push_back(std::move(time));
    }
    const Seconds host = host_time(deployment_, graph);
    result.host = {host, host, host};
    result.total = with_host(result.kernels, deployment_, graph);
    return result;
}

Result<StepTime> StepTimer::time(const Step& step) {
    auto all = times({step});
    if (!all) return tl::unexpected(all.error());
    return std::move(all->front());
}

Result<StepTime> StepTimer::one_layer(const Step& step, std::size_t shape) {
    LlmConfig one = config_;
    one.layers.assign(1, shape);
    auto operators = operator_sequence(one, deployment_, step, engine_.kernels);
    if (!operators) return tl::unexpected(operators.error());
    std::vector<std::vector<Operator>> sequences{std::move(*operators)};
    if (auto learned = learn(sequences); !learned) return tl::unexpected(learned.error());
    return sum(step, sequences.front(), 0);
}

Result<std::vector<StepTime>> StepTimer::times(const std::vector<Step>& steps) {
    std::vector<std::vector<Operator>> sequences;
    sequences.reserve(steps.size());
    for (const Step& step : steps) {
        auto operators = operator_sequence(config_, deployment_, step, engine_.kernels);
        if (!operators) return tl::unexpected(operators.error());
        sequences.push_back(std::move(*operators));
    }
    if (auto learned = learn(sequences); !learned) return tl::unexpected(learned.error());
    std::vector<StepTime> result;
    result.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto time = sum(steps[i], sequences[i], deployment_.hidden_share());
        if (!time) return tl::unexpected(time.error());
        result.push_back(std::move(*time));
    }
    return result;
}

}  // namespace synperf
