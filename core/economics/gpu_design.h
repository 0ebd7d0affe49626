// What a change of a GPU's design buys: one or several of its rates and sizes scaled, and how much each of them matters.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "economics/ranking.h"

namespace synperf {

/// What a designer can turn; each leaves the others as they are.
enum class DesignKnob : std::uint8_t {
    sms,           ///< their number, with the GPU's tensor and FMA rates; L2 and DRAM stay
    clock,         ///< of the SMs, with those rates; L2 and DRAM have clocks of their own
    dram,          ///< bandwidth
    l2_bandwidth,
    l2_size,
    tensor         ///< rate of every format
};
inline constexpr std::array kDesignKnobs{DesignKnob::sms, DesignKnob::clock, DesignKnob::dram, DesignKnob::l2_bandwidth, DesignKnob::l2_size, DesignKnob::tensor};
[[nodiscard]] std::string_view name(DesignKnob knob);   ///< "l2_size", on the command line and in files
[[nodiscard]] std::string_view label(DesignKnob knob);  ///< "L2 size"
[[nodiscard]] std::optional<DesignKnob> parse_design_knob(std::string_view text);

/// A factor for each knob, 1 leaves it.
struct DesignChange {
    std::array<double, kDesignKnobs.size()> factors{1, 1, 1, 1, 1, 1};

    [[nodiscard]] double operator[](DesignKnob knob) const { return factors[static_cast<std::size_t>(knob)]; }
    [[nodiscard]] double& operator[](DesignKnob knob) { return factors[static_cast<std::size_t>(knob)]; }
    [[nodiscard]] bool none() const { return *this == DesignChange{}; }
    friend bool operator==(const DesignChange&, const DesignChange&) = default;
};
inline constexpr double kLeastFactor = 0.1, kMostFactor = 10;

/// "SMs x1.2, L2 size x2"; empty where nothing changes.
[[nodiscard]] std::string describe(const DesignChange& change);
/// "sms=1.2,l2_size=2"; fails for an unknown knob, or a factor outside kLeastFactor to kMostFactor.
[[nodiscard]] Result<DesignChange> parse_design_change(std::string_view text);

/// Whether the spec knows what the knob turns.
[[nodiscard]] bool can_turn(const GpuSpec& gpu, DesignKnob knob);
/// `gpu` with the change, under the same id and name. The number of SMs is rounded, and rates follow the rounded one. Fails where a value leaves the range of its field.
[[nodiscard]] Result<GpuSpec> redesigned(const GpuSpec& gpu, const DesignChange& change);
/// The change that turns `base` into `gpu`, as far as knobs do: what redesigned() made, several times over or not.
[[nodiscard]] DesignChange change_between(const GpuSpec& base, const GpuSpec& gpu);
/// "NAME: SMs x1.2", shortened at the end of the name to what a spec's name may be.
[[nodiscard]] std::string redesigned_name(const std::string& name, const DesignChange& change);
inline constexpr std::string_view kEditedEnding = "-edited";
/// A copy of the user's under an id that none of `taken` has: "H100-SXM5-80GB-edited", then "-edited-2".
[[nodiscard]] GpuSpec edited_copy(GpuSpec gpu, const std::vector<std::string>& taken);

/// Latency of whatever is looked at on that GPU.
using GpuLatency = std::function<Result<Estimate>(const GpuSpec& gpu)>;
/// Of a kernel call. What it is given must outlive it.
[[nodiscard]] GpuLatency kernel_latency(const Predictor& predictor, const KernelFamily& family, const Params& params, std::stop_token stop = {});
/// Of a whole query on `tp` GPUs: its times, and what they stand on. What it is given must outlive it.
using GpuServing = std::function<Result<ServingResult>(const GpuSpec& gpu)>;
[[nodiscard]] GpuServing query_result(const Engine& engine, const CollectiveModel& collectives, const RankingRequest& request, int tp, std::stop_token stop = {});
/// The whole query's time of that.
[[nodiscard]] GpuLatency query_latency(const Engine& engine, const CollectiveModel& collectives, const RankingRequest& request, int tp, std::stop_token stop = {});

struct Sensitivity {
    DesignKnob knob = DesignKnob::sms;
    std::optional<Seconds> less, more;               ///< latency with that much less and more of it; unset where no GPU can have that
    std::optional<double> less_change, more_change;  ///< latency / now - 1

    [[nodiscard]] double most() const;  ///< the larger of the two changes, without its sign
};
inline constexpr double kSensitivityShare = 0.2;

/// Every knob that can be turned, alone, 20 % down and up; those that matter most first. `now`: the latency of `gpu` where it is known already.
[[nodiscard]] Result<std::vector<Sensitivity>> sensitivities(const GpuLatency& latency, const GpuSpec& gpu, std::optional<Estimate> now = std::nullopt);

}  // namespace synperf
