#include "learning/adamw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace synperf {

namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

}  // namespace

void adamw_step(Floats& parameters, const Floats& gradient, AdamwState& state, const std::vector<ParameterRun>& runs,
                const AdamwSettings& settings, const NetworkKernels& kernels) {
    const double norm = std::sqrt(kernels.squared_norm(gradient.data(), gradient.size()));
    if (!std::isfinite(norm)) return;
    state.first.resize(parameters.size(), 0.0F);
    state.second.resize(parameters.size(), 0.0F);
    const double step = static_cast<double>(++state.steps);
    AdamwFactors factors{
        .gradient_scale = settings.clip > 0.0 && norm > settings.clip ? static_cast<float>(settings.clip / norm) : 1.0F,
        .beta1 = static_cast<float>(kBeta1),
        .beta2 = static_cast<float>(kBeta2),
        .step = static_cast<float>(settings.learning_rate / (1.0 - std::pow(kBeta1, step))),
        .inverse_bias2 = static_cast<float>(1.0 / (1.0 - std::pow(kBeta2, step))),
        .epsilon = static_cast<float>(kEpsilon),
        .keep = 1.0F,
    };
    for (const ParameterRun& run : runs) {
        factors.keep = run.decays ? static_cast<float>(1.0 - settings.learning_rate * settings.weight_decay) : 1.0F;
        kernels.adamw(parameters.data() + run.begin, gradient.data() + run.begin, state.first.data() + run.begin,
                      state.second.data() + run.begin, run.count, factors);
    }
}

void note_epoch(PlateauState& state, const Schedule& schedule, double validation_loss) {
    if (schedule.kind != Schedule::Kind::plateau) return;
    if (!state.started || validation_loss < state.best * (1.0 - 1e-4)) {  // as PyTorch's relative threshold
        state.started = true;
        state.best = validation_loss;
        state.stagnant = 0;
    } else if (++state.stagnant > schedule.patience) {
        state.scale *= schedule.factor;
        state.stagnant = 0;
    }
}

double learning_rate_at(const Schedule& schedule, const PlateauState& state, double peak, double epoch, double epochs) {
    double rate = peak;
    if (epoch < schedule.warm_up_epochs) {
        rate = peak * epoch / schedule.warm_up_epochs;
    } else if (schedule.kind == Schedule::Kind::cosine && epochs > schedule.warm_up_epochs) {
        const double way = (epoch - schedule.warm_up_epochs) / (epochs - schedule.warm_up_epochs);
        return schedule.floor + std::max(0.0, peak - schedule.floor) * 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(1.0, way)));
    }
    if (schedule.kind == Schedule::Kind::plateau) rate *= state.scale;
    return std::max(rate, std::min(schedule.floor, peak));
}

double average_share(double decay, std::uint64_t step) {
    const double s = static_cast<double>(step);
    return 1.0 - std::min(decay, (1.0 + s) / (10.0 + s));
}

}  // namespace synperf
