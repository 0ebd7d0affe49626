// How long one forward pass takes: its kernels predicted, its messages and the host added.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serving/operator_sequence.h"

namespace synperf {

/// A time with its 90 % interval. Kernels that the analysis alone answers have an assumed one, Calibration::analytical_spread; the host's time has none.
struct Estimate {
    Seconds value, lower, upper;

    Estimate& operator+=(const Estimate& other) {
        value += other.value;
        lower += other.lower;
        upper += other.upper;
        return *this;
    }
    friend Estimate operator+(Estimate a, const Estimate& b) { return a += b; }
    friend Estimate operator*(const Estimate& a, double b) { return {a.value * b, a.lower * b, a.upper * b}; }
};

/// Time of one message between GPUs.
using CommunicationTime = std::function<Result<Estimate>(CommunicationOp op, double bytes, int ranks)>;

struct OperatorTime {
    std::string name, part;
    std::int64_t count = 0;
    Estimate each, all;       ///< one call; all `count` calls
    std::string stand_in;     ///< why a memory-bound kernel stands in
    Confidence confidence = Confidence::analytical;
    const KernelFamily* family = nullptr;  ///< with `params`: the call, for a look at the kernel itself
    Params params;
};

struct StepTime {
    std::vector<OperatorTime> operators;
    Estimate kernels;        ///< sum of the operators, communication that computation hides left out
    Estimate host;           ///< the framework's own term
    Estimate total;
};

/// Adds the framework's host time of one step on every pipeline stage, and its uncertainty, to the kernels' time.
[[nodiscard]] Estimate with_host(const Estimate& kernels, const Deployment& deployment, bool graph);
/// That host time.
[[nodiscard]] Seconds host_time(const Deployment& deployment, bool graph);

/// Factor of 1 or more on the time of tensor-bound kernels. Kernels are measured for less than a second at a time; under a server's load the
/// GPU is warm, leaks more, and has less of its power limit left for the tensor pipe: 1 / (1 - warm_loss (1 - share)), with the share of its
/// rate that the limit leaves (kernels/power.h). 1 for GPUs that the limit does not hold.
[[nodiscard]] double warm_factor(const Deployment& deployment, const Calibration& calibration);

/// Predicts steps of one model on one deployment. Calls that were seen before are not predicted again. One thread at a time.
class StepTimer {
public:
    StepTimer(const Engine& engine, LlmConfig config, Deployment deployment, CommunicationTime communication)
        : engine_(engine), config_(std::move(config)), deployment_(std::move(deployment)), communication_(std::move(communication)), warm_factor_(synperf::warm_factor(deployment_, engine.predictor.calibration())) {}

    [[nodiscard]] Result<StepTime> time(const Step& step);
    /// Several at once: all their new kernels run through the networks together.
    [[nodiscard]] Result<std::vector<StepTime>> times(const std::vector<Step>& steps);

    /// The step of a model that has one layer alone, of shape `shape`; messages with their whole time, whatever computation hides of them.
    [[nodiscard]] Result<StepTime> one_layer(const Step& step, std::size_t shape);

    [[nodiscard]] const LlmConfig& config() const { return config_; }
    [[nodiscard]] const Deployment& deployment() const { return deployment_; }
    /// Different kernel calls predicted so far.
    [[nodiscard]] std::size_t predicted() const { return known_.size(); }

private:
    struct Known {
        Estimate time;
        Confidence confidence = Confidence::analytical;
        std::string stand_in;  ///< the family could not answer, this stands in
    };

    [[nodiscard]] Result<void> learn(std::vector<std::vector<Operator>>& sequences);
    [[nodiscard]] Result<StepTime> sum(const Step& step, const std::vector<Operator>& operators, double hidden_share);

    const Engine& engine_;
    LlmConfig config_;
    Deployment deployment_;
    CommunicationTime communication_;
    double warm_factor_ = 1;
    std::map<std::string, Known, std::less<>> known_;
    std::map<std::string, Estimate, std::less<>> messages_;
};

}  // namespace synperf
