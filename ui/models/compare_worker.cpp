#include "models/compare_worker.h"

#include <algorithm>

#include "models/batch_rows.h"
#include "serving/llm_config.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

Estimate estimate_of(const Contender& contender) { return {Seconds{contender.value}, Seconds{contender.lower}, Seconds{contender.upper}}; }

std::vector<GpuSpec> gpus_of(const CompareInputs& inputs) {
    std::vector<GpuSpec> gpus;
    for (const ComparedGpu& each : inputs.gpus) gpus.push_back(each.gpu);
    return gpus;
}

// A design that is at work may take this long before a newer change stops it.
constexpr qint64 kFinishWithinMs = 500;

std::filesystem::path user_prices(const std::filesystem::path& user_specs) { return user_specs.empty() ? user_specs : user_specs / "prices"; }

}  // namespace

const RankedPlan* Comparison::plan(std::size_t index) const {
    const auto found = std::ranges::find_if(ranking.plans, [&](const RankedPlan& plan) { return plan.gpu.id == inputs.gpus[index].gpu.id; });
    return found == ranking.plans.end() ? nullptr : &*found;
}

std::optional<Estimate> Comparison::latency(std::size_t index) const {
    if (workload()) {
        const RankedPlan* const found = plan(index);
        return found != nullptr && found->served ? std::optional(found->result.total) : std::nullopt;
    }
    const auto& explanation = kernels.kernels[index].explanation;
    return explanation ? std::optional(estimate_of(latency_contender({}, explanation->prediction))) : std::nullopt;
}

Certainty Comparison::certainty(std::size_t index) const {
    if (!workload()) return kernels.kernels[index].certainty;
    const RankedPlan *const mine = plan(index), *const standard = plan(inputs.baseline);
    if (mine == nullptr || !mine->served || standard == nullptr || !standard->served) return Certainty::unknown;
    return synperf::certainty(latency_contender(*mine), latency_contender(*standard));
}

std::string Comparison::why_not(std::size_t index) const {
    if (!workload()) return kernels.kernels[index].why;
    const RankedPlan* const found = plan(index);
    return found == nullptr || found->fails.empty() ? std::string() : found->fails.front();
}

std::string Comparison::json() const {
    const auto json = workload() ? model_comparison_json(request, ranking, baseline_id()) : kernel_comparison_json({scenario.family, scenario.params}, kernels);
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string Comparison::csv() const { return workload() ? model_comparison_csv(request, ranking, baseline_id()) : kernel_comparison_csv({scenario.family, scenario.params}, kernels); }

CompareWorker::CompareWorker(const Engine& engine, std::filesystem::path user_specs, QObject* parent) : QObject(parent), engine_(engine), user_specs_(std::move(user_specs)), compare_(this), design_(this) {
    refresh();
    connect(&compare_, &BackgroundWork::progressed, this, &CompareWorker::progressed);
    connect(&compare_, &BackgroundWork::ended, this, [this] { emit progressed(-1); });
}

void CompareWorker::refresh() {
    links_ = std::make_shared<SharedCollectives>();
    framework_problems_.clear();
    frameworks_ = read_frameworks(engine_.specs, user_specs_, framework_problems_);
}

void CompareWorker::ended() {
    if (!busy()) emit idle();
}

// As `synperf compare --model` asks: ranks and stages are chosen for each GPU.
Result<RankingRequest> CompareWorker::rankingRequest(const CompareInputs& inputs, const ServingInputs& serving) const {
    if (serving.table) return failure("a table of requests can not be compared: choose equal requests in the Serving workspace");
    ServingInputs plain = serving;
    plain.tp = plain.pp = plain.ep = 1;
    plain.count = 0;
    plain.token_budget = 0;
    plain.memory_share = plain.overlap = 0;
    auto plan = plan_of(plain, inputs.gpus.front().gpu, frameworks_);
    if (!plan) return tl::unexpected(plan.error());
    RankingRequest request;
    request.config = std::move(plan->config);
    if (serving.opened) request.model = request.config.file;
    request.deployment = plan->deployment;
    request.shape = serving.shape;
    request.today = today();
    request.priced = false;
    return request;
}

void CompareWorker::request(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving) {
    auto answer = std::make_shared<Comparison>();
    answer->inputs = inputs;
    answer->scenario = scenario;
    if (inputs.workload) {
        auto request = rankingRequest(inputs, serving);
        if (!request) {
            compare_.cancel();
            emit failed(text(request.error().message));
            return ended();
        }
        answer->request = std::move(*request);
        answer->problems = framework_problems_;
    }
    compare_.run(
        [answer, engine = engine_snapshot(engine_, scenario), links = links_, folder = user_specs_](const BackgroundWork::Progress& progress, const std::stop_token& stop) -> Result<ComparisonPtr> {
            QElapsedTimer clock;
            clock.start();
            const std::vector<GpuSpec> gpus = gpus_of(answer->inputs);
            const PriceCatalogue prices = PriceCatalogue::load(engine->specs / "prices", user_prices(folder));
            answer->problems.insert(answer->problems.end(), prices.problems.begin(), prices.problems.end());
            if (answer->workload()) {
                RankingControl control;
                control.progress = [&](std::size_t done, std::size_t all) { progress(static_cast<double>(done) / static_cast<double>(all)); };
                control.stop = stop;
                auto ranking = rank(*engine, *links->get(*engine, folder, &answer->problems), prices, gpus, answer->request, control);
                if (!ranking) return tl::unexpected(ranking.error());
                answer->ranking = std::move(*ranking);
            } else {
                auto kernels = compare_kernel(engine->predictor, *answer->scenario.family, answer->scenario.params, gpus, answer->inputs.baseline, stop);
                if (!kernels) return tl::unexpected(kernels.error());
                price_kernels(*kernels, prices, today());
                answer->kernels = std::move(*kernels);
            }
            answer->engine = engine;
            answer->milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
            return ComparisonPtr(answer);
        },
        [this](const Result<ComparisonPtr>& comparison) {
            if (comparison) emit compared(*comparison);
            else emit failed(text(comparison.error().to_string()));
            ended();
        });
}

void CompareWorker::requestDesign(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving) {
    DesignQuestion question{inputs, scenario, serving};
    CompareInputs of_now = running_.inputs;
    of_now.change = inputs.change;
    const bool change_alone = design_.busy() && of_now == inputs && same_inputs(running_.scenario, scenario) && running_.serving == serving;
    if (change_alone && since_.elapsed() < kFinishWithinMs) {
        waiting_ = std::move(question);
        return;
    }
    waiting_.reset();
    startDesign(question);
}

void CompareWorker::designEnded() {
    if (!waiting_) return ended();
    const DesignQuestion next = std::move(*waiting_);
    waiting_.reset();
    startDesign(next);
}

void CompareWorker::startDesign(const DesignQuestion& question) {
    running_ = question;
    since_.start();
    const auto& [inputs, scenario, serving] = running_;
    std::optional<RankingRequest> asked;
    if (inputs.workload) {
        auto request = rankingRequest(inputs, serving);
        if (!request) {
            design_.cancel();
            emit designFailed(text(request.error().message));
            return ended();
        }
        asked = std::move(*request);
    }
    using Answer = Result<std::shared_ptr<const DesignAnswer>>;
    design_.run(
        [inputs = running_.inputs, scenario = running_.scenario, asked = std::move(asked), engine = engine_snapshot(engine_, running_.scenario), links = links_, folder = user_specs_](const BackgroundWork::Progress&, const std::stop_token& stop) -> Answer {
            auto answer = std::make_shared<DesignAnswer>();
            answer->inputs = inputs;
            const GpuSpec& base = inputs.gpus[inputs.designed].gpu;
            std::shared_ptr<const CollectiveModel> collectives;
            std::optional<Estimate> before;
            GpuServing serving_on;
            GpuLatency latency = kernel_latency(engine->predictor, *scenario.family, scenario.params, stop);
            if (asked) {
                collectives = links->get(*engine, folder);
                // On as many GPUs as the GPU without the change needs.
                const auto ranked = rank(*engine, *collectives, {}, {base}, *asked, {{}, stop});
                if (!ranked) return tl::unexpected(ranked.error());
                if (!ranked->plans.front().served) return failure(ranked->plans.front().fails.front());
                const RankedPlan& plan = ranked->plans.front();
                serving_on = query_result(*engine, *collectives, *asked, plan.tp, stop);
                latency = query_latency(*engine, *collectives, *asked, plan.tp, stop);
                before = plan.result.total;
                answer->unmeasured = unmeasured_share(plan.result.decode_parts);
            }
            auto changed = redesigned(base, inputs.change);
            if (!changed) return tl::unexpected(changed.error());
            answer->gpu = std::move(*changed);
            const bool same = inputs.change.none();
            if (asked) {
                answer->now = *before;
                if (!same) {
                    const auto now = serving_on(answer->gpu);
                    if (!now) return tl::unexpected(now.error());
                    answer->now = now->total;
                    answer->unmeasured = unmeasured_share(now->decode_parts);
                }
            } else {
                const auto now = engine->predictor.predict(*scenario.family, scenario.params, answer->gpu, stop);
                if (!now) return tl::unexpected(now.error());
                answer->now = estimate_of(latency_contender({}, *now));
                answer->confidence = now->confidence;
                if (same) before = answer->now;
            }
            if (!before) {
                const auto found = latency(base);
                if (!found) return tl::unexpected(found.error());
                before = *found;
            }
            answer->before = *before;
            auto all = sensitivities(latency, answer->gpu, answer->now);
            if (!all) return tl::unexpected(all.error());
            answer->sensitivities = std::move(*all);
            return std::shared_ptr<const DesignAnswer>(answer);
        },
        [this](const Answer& answer) {
            if (answer) emit designed(*answer);
            else emit designFailed(text(answer.error().to_string()));
            designEnded();
        });
}

void CompareWorker::cancel() {
    const bool was = busy();
    waiting_.reset();
    compare_.cancel();
    design_.cancel();
    if (was) emit idle();
}

}  // namespace synperf::ui
