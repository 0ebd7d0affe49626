#include "serving/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"
#include "serving/communication.h"

namespace synperf {

namespace {

constexpr std::array<std::string_view, kSweepAxes> kNames{"batch", "prompt", "output", "tp", "pp", "ep", "count"};

bool of_workload(SweepAxis axis) { return axis == SweepAxis::batch || axis == SweepAxis::prompt || axis == SweepAxis::output; }

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size() || value < 1 || value > kLongestRequest) return std::nullopt;
    return value;
}

// One part between commas: a number, or a range.
Result<void> add_part(std::string_view part, std::vector<std::int64_t>& values) {
    const auto wrong = [&](std::string_view why) { return failure(fmt::format("\"{}\" {}", shown(std::string(part)), why), "--sweep"); };
    const std::size_t dots = part.find("..");
    if (dots == std::string_view::npos) {
        const auto value = whole(part);
        if (!value) return wrong(fmt::format("is not a whole number from 1 to {}", kLongestRequest));
        values.push_back(*value);
        return {};
    }
    std::string_view end = part.substr(dots + 2), step;
    const std::size_t plus = end.find('+');
    if (plus != std::string_view::npos) {
        step = end.substr(plus + 1);
        end = end.substr(0, plus);
    }
    const auto first = whole(part.substr(0, dots)), last = whole(end), added = plus == std::string_view::npos ? std::optional<std::int64_t>(0) : whole(step);
    if (!first || !last || !added) return wrong("is not a range: 4..64 doubles, 4..64+4 adds 4");
    if (*last < *first) return wrong("ends before it begins");
    for (std::int64_t value = *first; value < *last; value += *added > 0 ? *added : value) {
        if (values.size() >= kMostSweepValues) return wrong(fmt::format("has more than {} values", kMostSweepValues));
        values.push_back(value);
    }
    values.push_back(*last);
    return {};
}

void keep_first_of_each(std::vector<std::int64_t>& values) {
    std::vector<std::int64_t> kept;
    for (const std::int64_t value : values) {
        if (std::ranges::find(kept, value) == kept.end()) kept.push_back(value);
    }
    values = std::move(kept);
}

Result<std::size_t> check(const std::vector<SweepDimension>& dimensions) {
    if (dimensions.empty()) return failure("nothing to sweep: batch=1,2,4..64", "--sweep");
    std::size_t points = 1;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (dimensions[i].values.empty()) return failure(fmt::format("{} has no values", name(dimensions[i].axis)), "--sweep");
        for (std::size_t j = 0; j < i; ++j) {
            if (dimensions[j].axis == dimensions[i].axis) return failure(fmt::format("{} is swept twice", name(dimensions[i].axis)), "--sweep");
        }
        points *= dimensions[i].values.size();
        if (points > kMostSweepPoints) return failure(fmt::format("more than {} points", kMostSweepPoints), "--sweep");
    }
    return points;
}

std::vector<std::int64_t> values_at(const std::vector<SweepDimension>& dimensions, std::size_t point) {
    std::vector<std::int64_t> values(dimensions.size());
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        values[i] = dimensions[i].values[point % dimensions[i].values.size()];
        point /= dimensions[i].values.size();
    }
    return values;
}

// The timer of the last deployment: neighbouring points that differ in their requests alone share what it predicted.
class LastTimer {
public:
    LastTimer(const Engine& engine, const CollectiveModel& collectives) : engine_(engine), collectives_(collectives) {}

    StepTimer& of(const ServingPlan& plan, const std::vector<std::int64_t>& cut) {
        if (!timer_ || cut != cut_) {
            timer_ = std::make_unique<StepTimer>(engine_, plan.config, plan.deployment, communication_of(collectives_, plan.deployment, plan.topology));
            cut_ = cut;
        }
        return *timer_;
    }

private:
    const Engine& engine_;
    const CollectiveModel& collectives_;
    std::unique_ptr<StepTimer> timer_;
    std::vector<std::int64_t> cut_;
};

void fill(SweepRow& row, const ServedPlan& served, int gpus) {
    row.needed_bytes = served.memory.needed;
    row.usable_bytes = served.memory.usable;
    row.largest_batch = served.largest_batch();
    row.fits = served.result.has_value();
    if (!row.fits) {
        row.why = served.does_not_fit().message;
        return;
    }
    const ServingResult& result = *served.result;
    row.ttft = result.ttft;
    row.tpot = result.tpot;
    row.prefill = result.prefill;
    row.decode_step = result.decode_step;
    row.total = result.total;
    row.per_gpu = tokens_per_second_per_gpu(result, gpus);
    row.per_user = tokens_per_second_per_user(result);
}

}  // namespace

std::string_view name(SweepAxis axis) { return kNames[static_cast<std::size_t>(axis)]; }

Result<SweepDimension> parse_sweep(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view axis = text.substr(0, equals);
    const auto found = std::ranges::find(kNames, axis);
    if (found == kNames.end()) {
        const std::vector<std::string> names(kNames.begin(), kNames.end());
        return failure(fmt::format("\"{}\" can not be swept, possible are {}{}", shown(std::string(axis)), fmt::join(names, ", "), did_you_mean(axis, names)), "--sweep");
    }
    if (equals == std::string_view::npos) return failure(fmt::format("{0} has no values: {0}=1,2,4..64", axis), "--sweep");
    SweepDimension dimension{static_cast<SweepAxis>(found - kNames.begin()), {}};
    for (std::size_t begin = equals + 1; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (auto added = add_part(text.substr(begin, end - begin), dimension.values); !added) return tl::unexpected<Error>(added.error());
        if (dimension.values.size() > kMostSweepValues) return failure(fmt::format("{} has more than {} values", axis, kMostSweepValues), "--sweep");
        begin = end + 1;
    }
    keep_first_of_each(dimension.values);
    return dimension;
}

Rate tokens_per_second_per_gpu(const ServingResult& result, int gpus) {
    const double tokens = result.output_tokens / gpus;
    const auto rate = [tokens](Seconds time) { return time.value > 0 ? tokens / time.value : 0.0; };
    return {rate(result.total.value), rate(result.total.upper), rate(result.total.lower)};
}

Rate tokens_per_second_per_user(const ServingResult& result) {
    const auto rate = [](Seconds time) { return time.value > 0 ? 1.0 / time.value : 0.0; };
    return {rate(result.tpot.value), rate(result.tpot.upper), rate(result.tpot.lower)};
}

namespace {

Result<void> assign(ServingPlan& plan, SweepAxis axis, std::int64_t value) {
    if (of_workload(axis)) {
        if (!plan.shape) return failure(fmt::format("{} can only be swept for equal requests, not for a table of them", name(axis)), "--sweep");
        (axis == SweepAxis::batch ? plan.shape->batch : axis == SweepAxis::prompt ? plan.shape->prompt : plan.shape->output) = value;
        return {};
    }
    Deployment& deployment = plan.deployment;
    // Larger ones are refused as such by check_deployment.
    const int cut = static_cast<int>(std::min<std::int64_t>(value, 4096));
    (axis == SweepAxis::tp ? deployment.tp : axis == SweepAxis::pp ? deployment.pp : axis == SweepAxis::ep ? deployment.ep : deployment.count) = cut;
    return {};
}

}  // namespace

Result<void> set_axis(ServingPlan& plan, SweepAxis axis, std::int64_t value) {
    const std::vector<SweepDimension> one{{axis, {value}}};
    return set_values(plan, one, {value});
}

Result<void> set_values(ServingPlan& plan, const std::vector<SweepDimension>& dimensions, const std::vector<std::int64_t>& values) {
    Deployment& deployment = plan.deployment;
    bool derived = deployment.count == deployment.tp * deployment.pp;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (auto set = assign(plan, dimensions[i].axis, values[i]); !set) return set;
        derived = derived && dimensions[i].axis != SweepAxis::count;
    }
    if (derived) deployment.count = deployment.tp * deployment.pp;
    return {};
}

Result<std::vector<SweepRow>> sweep(const Engine& engine, const CollectiveModel& collectives, const ServingPlan& plan, const std::vector<SweepDimension>& dimensions, const SweepControl& control) {
    const auto points = check(dimensions);
    if (!points) return tl::unexpected<Error>(points.error());
    // Deployments outermost, so that a timer serves all requests of its deployment; rows are put where they belong.
    std::vector<std::pair<std::vector<std::int64_t>, std::size_t>> order;
    for (std::size_t point = 0; point < *points; ++point) {
        std::vector<std::int64_t> cut;
        const auto values = values_at(dimensions, point);
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            if (!of_workload(dimensions[i].axis)) cut.push_back(values[i]);
        }
        order.emplace_back(std::move(cut), point);
    }
    std::ranges::stable_sort(order, {}, &std::pair<std::vector<std::int64_t>, std::size_t>::first);
    std::vector<SweepRow> rows(*points);
    LastTimer timer(engine, collectives);
    std::size_t done = 0;
    for (const auto& [cut, point] : order) {
        if (control.stop.stop_requested()) return failure("cancelled");
        SweepRow& row = rows[point];
        row.values = values_at(dimensions, point);
        ServingPlan at = plan;
        if (auto set = set_values(at, dimensions, row.values); !set) return tl::unexpected<Error>(set.error());
        const auto possible = check_deployment(at.config, at.deployment);
        const auto requests = possible ? at.workload() : Result<Workload>(tl::unexpected<Error>(possible.error()));
        if (!requests) {
            row.possible = false;
            row.why = requests.error().to_string();
        } else {
            const auto served = serve_plan(timer.of(at, cut), at, {{}, control.stop, false});
            if (!served) return tl::unexpected<Error>(served.error());
            fill(row, *served, at.deployment.count);
        }
        if (control.progress) control.progress(++done, *points);
    }
    return rows;
}

}  // namespace synperf
