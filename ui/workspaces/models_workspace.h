// The Models workspace: the models in use and their cards, training on measured tables, and new models beside those in use.
#pragma once

#include <QBoxLayout>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <vector>

#include "models/document.h"
#include "models/model_trainer.h"
#include "models/sourced_rows.h"
#include "models/training_data.h"

class QLabel;
class QTableView;

namespace synperf::ui {

class Card;
class ComparisonPanel;
class TrainingCurves;
class TrainingPanel;

class ModelsWorkspace : public QWidget {
    Q_OBJECT
public:
    ModelsWorkspace(const Engine& engine, std::filesystem::path user_folder, QWidget* parent = nullptr);

    /// The engine has other models.
    void modelsChanged();
    void addData(const QStringList& files) { data_.add(files); }
    [[nodiscard]] TrainingData& data() { return data_; }
    [[nodiscard]] ModelTrainer& trainer() { return trainer_; }
    [[nodiscard]] TrainingPanel& trainingPanel() { return *training_; }
    [[nodiscard]] ComparisonPanel& comparisonPanel() { return *comparison_; }
    [[nodiscard]] TrainingCurves& curves() { return *curves_; }
    [[nodiscard]] QTableView* modelList() { return models_; }

signals:
    void adoptRequested(std::shared_ptr<const synperf::LearnedModel> model, bool for_good);
    void worstRequested(const synperf::ui::SourcedRows& rows, const QString& model);
    void refused(const QString& why);  ///< a table that can not be learned from, in a line

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* buildModels();
    void train();
    void take(std::shared_ptr<const Retrained> trained);
    void showCard();
    void reflow();

    const Engine& engine_;
    std::filesystem::path user_folder_;
    TrainingData data_;
    ModelTrainer trainer_;
    std::vector<std::shared_ptr<const CsvTable>> training_tables_;  ///< of the training that runs
    std::vector<std::shared_ptr<const CsvTable>> compared_tables_;  ///< of the comparison that is shown
    QTableView *models_, *left_out_;
    QLabel* card_;
    QLabel* left_out_title_;
    TrainingPanel* training_;
    TrainingCurves* curves_;
    ComparisonPanel* comparison_;
    QBoxLayout* halves_;
};

}  // namespace synperf::ui
