// The Compare workspace: 2 to 6 GPUs on one kernel or one LLM workload, against a pinned baseline; and what a design change would buy.
#pragma once

#include <QBoxLayout>
#include <QWidget>
#include <filesystem>
#include <optional>

#include "models/compare_worker.h"
#include "models/gpu_list_model.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTableView;
class QToolButton;

namespace synperf::ui {

class Card;
class ComparisonBoard;
class ComparisonTable;
class DesignPanel;
class ElidedLabel;
class OperatorBars;
class SearchPopup;

class CompareWorkspace : public QWidget {
    Q_OBJECT
public:
    CompareWorkspace(Document& document, std::filesystem::path user_specs, QWidget* parent = nullptr);

    [[nodiscard]] CompareWorker& worker() { return worker_; }
    [[nodiscard]] ComparisonBoard& board() { return *board_; }
    [[nodiscard]] DesignPanel& design() { return *design_; }
    [[nodiscard]] QTableView& table() { return *table_; }
    [[nodiscard]] ComparisonTable& model() { return *model_; }
    [[nodiscard]] QLineEdit& filterField() { return *filter_; }
    [[nodiscard]] OperatorBars& operators(bool decode) { return decode ? *decode_ : *prefill_; }
    [[nodiscard]] const ComparisonPtr& comparison() const { return comparison_; }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QPushButton& addButton() { return *add_; }
    [[nodiscard]] QPushButton& cancelButton() { return *cancel_; }
    void openPicker();
    void catalogueChanged();
    /// For the window's menus: what can be done here, then a submenu for each picture.
    [[nodiscard]] QList<QAction*> viewActions();
    /// The engine has other models or prices.
    void refresh();
    /// As `synperf compare --json` and `--csv` print what is shown.
    [[nodiscard]] Result<void> save(const QString& file, bool json) const;

signals:
    void refused(const QString& why);
    void predicted(double milliseconds);
    void wanted();          ///< an action of the menus is about this workspace
    void editRequested();   ///< the kernel's or the workload's own workspace

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildHeader();
    QWidget* buildPage();
    Card* buildTable();
    void connectAll();
    /// Again, even where only prices could have changed.
    void request(bool again = false);
    void requestDesign();
    void take(const ComparisonPtr& comparison);
    void fail(const QString& message);
    void tell(const std::vector<Error>& problems);
    void addGpu(const ComparedGpu& gpu);
    [[nodiscard]] QString nameOf(const std::string& id) const;
    void keepDesign();
    void sortBy(int row);
    void showInputs();
    void askAndSave(bool json);
    void copyTable();
    void filterBy(const QString& words);
    void applyFilter();
    void fitTable();
    [[nodiscard]] std::vector<int> columnWidths(int least) const;
    void styleTable();
    void reflow();

    Document& document_;
    CompareWorker worker_;
    ComparisonPtr comparison_;
    /// Of the last request, less what a comparison does not depend on; unset where that failed or was cancelled.
    struct Asked {
        CompareInputs inputs;
        Scenario scenario;
        ServingInputs serving;
    };
    std::optional<Asked> asked_;
    QString told_;  ///< problems of files that the message bar has shown
    CompareInputs shown_;  ///< by the controls
    bool stale_ = true;  ///< edits came while the workspace was not seen
    GpuListModel gpus_;
    ElidedLabel *title_, *caption_;
    QLabel *problem_, *verdict_;
    QToolButton *kernel_, *workload_, *schedule_, *pipes_;
    QPushButton *edit_, *add_, *cancel_;
    QProgressBar* progress_;
    SearchPopup* picker_;
    ComparisonBoard* board_;
    ComparisonTable* model_;
    QTableView* table_;
    QLineEdit* filter_;
    OperatorBars *prefill_, *decode_;
    Card *prefill_card_, *decode_card_;
    DesignPanel* design_;
    Card* design_card_;
    QBoxLayout *halves_, *operators_row_, *header_ = nullptr;
    QScrollArea *scroll_, *design_scroll_ = nullptr;
    QWidget* page_ = nullptr;
    QList<QAction*> menus_;
};

}  // namespace synperf::ui
