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

// A call's launches in order of time, each with the machine it runs on. One of them, `main`, is the launch itself.
struct Candidate {
    Launch launch;
    std::vector<Machine> machines;
    double seconds = 0;  // estimate for ranking
    std::size_t compared = 1;

    [[nodiscard]] std::size_t main() const { return launch.leaders.size(); }
    [[nodiscard]] const Machine& main_machine() const { return machines[main()]; }
};

struct Simulated {
    std::shared_ptr<const Schedule> main;
    std::vector<std::shared_ptr<const Schedule>> schedules;  // of every launch, in order of time; empty where only the sums are wanted
    std::vector<SideRun> leaders, followers;
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
        // Candidates differ in the launches that come with them: a split needs a reduction.
        for (const std::vector<Launch>* side : {&launch.leaders, &launch.followers}) {
            for (const Launch& other : *side) {
                const auto other_machine = machine_for(other, gpu, calibration, machine->clock);
                if (other_machine) seconds += other.start.value + estimate_makespan(other, *other_machine) / machine->clock.value;
            }
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
    candidate.seconds = best_seconds;
    for (const Launch* launch : sequence(candidate.launch)) {
        if (launch == &candidate.launch) {
            candidate.machines.push_back(best_machine);
            continue;
        }
        auto machine = machine_for(*launch, gpu, calibration, best_machine.clock);
        if (!machine) return tl::unexpected(machine.error());
        candidate.machines.push_back(*machine);
    }
    return candidate;
}

enum class Keep : std::uint8_t { sums, schedules };

Result<Simulated> simulate_candidate(const Candidate& candidate, Keep keep, const std::stop_token& stop) {
    Simulated simulated;
    const auto launches = sequence(candidate.launch);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const Launch& launch = *launches[i];
        const Machine& machine = candidate.machines[i];
        const bool is_main = i == candidate.main();
        double makespan = 0;
        if (!is_main && keep == Keep::sums && has_closed_form(launch, machine)) {
            makespan = estimate_makespan(launch, machine);
        } else {
            auto schedule = run_schedule(launch, machine, Detail::closed_form, stop);
            if (!schedule) return tl::unexpected(schedule.error());
            makespan = schedule->makespan_cycles;
            if (is_main || keep == Keep::schedules) {
                auto kept = std::make_shared<const Schedule>(std::move(*schedule));
                if (is_main) simulated.main = kept;
                if (keep == Keep::schedules) simulated.schedules.push_back(std::move(kept));
            }
        }
        if (is_main) continue;
        // Between two launches of a sequence lies the start of the later one; it belongs to the one that is not main.
        const bool leads = i < candidate.main();
        const Seconds start = leads ? launches[i + 1]->start : launch.start;
        (leads ? simulated.leaders : simulated.followers).push_back({&launch, &machine, start + Cycles{makespan} / machine.clock});
    }
    return simulated;
}

Analysis analyse_candidate(const Candidate& candidate, const Simulated& simulated, const GpuSpec& gpu) {
    return analyse({candidate.launch, candidate.main_machine(), *simulated.main}, simulated.leaders, simulated.followers, gpu);
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

// The time axis: launch, then each kernel after its own start.
Timeline timeline_of(const Candidate& candidate, const Simulated& simulated) {
    const Hertz clock = candidate.main_machine().clock;
    const auto launches = sequence(candidate.launch);
    std::vector<TimelinePhase> phases;
    double at = (candidate.main_machine().launch_floor * clock).value;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (i > 0) at += (launches[i]->start * clock).value;
        phases.push_back({launches[i]->kernel, simulated.schedules[i], at});
        at += simulated.schedules[i]->makespan_cycles;
    }
    return Timeline(std::move(phases), clock);
}

}  // namespace

Result<Prediction> Predictor::predict(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const std::stop_token& stop) const {
    const auto candidate = best_candidate(family, params, gpu, calibration_);
    if (!candidate) return tl::unexpected(candidate.error());
    const auto simulated = simulate_candidate(*candidate, Keep::sums, stop);
    if (!simulated) return tl::unexpected(simulated.error());
    return prediction_of(analyse_candidate(*candidate, *simulated, gpu));
}

Result<std::shared_ptr<const Explanation>> Predictor::explain(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                                              const std::stop_token& stop) const {
    auto candidate = best_candidate(family, params, gpu, calibration_);
    if (!candidate) return tl::unexpected(candidate.error());
    auto simulated = simulate_candidate(*candidate, Keep::schedules, stop);
    if (!simulated) return tl::unexpected(simulated.error());
    auto explanation = std::make_shared<Explanation>();
    explanation->analysis = analyse_candidate(*candidate, *simulated, gpu);
    explanation->prediction = prediction_of(explanation->analysis);
    explanation->timeline = timeline_of(*candidate, *simulated);
    explanation->candidates = candidate->compared;
    explanation->main_phase = candidate->main();
    explanation->machine = candidate->main_machine();
    explanation->phase_machines = std::move(candidate->machines);
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
