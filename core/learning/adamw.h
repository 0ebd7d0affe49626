// AdamW, learning-rate schedules and the moving average of weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learning/floats.h"
#include "learning/network_kernels.h"

namespace synperf {

struct AdamwState {
    Floats first, second;  ///< moments, one a parameter
    std::uint64_t steps = 0;
};

/// A run of parameters that decay together.
struct ParameterRun {
    std::size_t begin;
    std::size_t count;
    bool decays;  ///< weights do; biases and batch-norm parameters do not
};

struct AdamwSettings {
    double learning_rate = 1e-3;
    double weight_decay = 1e-4;  ///< decoupled: each step keeps 1 - learning_rate x weight_decay of a weight
    double clip = 1.0;           ///< largest Euclidean norm of a gradient; 0 = none
};

/// One step; the usual beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8. A gradient that is not finite changes nothing.
void adamw_step(Floats& parameters, const Floats& gradient, AdamwState& state, const std::vector<ParameterRun>& runs,
                const AdamwSettings& settings, const NetworkKernels& kernels);

struct Schedule {
    enum class Kind { constant, cosine, plateau };
    Kind kind = Kind::cosine;
    double warm_up_epochs = 1.0;  ///< the rate rises linearly over them; may be a fraction
    double floor = 1e-6;          ///< lowest learning rate
    double factor = 0.6;          ///< plateau: multiplies the rate ...
    std::size_t patience = 45;    ///< ... after more than this many epochs without a better validation loss
};

/// What a plateau schedule remembers.
struct PlateauState {
    double scale = 1.0;
    double best = 0.0;
    std::size_t stagnant = 0;
    bool started = false;
};
/// Takes note of an epoch's validation loss.
void note_epoch(PlateauState& state, const Schedule& schedule, double validation_loss);
/// Learning rate at `epoch` (a fraction of the way in; 0 = start) of `epochs`.
[[nodiscard]] double learning_rate_at(const Schedule& schedule, const PlateauState& state, double peak, double epoch, double epochs);

/// Share of the newest weights in a moving average that keeps `decay` of itself a step, larger in the first steps so that the start is
/// forgotten: 1 - min(decay, (1 + step) / (10 + step)).
[[nodiscard]] double average_share(double decay, std::uint64_t step);

}  // namespace synperf
