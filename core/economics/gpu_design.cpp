#include "economics/gpu_design.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"

namespace synperf {

namespace {

struct KnobText {
    std::string_view name, label;
};
constexpr std::array<KnobText, kDesignKnobs.size()> kTexts{{{"sms", "SMs"}, {"clock", "Clock"}, {"dram", "DRAM bandwidth"}, {"l2_bandwidth", "L2 bandwidth"}, {"l2_size", "L2 size"}, {"tensor", "Tensor rate"}}};

using enum GpuField;
constexpr std::array kTensorRates{bf16_tflops, fp16_tflops, tf32_tflops, fp8_tflops, fp4_tflops, int8_tops};
constexpr std::array kClocks{base_mhz, boost_mhz, tensor_clock_mhz};

constexpr std::size_t kLongestId = 64;     // is_gpu_id
constexpr std::size_t kLongestName = 200;  // parse_gpu_json
constexpr double kSameFactor = 5e-4;       // describe() shows it as 1

// Without its end where it is longer than that, and never half a letter of UTF-8.
std::string shortened(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    const auto continues = [&text](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
    while (bytes > 0 && continues(bytes)) --bytes;
    return text.substr(0, bytes);
}

bool by_rule(const GpuSpec& gpu, GpuField field) {
    const FieldFact* fact = gpu.fact(field);
    return fact != nullptr && fact->provenance == Provenance::derived && fact->source == kRuleSource;
}

// Scales fields of one spec and remembers the first that leaves its range.
class Scaling {
public:
    explicit Scaling(GpuSpec& gpu) : gpu_(gpu) {}

    // What follows from other fields by a rule follows the new ones.
    void scale(GpuField field, double factor) {
        if (factor != 1 && gpu_.knows(field) && !by_rule(gpu_, field)) set(field, gpu_[field] * factor);
    }
    void set(GpuField field, double value) {
        if (std::string bad = check_value(field, value); !bad.empty() && wrong_.empty()) {
            wrong_ = std::move(bad);
            field_ = info(field).key;
        }
        FieldFact fact;
        fact.source = "what-if";
        set_field(gpu_, field, value, std::move(fact));
    }
    [[nodiscard]] Result<void> checked() const {
        if (!wrong_.empty()) return failure(wrong_, field_);
        return check_fields_agree(gpu_);
    }

private:
    GpuSpec& gpu_;
    std::string wrong_, field_;
};

}  // namespace

std::string_view name(DesignKnob knob) { return kTexts[static_cast<std::size_t>(knob)].name; }
std::string_view label(DesignKnob knob) { return kTexts[static_cast<std::size_t>(knob)].label; }

std::optional<DesignKnob> parse_design_knob(std::string_view text) {
    for (const DesignKnob knob : kDesignKnobs)
        if (text == name(knob)) return knob;
    return std::nullopt;
}

std::string describe(const DesignChange& change) {
    std::vector<std::string> parts;
    for (const DesignKnob knob : kDesignKnobs)
        if (change[knob] != 1) parts.push_back(fmt::format("{} x{:.3g}", label(knob), change[knob]));
    return fmt::format("{}", fmt::join(parts, ", "));
}

Result<DesignChange> parse_design_change(std::string_view text) {
    DesignChange change;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view one = text.substr(begin, end - begin);
        const std::size_t equals = std::min(one.find('='), one.size());
        const std::string key(one.substr(0, equals).substr(0, 60));
        const auto knob = parse_design_knob(key);
        if (!knob) {
            std::vector<std::string> known;
            for (const DesignKnob each : kDesignKnobs) known.emplace_back(name(each));
            return failure(fmt::format("\"{}\" is none of {}{}", key, fmt::join(known, ", "), did_you_mean(key, known)));
        }
        const std::string_view number = one.substr(std::min(equals + 1, one.size()));
        double factor = 0;
        const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), factor);
        if (code != std::errc{} || stop != number.data() + number.size() || !(factor >= kLeastFactor && factor <= kMostFactor)) {
            return failure(fmt::format("\"{}\" should be a factor from {} to {}", number.substr(0, 40), kLeastFactor, kMostFactor), key);
        }
        change[*knob] = factor;
        begin = end + 1;
    }
    return change;
}

bool can_turn(const GpuSpec& gpu, DesignKnob knob) {
    switch (knob) {
        case DesignKnob::sms: return gpu.knows(sm_count);
        case DesignKnob::clock: return gpu.knows(boost_mhz);
        case DesignKnob::dram: return gpu.knows(bandwidth_gbps);
        case DesignKnob::l2_bandwidth: return gpu.knows(l2_bandwidth_gbps);
        case DesignKnob::l2_size: return gpu.knows(l2_mib);
        case DesignKnob::tensor: return std::ranges::any_of(kTensorRates, [&gpu](GpuField field) { return gpu.knows(field); });
    }
    return false;
}

Result<GpuSpec> redesigned(const GpuSpec& gpu, const DesignChange& change) {
    GpuSpec made = gpu;
    if (change.none()) return made;
    Scaling scaling(made);
    const double sms = gpu.knows(sm_count) ? std::max(1.0, std::round(gpu[sm_count] * change[DesignKnob::sms])) : 0;
    const double more_sms = sms > 0 ? sms / gpu[sm_count] : 1;
    if (more_sms != 1) scaling.set(sm_count, sms);
    for (const GpuField field : kClocks) scaling.scale(field, change[DesignKnob::clock]);
    const double shaders = more_sms * change[DesignKnob::clock];
    for (const GpuField field : kTensorRates) scaling.scale(field, shaders * change[DesignKnob::tensor]);
    scaling.scale(fp32_tflops, shaders);
    scaling.scale(bandwidth_gbps, change[DesignKnob::dram]);
    scaling.scale(l2_mib, change[DesignKnob::l2_size]);
    // By the rule it would grow with SMs and clock.
    if (gpu.knows(l2_bandwidth_gbps) && (change[DesignKnob::l2_bandwidth] != 1 || (by_rule(gpu, l2_bandwidth_gbps) && shaders != 1))) {
        scaling.set(l2_bandwidth_gbps, gpu[l2_bandwidth_gbps] * change[DesignKnob::l2_bandwidth]);
    }
    fill_derived(made);
    if (auto checked = scaling.checked(); !checked) return tl::unexpected<Error>(checked.error());
    made.origin = SpecOrigin::user;  // what was measured on the shipped GPU says nothing certain of this one
    return made;
}

DesignChange change_between(const GpuSpec& base, const GpuSpec& gpu) {
    const auto ratio = [&](GpuField field) { return base.knows(field) && gpu.knows(field) && base[field] > 0 ? gpu[field] / base[field] : 1.0; };
    DesignChange change;
    change[DesignKnob::sms] = ratio(sm_count);
    change[DesignKnob::clock] = ratio(boost_mhz);
    change[DesignKnob::dram] = ratio(bandwidth_gbps);
    change[DesignKnob::l2_bandwidth] = ratio(l2_bandwidth_gbps);
    change[DesignKnob::l2_size] = ratio(l2_mib);
    const auto rate = std::ranges::find_if(kTensorRates, [&](GpuField field) { return base.knows(field) && gpu.knows(field); });
    if (rate != kTensorRates.end()) change[DesignKnob::tensor] = ratio(*rate) / (change[DesignKnob::sms] * change[DesignKnob::clock]);
    for (double& factor : change.factors)
        if (std::abs(factor - 1) < kSameFactor) factor = 1;
    return change;
}

std::string redesigned_name(const std::string& name, const DesignChange& change) {
    if (change.none()) return shortened(name, kLongestName);
    const std::string ending = ": " + describe(change);
    return shortened(name, kLongestName - std::min(kLongestName, ending.size())) + ending;
}

GpuSpec edited_copy(GpuSpec gpu, const std::vector<std::string>& taken) {
    const auto is_taken = [&taken](const std::string& id) { return std::ranges::find(taken, id) != taken.end(); };
    const std::string stem = gpu.id.ends_with(kEditedEnding) ? gpu.id : gpu.id.substr(0, kLongestId - kEditedEnding.size()) + std::string(kEditedEnding);
    std::string id = stem;
    int number = 1;
    while (is_taken(id)) {
        const std::string ending = fmt::format("-{}", ++number);
        id = stem.substr(0, kLongestId - ending.size()) + ending;
    }
    gpu.id = id;
    const std::string ending = (gpu.name.ends_with(" (edited)") ? std::string() : " (edited)") + (number > 1 ? fmt::format(" {}", number) : std::string());
    gpu.name = shortened(gpu.name, kLongestName - ending.size()) + ending;
    gpu.aliases.clear();
    gpu.origin = SpecOrigin::user;
    gpu.file.clear();
    return gpu;
}

GpuLatency kernel_latency(const Predictor& predictor, const KernelFamily& family, const Params& params, std::stop_token stop) {
    return [&predictor, &family, &params, stop = std::move(stop)](const GpuSpec& gpu) -> Result<Estimate> {
        const auto prediction = predictor.predict(family, params, gpu, stop);
        if (!prediction) return tl::unexpected<Error>(prediction.error());
        if (!prediction->interval) return Estimate{prediction->latency, prediction->latency, prediction->latency};
        return Estimate{prediction->latency, prediction->interval->lower, prediction->interval->upper};
    };
}

GpuServing query_result(const Engine& engine, const CollectiveModel& collectives, const RankingRequest& request, int tp, std::stop_token stop) {
    return [&engine, &collectives, &request, tp, stop = std::move(stop)](const GpuSpec& gpu) -> Result<ServingResult> {
        ServingPlan plan{request.config, request.deployment, {}, request.shape, {}, Batching::static_batch};
        plan.deployment.gpu = gpu;
        plan.deployment.tp = plan.deployment.count = tp;
        const auto served = serve_plan(engine, collectives, plan, {{}, stop, false});
        if (!served) return tl::unexpected<Error>(served.error());
        if (!served->result) return tl::unexpected<Error>(served->does_not_fit());
        return *served->result;
    };
}

GpuLatency query_latency(const Engine& engine, const CollectiveModel& collectives, const RankingRequest& request, int tp, std::stop_token stop) {
    return [result = query_result(engine, collectives, request, tp, std::move(stop))](const GpuSpec& gpu) -> Result<Estimate> {
        const auto found = result(gpu);
        return found ? Result<Estimate>(found->total) : tl::unexpected<Error>(found.error());
    };
}

double Sensitivity::most() const { return std::max(std::abs(less_change.value_or(0)), std::abs(more_change.value_or(0))); }

Result<std::vector<Sensitivity>> sensitivities(const GpuLatency& latency, const GpuSpec& gpu, std::optional<Estimate> now) {
    if (!now) {
        const auto found = latency(gpu);
        if (!found) return tl::unexpected<Error>(found.error());
        now = *found;
    }
    std::vector<Sensitivity> all;
    for (const DesignKnob knob : kDesignKnobs) {
        if (!can_turn(gpu, knob)) continue;
        std::array<std::optional<Seconds>, 2> times;
        for (const std::size_t side : {0U, 1U}) {
            DesignChange change;
            change[knob] = side == 0 ? 1 - kSensitivityShare : 1 + kSensitivityShare;
            // A value that no GPU can have has no latency.
            const auto changed = redesigned(gpu, change);
            if (!changed) continue;
            const auto time = latency(*changed);
            if (!time) return tl::unexpected<Error>(time.error());
            times[side] = time->value;
        }
        const auto relative = [&now](const std::optional<Seconds>& time) -> std::optional<double> {
            if (!time) return std::nullopt;
            return now->value.value > 0 ? *time / now->value - 1 : 0.0;
        };
        all.push_back({knob, times[0], times[1], relative(times[0]), relative(times[1])});
    }
    std::ranges::stable_sort(all, [](const Sensitivity& a, const Sensitivity& b) { return a.most() > b.most(); });
    return all;
}

}  // namespace synperf
