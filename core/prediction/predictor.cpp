#include "prediction/predictor.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace synperf {

std::string_view name(Confidence confidence) {
    constexpr std::array<std::string_view, 4> kNames{"measured-range", "near", "extrapolating", "analytical"};
    return kNames[static_cast<std::size_t>(confidence)];
}

namespace {

constexpr const char* kAnalyticalProvenance = "analytical model, no trained efficiency yet";

// A launch with the machine it runs on, its followers likewise.
struct Candidate {
    Launch launch;
    Machine machine;
    std::vector<Machine> follower_machines;
    double seconds = 0;  // estimate for ranking
    std::size_t compared = 1;
};

struct Simulated {
    std::shared_ptr<const Schedule> schedule;
    std::vector<std::shared_ptr<const Schedule>> follower_schedules;
};

Result<void> check_params(const KernelFamily& family, const Params& params) {
    const auto& schema = family.schema();
    if (params.values.size() != schema.size()) {
        return failure(fmt::format("{} parameters given, {} has {}", params.values.size(), family.id(), schema.size()));
    }
    for (std::size_t i = 0; i < schema.size(); ++i) {
        if (auto checked = check_param(schema[i], params.values[i]); !checked) return checked;
    }
    return {};
}

// The launch with the least analysed time.
Result<Candidate> best_candidate(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const Calibration& calibration) {
    if (auto checked = check_params(family, params); !checked) return tl::unexpected(checked.error());
    auto launches = family.decompose(params, gpu);
    if (!launches) return tl::unexpected(launches.error());
    std::size_t best = launches->size();
    double best_seconds = std::numeric_limits<double>::infinity();
    Machine best_machine;
    std::optional<Error> refused;
    for (std::size_t i = 0; i < launches->size(); ++i) {
        const Launch& launch = (*launches)[i];
        const auto machine = machine_for(launch, gpu, calibration);
        if (!machine) {
            if (!refused) refused = machine.error();
            continue;
        }
        double seconds = estimate_makespan(launch, *machine) / machine->clock.value;
        for (const Launch& follower : launch.followers) {
            const auto follower_machine = machine_for(follower, gpu, calibration, machine->clock);
            if (follower_machine) seconds += calibration.reduction_start_us * 1e-6 + estimate_makespan(follower, *follower_machine) / machine->clock.value;
        }
        if (seconds < best_seconds) {
            best_seconds = seconds;
            best = i;
            best_machine = *machine;
        }
    }
    if (best == launches->size()) return refused ? tl::unexpected(*refused) : failure("the numbers are too large to be timed");
    Candidate candidate;
    candidate.compared = launches->size();
    candidate.launch = std::move((*launches)[best]);
    candidate.machine = best_machine;
    candidate.seconds = best_seconds;
    for (const Launch& follower : candidate.launch.followers) {
        auto machine = machine_for(follower, gpu, calibration, candidate.machine.clock);
        if (!machine) return tl::unexpected(machine.error());
        machine->launch_floor = microseconds(calibration.reduction_start_us);
        candidate.follower_machines.push_back(*machine);
    }
    return candidate;
}

Result<Simulated> simulate_candidate(const Candidate& candidate, const std::stop_token& stop) {
    Simulated simulated;
    auto main = run_schedule(candidate.launch, candidate.machine, Detail::closed_form, stop);
    if (!main) return tl::unexpected(main.error());
    simulated.schedule = std::make_shared<const Schedule>(std::move(*main));
    for (std::size_t i = 0; i < candidate.launch.followers.size(); ++i) {
        auto follower = run_schedule(candidate.launch.followers[i], candidate.follower_machines[i], Detail::closed_form, stop);
        if (!follower) return tl::unexpected(follower.error());
        simulated.follower_schedules.push_back(std::make_shared<const Schedule>(std::move(*follower)));
    }
    return simulated;
}

Analysis analyse_candidate(const Candidate& candidate, const Simulated& simulated, const GpuSpec& gpu) {
    std::vector<LaunchRun> followers;
    for (std::size_t i = 0; i < candidate.launch.followers.size(); ++i) {
        followers.push_back({candidate.launch.followers[i], candidate.follower_machines[i], *simulated.follower_schedules[i]});
    }
    return analyse({candidate.launch, candidate.machine, *simulated.schedule}, followers, gpu);
}

Prediction prediction_of(const Analysis& analysis) {
    Prediction prediction;
    prediction.latency = analysis.latency;
    prediction.ceiling = analysis.ceiling;
    prediction.efficiency = analysis.latency.value > 0 ? prediction.ceiling / analysis.latency : 1.0;
    prediction.bound = analysis.bound;
    prediction.provenance = kAnalyticalProvenance;
    prediction.parts = analysis.parts;
    return prediction;
}

// The time axis: launch, the kernel, then each follower after its own start.
Timeline timeline_of(const Candidate& candidate, const Simulated& simulated) {
    const Hertz clock = candidate.machine.clock;
    std::vector<TimelinePhase> phases;
    double at = (candidate.machine.launch_floor * clock).value;
    phases.push_back({candidate.launch.kernel, simulated.schedule, at});
    at += simulated.schedule->makespan_cycles;
    for (std::size_t i = 0; i < simulated.follower_schedules.size(); ++i) {
        at += (candidate.follower_machines[i].launch_floor * clock).value;
        phases.push_back({candidate.launch.followers[i].kernel, simulated.follower_schedules[i], at});
        at += simulated.follower_schedules[i]->makespan_cycles;
    }
    return Timeline(std::move(phases), clock);
}

}  // namespace

Result<Prediction> Predictor::predict(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const std::stop_token& stop) const {
    const auto candidate = best_candidate(family, params, gpu, calibration_);
    if (!candidate) return tl::unexpected(candidate.error());
    const auto simulated = simulate_candidate(*candidate, stop);
    if (!simulated) return tl::unexpected(simulated.error());
    return prediction_of(analyse_candidate(*candidate, *simulated, gpu));
}

Result<std::shared_ptr<const Explanation>> Predictor::explain(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                                              const std::stop_token& stop) const {
    auto candidate = best_candidate(family, params, gpu, calibration_);
    if (!candidate) return tl::unexpected(candidate.error());
    auto simulated = simulate_candidate(*candidate, stop);
    if (!simulated) return tl::unexpected(simulated.error());
    auto explanation = std::make_shared<Explanation>();
    explanation->analysis = analyse_candidate(*candidate, *simulated, gpu);
    explanation->prediction = prediction_of(explanation->analysis);
    explanation->timeline = timeline_of(*candidate, *simulated);
    explanation->candidates = candidate->compared;
    explanation->machine = candidate->machine;
    explanation->follower_machines = std::move(candidate->follower_machines);
    explanation->params = params;
    explanation->resolved = params;
    for (const ChosenParam& chosen : candidate->launch.chosen) explanation->resolved.values[chosen.index] = chosen.value;
    explanation->notes = candidate->launch.notes;
    if (gpu.vendor != "NVIDIA") {
        explanation->notes.push_back(fmt::format("{} is scheduled with rules and kernels made for NVIDIA GPUs: a sketch, not a prediction", gpu.name));
    }
    explanation->launch = std::move(candidate->launch);
    return explanation;
}

std::vector<Predictor::SweepPoint> Predictor::sweep(const KernelFamily& family, const Params& params, const GpuSpec& gpu, std::size_t index,
                                                    const std::vector<double>& values, const std::stop_token& stop) const {
    std::vector<SweepPoint> points;
    points.reserve(values.size());
    Params at = params;
    for (const double value : values) {
        if (stop.stop_requested()) break;
        if (family.schema()[index].kind == ParamKind::integer) {
            at.values[index] = static_cast<std::int64_t>(value);
        } else {
            at.values[index] = value;
        }
        points.push_back({value, predict(family, at, gpu, stop)});
    }
    return points;
}

}  // namespace synperf
