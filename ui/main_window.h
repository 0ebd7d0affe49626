// The one window: docks around the workspaces, menus, files, and the wiring between document, worker and views.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>

#include "data/csv.h"
#include "models/autosave.h"
#include "models/document.h"
#include "models/engine_worker.h"
#include "models/selection.h"
#include "models/session_file.h"
#include "theme/theme.h"

class QActionGroup;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolBar;
class QToolButton;

namespace synperf::ui {

class CommandPalette;
class CompareWorkspace;
class CostWorkspace;
class GpuEditor;
class KernelEditor;
class KernelFolders;
class KernelWorkspace;
class ModelsWorkspace;
class ServingWorkspace;
class BackgroundWork;
class MessageBar;
struct MeasuredTables;
struct NearestMeasured;
struct SourcedRows;
class PanelDock;
class PriceBookWindow;
class PriceStore;
class RowsWindow;
class ScenarioPanel;

/// Where this window keeps what outlives it. Tests point it at scratch folders.
struct UserFolders {
    std::filesystem::path specs;  ///< the user's own GPU specs and kernels
    QString recovery;
    std::filesystem::path models = {};  ///< the user's own models; empty: none are kept for good
};

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Engine& engine, UserFolders folders, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] EngineWorker& worker() { return worker_; }
    [[nodiscard]] QList<QAction*> allActions() const;
    [[nodiscard]] QList<PanelDock*> docks() const { return docks_; }
    [[nodiscard]] QString message() const;

    bool openSession(const QString& file);
    bool saveSession(const QString& file);
    /// A session, a language model's config, a GPU spec, or one of another tool, told by its contents; a table of kernels or requests or a model, told by its ending.
    bool openAnyFile(const QString& file);
    void offerRecovery();
    /// Theme and scale for this run: what the user had is kept for the next, unless they change it meanwhile.
    void setLookForThisRun(std::optional<ThemeChoice> theme, std::optional<double> scale);
    [[nodiscard]] QByteArray layoutState() const;

    /// The number is its key: Ctrl+1 shows the Kernel workspace. In the order of the tabs.
    enum class Workspace : std::uint8_t {
        kernel = 1,
        compare = 2,
        serving = 3,
        cost = 4,
        models = 7
    };
    void showWorkspace(Workspace workspace);
    [[nodiscard]] Workspace workspace() const;
    /// Made when it is first asked for.
    ServingWorkspace& servingWorkspace();
    CompareWorkspace& compareWorkspace();
    CostWorkspace& costWorkspace();
    [[nodiscard]] bool busy() const;  ///< what is looked at is still being predicted

signals:
    void predicted(double milliseconds);
    void settled();  ///< see busy()

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window.cpp
    void buildBoard();
    void buildToolBar();
    void buildStatusBar();
    void connectEngine();
    void showExplanation(std::shared_ptr<const Explanation> explanation, double milliseconds, const Scenario& scenario);
    [[nodiscard]] bool explanationIsCurrent() const;
    void tryWhatIf(const WhatIf& what_if);
    void explainPins();
    void takePinExplanation(std::uint64_t id, const QString& name, const std::stop_token& stop,
                            const Result<std::shared_ptr<const Explanation>>& result);
    void updateTitle();
    void showPalette();
    // main_window_actions.cpp, main_window_kernels.cpp
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void buildThemeMenus(QMenu* view);
    void buildLayoutMenu(QMenu* view);
    QAction* add(QMenu* menu, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run);
    void copyCommandLine();
    void copyCompareLine();  // main_window_compare.cpp
    void pasteCommandLine();
    void pinResult();
    void editGpu();
    void addGpu();
    void saveGpu();
    void newKernel();
    void editKernel();
    KernelEditor& kernelEditor();
    void saveKernel(const QString& text);
    void kernelsReloaded(const QStringList& problems);
    void showAbout();
    // main_window_tables.cpp
    void openTable(const QString& file);
    RowsWindow* showRows(std::unique_ptr<RowsWindow> window);
    void openRow(RowsWindow& window, const CsvTable& table, std::size_t row);
    void showNearest();
    void chooseMeasuredFolder();
    void takeNearest(const NearestMeasured& nearest);
    // main_window_models.cpp
    [[nodiscard]] QString workspaceName(Workspace workspace) const;
    /// Made when it is first looked at.
    [[nodiscard]] QWidget& workspaceWidget(Workspace workspace);
    void placeWorkspace(Workspace workspace, QWidget* widget);
    ModelsWorkspace& modelsWorkspace();
    bool openModel(const QString& file);
    bool adoptModel(std::shared_ptr<const LearnedModel> model, bool for_good);
    void modelsChanged();
    void showWorst(const SourcedRows& rows, const QString& model);
    // main_window_serving.cpp
    bool openLlm(const QString& file);
    bool openRequests(const QString& file);
    // main_window_cost.cpp
    void watchPrices();
    void showPriceBook();
    bool openPrices(const QString& file);
    // main_window_files.cpp
    [[nodiscard]] DocumentContent freshContent() const;
    void newSession();
    void chooseSession();
    bool save();
    bool saveAs();
    bool mayDiscard();
    void noteFile(const QString& file);
    void fillRecentMenu();
    [[nodiscard]] Session session() const;
    void takeSession(const OpenedSession& opened, const QString& file);
    bool openGpuFile(const QString& file);
    void restoreSettings();
    void storeSettings() const;
    void applyLayout(const QByteArray& state);
    void applyStandardLayout();
    void shareDocks();
    [[nodiscard]] QStringList layoutNames() const;

    Engine& engine_;
    UserFolders folders_;
    Document document_;
    Selection selection_;
    EngineWorker worker_;
    std::unique_ptr<Autosave> autosave_;
    std::shared_ptr<const MeasuredTables> measured_;  ///< that were last looked through
    QPointer<RowsWindow> nearest_;
    BackgroundWork* nearest_work_ = nullptr;
    std::shared_ptr<const Explanation> explanation_;
    Scenario explained_;                      ///< what `explanation_` explains; the document may be edits ahead
    std::stop_source pins_stop_;              ///< of pins being explained
    std::set<std::uint64_t> pins_explained_;  ///< ids of pins that are being explained, or can not be

    QString session_file_;
    bool save_needs_new_name_ = false;  ///< opened from a newer version: saving here would lose what was not understood
    QString opened_program_;            ///< of an opened session: what made its numbers, until they are compared
    std::optional<double> opened_us_;

    std::optional<ThemeChoice> run_theme_;  ///< not the user's own setting
    std::optional<double> run_scale_;

    QMainWindow* board_ =
        nullptr;  ///< workspaces and docks; a window in the window, so that docks keep their gap to the edge
    KernelWorkspace* kernel_ = nullptr;
    ServingWorkspace* serving_ = nullptr;
    CompareWorkspace* compare_ = nullptr;
    QMenu* compare_menu_ = nullptr;
    QMenu* serving_menu_ = nullptr;
    CostWorkspace* cost_ = nullptr;
    QMenu* cost_menu_ = nullptr;
    PriceBookWindow* price_book_ = nullptr;
    PriceStore* price_store_ = nullptr;
    ModelsWorkspace* models_ = nullptr;
    std::map<Workspace, QWidget*> workspace_widgets_;  ///< those made so far; one is shown
    QActionGroup* workspaces_ = nullptr;
    ScenarioPanel* scenario_ = nullptr;
    QList<PanelDock*> docks_;
    QByteArray standard_layout_;
    MessageBar* message_ = nullptr;
    CommandPalette* palette_ = nullptr;
    GpuEditor* gpu_editor_ = nullptr;
    KernelEditor* kernel_editor_ = nullptr;
    KernelFolders* kernel_folders_ = nullptr;
    QToolBar* tabs_ = nullptr;
    QPushButton* search_ = nullptr;
    QLabel *status_ = nullptr, *session_label_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QToolButton* cancel_ = nullptr;
    QMenu *recent_ = nullptr, *layouts_ = nullptr, *pins_ = nullptr;
};

/// The scenario of a fresh start: a GEMM on an H100, or on the first GPU there is.
[[nodiscard]] Scenario default_scenario(const Engine& engine);

}  // namespace synperf::ui
