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

#include "prediction/engine.h"

namespace synperf::ui {

/// The inputs of one prediction.
struct Scenario {
    GpuSpec gpu;                          ///< a copy: edits never touch the catalogue
    const KernelFamily* family = nullptr;
    Params params;
    std::optional<double> measured_us;    ///< "I measured ... us"
};

/// A pinned setting to compare with, on whatever GPU it was pinned.
struct Pin {
    QString name;
    Scenario scenario;
    std::shared_ptr<const Explanation> explanation;
};
inline constexpr std::size_t kMaxPins = 6;

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(const Engine& engine, QObject* parent = nullptr);

    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] const std::vector<Pin>& pins() const { return pins_; }
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }

    // Every edit is one undo step; edits of the same field in quick succession merge into one.
    void setGpu(const GpuSpec& gpu);
    void setGpuField(GpuField field, double value);
    void setFamily(const KernelFamily* family);
    void setParam(std::size_t index, const ParamValue& value);
    void setParams(const Params& params, const QString& what);
    void setMeasured(std::optional<double> us);
    void addPin(const Pin& pin);
    void removePin(std::size_t index);
    /// "synperf predict gemm --gpu ... -p m=4096 ..." and back; the error says what is wrong and nothing changes.
    [[nodiscard]] QString commandLine() const;
    [[nodiscard]] Result<void> setFromCommandLine(const QString& line);

signals:
    void scenarioChanged();  ///< any input of the prediction
    void measuredChanged();
    void pinsChanged();

private:
    friend class DocumentCommand;
    const Engine& engine_;
    Scenario scenario_;
    std::vector<Pin> pins_;
    QUndoStack undo_;
};

}  // namespace synperf::ui
