#include "prediction/predictor.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace synperf {

std::string_view name(Confidence confidence) {
    constexpr std::array<std::string_view, 4> kNames{"measured-range", "near", "extrapolating", "analytical"};
    return kNames[static_cast<std::size_t>(confidence)];
}

namespace {

constexpr const char* kAnalyticalProvenance = "analytical model, without a learned model";

// A call's launches in order of time, each with the machine it runs on. One of them, `main`, is the launch itself.
struct Candidate {
    Launch launch;
    std::vector<Machine> machines;

    [[nodiscard]] std::size_t main() const { return launch.leaders.size(); }
    [[nodiscard]] const Machine& main_machine() const { return machines[main()]; }
};

// The launches of a call in order of time.
std::vector<const Launch*> sequence(const Launch& main) {
    std::vector<const Launch*> launches;
    launches.reserve(main.leaders.size() + 1 + main.followers.size());
    for (const Launch& leader : main.leaders) launches.push_back(&leader);
    launches.push_back(&main);
    for (const Launch& follower : main.followers) launches.push_back(&follower);
    return launches;
}

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

class Timer final : public LaunchTimer {
public:
    Timer(const GpuSpec& gpu, const Calibration& calibration) : gpu_(gpu), calibration_(calibration) {}

    [[nodiscard]] Result<Seconds> time(const Launch& launch) const override {
        const auto machine = machine_for(launch, gpu_, calibration_);
        if (!machine) return tl::unexpected(machine.error());
        Seconds time = Cycles{estimate_makespan(launch, *machine)} / machine->clock;
        for (const std::vector<Launch>* side : {&launch.leaders, &launch.followers}) {
            for (const Launch& other : *side) {
                const auto other_machine = machine_for(other, gpu_, calibration_, machine->clock);
                if (!other_machine) return tl::unexpected(other_machine.error());
                time += other.start + Cycles{estimate_makespan(other, *other_machine)} / machine->clock;
            }
        }
        return time;
    }

private:
    const GpuSpec& gpu_;
    const Calibration& calibration_;
};

// The launch that the family chooses, with the machine of each launch of the call.
Result<Candidate> best_candidate(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const Calibration& calibration) {
    if (auto checked = check_params(family, params); !checked) return tl::unexpected(checked.error());
    auto launch = family.choose(params, gpu, Timer(gpu, calibration));
    if (!launch) return tl::unexpected(launch.error());
    Candidate candidate{std::move(*launch), {}};
    const auto main = machine_for(candidate.launch, gpu, calibration);
    if (!main) return tl::unexpected(main.error());
    candidate.machines.reserve(candidate.launch.leaders.size() + 1 + candidate.launch.followers.size());
    for (const Launch* each : sequence(candidate.launch)) {
        auto machine = each == &candidate.launch ? main : machine_for(*each, gpu, calibration, main->clock);
        if (!machine) return tl::unexpected(machine.error());
        candidate.machines.push_back(*machine);
    }
    return candidate;
}

// The launches beside the main one, with their lengths; `makespan_of(i)` is that of the i-th launch in order of time.
struct Sides {
    std::vector<SideRun> leaders, followers;
};

template <class MakespanOf>
Result<Sides> sides_of(const Candidate& candidate, const MakespanOf& makespan_of) {
    Sides sides;
    const auto launches = sequence(candidate.launch);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (i == candidate.main()) continue;
        const Result<double> makespan = makespan_of(i, *launches[i]);
        if (!makespan) return tl::unexpected(makespan.error());
        // Between two launches of a sequence lies the start of the later one; it belongs to the one that is not main.
        const bool leads = i < candidate.main();
        const Seconds start = leads ? launches[i + 1]->start : launches[i]->start;
        const Machine& machine = candidate.machines[i];
        (leads ? sides.leaders : sides.followers).push_back({launches[i], &machine, start + Cycles{*makespan} / machine.clock});
    }
    return sides;
}

Seconds total_time(const std::vector<SideRun>& runs) {
    Seconds total;
    for (const SideRun& run : runs) total += run.time;
    return total;
}

Result<double> makespan_of(const Launch& launch, const Machine& machine, const std::stop_token& stop) {
    if (has_closed_form(launch, machine)) return estimate_makespan(launch, machine);
    const auto schedule = run_schedule(launch, machine, Detail::totals, stop);
    if (!schedule) return tl::unexpected(schedule.error());
    return schedule->makespan_cycles;
}

// Demands of a user's kernel can be any numbers.
Result<void> check_finite(const CallTimes& times) {
    if (!std::isfinite(times.latency.value) || !std::isfinite(times.ceiling.value)) return failure("the numbers are too large to be timed");
    return {};
}

Prediction prediction_of(const CallTimes& times) {
    Prediction prediction;
    prediction.latency = times.latency;
    prediction.analytical = times.latency;
    prediction.ceiling = times.ceiling;
    prediction.roofline = times.roofline;
    prediction.efficiency = times.latency.value > 0 ? times.ceiling / times.latency : 1.0;
    prediction.bound = times.bound;
    prediction.provenance = kAnalyticalProvenance;
    return prediction;
}

// The time axis: launch, then each kernel after its own start.
Timeline timeline_of(const Candidate& candidate, const std::vector<std::shared_ptr<const Schedule>>& schedules) {
    const Hertz clock = candidate.main_machine().clock;
    const auto launches = sequence(candidate.launch);
    std::vector<TimelinePhase> phases;
    double at = (candidate.main_machine().launch_floor * clock).value;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (i > 0) at += (launches[i]->start * clock).value;
        phases.push_back({launches[i]->kernel, schedules[i], at});
        at += schedules[i]->makespan_cycles;
    }
    return Timeline(std::move(phases), clock);
}

}  // namespace

Result<AnalysedCall> Predictor::analyse_call(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const std::stop_token& stop) const {
    auto candidate = best_candidate(family, params, gpu, calibration_);
    if (!candidate) return tl::unexpected(candidate.error());
    const auto sides = sides_of(*candidate, [&](std::size_t i, const Launch& launch) { return makespan_of(launch, candidate->machines[i], stop); });
    if (!sides) return tl::unexpected(sides.error());
    AnalysedCall call;
    const Machine& machine = candidate->main_machine();
    if (has_closed_form(candidate->launch, machine)) {
        call.makespan = {estimate_makespan(candidate->launch, machine)};
        call.work = uniform_work(candidate->launch, machine);
    } else {
        const auto schedule = run_schedule(candidate->launch, machine, Detail::totals, stop);
        if (!schedule) return tl::unexpected(schedule.error());
        call.makespan = {schedule->makespan_cycles};
        call.work = pipe_work({candidate->launch, machine, *schedule});
    }
    call.times = call_times(candidate->launch, machine, call.work, call.makespan.value, sides->leaders, sides->followers);
    if (auto finite = check_finite(call.times); !finite) return tl::unexpected(finite.error());
    call.leaders = total_time(sides->leaders);
    call.followers = total_time(sides->followers);
    call.machine = std::move(candidate->machines[candidate->main()]);
    call.launch = std::move(candidate->launch);
    return call;
}

Result<Prediction> Predictor::predict(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const std::stop_token& stop) const {
    auto call = prepare(family, params, gpu, stop);
    if (!call) return tl::unexpected(call.error());
    PendingPrediction* const one = &*call;
    complete({&one, 1});
    return std::move(call->prediction);
}

Result<PendingPrediction> Predictor::prepare(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const std::stop_token& stop) const {
    const auto call = analyse_call(family, params, gpu, stop);
    if (!call) return tl::unexpected(call.error());
    return pending(family, params, gpu, *call, prediction_of(call->times), *models_);
}

Result<std::shared_ptr<const Explanation>> Predictor::explain(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                                              const std::stop_token& stop) const {
    auto candidate = best_candidate(family, params, gpu, calibration_);
    if (!candidate) return tl::unexpected(candidate.error());
    std::vector<std::shared_ptr<const Schedule>> schedules;
    for (const Launch* launch : sequence(candidate->launch)) {
        auto schedule = run_schedule(*launch, candidate->machines[schedules.size()], Detail::closed_form, stop);
        if (!schedule) return tl::unexpected(schedule.error());
        schedules.push_back(std::make_shared<const Schedule>(std::move(*schedule)));
    }
    const auto sides = sides_of(*candidate, [&](std::size_t i, const Launch&) -> Result<double> { return schedules[i]->makespan_cycles; });
    if (!sides) return tl::unexpected(sides.error());
    auto explanation = std::make_shared<Explanation>();
    explanation->analysis = analyse({candidate->launch, candidate->main_machine(), *schedules[candidate->main()]}, sides->leaders, sides->followers, gpu);
    const CallTimes& times = explanation->analysis.times;
    if (auto finite = check_finite(times); !finite) return tl::unexpected(finite.error());
    explanation->timeline = timeline_of(*candidate, schedules);
    explanation->candidates = candidate->launch.compared;
    explanation->main_phase = candidate->main();
    explanation->machine = candidate->main_machine();
    explanation->phase_machines = std::move(candidate->machines);
    explanation->params = params;
    explanation->resolved = params;
    for (const ChosenParam& chosen : candidate->launch.chosen) explanation->resolved.values[chosen.index] = chosen.value;
    explanation->notes = candidate->launch.notes;
    if (candidate->launch.task_count() == 0) explanation->idle = zero_counts(family.schema(), params);
    for (const std::size_t index : explanation->idle) {
        explanation->notes.push_back(fmt::format("{} is 0: there is nothing to do, only the launch is timed", family.schema()[index].name));
    }
    if (gpu.vendor != "NVIDIA") {
        explanation->notes.push_back(fmt::format("{} is scheduled with rules and kernels made for NVIDIA GPUs: a sketch, not a prediction", gpu.name));
    }
    AnalysedCall call{std::move(candidate->launch), explanation->machine, explanation->analysis.work, times, explanation->analysis.makespan, total_time(sides->leaders), total_time(sides->followers)};
    PendingPrediction learned = pending(family, params, gpu, call, prediction_of(times), *models_);
    PendingPrediction* const one = &learned;
    complete({&one, 1});
    explanation->prediction = std::move(learned.prediction);
    if (explanation->prediction.latency.value > 0) explanation->analysis.roofline.achieved_tflops *= times.latency / explanation->prediction.latency;
    // What measured kernels do beyond the analysis, so that the parts still add up.
    const Seconds beyond = explanation->prediction.latency - times.latency;
    if (beyond.value != 0) {
        explanation->analysis.parts.push_back({PartKind::learned, beyond.value < 0 ? "Measured kernels are faster" : "Measured kernels are slower",
                                               "What the learned model adds to the analysis.", beyond});
    }
    explanation->launch = std::move(call.launch);
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
