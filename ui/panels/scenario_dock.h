// The left dock: which GPU, which kernel, its parameters, what was measured, and presets.
#pragma once

#include <QScrollArea>

#include "models/document.h"
#include "models/gpu_list_model.h"

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace synperf::ui {

class ParamForm;
class SearchPopup;
class ValueField;

class ScenarioPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit ScenarioPanel(Document& document, QWidget* parent = nullptr);

    void setExplanation(std::shared_ptr<const Explanation> explanation);
    /// An error at its field, or under the GPU where it names none of this form.
    void setError(const QString& field, const QString& message);
    void catalogueChanged();  ///< a GPU was added or edited
    void kernelsChanged();    ///< a kernel file was saved, changed or removed
    void openGpuPicker();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// What is wrong with what stands in a parameter's field now; empty while all can be read.
    [[nodiscard]] QString inputError() const;

signals:
    void editGpuRequested();
    void inputErrorChanged(const QString& message);

private:
    void buildGpu(QVBoxLayout* layout);
    void buildKernel(QVBoxLayout* layout);
    void buildMeasured(QVBoxLayout* layout);
    void refresh();
    void showKernel();
    void refreshPresets();
    void refreshMeasured();
    void measuredTyped(const QString& text);

    Document& document_;
    std::shared_ptr<const Explanation> explanation_;
    const KernelFamily* presets_of_ = nullptr;
    GpuListModel gpus_;
    SearchPopup* picker_ = nullptr;
    QPushButton* gpu_card_ = nullptr;
    QLabel *gpu_name_ = nullptr, *gpu_summary_ = nullptr, *error_ = nullptr, *measured_note_ = nullptr;
    QComboBox* kernel_ = nullptr;
    ParamForm* form_ = nullptr;
    ValueField* measured_ = nullptr;
    QWidget* presets_ = nullptr;
};

}  // namespace synperf::ui
