// What a session holds: the scenario being edited, its pins and notes, with undo. The window's only source of truth.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

#include "models/compare_inputs.h"
#include "models/cost_inputs.h"
#include "models/serving_inputs.h"
#include "prediction/engine.h"

namespace synperf::ui {

/// The inputs of one prediction.
struct Scenario {
    GpuSpec gpu;                ///< a copy: edits never touch the catalogue
    std::string edited_from{};  ///< id of the catalogue's GPU that `gpu` was edited from, empty where it was not
    const KernelFamily* family = nullptr;
    Params params;
    std::optional<double> measured_us{};  ///< "I measured ... us"
    bool analytical = false;              ///< predicted without learned models
};

/// Whether two specs are the same in every number and name.
[[nodiscard]] bool same_gpu(const GpuSpec& a, const GpuSpec& b);
/// Whether both would give the same prediction: every input, and nothing that is only noted beside them.
[[nodiscard]] bool same_inputs(const Scenario& a, const Scenario& b);

/// What answers for `scenario`: the engine's predictor, without its models where the scenario wants the analysis alone.
[[nodiscard]] Predictor predictor_for(const Engine& engine, const Scenario& scenario);

/// A pinned setting to compare with, on whatever GPU it was pinned.
struct Pin {
    QString name;
    Scenario scenario;
    std::shared_ptr<const Explanation> explanation;
    std::uint64_t id = 0;  ///< of this run: what an explanation that comes later is for. The document gives it
};
inline constexpr std::size_t kMaxPins = 6;

/// Everything that is edited, undone and saved.
struct DocumentContent {
    Scenario scenario{};
    std::vector<Pin> pins{};
    ServingInputs serving{};
    CompareInputs compare{};
    CostInputs cost{};
};

/// `gpu` with one value typed by the user. A shipped spec becomes a copy of the user's, under an id of its own.
[[nodiscard]] Scenario with_gpu_field(Scenario scenario, GpuField field, double value);

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(const Engine& engine, QObject* parent = nullptr);

    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] const std::vector<Pin>& pins() const { return pins_; }
    [[nodiscard]] const ServingInputs& serving() const { return serving_; }
    [[nodiscard]] const CompareInputs& compare() const { return compare_; }
    [[nodiscard]] const CostInputs& cost() const { return cost_; }
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }

    // Every edit is one undo step; edits of the same field in quick succession merge into one.
    void setGpu(const GpuSpec& gpu);
    void setGpuField(GpuField field, double value);
    void setFamily(const KernelFamily* family);
    void setParam(std::size_t index, const ParamValue& value);
    void setParams(const Params& params, const QString& what);
    void setMeasured(std::optional<double> us);
    void setAnalytical(bool analytical);
    void setScenario(const Scenario& scenario, const QString& what);
    /// Edits with the same `field` (0 or more) in quick succession merge; -1 never does.
    void setServing(const ServingInputs& inputs, const QString& what, int field = -1);
    /// Merges as setServing does.
    void setCompare(const CompareInputs& inputs, const QString& what, int field = -1);
    /// The same of the Cost workspace.
    void setCost(const CostInputs& inputs, const QString& what, int field = -1);
    void addPin(const Pin& pin);
    void removePin(std::size_t index);
    /// Fills in what a pin of an opened session lacks. No undo step: the inputs stay as they are.
    void setPinExplanation(std::uint64_t id, std::shared_ptr<const Explanation> explanation);
    /// The first of A, B, ... that begins no pin's name.
    [[nodiscard]] QChar freePinLetter() const;
    /// "synperf predict gemm --gpu ... -p m=4096 ..." and back; the error says what is wrong and nothing changes.
    [[nodiscard]] QString commandLine() const;
    [[nodiscard]] Result<void> setFromCommandLine(const QString& line);
    /// Kernel files were read again: the scenario goes on with the family that has its id now, by the parameters' names. No undo step.
    void kernelsChanged();
    /// Another session: nothing to undo, nothing changed yet.
    void reset(DocumentContent content);
    /// While reset() tells what it changed: that is no edit.
    [[nodiscard]] bool resetting() const { return resetting_; }

signals:
    void scenarioChanged();  ///< any input of the prediction
    void measuredChanged();
    void pinsChanged();
    void servingChanged();  ///< any input of the Serving workspace but the GPU
    void compareChanged();  ///< any input of the Compare workspace but kernel and workload
    void costChanged();     ///< any input of the Cost workspace but the model and its requests

private:
    friend class DocumentCommand;
    using Content = DocumentContent;
    void apply(const Content& content);
    void change(const Content& after, const QString& what, int merge_key);
    [[nodiscard]] Content content() const;
    [[nodiscard]] Scenario onPresentFamily(Scenario scenario) const;

    const Engine& engine_;
    Scenario scenario_;
    std::vector<Pin> pins_;
    ServingInputs serving_;
    CompareInputs compare_;
    CostInputs cost_;
    std::uint64_t last_pin_id_ = 0;
    bool resetting_ = false;
    QUndoStack undo_;
};

}  // namespace synperf::ui
