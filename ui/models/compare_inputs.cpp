#include "models/compare_inputs.h"

#include <QCoreApplication>
#include <algorithm>

#include "economics/kernel_comparison.h"
#include "models/command_line.h"
#include "models/core_text.h"
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

class Caveat {
    Q_DECLARE_TR_FUNCTIONS(CompareLine)
};

const std::string& catalogue_id(const ComparedGpu& compared) { return compared.edited_from.empty() ? compared.gpu.id : compared.edited_from; }

// "H100-SXM5-80GB+bandwidth_gbps=4000": the catalogue's GPU with what differs from it.
QString entry_of(const ComparedGpu& compared, const Engine& engine) {
    const std::string& id = catalogue_id(compared);
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

// The list of a line, and the ids that the command gives its GPUs: copies are numbered in the order of the line.
struct PrintedGpus {
    QStringList entries;
    std::vector<std::string> ids;
    std::vector<std::size_t> twice;  ///< places whose id the line has before
};

PrintedGpus printed(const CompareInputs& inputs, const Engine& engine) {
    PrintedGpus made;
    for (std::size_t i = 0; i < inputs.gpus.size(); ++i) {
        const QString entry = entry_of(inputs.gpus[i], engine);
        GpuSpec gpu;
        gpu.id = catalogue_id(inputs.gpus[i]);
        if (entry.contains(QLatin1Char('+'))) gpu = edited_copy(std::move(gpu), made.ids);
        if (std::ranges::find(made.ids, gpu.id) != made.ids.end()) made.twice.push_back(i);
        made.entries << entry;
        made.ids.push_back(gpu.id);
    }
    return made;
}

// What the line can not say of a GPU; empty where it says all.
QString caveat_of(const ComparedGpu& compared, const Engine& engine) {
    const QString id = text(catalogue_id(compared)), name = text(compared.gpu.name);
    const auto base = engine.gpus.find(catalogue_id(compared));
    if (!base) {
        return compared.edited_from.empty() ? Caveat::tr("It works only once %1 is saved among your GPUs.").arg(id)
                                            : Caveat::tr("%1 is written without its changes: %2, which it was edited from, is no longer among the GPUs.").arg(name, id);
    }
    for (const GpuFieldInfo& field : gpu_fields()) {
        const bool known = compared.gpu.knows(field.field);
        if (!known && (*base)->knows(field.field)) return Caveat::tr("It can not say that %1 of %2 is unknown.").arg(coreText(field.label), name);
        if (known && compared.edited_from.empty() && compared.gpu[field.field] != (**base)[field.field]) return Caveat::tr("%1 among the saved GPUs has another %2.").arg(id, coreText(field.label));
    }
    return {};
}

}  // namespace

std::optional<std::size_t> place_of(const CompareInputs& inputs, std::string_view id) {
    const auto found = std::ranges::find_if(inputs.gpus, [id](const ComparedGpu& each) { return each.gpu.id == id; });
    return found == inputs.gpus.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - inputs.gpus.begin()));
}

bool operator==(const CompareInputs& a, const CompareInputs& b) {
    const auto same = [](const ComparedGpu& x, const ComparedGpu& y) { return x.edited_from == y.edited_from && same_gpu(x.gpu, y.gpu); };
    return a.baseline == b.baseline && a.workload == b.workload && a.pipes == b.pipes && a.designed == b.designed && a.change == b.change && a.words == b.words &&
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

CompareInputs without_compared(CompareInputs inputs, std::string_view id) {
    const auto index = place_of(inputs, id);
    if (!index || inputs.gpus.size() <= kFewestCompared) return inputs;
    inputs.gpus.erase(inputs.gpus.begin() + static_cast<std::ptrdiff_t>(*index));
    if (inputs.designed == *index) inputs.change = {};
    for (std::size_t* place : {&inputs.baseline, &inputs.designed}) {
        if (*place == *index) *place = 0;
        else if (*place > *index) --*place;
    }
    return inputs;
}

CompareInputs with_baseline(CompareInputs inputs, std::string_view id) {
    inputs.baseline = place_of(inputs, id).value_or(inputs.baseline);
    return inputs;
}

CompareInputs with_moved(CompareInputs inputs, std::string_view id, int by) {
    const auto from = place_of(inputs, id);
    if (!from) return inputs;
    const std::size_t to = *from + static_cast<std::size_t>(by);
    if (to >= inputs.gpus.size()) return inputs;
    std::vector<std::string> ids = ids_of(inputs);
    std::swap(ids[*from], ids[to]);
    return with_order(std::move(inputs), ids);
}

CompareInputs with_order(CompareInputs inputs, const std::vector<std::string>& ids) {
    if (!std::ranges::is_permutation(ids, ids_of(inputs))) return inputs;
    const CompareInputs before = inputs;
    for (std::size_t place = 0; place < ids.size(); ++place) inputs.gpus[place] = before.gpus[*place_of(before, ids[place])];
    inputs.baseline = *place_of(inputs, before.gpus[before.baseline].gpu.id);
    inputs.designed = *place_of(inputs, before.gpus[before.designed].gpu.id);
    return inputs;
}

Result<CompareInputs> with_design_kept(CompareInputs inputs, const GpuCatalogue& gpus) {
    if (inputs.designed >= inputs.gpus.size() || inputs.change.none()) return inputs;
    if (inputs.gpus.size() >= kMostCompared) return failure("the comparison is full: remove a GPU first");
    const ComparedGpu& base = inputs.gpus[inputs.designed];
    auto made = redesigned(base.gpu, inputs.change);
    if (!made) return tl::unexpected(made.error());
    const auto first = gpus.find(catalogue_id(base));
    const std::string name = first ? redesigned_name((*first)->name, change_between(**first, *made)) : redesigned_name(catalogue_id(base), inputs.change);
    ComparedGpu kept{edited_copy(std::move(*made), ids_of(inputs)), catalogue_id(base)};
    kept.gpu.name = name;
    inputs = with_compared(std::move(inputs), std::move(kept));
    inputs.change = {};
    inputs.designed = inputs.gpus.size() - 1;
    return inputs;
}

QStringList compare_command_line_caveats(const CompareInputs& inputs, const Engine& engine) {
    QStringList said;
    for (const ComparedGpu& each : inputs.gpus)
        if (const QString caveat = caveat_of(each, engine); !caveat.isEmpty() && !said.contains(caveat)) said << caveat;
    for (const std::size_t place : printed(inputs, engine).twice) said << Caveat::tr("%1 would be named twice: remove it, or change one of its values.").arg(text(inputs.gpus[place].gpu.name));
    if (!inputs.change.none() && inputs.gpus.size() >= kMostCompared) said << Caveat::tr("The design change is left out: %1 GPUs are the most that are compared.").arg(kMostCompared);
    return said;
}

QString compare_command_line(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving, const Engine& engine) {
    const PrintedGpus gpus = printed(inputs, engine);
    QStringList words{QStringLiteral("synperf"), QStringLiteral("compare")};
    const auto add = [&words](const char* option, const QString& value) { words << QLatin1String(option) << shell_quoted(value); };
    if (!inputs.workload && scenario.family != nullptr) words << shell_quoted(text(scenario.family->id()));
    add("--gpus", gpus.entries.join(QLatin1Char(',')));
    if (inputs.baseline != 0 && inputs.baseline < inputs.gpus.size()) add("--baseline", text(gpus.ids[inputs.baseline]));
    if (inputs.designed < inputs.gpus.size() && !inputs.change.none() && inputs.gpus.size() < kMostCompared) {
        QStringList turned;
        for (const DesignKnob knob : kDesignKnobs)
            if (inputs.change[knob] != 1) turned << text(name(knob)) + QLatin1Char('=') + QString::number(inputs.change[knob], 'g', 6);
        add("--what-if", text(gpus.ids[inputs.designed]) + QLatin1Char(':') + turned.join(QLatin1Char(',')));
    }
    if (inputs.workload) {
        if (serving.model) add("--model", text(serving.model->id) + (serving.opened ? QStringLiteral(".json") : QString()));
        add("--in", QString::number(serving.shape.prompt));
        add("--out", QString::number(serving.shape.output));
        if (serving.shape.batch != 1) add("--batch", QString::number(serving.shape.batch));
        add("--framework", text(serving.framework));
        if (!serving.weights.empty()) add("--weights", text(serving.weights));
        if (serving.kv_dtype != "auto") add("--kv-dtype", text(serving.kv_dtype));
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
