// The Serving workspace: whole requests of a language model on GPUs; inputs left, the answer on top, where the time goes under it.
#pragma once

#include <QBoxLayout>
#include <QMenu>
#include <QWidget>
#include <filesystem>
#include <optional>

#include "models/document.h"
#include "models/serving_worker.h"

class QButtonGroup;
class QLabel;
class QPushButton;
class QScrollArea;
class QSortFilterProxyModel;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace synperf::ui {

class BreakdownView;
class Card;
class IterationView;
class MemoryView;
class ServingCard;
class ServingForm;
class ServingSweepPanel;
class ScheduleView;
class StepView;

class ServingWorkspace : public QWidget {
    Q_OBJECT
public:
    ServingWorkspace(Document& document, std::filesystem::path user_specs, QWidget* parent = nullptr);

    [[nodiscard]] ServingForm& form() { return *form_; }
    [[nodiscard]] ServingWorker& worker() { return worker_; }
    [[nodiscard]] ServingCard& card() { return *card_; }
    [[nodiscard]] MemoryView& memory() { return *memory_; }
    [[nodiscard]] BreakdownView& breakdown() { return *breakdown_; }
    [[nodiscard]] IterationView& timeline() { return *iterations_; }
    [[nodiscard]] StepView& step() { return *step_; }
    [[nodiscard]] ScheduleView& schedule() { return *schedule_; }
    [[nodiscard]] QTableView& operatorTable() { return *table_; }
    [[nodiscard]] ServingSweepPanel& sweep() { return *sweep_; }
    [[nodiscard]] QPushButton& largestBatchButton() { return *largest_; }
    [[nodiscard]] const ServingOutcomePtr& outcome() const { return outcome_; }
    /// For the window's menus: what can be done here, then a submenu for each picture.
    [[nodiscard]] QList<QAction*> viewActions();
    /// The engine has other models, or the workspace comes to the front after edits elsewhere.
    void refresh();

signals:
    void editGpuRequested();
    void refused(const QString& why);  ///< a file that can not be used, in a line
    void operatorOpened();             ///< the scenario is now the kernel of an operator
    void predicted(double milliseconds);
    void wanted();  ///< an action of the menus is about this workspace

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildPage();
    Card* buildSteps();
    void take(const ServingOutcomePtr& outcome);
    void takeStep(const std::shared_ptr<const ServingStep>& step);
    void fail(const QString& field, const QString& message);
    void request();
    void requestStep();
    void openOperator(std::size_t row);
    void openKernel(const OperatorTime& chosen);
    void openSweepRow(std::size_t row);
    void useLargestBatch();
    void showOperator(int phase, const QString& name);
    void setDimmed(bool dimmed);
    void setStepDimmed(bool dimmed);
    void reflow();

    Document& document_;
    ServingWorker worker_;
    ServingOutcomePtr outcome_;
    std::optional<std::pair<GpuSpec, bool>> asked_;  ///< GPU and analytical switch of the last request that was not refused
    QString failure_;  ///< what refused the last request, empty where it was answered
    bool stale_ = true;  ///< edits came while the workspace was not seen
    bool has_shown_ = false;
    ServingForm* form_;
    ServingCard* card_;
    MemoryView* memory_;
    QPushButton* largest_;
    QLabel* refusal_;
    BreakdownView* breakdown_;
    IterationView* iterations_;
    StepView* step_;
    ScheduleView* schedule_;
    QSpinBox* micro_batches_;
    QTableView* table_;
    QSortFilterProxyModel* sorted_;
    QStackedWidget* step_stack_;
    QButtonGroup* step_tabs_;
    ServingSweepPanel* sweep_;
    QScrollArea* scroll_;
    QBoxLayout *halves_, *upper_, *lower_;
    QWidget* form_side_;
    QList<QAction*> menus_;
};

}  // namespace synperf::ui
