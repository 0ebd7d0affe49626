#include "models/cost_inputs.h"

#include <fmt/format.h>

#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

#include "economics/price_edit.h"
#include "economics/ranking.h"
#include "models/command_line.h"
#include "models/serving_inputs.h"
#include "serving/framework.h"
#include "serving/plan.h"

namespace synperf::ui {

namespace {

constexpr std::array kDefaultCandidates{"A100-SXM4-80GB", "H100-SXM5-80GB", "H200-SXM5-141GB", "L40S", "B200-SXM-180GB", "RTX-PRO-6000-Server"};

static_assert(CostInputs::kMostGpus == RankingLimits::kMostGpus);

// Of a table of requests the mean, so that its cost is that of a query on average.
RequestShape shape_of(const ServingInputs& serving) {
    RequestShape shape = serving.shape;
    if (!serving.table || serving.table->empty()) return shape;
    double prompts = 0, outputs = 0;
    for (const Request& request : *serving.table) {
        prompts += static_cast<double>(request.prompt);
        outputs += static_cast<double>(request.output);
    }
    const auto count = static_cast<double>(serving.table->size());
    shape.prompt = std::max<std::int64_t>(1, std::llround(prompts / count));
    shape.output = std::max<std::int64_t>(1, std::llround(outputs / count));
    return shape;
}

}  // namespace

const PriceBooks& CostInputs::own_books() const {
    static const PriceBooks none;
    return own ? *own : none;
}

bool operator==(const CostInputs& a, const CostInputs& b) {
    return a.gpus == b.gpus && a.ttft_ms == b.ttft_ms && a.tpot_ms == b.tpot_ms && a.most_gpus == b.most_gpus && a.kind == b.kind && a.currency == b.currency && a.target_qps == b.target_qps &&
           (a.own == b.own || a.own_books() == b.own_books());
}

CostInputs default_cost(const std::filesystem::path& user_specs, std::vector<Error>* problems) {
    CostInputs inputs;
    for (const char* id : kDefaultCandidates) inputs.gpus.push_back({id, true});
    if (user_specs.empty()) return inputs;
    PriceCatalogue own = PriceCatalogue::load({}, user_specs / "prices");
    if (problems != nullptr) *problems = std::move(own.problems);
    if (own.books.size() > kMostOwnBooks) {
        if (problems != nullptr) problems->push_back({fmt::format("holds {} price books, the first {} are used", own.books.size(), kMostOwnBooks), {}, (user_specs / "prices").string()});
        own.books.resize(kMostOwnBooks);
    }
    for (PriceBook& book : own.books) book.file.clear();  // a book is the same wherever it lies
    if (!own.books.empty()) inputs.own = std::make_shared<const PriceBooks>(std::move(own.books));
    return inputs;
}

Result<RankingRequest> ranking_request(const CostInputs& inputs, const ServingInputs& serving, const std::vector<FrameworkProfile>& frameworks, const Date& today) {
    // One GPU for now: the ranking chooses how many of each candidate.
    ServingInputs one = serving;
    one.tp = one.pp = one.ep = 1;
    one.count = 0;
    auto plan = plan_of(one, GpuSpec{}, frameworks);
    if (!plan) return tl::unexpected<Error>(plan.error());
    RankingRequest request;
    request.config = std::move(plan->config);
    request.deployment = std::move(plan->deployment);
    request.shape = shape_of(serving);
    if (inputs.ttft_ms > 0) request.limits.ttft = Seconds{inputs.ttft_ms * 1e-3};
    if (inputs.tpot_ms > 0) request.limits.tpot = Seconds{inputs.tpot_ms * 1e-3};
    request.limits.most_gpus = inputs.most_gpus;
    request.kind = inputs.kind;
    request.currency = inputs.currency;
    request.today = today;
    request.target_qps = inputs.target_qps;
    return request;
}

QString cost_command_line(const CostInputs& inputs, const ServingInputs& serving, bool analytical) {
    QStringList words{QStringLiteral("synperf cost")};
    const auto text = [](std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); };
    const auto add = [&words](const char* option, const QString& value) { words << QLatin1String(option) << shell_quoted(value); };
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    if (serving.model) add("--model", serving.opened ? text(serving.model->id) + QStringLiteral(".json") : text(serving.model->id));
    QStringList gpus;
    for (const CostCandidate& candidate : inputs.gpus)
        if (candidate.on) gpus << text(candidate.gpu);
    if (!gpus.isEmpty()) add("--gpus", gpus.join(QLatin1Char(',')));
    const RequestShape shape = shape_of(serving);
    add("--in", QString::number(shape.prompt));
    add("--out", QString::number(shape.output));
    add("--batch", QString::number(shape.batch));
    add("--framework", text(serving.framework));
    if (!serving.weights.empty()) add("--weights", text(serving.weights));
    if (serving.kv_dtype != "auto") add("--kv-dtype", text(serving.kv_dtype));
    if (serving.memory_share > 0) add("--memory-share", number(serving.memory_share));
    if (serving.overlap > 0) add("--overlap", number(serving.overlap));
    if (inputs.most_gpus != RankingLimits{}.most_gpus) add("--most-gpus", QString::number(inputs.most_gpus));
    if (inputs.ttft_ms > 0) add("--ttft-limit", number(inputs.ttft_ms));
    if (inputs.tpot_ms > 0) add("--tpot-limit", number(inputs.tpot_ms));
    if (inputs.target_qps > 0) add("--target-qps", number(inputs.target_qps));
    if (inputs.kind != PriceKind::on_demand) add("--price-kind", text(name(inputs.kind)));
    if (inputs.currency != "USD") add("--currency", text(inputs.currency));
    if (analytical) words << QStringLiteral("--analytical");
    return words.join(QLatin1Char(' '));
}

}  // namespace synperf::ui
