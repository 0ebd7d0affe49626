// The inputs of the Serving workspace: model, GPU, how it is spread, formats, framework and requests. Every edit is one of the document's.
#pragma once

#include <QScrollArea>
#include <functional>
#include <map>
#include <vector>

#include "models/background_work.h"
#include "models/document.h"
#include "models/gpu_list_model.h"
#include "models/llm_list_model.h"
#include "serving/framework.h"
#include "serving/plan.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace synperf::ui {

class ElidedLabel;
class SearchPopup;
class ValueField;

class ServingForm : public QScrollArea {
    Q_OBJECT
public:
    ServingForm(Document& document, const std::filesystem::path& user_specs, const std::vector<FrameworkProfile>& frameworks, QWidget* parent = nullptr);

    /// An error at the field of the command line's option ("--tp"), under the model where there is none such.
    void setError(const QString& option, const QString& message);
    /// The answer came: no error of the engine stands.
    void clearErrors();
    /// What stands behind empty fields.
    void setDefaults(const ServingPlan& plan);
    void catalogueChanged();  ///< a GPU was added or edited
    void openModelPicker();
    void openGpuPicker();
    void chooseModelFile();
    void chooseRequests();
    /// Fails with one line for the window to show.
    [[nodiscard]] Result<void> openModelFile(const QString& file);
    /// Reads it off the GUI thread; a table that can not be used is told by `refused`.
    void openRequests(const QString& file);

    /// What is wrong with what stands in a field now; empty while all can be read.
    [[nodiscard]] QString inputError() const;
    [[nodiscard]] LlmListModel& models() { return models_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void editGpuRequested();
    void inputErrorChanged();
    void refused(const QString& why);
    void requestsOpened(const QString& file);

private:
    using Get = std::function<double(const ServingInputs&)>;
    using Set = std::function<void(ServingInputs&, double)>;
    // One number: its place in the form and in the inputs.
    struct Field {
        ValueField* field = nullptr;
        QLabel* error = nullptr;
        QString name;
        double least = 0, most = 0;
        bool whole = true, optional = false;  ///< optional: empty is 0, chosen automatically
        Get get;
        Set set;
        std::optional<double> shown;  ///< the value that the text stands for
        QString input_error, engine_error;
    };
    struct Choice {
        QComboBox* box = nullptr;
        QLabel* error = nullptr;
        std::function<std::string(const ServingInputs&)> get;
    };

    void buildModel(QVBoxLayout* layout);
    void buildGpu(QVBoxLayout* layout);
    void buildFields(QVBoxLayout* layout);
    void buildRequests(QVBoxLayout* layout);
    void addField(QGridLayout* grid, const char* key, const QString& name, const QString& tip, double least, double most, Get get, Set set, bool optional = false, const QString& unit = {},
                  bool whole = true);
    void addChoice(QGridLayout* grid, const char* key, const QString& name, const QString& tip, const std::vector<std::pair<std::string, QString>>& items,
                   std::function<std::string(const ServingInputs&)> get, std::function<void(ServingInputs&, const std::string&)> set);
    void typed(const std::string& key, const QString& text);
    void showError(Field& field);
    void noteInputError();
    void refresh();
    void refreshModel();
    void refreshRequests();

    Document& document_;
    BackgroundWork reading_;  ///< a table of requests
    LlmListModel models_;
    GpuListModel gpus_;
    const std::vector<FrameworkProfile>& frameworks_;
    SearchPopup *model_picker_ = nullptr, *gpu_picker_ = nullptr;
    QPushButton *model_card_ = nullptr, *gpu_card_ = nullptr;
    ElidedLabel *model_name_ = nullptr, *model_summary_ = nullptr, *gpu_name_ = nullptr, *gpu_summary_ = nullptr;
    QLabel *not_understood_ = nullptr, *error_ = nullptr, *gpu_error_ = nullptr;
    QWidget* shape_ = nullptr;  ///< the fields of equal requests
    QWidget* table_ = nullptr;
    QLabel *table_name_ = nullptr, *requests_error_ = nullptr;
    std::map<std::string, Field> fields_;    ///< by the option's name without dashes
    std::map<std::string, Choice> choices_;
    QString input_error_;  ///< that was told last
};

}  // namespace synperf::ui
