// A user's kernel as its file states it: every expression checked, names turned into slots.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/custom_expression.h"
#include "kernels/kernel_family.h"
#include "kernels/launch.h"

namespace synperf {

/// A named intermediate value.
struct LetDefinition {
    std::size_t slot = 0;
    Expression value;
};

/// Equal tasks, or a range of whole numbers over which inner groups are repeated.
struct TaskDefinition {
    std::string label;                  ///< for people: "full tiles"
    Expression count;
    PerPipe<std::optional<Expression>> demand;
    std::optional<Expression> steps, cost;

    bool is_range = false;              ///< from here on: of a range
    std::string variable;
    std::size_t slot = 0;
    Expression from, to;                ///< to is not included
    std::vector<LetDefinition> lets;
    std::vector<TaskDefinition> inner;
    std::string field;
    int line = 0;
};

/// A launch name with values in it: text, then the value of `slot` where there is one.
struct NamePiece {
    std::string text;
    std::optional<std::size_t> slot;
};

struct LaunchDefinition {
    std::vector<NamePiece> name;
    std::vector<Expression> grid;       ///< 0 to 3 sizes; none: as many CTAs as there are tasks
    Expression block, registers, smem;
    std::optional<Expression> cluster, barrier_ctas, math, workers, repeats, tensor_rate, l2_rate, fill, floor_share, reads, writes, dram_reads, reuse, useful_flop;
    SchedulerKind scheduler = SchedulerKind::hardware;
    std::optional<std::size_t> scheduler_param;  ///< a choice parameter that names the scheduler instead
    std::vector<TaskDefinition> tasks;
    std::string field;                  ///< "launch", "followers[0]"
    int line = 0;
};

/// What parameters must fulfil together.
struct Requirement {
    Expression that;
    std::string message;
};

struct KernelDefinition {
    std::string id, title, summary, source;
    std::string file;
    int id_line = 0;
    std::vector<ParamSchema> schema;
    std::vector<Preset> presets;
    std::vector<LetDefinition> lets;
    std::vector<Requirement> requirements;
    std::vector<LaunchDefinition> launches;  ///< leaders, the launch, followers
    std::size_t main = 0;                    ///< index of the launch

    std::size_t slots = 0;                   ///< parameters first, then GPU fields in their order, then the rest
    std::vector<std::size_t> gpu_fields;     ///< of expression_gpu_names(), those that any expression uses
    std::vector<std::vector<double>> choice_codes;  ///< by parameter and choice: the constant of that name
    std::map<std::string, double, std::less<>> constants;
    std::vector<Expression> texts;           ///< every expression that is no plain number

    [[nodiscard]] std::size_t gpu_slot(std::size_t field) const { return schema.size() + field; }
};

/// What expressions can use of a GPU: the fields of a spec by their keys, and its compute capability as a number.
[[nodiscard]] const std::vector<std::string>& expression_gpu_names();
/// NaN where the GPU does not state it.
[[nodiscard]] double expression_gpu_value(const GpuSpec& gpu, std::size_t name);

/// Names of SchedulerKind as kernel files write them, in its order.
inline constexpr std::array<std::string_view, 5> kSchedulerNames{"hardware", "persistent_static", "persistent_queue", "persistent_longest_first",
                                                                 "persistent_assigned"};

inline constexpr std::size_t kMaxKernelFileBytes = 256 * 1024;  ///< a larger file is refused unread

/// Parses one kernel file as specs/schema/kernel.schema.json describes it. `file` is for messages, which carry field and line.
[[nodiscard]] Result<KernelDefinition> parse_kernel_json(std::string_view text, const std::string& file);

}  // namespace synperf
