// One kernel call on several GPUs: latency, differences to a baseline, and what each pipe does.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "economics/price_book.h"
#include "economics/verdict.h"
#include "prediction/engine.h"

namespace synperf {

struct ComparedKernel {
    GpuSpec gpu;
    std::shared_ptr<const Explanation> explanation;  ///< null where the kernel can not run there
    std::string why;                                 ///< not
    PerPipe<double> busy{};  ///< share of the latency that a pipe of the main launch is busy at peak rate, the mean over SMs
    /// Against the baseline, where both were predicted.
    Seconds difference{};
    double change = 0;       ///< latency / baseline - 1
    Certainty certainty = Certainty::unknown;
    std::optional<Quote> quote;         ///< set by price_kernels, where there is a price
    std::optional<Range> per_thousand;  ///< cost of 1000 calls, price range and latency interval carried along

    /// Useful FLOP over the latency, TFLOP/s; 0 where the kernel can not run.
    [[nodiscard]] double tflops() const;
};

struct KernelComparison {
    std::vector<ComparedKernel> kernels;  ///< in the order asked
    std::size_t baseline = 0;
    std::string verdict;                  ///< one sentence; empty where the kernel runs nowhere
    std::string cost_verdict;             ///< the same of the cost; empty where fewer than two have a price
};

inline constexpr std::size_t kMostCompared = 6;

/// Interval of a prediction; the value alone where it has none.
[[nodiscard]] Contender latency_contender(const std::string& name, const Prediction& prediction);

/// At least one GPU and a baseline among them. A GPU on which the call fails keeps its place with the reason; only a stop is an error.
[[nodiscard]] Result<KernelComparison> compare_kernel(const Predictor& predictor, const KernelFamily& family, const Params& params, const std::vector<GpuSpec>& gpus, std::size_t baseline, const std::stop_token& stop = {});

/// On-demand prices in `currency`; a GPU without one keeps none.
void price_kernels(KernelComparison& comparison, const PriceCatalogue& prices, const Date& today, const std::string& currency = "USD");

}  // namespace synperf
