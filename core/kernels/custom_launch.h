// Working out one call of a user's kernel: from values and expressions to launches.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/custom_definition.h"

namespace synperf {

/// Evaluates a definition for one call. Errors are thrown as Error inside and carry field and line; the file is added outside.
class CustomCall {
public:
    CustomCall(const KernelDefinition& kernel, Evaluator& evaluator, const Calibration& calibration)
        : kernel_(kernel), evaluator_(evaluator), calibration_(calibration) {}

    /// Sets parameters and GPU fields, works out the definitions and checks what the file requires.
    void bind(const Params& params, const GpuSpec& gpu);
    /// The launch with its leaders and followers.
    [[nodiscard]] Launch launch(const GpuSpec& gpu);
    /// What task `index` of `launch`, this call's, works on.
    [[nodiscard]] std::string label(const Launch& launch, std::int64_t index);

private:
    [[nodiscard]] double value(const Expression& expression);
    [[nodiscard]] double value_at_least_zero(const Expression& expression, const char* what);
    [[nodiscard]] std::int64_t whole(const Expression& expression, const char* what, std::int64_t least, std::int64_t most);
    [[nodiscard]] double share(const Expression& expression, const char* what, bool zero_too);
    void define(const std::vector<LetDefinition>& lets);

    [[nodiscard]] Launch build(const LaunchDefinition& definition, const Params& params, const GpuSpec& gpu);
    void set_grid(const LaunchDefinition& definition, Launch& launch);
    void set_traffic(const LaunchDefinition& definition, Launch& launch);
    [[nodiscard]] std::string launch_name(const LaunchDefinition& definition);

    /// Called with each group of tasks that there is, in launch order, with its count; false stops.
    using Visit = std::function<bool(const TaskDefinition& group, std::int64_t count)>;
    bool walk(const std::vector<TaskDefinition>& tasks, const Visit& visit);
    [[nodiscard]] TaskGroup group_of(const TaskDefinition& definition, std::int64_t count);
    void count_step(const TaskDefinition& at);

    const KernelDefinition& kernel_;
    Evaluator& evaluator_;
    const Calibration& calibration_;
    const Params* params_ = nullptr;
    std::int64_t steps_ = 0;  // groups and range steps of this launch so far
    std::vector<const TaskDefinition*> ranges_;  // open ones, outermost first
};

}  // namespace synperf
