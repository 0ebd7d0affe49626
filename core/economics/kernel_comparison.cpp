#include "economics/kernel_comparison.h"

#include <algorithm>

namespace synperf {

double ComparedKernel::tflops() const {
    return explanation ? explanation->analysis.roofline.achieved_tflops : 0;
}

Contender latency_contender(const std::string& name, const Prediction& prediction) {
    const double value = prediction.latency.value;
    if (!prediction.interval) return {name, value, value, value};
    return {name, value, prediction.interval->lower.value, prediction.interval->upper.value};
}

Result<KernelComparison> compare_kernel(const Predictor& predictor, const KernelFamily& family, const Params& params, const std::vector<GpuSpec>& gpus, std::size_t baseline, const std::stop_token& stop) {
    KernelComparison comparison;
    comparison.baseline = baseline;
    std::vector<Contender> contenders;
    for (const GpuSpec& gpu : gpus) {
        ComparedKernel kernel;
        kernel.gpu = gpu;
        auto explanation = predictor.explain(family, params, gpu, stop);
        if (stop.stop_requested()) return failure("cancelled");
        if (explanation) {
            kernel.explanation = *explanation;
            const Explanation& explained = **explanation;
            const Seconds latency = explained.prediction.latency;
            for (const Pipe pipe : kPipes) {
                const Seconds busy = Cycles{explained.analysis.work.balanced_cycles[pipe]} / explained.machine.clock;
                kernel.busy[pipe] = latency.value > 0 ? std::min(1.0, busy / latency) : 0;
            }
            contenders.push_back(latency_contender(gpu.id, explained.prediction));
        } else {
            kernel.why = explanation.error().to_string();
        }
        comparison.kernels.push_back(std::move(kernel));
    }
    comparison.verdict = sentence(contenders, {"is fastest", "latency"});
    const ComparedKernel base = comparison.kernels[baseline];
    if (!base.explanation) return comparison;
    const Contender standard = latency_contender(base.gpu.id, base.explanation->prediction);
    for (ComparedKernel& kernel : comparison.kernels) {
        if (!kernel.explanation) continue;
        const Contender mine = latency_contender(kernel.gpu.id, kernel.explanation->prediction);
        kernel.difference = Seconds{mine.value - standard.value};
        kernel.change = standard.value > 0 ? mine.value / standard.value - 1 : 0;
        kernel.certainty = certainty(mine, standard);
    }
    return comparison;
}

void price_kernels(KernelComparison& comparison, const PriceCatalogue& prices, const Date& today, const std::string& currency) {
    constexpr double kCalls = 1000;
    std::vector<Contender> costs;
    for (ComparedKernel& kernel : comparison.kernels) {
        kernel.quote.reset();
        kernel.per_thousand.reset();
        if (!kernel.explanation) continue;
        const auto quote = prices.quote(kernel.gpu, PriceKind::on_demand, currency, today);
        if (!quote) continue;
        kernel.quote = *quote;
        const Contender time = latency_contender(kernel.gpu.id, kernel.explanation->prediction);
        const auto cost = [](double price, double seconds) { return kCalls * cost_per_query(price, Seconds{seconds}, 1, 1); };
        const Range& price = quote->per_gpu_hour;
        kernel.per_thousand = Range{cost(price.low, time.lower), cost(price.median, time.value), cost(price.high, time.upper)};
        costs.push_back({kernel.gpu.id, kernel.per_thousand->median, kernel.per_thousand->low, kernel.per_thousand->high});
    }
    comparison.cost_verdict = costs.size() < 2 ? std::string() : sentence(costs, {"is cheapest", "cost a call"}, "ranges of price and latency");
}

}  // namespace synperf
