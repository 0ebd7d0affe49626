#include "models/compare_inputs.h"

#include <QStringList>
#include <algorithm>
#include <numeric>

#include "economics/kernel_comparison.h"
#include "models/command_line.h"
#include "models/document.h"
#include "prediction/engine.h"
#include "serving/llm_config.h"

namespace synperf::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

std::vector<std::string> ids_of(const CompareInputs& inputs) {
    std::vector<std::string> ids;
    for (const ComparedGpu& each : inputs.gpus) ids.push_back(each.gpu.id);
    return ids;
}

// "H100-SXM5-80GB+bandwidth_gbps=4000": the catalogue's GPU with what differs from it.
QString entry_of(const ComparedGpu& compared, const Engine& engine) {
    const std::string& id = compared.edited_from.empty() ? compared.gpu.id : compared.edited_from;
    QString entry = text(id);
    const auto base = engine.gpus.find(id);
    if (compared.edited_from.empty() || !base) return entry;
    for (const GpuFieldInfo& field : gpu_fields()) {
        const double now = compared.gpu[field.field];
        if (!compared.gpu.knows(field.field)) continue;
        // A value that was set to what it was by a rule would follow that rule again.
        const FieldFact *mine = compared.gpu.fact(field.field), *its = (*base)->fact(field.field);
        const bool set = mine != nullptr && mine->provenance == Provenance::user && its != nullptr && its->provenance == Provenance::derived;
        if (now != (**base)[field.field] || set) entry += QLatin1Char('+') + text(field.key) + QLatin1Char('=') + QString::number(now, 'g', 12);
    }
    return entry;
}

}  // namespace

bool operator==(const CompareInputs& a, const CompareInputs& b) {
    const auto same = [](const ComparedGpu& x, const ComparedGpu& y) { return x.edited_from == y.edited_from && same_gpu(x.gpu, y.gpu); };
    return a.baseline == b.baseline && a.workload == b.workload && a.pipes == b.pipes && a.designed == b.designed && a.change == b.change &&
           std::equal(a.gpus.begin(), a.gpus.end(), b.gpus.begin(), b.gpus.end(), same);
}

CompareInputs default_compare(const Engine& engine) {
    CompareInputs inputs;
    for (const char* id : {"A100-SXM4-80GB", "H100-SXM5-80GB", "L40S", "B200-SXM-180GB"})
        if (const auto gpu = engine.gpus.find(id)) inputs.gpus.push_back({**gpu, {}});
    for (const GpuSpec& gpu : engine.gpus.gpus()) {
        if (inputs.gpus.size() >= kFewestCompared) break;
        if (std::ranges::none_of(inputs.gpus, [&gpu](const ComparedGpu& other) { return other.gpu.id == gpu.id; })) inputs.gpus.push_back({gpu, {}});
    }
    const auto h100 = std::ranges::find_if(inputs.gpus, [](const ComparedGpu& each) { return each.gpu.id == "H100-SXM5-80GB"; });
    if (h100 != inputs.gpus.end()) inputs.baseline = inputs.designed = static_cast<std::size_t>(h100 - inputs.gpus.begin());
    return inputs;
}

CompareInputs with_compared(CompareInputs inputs, ComparedGpu gpu) {
    if (inputs.gpus.size() >= kMostCompared) return inputs;
    const std::vector<std::string> taken = ids_of(inputs);
    if (std::ranges::find(taken, gpu.gpu.id) != taken.end()) {
        if (gpu.edited_from.empty()) gpu.edited_from = gpu.gpu.id;
        gpu.gpu = edited_copy(std::move(gpu.gpu), taken);
    }
    inputs.gpus.push_back(std::move(gpu));
    return inputs;
}

CompareInputs without_compared(CompareInputs inputs, std::size_t index) {
    if (index >= inputs.gpus.size() || inputs.gpus.size() <= kFewestCompared) return inputs;
    inputs.gpus.erase(inputs.gpus.begin() + static_cast<std::ptrdiff_t>(index));
    if (inputs.designed == index) inputs.change = {};
    for (std::size_t* place : {&inputs.baseline, &inputs.designed}) {
        if (*place == index) *place = 0;
        else if (*place > index) --*place;
    }
    return inputs;
}

CompareInputs with_order(CompareInputs inputs, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> all = order;
    std::ranges::sort(all);
    std::vector<std::size_t> every(inputs.gpus.size());
    std::iota(every.begin(), every.end(), std::size_t{0});
    if (all != every) return inputs;
    const CompareInputs before = inputs;
    for (std::size_t place = 0; place < order.size(); ++place) {
        inputs.gpus[place] = before.gpus[order[place]];
        if (order[place] == before.baseline) inputs.baseline = place;
        if (order[place] == before.designed) inputs.designed = place;
    }
    return inputs;
}

Result<CompareInputs> with_design_kept(CompareInputs inputs) {
    if (inputs.designed >= inputs.gpus.size() || inputs.change.none()) return inputs;
    const ComparedGpu& base = inputs.gpus[inputs.designed];
    auto made = redesigned(base.gpu, inputs.change);
    if (!made) return tl::unexpected(made.error());
    ComparedGpu kept{edited_copy(std::move(*made), ids_of(inputs)), base.edited_from.empty() ? base.gpu.id : base.edited_from};
    kept.gpu.name = base.gpu.name + ": " + describe(inputs.change);
    inputs = with_compared(std::move(inputs), std::move(kept));
    inputs.change = {};
    inputs.designed = inputs.gpus.size() - 1;
    return inputs;
}

QString compare_command_line(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving, const Engine& engine) {
    QStringList entries;
    for (const ComparedGpu& each : inputs.gpus) entries << entry_of(each, engine);
    QStringList words{QStringLiteral("synperf"), QStringLiteral("compare")};
    if (!inputs.workload && scenario.family != nullptr) words << text(scenario.family->id());
    words << QStringLiteral("--gpus") << entries.join(QLatin1Char(','));
    if (inputs.baseline != 0 && inputs.baseline < inputs.gpus.size()) words << QStringLiteral("--baseline") << text(inputs.gpus[inputs.baseline].gpu.id);
    if (inputs.designed < inputs.gpus.size() && !inputs.change.none()) {
        QStringList turned;
        for (const DesignKnob knob : kDesignKnobs)
            if (inputs.change[knob] != 1) turned << text(name(knob)) + QLatin1Char('=') + QString::number(inputs.change[knob], 'g', 6);
        if (inputs.gpus.size() < kMostCompared) words << QStringLiteral("--what-if") << text(inputs.gpus[inputs.designed].gpu.id) + QLatin1Char(':') + turned.join(QLatin1Char(','));
    }
    if (inputs.workload) {
        if (serving.model) words << QStringLiteral("--model") << text(serving.model->id) + (serving.opened ? QStringLiteral(".json") : QString());
        words << QStringLiteral("--in") << QString::number(serving.shape.prompt) << QStringLiteral("--out") << QString::number(serving.shape.output);
        if (serving.shape.batch != 1) words << QStringLiteral("--batch") << QString::number(serving.shape.batch);
        words << QStringLiteral("--framework") << text(serving.framework);
        if (!serving.weights.empty()) words << QStringLiteral("--weights") << text(serving.weights);
        if (serving.kv_dtype != "auto") words << QStringLiteral("--kv-dtype") << text(serving.kv_dtype);
        if (scenario.analytical) words << QStringLiteral("--analytical");
        return words.join(QLatin1Char(' '));
    }
    // The parameters as the kernel's own line writes them.
    Scenario plain = scenario;
    plain.edited_from.clear();
    const QString predict = command_line(plain, engine);
    const qsizetype params = predict.indexOf(QLatin1String(" -p "));
    if (params >= 0) words << predict.mid(params + 1);
    else if (scenario.analytical) words << QStringLiteral("--analytical");
    return words.join(QLatin1Char(' '));
}

}  // namespace synperf::ui
