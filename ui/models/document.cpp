#include "models/document.h"

#include <QElapsedTimer>
#include <QUndoCommand>
#include <algorithm>
#include <cmath>

#include "models/command_line.h"
#include "models/user_kernels.h"

namespace synperf::ui {

namespace {

// Edits of one field that follow each other faster than this are one undo step: a held arrow, a drag, typing.
constexpr qint64 kMergeWithinMs = 1000;
constexpr int kUndoLimit = 500;

constexpr std::string_view kEdited = "-edited";
constexpr std::size_t kLongestGpuId = 64;  // is_gpu_id

// Merge keys: which field an edit is about. Parameters and GPU fields follow, by index.
constexpr int kNeverMerge = -1;
constexpr int kMergeMeasured = 1;
constexpr int kMergeGpuField = 1000;
constexpr int kMergeParam = 2000;
constexpr int kMergeServing = 5000;
constexpr int kMergeCompare = 6000;
constexpr int kMergeCost = 7000;

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool same_pins(const std::vector<Pin>& a, const std::vector<Pin>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Pin& x, const Pin& y) {
        return x.id == y.id && x.name == y.name && x.explanation == y.explanation &&
               same_inputs(x.scenario, y.scenario);
    });
}

QString value_text(const ParamValue& value) {
    QString text = QString::fromStdString(to_text(value));
    if (text.size() > 24) text = text.left(23) + QChar(0x2026);
    return text;
}

}  // namespace

bool same_gpu(const GpuSpec& a, const GpuSpec& b) {
    if (a.id != b.id || a.name != b.name || a.facts != b.facts || a.notes != b.notes || a.origin != b.origin)
        return false;
    return std::equal(a.values.begin(), a.values.end(), b.values.begin(), same);
}

bool same_inputs(const Scenario& a, const Scenario& b) {
    return a.family == b.family && a.params == b.params && a.analytical == b.analytical &&
           a.edited_from == b.edited_from && same_gpu(a.gpu, b.gpu);
}

Predictor predictor_for(const Engine& engine, const Scenario& scenario) {
    return scenario.analytical ? engine.predictor.analytical() : engine.predictor;
}

// One step: everything before, everything after. Scenarios are small and pins share their explanations.
class DocumentCommand : public QUndoCommand {
public:
    DocumentCommand(Document& document, Document::Content before, Document::Content after, const QString& what,
                    int merge_key)
        : QUndoCommand(what),
          document_(document),
          before_(std::move(before)),
          after_(std::move(after)),
          merge_key_(merge_key) {
        since_.start();
    }

    [[nodiscard]] int id() const override { return merge_key_; }
    void undo() override { document_.apply(before_); }
    void redo() override { document_.apply(after_); }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const DocumentCommand*>(other);
        if (next->merge_key_ != merge_key_ || since_.elapsed() > kMergeWithinMs) return false;
        after_ = next->after_;
        setText(next->text());
        since_.restart();
        const Scenario &a = before_.scenario, &b = after_.scenario;
        setObsolete(same_inputs(a, b) && a.measured_us == b.measured_us && same_pins(before_.pins, after_.pins) &&
                    before_.serving == after_.serving && before_.compare == after_.compare && before_.cost == after_.cost);
        return true;
    }

private:
    Document& document_;
    Document::Content before_, after_;
    int merge_key_;
    QElapsedTimer since_;
};

Scenario with_gpu_field(Scenario scenario, GpuField field, double value) {
    GpuSpec& gpu = scenario.gpu;
    if (scenario.edited_from.empty()) {
        scenario.edited_from = gpu.id;
        if (gpu.origin == SpecOrigin::shipped) {
            gpu.id = gpu.id.substr(0, kLongestGpuId - kEdited.size()) + std::string(kEdited);
            gpu.name += " (edited)";
            gpu.aliases.clear();
            gpu.origin = SpecOrigin::user;
        }
        gpu.file.clear();
    }
    FieldFact fact{
        .provenance = Provenance::user, .source = "typed by the user", .reason = {}, .exception = {}, .others = {}};
    if (const FieldFact* before = gpu.fact(field)) {
        fact.others = before->others;
        // What the datasheet said stays visible beside what the user typed.
        if (gpu.knows(field) && before->provenance != Provenance::user)
            fact.others.push_back({gpu[field], before->source});
    }
    set_field(gpu, field, value, std::move(fact));
    fill_derived(gpu);
    return scenario;
}

Document::Document(const Engine& engine, QObject* parent) : QObject(parent), engine_(engine) {
    undo_.setUndoLimit(kUndoLimit);
}

Document::Content Document::content() const {
    return {scenario_, pins_, serving_, compare_, cost_};
}

// A kernel's file may have changed since the scenario was made.
Scenario Document::onPresentFamily(Scenario scenario) const {
    if (scenario.family == nullptr) return scenario;
    const auto present = engine_.kernels.find(scenario.family->id());
    if (!present || *present == scenario.family) return scenario;
    scenario.params = carried_params(scenario.params, scenario.family->schema(), (*present)->schema());
    scenario.family = *present;
    return scenario;
}

void Document::kernelsChanged() {
    Scenario present = onPresentFamily(scenario_);
    if (same_inputs(scenario_, present)) return;
    scenario_ = std::move(present);
    emit scenarioChanged();
}

void Document::apply(const Content& content) {
    Scenario scenario = onPresentFamily(content.scenario);
    const bool inputs = !same_inputs(scenario_, scenario);
    const bool measured = scenario_.measured_us != scenario.measured_us;
    const bool pins = !same_pins(pins_, content.pins);
    const bool serving = !(serving_ == content.serving);
    const bool compare = !(compare_ == content.compare), cost = !(cost_ == content.cost);
    scenario_ = std::move(scenario);
    pins_ = content.pins;
    serving_ = content.serving;
    compare_ = content.compare;
    cost_ = content.cost;
    if (inputs) emit scenarioChanged();
    if (measured) emit measuredChanged();
    if (pins) emit pinsChanged();
    if (serving) emit servingChanged();
    if (compare) emit compareChanged();
    if (cost) emit costChanged();
}

void Document::change(const Content& after, const QString& what, int merge_key) {
    undo_.push(new DocumentCommand(*this, content(), after, what, merge_key));
}

void Document::setScenario(const Scenario& scenario, const QString& what) {
    if (same_inputs(scenario_, scenario) && scenario_.measured_us == scenario.measured_us) return;
    Content after = content();
    after.scenario = scenario;
    change(after, what, kNeverMerge);
}

void Document::setGpu(const GpuSpec& gpu) {
    if (scenario_.edited_from.empty() && same_gpu(scenario_.gpu, gpu)) return;
    Content after = content();
    after.scenario.gpu = gpu;
    after.scenario.edited_from.clear();
    after.scenario.measured_us.reset();  // it was measured on the other GPU
    change(after, tr("GPU %1").arg(QString::fromStdString(gpu.name)), kNeverMerge);
}

void Document::setGpuField(GpuField field, double value) {
    if (same(scenario_.gpu[field], value)) return;
    const std::string_view label = info(field).label;
    Content after = content();
    after.scenario = with_gpu_field(scenario_, field, value);
    change(after,
           tr("%1 %2").arg(QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size())),
                           QString::number(value, 'g', 10)),
           kMergeGpuField + static_cast<int>(field));
}

void Document::setFamily(const KernelFamily* family) {
    if (family == nullptr || family == scenario_.family) return;
    Content after = content();
    after.scenario.family = family;
    after.scenario.params = default_params(family->schema());
    after.scenario.measured_us.reset();
    const std::string_view title = family->title();
    change(after, tr("kernel %1").arg(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()))),
           kNeverMerge);
}

void Document::setParam(std::size_t index, const ParamValue& value) {
    if (index >= scenario_.params.values.size() || scenario_.params.values[index] == value) return;
    Content after = content();
    after.scenario.params.values[index] = value;
    const ParamSchema& schema = scenario_.family->schema()[index];
    change(after, tr("%1 = %2").arg(QString::fromStdString(schema.label), value_text(value)),
           kMergeParam + static_cast<int>(index));
}

void Document::setParams(const Params& params, const QString& what) {
    if (scenario_.params == params) return;
    Content after = content();
    after.scenario.params = params;
    change(after, what, kNeverMerge);
}

void Document::setMeasured(std::optional<double> us) {
    if (scenario_.measured_us == us) return;
    Content after = content();
    after.scenario.measured_us = us;
    change(after, us ? tr("measured %1 µs").arg(*us) : tr("forget the measurement"), kMergeMeasured);
}

void Document::setAnalytical(bool analytical) {
    if (scenario_.analytical == analytical) return;
    Content after = content();
    after.scenario.analytical = analytical;
    change(after, analytical ? tr("analytical model only") : tr("learned models"), kNeverMerge);
}

void Document::setServing(const ServingInputs& inputs, const QString& what, int field) {
    if (serving_ == inputs) return;
    Content after = content();
    after.serving = inputs;
    change(after, what, field < 0 ? kNeverMerge : kMergeServing + field);
}

void Document::setCompare(const CompareInputs& inputs, const QString& what, int field) {
    if (compare_ == inputs) return;
    Content after = content();
    after.compare = inputs;
    change(after, what, field < 0 ? kNeverMerge : kMergeCompare + field);
}

void Document::setCost(const CostInputs& inputs, const QString& what, int field) {
    if (cost_ == inputs) return;
    Content after = content();
    after.cost = inputs;
    change(after, what, field < 0 ? kNeverMerge : kMergeCost + field);
}

void Document::addPin(const Pin& pin) {
    if (pins_.size() >= kMaxPins) return;
    Content after = content();
    after.pins.push_back(pin);
    after.pins.back().id = ++last_pin_id_;
    change(after, tr("pin %1").arg(pin.name), kNeverMerge);
}

void Document::removePin(std::size_t index) {
    if (index >= pins_.size()) return;
    Content after = content();
    const QString name = after.pins[index].name;
    after.pins.erase(after.pins.begin() + static_cast<std::ptrdiff_t>(index));
    change(after, tr("remove pin %1").arg(name), kNeverMerge);
}

void Document::setPinExplanation(std::uint64_t id, std::shared_ptr<const Explanation> explanation) {
    for (Pin& pin : pins_) {
        if (pin.id != id || pin.explanation) continue;
        pin.explanation = std::move(explanation);
        emit pinsChanged();
        return;
    }
}

QChar Document::freePinLetter() const {
    for (char16_t letter = u'A'; letter <= u'Z'; ++letter) {
        const bool taken = std::any_of(pins_.begin(), pins_.end(), [letter](const Pin& pin) {
            return pin.name.startsWith(QChar(letter)) && (pin.name.size() == 1 || !pin.name[1].isLetterOrNumber());
        });
        if (!taken) return letter;
    }
    return u'A';
}

QString Document::commandLine() const {
    return command_line(scenario_, engine_);
}

Result<void> Document::setFromCommandLine(const QString& line) {
    const Result<Scenario> parsed = scenario_from_command_line(line, scenario_, engine_);
    if (!parsed) return tl::unexpected(parsed.error());
    setScenario(*parsed, tr("paste command line"));
    return {};
}

void Document::reset(DocumentContent content) {
    undo_.clear();
    for (Pin& pin : content.pins) pin.id = ++last_pin_id_;
    resetting_ = true;
    apply(content);
    resetting_ = false;
    undo_.setClean();
}

}  // namespace synperf::ui
