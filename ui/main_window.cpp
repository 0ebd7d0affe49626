#include "main_window.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QThreadPool>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "models/background_work.h"
#include "models/user_kernels.h"
#include "panels/command_palette.h"
#include "panels/gpu_editor.h"
#include "panels/kernel_editor.h"
#include "panels/message_bar.h"
#include "panels/panel_dock.h"
#include "panels/scenario_dock.h"
#include "theme/theme.h"
#include "views/export.h"
#include "views/rows_window.h"
#include "workspaces/kernel_workspace.h"

namespace synperf::ui {

Scenario default_scenario(const Engine& engine) {
    Scenario scenario;
    if (const auto h100 = engine.gpus.find("H100-SXM5-80GB")) {
        scenario.gpu = **h100;
    } else if (!engine.gpus.gpus().empty()) {
        scenario.gpu = engine.gpus.gpus().front();
    }
    if (const auto gemm = engine.kernels.find("gemm")) {
        scenario.family = *gemm;
    } else if (!engine.kernels.families().empty()) {
        scenario.family = engine.kernels.families().front().get();
    }
    if (scenario.family != nullptr) scenario.params = default_params(scenario.family->schema());
    return scenario;
}

MainWindow::MainWindow(Engine& engine, UserFolders folders, QWidget* parent)
    : QMainWindow(parent), engine_(engine), folders_(std::move(folders)), document_(engine), worker_(engine) {
    setAcceptDrops(true);
    setMinimumSize(640, 420);
    document_.reset(freshContent());
    autosave_ = std::make_unique<Autosave>(folders_.recovery, [this] { return write_session(session()); });

    buildBoard();
    watchPrices();
    buildToolBar();
    buildStatusBar();
    buildMenus();
    connectEngine();
    kernel_folders_ = new KernelFolders(engine, folders_.specs, this);
    connect(kernel_folders_, &KernelFolders::reloaded, this, &MainWindow::kernelsReloaded);
    resize(1440, 900);
    restoreSettings();
    updateTitle();
    worker_.request(document_.scenario());
    QStringList lines;
    for (const std::vector<Error>* problems : {&engine.gpus.problems(), &std::as_const(engine.kernel_problems),
                                               &engine.predictor.models().problems()})
        for (const Error& problem : *problems) lines << QString::fromStdString(problem.to_string());
    if (!lines.isEmpty()) {
        message_->show(MessageBar::Kind::error, lines.join(QLatin1Char('\n')));
    }
}

MainWindow::~MainWindow() {
    // The undo stack empties itself at its end and says so, when there is no window left to listen.
    document_.undoStack().disconnect(this);
    delete kernel_editor_;  // it stops what it asked for
    kernel_editor_ = nullptr;
    // What still runs for a pin uses the engine, which may go right after this window.
    pins_stop_.request_stop();
    for (BackgroundWork* work : findChildren<BackgroundWork*>()) work->cancel();
    stopSaving(*this);
    QThreadPool::globalInstance()->waitForDone();
}

void MainWindow::buildBoard() {
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    message_ = new MessageBar;
    layout->addWidget(message_);

    board_ = new QMainWindow(nullptr, Qt::Widget);
    board_->setObjectName(QStringLiteral("board"));
    board_->setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    const int gap = Theme::instance().px(kGap);
    board_->setContentsMargins(gap, gap, gap, gap);
    layout->addWidget(board_, 1);
    setCentralWidget(central);

    kernel_ = new KernelWorkspace(document_, selection_, board_);
    kernel_->layout()->setContentsMargins(0, 0, 0, 0);  // the board keeps the gap
    board_->setCentralWidget(kernel_);
    workspace_widgets_[Workspace::kernel] = board_;
    scenario_ = new ScenarioPanel(document_);
    connect(scenario_, &ScenarioPanel::editGpuRequested, this, &MainWindow::editGpu);

    const auto dock = [this](const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* made = new PanelDock(QLatin1String(name), title, content, board_);
        board_->addDockWidget(area, made);
        docks_ << made;
        return made;
    };
    dock("scenario", tr("Scenario"), scenario_, Qt::LeftDockWidgetArea);
    dock("why", tr("Why"), kernel_->whyPanel(), Qt::RightDockWidgetArea);
    dock("details", tr("Details"), kernel_->detailsPanel(), Qt::RightDockWidgetArea);
    shareDocks();
    standard_layout_ = layoutState();
}

void MainWindow::buildToolBar() {
    tabs_ = addToolBar(tr("Workspaces"));
    tabs_->setObjectName(QStringLiteral("workspaces"));
    tabs_->setMovable(false);
    tabs_->setContextMenuPolicy(Qt::PreventContextMenu);
    tabs_->toggleViewAction()->setVisible(false);
    workspaces_ = new QActionGroup(this);
    const auto add_tab = [this](Workspace workspace) {
        const int number = static_cast<int>(workspace);
        QAction* tab = tabs_->addAction(workspaceName(workspace));
        tab->setCheckable(true);
        tab->setData(number);
        tab->setChecked(workspace == Workspace::kernel);
        tab->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number)));
        workspaces_->addAction(tab);
        connect(tab, &QAction::triggered, this, [this, workspace] { showWorkspace(workspace); });
    };
    add_tab(Workspace::kernel);
    add_tab(Workspace::compare);
    add_tab(Workspace::serving);
    add_tab(Workspace::cost);
    add_tab(Workspace::models);
    auto* spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tabs_->addWidget(spacer);

    // A frame around the button: the tool bar's own buttons are tabs and look like it.
    auto* holder = new QWidget;
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, Theme::instance().px(3), 0, Theme::instance().px(3));
    auto* search =
        new QPushButton(tr("Search or run an action    %1")
                            .arg(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P).toString(QKeySequence::NativeText)));
    search->setObjectName(QStringLiteral("search"));
    search->setProperty("look", "search");
    search->setMinimumWidth(Theme::instance().px(280));
    search->setFocusPolicy(Qt::TabFocus);
    row->addWidget(search);
    tabs_->addWidget(holder);
    search_ = search;
    connect(search, &QPushButton::clicked, this, &MainWindow::showPalette);
    palette_ = new CommandPalette(this);
}

void MainWindow::buildStatusBar() {
    status_ = new QLabel;
    session_label_ = new QLabel;
    progress_ = new QProgressBar;
    progress_->setRange(0, 0);  // the engine can not tell how far it is
    progress_->setTextVisible(false);
    progress_->setFixedWidth(Theme::instance().px(120));
    progress_->setAccessibleName(tr("Predicting"));
    cancel_ = new QToolButton;
    cancel_->setText(tr("Cancel"));
    cancel_->setProperty("look", "link");
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(status_);
    statusBar()->addWidget(progress_);
    statusBar()->addWidget(cancel_);
    statusBar()->addPermanentWidget(session_label_);
    progress_->hide();
    cancel_->hide();
    connect(cancel_, &QToolButton::clicked, this, [this] {
        worker_.cancel();
        status_->setText(tr("Cancelled: the pictures show the last finished prediction"));
    });
}

void MainWindow::connectEngine() {
    connect(&document_, &Document::scenarioChanged, this, [this] { worker_.request(document_.scenario()); });
    connect(&document_.undoStack(), &QUndoStack::indexChanged, this, [this] {
        autosave_->noteChange();
        updateTitle();
    });
    connect(&document_.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    connect(&document_, &Document::pinsChanged, this, &MainWindow::explainPins);

    connect(&worker_, &EngineWorker::explained, this, &MainWindow::showExplanation);
    connect(&worker_, &EngineWorker::failed, this, [this](const QString& field, const QString& text) {
        scenario_->setError(field, text);
        kernel_->setError(field.isEmpty() ? text : tr("%1: %2").arg(field, text));
        status_->setText(field.isEmpty() ? text : tr("%1: %2").arg(field, text));
    });
    // A field that can not be read is an error like the engine's: the answer on screen is not the one to what stands there.
    connect(scenario_, &ScenarioPanel::inputErrorChanged, this, [this](const QString& message) {
        if (!message.isEmpty()) {
            kernel_->setError(message);
        } else if (explanation_) {
            kernel_->setExplanation(explanation_, explained_);
        }
    });
    connect(&worker_, &EngineWorker::idle, this, [this] {
        if (!busy()) emit settled();
    });
    connect(&worker_, &EngineWorker::whatIfsReady, kernel_, &KernelWorkspace::setWhatIfs);
    connect(&worker_, &EngineWorker::sweepReady, this, [this](const std::shared_ptr<const Sweep>& sweep) {
        kernel_->setSweep(sweep->param_index, sweep->points);
    });
    connect(&worker_, &EngineWorker::progressShown, this, [this](bool shown) {
        progress_->setVisible(shown);
        cancel_->setVisible(shown);
        if (shown) status_->setText(tr("Predicting"));
    });
    connect(&kernel_->latencyCard(), &LatencyCard::nearestRequested, this, &MainWindow::showNearest);
    connect(kernel_, &KernelWorkspace::whatIfRequested, this, &MainWindow::tryWhatIf);
    connect(kernel_, &KernelWorkspace::sweepRequested, &worker_, &EngineWorker::requestSweep);
}

bool MainWindow::explanationIsCurrent() const {
    return explanation_ && same_inputs(explained_, document_.scenario());
}

void MainWindow::showExplanation(std::shared_ptr<const Explanation> explanation, double milliseconds,
                                 const Scenario& scenario) {
    explanation_ = explanation;
    explained_ = scenario;
    scenario_->setExplanation(explanation);
    kernel_->setExplanation(explanation, scenario);
    if (const QString wrong = scenario_->inputError(); !wrong.isEmpty()) kernel_->setError(wrong);
    status_->setText(tr("Predicted in %1 ms").arg(QString::fromStdString(format_number(milliseconds, 2))));
    if (opened_us_ && explanationIsCurrent()) {
        // A session says what made its numbers; a newer engine may see it differently.
        const double now = to_microseconds(explanation->prediction.latency);
        if (std::abs(now / *opened_us_ - 1) > 1e-4) {
            message_->show(
                MessageBar::Kind::note,
                tr("This session was saved by SynPerf Explorer %1, which predicted %2; this version predicts %3.")
                    .arg(opened_program_, QString::fromStdString(format_duration(microseconds(*opened_us_))),
                         QString::fromStdString(format_duration(explanation->prediction.latency))));
        }
        opened_us_.reset();
    }
    emit predicted(milliseconds);
}

void MainWindow::tryWhatIf(const WhatIf& what_if) {
    Scenario scenario = document_.scenario();
    scenario.params = what_if.params;
    if (what_if.gpu_change)
        scenario = with_gpu_field(std::move(scenario), what_if.gpu_change->first, what_if.gpu_change->second);
    document_.setScenario(scenario, tr("try %1").arg(QString::fromStdString(what_if.label)));
}

// Pins of an opened session come without their explanations.
void MainWindow::explainPins() {
    for (const Pin& pin : document_.pins()) {
        if (pin.explanation || pin.scenario.family == nullptr || !pins_explained_.insert(pin.id).second) continue;
        const std::stop_token stop = pins_stop_.get_token();
        run_in_pool(
            this,
            [predictor = predictor_for(engine_, pin.scenario), scenario = pin.scenario, stop] { return predictor.explain(*scenario.family, scenario.params, scenario.gpu, stop); },
            [this, id = pin.id, name = pin.name, stop](const Result<std::shared_ptr<const Explanation>>& result) { takePinExplanation(id, name, stop, result); });
    }
}

void MainWindow::takePinExplanation(std::uint64_t id, const QString& name, const std::stop_token& stop,
                                    const Result<std::shared_ptr<const Explanation>>& result) {
    if (stop.stop_requested()) return;  // of a session that is closed
    if (!result) {
        message_->show(MessageBar::Kind::error,
                       tr("%1: %2").arg(name, QString::fromStdString(result.error().to_string())));
        return;
    }
    pins_explained_.erase(id);  // undo may bring the pin back without its explanation
    document_.setPinExplanation(id, *result);
}

void MainWindow::updateTitle() {
    const QString name = session_file_.isEmpty() ? tr("untitled") : QFileInfo(session_file_).fileName();
    const bool modified = !document_.undoStack().isClean();
    setWindowTitle(tr("%1[*] - SynPerf Explorer").arg(name));
    setWindowModified(modified);
    session_label_->setText(modified                  ? tr("session: %1, not saved").arg(name)
                            : session_file_.isEmpty() ? QString()
                                                      : tr("session: %1, saved").arg(name));
}

void MainWindow::showPalette() {
    servingWorkspace();  // its actions are listed, too
    compareWorkspace();
    costWorkspace();
    const int width = Theme::instance().px(520);
    const QPoint corner(std::max(0, this->width() - width - Theme::instance().px(kGap)), tabs_->geometry().bottom());
    palette_->openWith(allActions(), mapToGlobal(corner), width);
}

QString MainWindow::message() const {
    return message_->text();
}

}  // namespace synperf::ui
