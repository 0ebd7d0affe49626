// The Cost workspace: candidates ranked by what a query costs; inputs left, cost against latency, the ranking and what it says.
#pragma once

#include <QBoxLayout>
#include <QWidget>
#include <filesystem>
#include <optional>

#include "models/cost_worker.h"
#include "models/document.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTableView;

namespace synperf::ui {

class Card;
class CostAnswer;
class CostChartView;
class CostForm;
class CostOrder;
class CostSummary;
class CostTableModel;
class ElidedLabel;

class CostWorkspace : public QWidget {
    Q_OBJECT
public:
    CostWorkspace(Document& document, std::filesystem::path user_specs, QWidget* parent = nullptr);

    [[nodiscard]] CostWorker& worker() { return worker_; }
    [[nodiscard]] CostForm& form() { return *form_; }
    [[nodiscard]] CostChartView& chart() { return *chart_; }
    [[nodiscard]] QTableView& table() { return *table_; }
    [[nodiscard]] CostTableModel& rows() { return *rows_; }
    [[nodiscard]] CostAnswer& answer() { return *answer_; }
    [[nodiscard]] CostSummary& summary() { return *summary_; }
    [[nodiscard]] QLineEdit& filterField() { return *filter_; }
    [[nodiscard]] QPushButton& cancelButton() { return *cancel_; }
    [[nodiscard]] const CostOutcomePtr& outcome() const { return outcome_; }
    [[nodiscard]] QString errorText() const;
    /// For the window's menus: what can be done here, then a submenu for each picture.
    [[nodiscard]] QList<QAction*> viewActions();
    /// The engine has other models or GPUs.
    void refresh();
    /// HTML, PDF or CSV by the file's ending. Errors name the file.
    [[nodiscard]] Result<void> saveReport(const QString& file);
    void askAndSaveReport();

signals:
    void workloadRequested();  ///< model and requests are edited in the Serving workspace
    void pricesRequested();
    void refused(const QString& why);
    void said(const QString& note);
    void predicted(double milliseconds);
    void wanted();  ///< an action of the menus is about this workspace

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildPage();
    Card* buildRanking();
    void request();
    void take(const CostOutcomePtr& outcome);
    void fail(const QString& field, const QString& message);
    void showProblem();
    void fitColumns();
    void chooseRow(std::size_t plan);
    void rowChosen();
    void reflow();

    Document& document_;
    CostWorker worker_;
    CostOutcomePtr outcome_;
    QString failure_;
    bool analytical_ = false;  ///< of the last request
    bool stale_ = true;  ///< edits came while the workspace was not seen
    CostForm* form_;
    CostChartView* chart_;
    CostTableModel* rows_;
    CostOrder* sorted_;
    QTableView* table_;
    CostAnswer* answer_;
    CostSummary* summary_;
    ElidedLabel *title_, *details_;
    QLabel* problem_;
    QLineEdit* filter_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QScrollArea* scroll_;
    QWidget *form_card_ = nullptr, *chart_card_ = nullptr, *ranking_card_ = nullptr;
    QBoxLayout *board_, *pictures_;
    QVBoxLayout *beside_, *page_ = nullptr;  ///< beside the inputs; all
    QList<QAction*> menus_;
};

}  // namespace synperf::ui
