#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "prediction/predictor.h"

namespace synperf {

namespace {

constexpr std::size_t kMostSuggestions = 6;
constexpr double kWorthShowing = 0.002;  // of the latency

std::string described(const Explanation& explanation) {
    const Schedule& schedule = *explanation.timeline.phases()[explanation.main_phase].schedule;
    return fmt::format("{} CTAs, {:.2f} waves", schedule.task_count(), schedule.waves);
}

// The next value of a spec field that a designer or an overclocker would ask about.
struct GpuIdea {
    GpuField field;
    double factor;
    const char* label;
};
constexpr std::array kGpuIdeas{
    GpuIdea{GpuField::bandwidth_gbps, 1.25, "a quarter more DRAM bandwidth"},
    GpuIdea{GpuField::l2_mib, 2.0, "twice the L2 capacity"},
    GpuIdea{GpuField::launch_floor_us, 0.5, "half the launch latency"},
};

// Parameters that reshape the grid without changing what is computed.
bool is_grid_param(std::string_view name) { return name == "tile_m" || name == "tile_n" || name == "split_k"; }

class Ideas {
public:
    Ideas(const Predictor& predictor, const KernelFamily& family, const Explanation& now, const GpuSpec& gpu, const std::stop_token& stop)
        : predictor_(predictor), family_(family), now_(now), gpu_(gpu), stop_(stop) {}

    // Tries a change of parameter `about`; `detail` adds what the new grid looks like.
    void try_params(const Params& params, std::size_t about, const std::string& label, bool detail) {
        if (stop_.stop_requested() || params == now_.params) return;
        const auto changed = predictor_.explain(family_, params, gpu_, stop_);
        if (!changed) return;
        // A gain that no measurement stands behind is no advice.
        const auto guessed = [](const Explanation& explanation) { return explanation.prediction.confidence == Confidence::extrapolating; };
        if (guessed(**changed) && !guessed(now_)) return;
        const std::string text = detail ? fmt::format("{}: {}", label, described(**changed)) : label;
        add({text, params, std::nullopt, (*changed)->prediction.latency, 0}, about);
    }

    void try_gpu(GpuField field, double value, const std::string& label) {
        if (stop_.stop_requested() || !(value > 0)) return;
        GpuSpec changed_gpu = gpu_;
        set_field(changed_gpu, field, value, FieldFact{});
        fill_derived(changed_gpu);
        const auto changed = predictor_.predict(family_, now_.params, changed_gpu, stop_);
        if (changed) add({label, now_.params, std::pair(field, value), changed->latency, 0}, now_.params.values.size() + static_cast<std::size_t>(field));
    }

    // The largest gains first, then the least losses; one line a parameter, so that one of many choices does not fill the list.
    std::vector<WhatIf> best() && {
        std::stable_sort(ideas_.begin(), ideas_.end(), [](const Idea& a, const Idea& b) { return a.what.change < b.what.change; });
        std::vector<WhatIf> chosen;
        std::set<std::size_t> seen;
        for (Idea& idea : ideas_) {
            if (chosen.size() == kMostSuggestions) break;
            if (seen.insert(idea.about).second) chosen.push_back(std::move(idea.what));
        }
        return chosen;
    }

private:
    struct Idea {
        WhatIf what;
        std::size_t about;  // index of the parameter, or behind them of the GPU's field
    };

    void add(WhatIf what, std::size_t about) {
        what.change = what.latency / now_.prediction.latency - 1.0;
        if (std::abs(what.change) >= kWorthShowing) ideas_.push_back({std::move(what), about});
    }

    const Predictor& predictor_;
    const KernelFamily& family_;
    const Explanation& now_;
    const GpuSpec& gpu_;
    const std::stop_token& stop_;
    std::vector<Idea> ideas_;
};

}  // namespace

std::vector<WhatIf> Predictor::what_if(const KernelFamily& family, const Explanation& now, const GpuSpec& gpu, const std::stop_token& stop) const {
    Ideas ideas(*this, family, now, gpu, stop);
    const auto& schema = family.schema();

    // Hand-set values back to automatic, together and so that a bad tile is noticed.
    Params automatic = now.params;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        if (schema[i].zero_is_automatic && schema[i].kind == ParamKind::integer) automatic.values[i] = std::int64_t{0};
    }
    ideas.try_params(automatic, schema.size() + kGpuFieldCount, "everything chosen automatically", true);

    for (std::size_t i = 0; i < schema.size(); ++i) {
        if (schema[i].kind == ParamKind::choice) {
            for (const std::string& choice : schema[i].choices) {
                Params changed = now.params;
                if (changed.choice(i) == choice || choice == "auto") continue;
                changed.values[i] = choice;
                ideas.try_params(changed, i, fmt::format("{} {}", schema[i].label, choice), false);
            }
        } else if (schema[i].group == "Tile" && schema[i].kind == ParamKind::integer && is_grid_param(schema[i].name)) {
            // The neighbours of what is in use: half and double.
            for (const double factor : {0.5, 2.0}) {
                Params changed = now.params;
                const auto value = static_cast<std::int64_t>(std::lround(static_cast<double>(now.resolved.integer(i)) * factor));
                if (value < (schema[i].name == "split_k" ? 1 : 16) || value > 256 || value == now.resolved.integer(i)) continue;
                changed.values[i] = value;
                ideas.try_params(changed, i, fmt::format("{} {}", schema[i].label, value), true);
            }
        }
    }
    for (const GpuIdea& idea : kGpuIdeas) ideas.try_gpu(idea.field, gpu[idea.field] * idea.factor, idea.label);
    // Rates are stated at the tensor clock, so a higher clock is a higher rate.
    const auto rate = GpuSpec::tensor_field(now.launch.math);
    if (rate && gpu.knows(*rate) && gpu.tensor_clock() < gpu.boost_clock()) {
        ideas.try_gpu(*rate, gpu[*rate] * (gpu.boost_clock() / gpu.tensor_clock()), fmt::format("tensor clock held at {:.0f} MHz", gpu[GpuField::boost_mhz]));
    }
    return std::move(ideas).best();
}

}  // namespace synperf
