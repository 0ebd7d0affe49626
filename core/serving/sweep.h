// One plan at many settings: what fits, and how latency and throughput move.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "serving/plan.h"

namespace synperf {

enum class SweepAxis : std::uint8_t { batch, prompt, output, tp, pp, ep, count };
inline constexpr std::size_t kSweepAxes = 7;
/// "batch", as in `--sweep batch=1,2`.
[[nodiscard]] std::string_view name(SweepAxis axis);

struct SweepDimension {
    SweepAxis axis = SweepAxis::batch;
    std::vector<std::int64_t> values;  ///< each once, in the order given
};

inline constexpr std::size_t kMostSweepValues = 1024;
inline constexpr std::size_t kMostSweepPoints = 16384;

/// "batch=1,2,4..64": values and ranges. `a..b` doubles from a to b, `a..b+s` adds s; b is always in it.
[[nodiscard]] Result<SweepDimension> parse_sweep(std::string_view text);

/// A value and its 90 % interval.
struct Rate {
    double value = 0, lower = 0, upper = 0;
};

/// Output tokens a second over the whole run, of one GPU; and of one user while tokens come: 1 / TPOT.
[[nodiscard]] Rate tokens_per_second_per_gpu(const ServingResult& result, int gpus);
[[nodiscard]] Rate tokens_per_second_per_user(const ServingResult& result);

struct SweepRow {
    std::vector<std::int64_t> values;  ///< one of each dimension
    bool fits = false;                 ///< the times below are set
    bool possible = true;              ///< false: the model can not be cut like that, or the request is too long
    std::string why;                   ///< one line where it does not fit
    double needed_bytes = 0, usable_bytes = 0;  ///< of the fullest GPU, where possible
    std::int64_t largest_batch = 0;
    Estimate ttft, tpot, prefill, decode_step, total;
    Rate per_gpu, per_user;            ///< tokens a second
};

/// Sets one value. Where the plan has a GPU count of tp x pp it stays so; else the count is kept. Fails where the axis needs equal requests and the plan has a table.
[[nodiscard]] Result<void> set_axis(ServingPlan& plan, SweepAxis axis, std::int64_t value);

/// Sets all values of a row: the plan of that point.
[[nodiscard]] Result<void> set_values(ServingPlan& plan, const std::vector<SweepDimension>& dimensions, const std::vector<std::int64_t>& values);

struct SweepControl {
    std::function<void(std::size_t done, std::size_t all)> progress{};
    std::stop_token stop{};
};

/// All combinations, the last dimension fastest. A point that is impossible or does not fit is a row that says why; only
/// wrong dimensions (none, one twice, too many points) and a failed prediction are errors.
[[nodiscard]] Result<std::vector<SweepRow>> sweep(const Engine& engine, const CollectiveModel& collectives, const ServingPlan& plan, const std::vector<SweepDimension>& dimensions,
                                                  const SweepControl& control = {});

}  // namespace synperf
