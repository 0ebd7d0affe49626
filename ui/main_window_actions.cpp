// Menus and what their entries do.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>

#include "main_window.h"
#include "models/command_line.h"
#include "models/user_specs.h"
#include "panels/command_palette.h"
#include "panels/gpu_editor.h"
#include "panels/message_bar.h"
#include "panels/panel_dock.h"
#include "panels/scenario_dock.h"
#include "theme/theme.h"
#include "panels/serving_form.h"
#include "workspaces/compare_workspace.h"
#include "workspaces/kernel_workspace.h"
#include "workspaces/cost_workspace.h"
#include "workspaces/serving_workspace.h"

namespace synperf::ui {

namespace {

constexpr double kScaleStep = 1.125;

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

void collect(const QWidget* menu, const QString& place, QList<QAction*>& all) {
    for (QAction* action : menu->actions()) {
        if (action->menu() != nullptr) {
            const QString title = plain_text(*action);
            collect(action->menu(), place.isEmpty() ? title : place + QStringLiteral(" > ") + title, all);
        } else if (!action->isSeparator() && !all.contains(action)) {
            action->setProperty("place", place);
            all << action;
        }
    }
}

}  // namespace

QAction* MainWindow::add(QMenu* menu, const QString& name, const QList<QKeySequence>& keys, std::function<void()> run) {
    QAction* action = menu->addAction(name);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, std::move(run));
    return action;
}

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> all;
    collect(menuBar(), {}, all);
    return all;
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, tr("&New session"), {QKeySequence::New}, [this] { newSession(); });
    add(file, tr("&Open…"), {QKeySequence::Open}, [this] { chooseSession(); });
    recent_ = file->addMenu(tr("Open &recent"));
    fillRecentMenu();
    file->addSeparator();
    add(file, tr("&Save session"), {QKeySequence::Save}, [this] { save(); });
    add(file, tr("Save session &as…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, [this] { saveAs(); });
    file->addSeparator();
    add(file, tr("Add a &GPU…"), {}, [this] { addGpu(); });
    add(file, tr("Save this GPU among &mine"), {}, [this] { saveGpu(); });
    add(file, tr("New &kernel…"), {}, [this] { newKernel(); });
    file->addSeparator();
    add(file, tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); });
}

void MainWindow::buildEditMenu() {
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QUndoStack& stack = document_.undoStack();
    QAction* undo = stack.createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = stack.createRedoAction(this, tr("Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addActions({undo, redo});
    edit->addSeparator();
    add(edit, tr("&Copy as command line"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
        [this] { copyCommandLine(); });
    add(edit, tr("&Paste command line"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)},
        [this] { pasteCommandLine(); });
    edit->addSeparator();
    add(edit, tr("Choose a &GPU"), {QKeySequence(Qt::CTRL | Qt::Key_G)}, [this] {
        if (workspace() == Workspace::compare) return compare_->openPicker();
        workspace() == Workspace::serving ? serving_->form().openGpuPicker() : scenario_->openGpuPicker();
    });
    add(edit, tr("&Edit the GPU's spec"), {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] { editGpu(); });
    add(edit, tr("Edit the &kernel's file…"), {QKeySequence(Qt::CTRL | Qt::Key_K)}, [this] { editKernel(); });
    edit->addSeparator();
    add(edit, tr("P&in this result"), {QKeySequence(Qt::CTRL | Qt::Key_D)}, [this] { pinResult(); });
    pins_ = edit->addMenu(tr("Pinned results"));
    const auto fill = [this] {
        pins_->clear();
        for (std::size_t i = 0; i < document_.pins().size(); ++i) {
            const QString name = document_.pins()[i].name;
            add(pins_, tr("Go back to %1").arg(name), {}, [this, i, name] {
                if (i < document_.pins().size())
                    document_.setScenario(document_.pins()[i].scenario, tr("go back to %1").arg(name));
            });
        }
        if (!document_.pins().empty()) pins_->addSeparator();
        for (std::size_t i = 0; i < document_.pins().size(); ++i)
            add(pins_, tr("Remove %1").arg(document_.pins()[i].name), {}, [this, i] { document_.removePin(i); });
        pins_->setEnabled(!document_.pins().empty());
    };
    connect(&document_, &Document::pinsChanged, this, fill);
    fill();
}

void MainWindow::buildViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    QAction* analytical = add(view, tr("&Analytical model only"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)},
                              [this] { document_.setAnalytical(!document_.scenario().analytical); });
    add(view, tr("&Nearest measurements"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)}, [this] { showNearest(); });
    analytical->setCheckable(true);
    analytical->setToolTip(tr("Predict from the analysis alone, without learned models"));
    const auto follow = [this, analytical] { analytical->setChecked(document_.scenario().analytical); };
    connect(&document_, &Document::scenarioChanged, this, follow);
    follow();
    view->addSeparator();
    view->addMenu(tr("&Workspace"))->addActions(workspaces_->actions());
    view->addActions(kernel_->viewActions());
    compare_menu_ = view->addMenu(tr("&Compare"));
    serving_menu_ = view->addMenu(tr("&Serving"));
    cost_menu_ = view->addMenu(tr("C&ost"));
    connect(view, &QMenu::aboutToShow, this, [this] {
        compareWorkspace();
        servingWorkspace();
        costWorkspace();
    });
    view->addSeparator();
    buildThemeMenus(view);
    Theme& theme = Theme::instance();
    add(view, tr("Larger"), {QKeySequence(Qt::CTRL | Qt::Key_Equal), QKeySequence(Qt::CTRL | Qt::Key_Plus)},
        [&theme] { theme.setScale(theme.scale() * kScaleStep); });
    add(view, tr("Smaller"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
        [&theme] { theme.setScale(theme.scale() / kScaleStep); });
    add(view, tr("Normal size"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [&theme] { theme.setScale(1); });
    view->addSeparator();
    for (PanelDock* dock : docks_) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setText(tr("Panel %1").arg(dock->windowTitle()));
        view->addAction(toggle);
    }
    buildLayoutMenu(view);
}

void MainWindow::buildThemeMenus(QMenu* view) {
    Theme& theme = Theme::instance();
    const auto choices = [this, view, &theme](const QString& title, const QStringList& names, int now,
                                              std::function<void(int)> choose) {
        QMenu* menu = view->addMenu(title);
        auto* group = new QActionGroup(menu);
        for (int i = 0; i < names.size(); ++i) {
            QAction* action = add(menu, names[i], {}, [choose, i] { choose(i); });
            action->setCheckable(true);
            action->setChecked(i == now);
            group->addAction(action);
        }
        return group;
    };
    QActionGroup* palettes =
        choices(tr("Palette"), {tr("As the system"), tr("Light"), tr("Dark")}, static_cast<int>(theme.choice()),
                [&theme](int i) { theme.setChoice(static_cast<ThemeChoice>(i)); });
    QActionGroup* maps =
        choices(tr("Heat map colours"), {tr("Viridis"), tr("Cividis"), tr("Grey")}, static_cast<int>(theme.colormap()),
                [&theme](int i) { theme.setColormap(static_cast<Colormap>(i)); });
    // Settings are restored after the menus are made.
    connect(&theme, &Theme::changed, this, [&theme, palettes, maps] {
        palettes->actions()[static_cast<int>(theme.choice())]->setChecked(true);
        maps->actions()[static_cast<int>(theme.colormap())]->setChecked(true);
    });
}

void MainWindow::buildLayoutMenu(QMenu* view) {
    layouts_ = view->addMenu(tr("Layouts"));
    const auto fill = [this] {
        layouts_->clear();
        add(layouts_, tr("Reset to the standard layout"), {}, [this] { applyStandardLayout(); });
        add(layouts_, tr("Pictures only"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}, [this] {
            applyStandardLayout();
            for (PanelDock* dock : docks_) dock->hide();
        });
        layouts_->addSeparator();
        for (const QString& name : layoutNames())
            add(layouts_, name, {},
                [this, name] { applyLayout(QSettings().value(QStringLiteral("layouts/") + name).toByteArray()); });
        layouts_->addSeparator();
        add(layouts_, tr("Save this layout…"), {}, [this] {
            const QString name = QInputDialog::getText(this, tr("Save this layout"), tr("Name"))
                                     .trimmed()
                                     .left(40)
                                     .remove(QLatin1Char('/'));
            if (!name.isEmpty()) QSettings().setValue(QStringLiteral("layouts/") + name, layoutState());
        });
        for (const QString& name : layoutNames())
            add(layouts_, tr("Forget %1").arg(name), {},
                [name] { QSettings().remove(QStringLiteral("layouts/") + name); });
    };
    connect(layouts_, &QMenu::aboutToShow, this, fill);
    fill();
}

void MainWindow::buildHelpMenu() {
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, tr("Search or run an &action"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
        [this] { showPalette(); });
    add(help, tr("&Keys"), {QKeySequence(Qt::Key_Question)}, [this] {
        auto* keys = new KeysDialog(allActions(), view_keys(), this);
        keys->setAttribute(Qt::WA_DeleteOnClose);
        keys->show();
    });
    add(help, tr("A&bout"), {}, [this] { showAbout(); });
}

void MainWindow::copyCommandLine() {
    if (workspace() == Workspace::compare) return copyCompareLine();
    const bool serving = workspace() == Workspace::serving, cost = workspace() == Workspace::cost;
    const QString line = cost ? cost_command_line(document_.cost(), document_.serving(), document_.scenario().analytical) : serving ? serving_command_line(document_.serving(), document_.scenario().gpu) : document_.commandLine();
    QGuiApplication::clipboard()->setText(line);
    status_->setText(tr("Copied: %1").arg(line));
    if (serving || cost) return;
    if (const QString caveat = command_line_caveat(document_.scenario(), engine_); !caveat.isEmpty())
        message_->show(MessageBar::Kind::note, tr("The command line is copied, but %1.").arg(caveat));
}

void MainWindow::pasteCommandLine() {
    const Result<void> result = document_.setFromCommandLine(QGuiApplication::clipboard()->text());
    if (!result) message_->show(MessageBar::Kind::error, tr("Paste: %1").arg(text(result.error().to_string())));
}

void MainWindow::pinResult() {
    if (!explanation_) return;
    if (document_.pins().size() == kMaxPins) {
        message_->show(MessageBar::Kind::error,
                       tr("%1 results are pinned, which is the most; remove one first").arg(kMaxPins));
        return;
    }
    const Scenario& scenario = document_.scenario();
    const QString what = scenario.analytical ? tr("%1, %2 on %3, analytical") : tr("%1, %2 on %3");
    const QString name = what.arg(document_.freePinLetter(), text(scenario.family->title()), text(scenario.gpu.name));
    // The newest explanation may still be for the edit before: then it is computed for the pin.
    document_.addPin(
        {.name = name, .scenario = scenario, .explanation = explanationIsCurrent() ? explanation_ : nullptr});
}

void MainWindow::editGpu() {
    if (gpu_editor_ == nullptr) {
        gpu_editor_ = new GpuEditor(document_, this);
        connect(gpu_editor_, &GpuEditor::saveRequested, this, &MainWindow::saveGpu);
    }
    gpu_editor_->show();
    gpu_editor_->raise();
    gpu_editor_->activateWindow();
}

void MainWindow::addGpu() {
    AddGpuDialog dialog(engine_, this);
    if (dialog.exec() != QDialog::Accepted) return;
    document_.setGpu(dialog.spec());
    saveGpu();
}

void MainWindow::saveGpu() {
    const GpuSpec spec = gpu_to_save(document_.scenario(), engine_.gpus);
    const Result<GpuSpec> saved = save_user_gpu(spec, engine_, folders_.specs);
    if (!saved) {
        message_->show(MessageBar::Kind::error, text(saved.error().to_string()));
        return;
    }
    scenario_->catalogueChanged();
    if (serving_ != nullptr) serving_->form().catalogueChanged();
    if (compare_ != nullptr) compare_->catalogueChanged();
    if (cost_ != nullptr) cost_->refresh();
    // From here on the scenario is about the saved spec: the next edit is an edit of that.
    Scenario scenario = document_.scenario();
    scenario.gpu = *saved;
    scenario.edited_from.clear();
    document_.setScenario(scenario, tr("save GPU %1").arg(text(saved->name)));
    message_->show(MessageBar::Kind::note, tr("%1 is saved as %2").arg(text(saved->name), text(saved->file)));
}

void MainWindow::showAbout() {
    QMessageBox::about(this, tr("About SynPerf Explorer"),
                       tr("SynPerf Explorer %1\n\nPredicts how long GPU kernels take on a GPU that you need not own, "
                          "and shows why.\n\n%2")
                           .arg(QCoreApplication::applicationVersion(),
                                explanation_ ? text(explanation_->prediction.provenance) : QString()));
}

}  // namespace synperf::ui
