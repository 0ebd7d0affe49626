// Sessions, spec files, recent files, recovery and what the window remembers.
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>

#include "data/gpu_import.h"
#include "hardware/gpu_json.h"
#include "main_window.h"
#include "panels/kernel_editor.h"
#include "panels/message_bar.h"
#include "models/batch_rows.h"
#include "models/price_files.h"
#include "panels/panel_dock.h"
#include "theme/theme.h"
#include "workspaces/kernel_workspace.h"

namespace synperf::ui {

namespace {

constexpr int kLayoutVersion = 1;
constexpr qsizetype kMostRecent = 10;

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString file_filter() {
    return MainWindow::tr("SynPerf sessions (*.%1);;All files (*)").arg(kSessionEnding);
}

// Sessions say so near their start or end; reading them whole is cheap and certain.
bool looks_like_session(const QString& file) {
    QFile handle(file);
    if (!handle.open(QIODevice::ReadOnly)) return false;
    return handle.read(kMaxSessionBytes).contains("\"synperf-session\"");
}

}  // namespace

DocumentContent MainWindow::freshContent() const {
    DocumentContent content;
    content.scenario = default_scenario(engine_);
    content.serving = default_serving(engine_.specs);
    content.compare = default_compare(engine_);
    content.cost = default_cost(folders_.specs);
    return content;
}

Session MainWindow::session() const {
    Session session;
    session.scenario = document_.scenario();
    session.pins = document_.pins();
    session.serving = document_.serving();
    session.compare = document_.compare();
    session.cost = document_.cost();
    session.program = QCoreApplication::applicationVersion();
    if (explanationIsCurrent()) session.predicted_us = to_microseconds(explanation_->prediction.latency);
    QJsonObject view{{QStringLiteral("time_unit"),
                      selection_.unit() == TimeUnit::cycles ? QStringLiteral("cycles") : QStringLiteral("us")},
                     {QStringLiteral("pipe"), text(name(selection_.pipe()))}};
    if (selection_.range())
        view.insert(QStringLiteral("range_cycles"), QJsonArray{selection_.range()->begin, selection_.range()->end});
    session.view = view;
    return session;
}

void MainWindow::takeSession(const OpenedSession& opened, const QString& file) {
    const Session& session = opened.session;
    session_file_ = file;
    save_needs_new_name_ = session.newer();
    opened_program_ = session.program;
    opened_us_ = session.predicted_us;
    explanation_.reset();
    pins_stop_.request_stop();
    pins_stop_ = {};

    selection_.setUnit(session.view.value(QLatin1String("time_unit")).toString() == QLatin1String("cycles")
                           ? TimeUnit::cycles
                           : TimeUnit::microseconds);
    for (const Pipe pipe : kPipes)
        if (session.view.value(QLatin1String("pipe")).toString() == text(name(pipe))) selection_.setPipe(pipe);
    DocumentContent content = freshContent();
    content.scenario = session.scenario;
    content.pins = session.pins;
    if (session.serving) content.serving = *session.serving;
    if (session.compare) content.compare = *session.compare;
    if (session.cost) content.cost = *session.cost;
    document_.reset(std::move(content));
    const QJsonArray range = session.view.value(QLatin1String("range_cycles")).toArray();
    selection_.setRange(range.size() == 2 ? std::optional(TimeRange{range[0].toDouble(), range[1].toDouble()})
                                          : std::nullopt);
    worker_.request(document_.scenario());
    explainPins();
    autosave_->noteSaved();
    updateTitle();
}

bool MainWindow::openSession(const QString& file) {
    const Result<OpenedSession> opened = open_session(file, engine_);
    if (!opened) {
        message_->show(MessageBar::Kind::error, text(opened.error().to_string()));
        return false;
    }
    takeSession(*opened, QFileInfo(file).absoluteFilePath());
    noteFile(session_file_);
    if (opened->session.newer()) {
        QString note = tr("%1 was saved by a newer version (%2). What this version understands is open; saving asks "
                          "for another name.")
                           .arg(QFileInfo(file).fileName(), opened->session.program);
        if (!opened->left_out.isEmpty())
            note += QLatin1Char('\n') + tr("Left out: %1").arg(opened->left_out.mid(0, 20).join(QStringLiteral("; ")));
        message_->show(MessageBar::Kind::note, note);
    } else if (!opened->left_out.isEmpty()) {
        message_->show(MessageBar::Kind::note, tr("%1 is open. Left out: %2").arg(QFileInfo(file).fileName(), opened->left_out.mid(0, 20).join(QStringLiteral("; "))));
    } else {
        message_->hide();
    }
    return true;
}

bool MainWindow::saveSession(const QString& file) {
    const QString path = QFileInfo(file).absoluteFilePath();
    if (save_needs_new_name_ && path == session_file_) {
        message_->show(
            MessageBar::Kind::error,
            tr("%1 holds things of a newer version that saving here would lose: choose another name").arg(path));
        return false;
    }
    const Result<void> saved = save_session(path, session());
    if (!saved) {
        message_->show(MessageBar::Kind::error, text(saved.error().to_string()));
        return false;
    }
    session_file_ = path;
    save_needs_new_name_ = false;
    document_.undoStack().setClean();
    autosave_->noteSaved();
    noteFile(path);
    updateTitle();
    return true;
}

bool MainWindow::save() {
    return session_file_.isEmpty() || save_needs_new_name_ ? saveAs() : saveSession(session_file_);
}

bool MainWindow::saveAs() {
    QString suggested = session_file_.isEmpty() ? tr("untitled") + QLatin1Char('.') + kSessionEnding : session_file_;
    if (save_needs_new_name_) {
        const QFileInfo info(session_file_);
        suggested =
            info.path() + QLatin1Char('/') + info.completeBaseName() + QStringLiteral("-copy.") + kSessionEnding;
    }
    QString file = QFileDialog::getSaveFileName(this, tr("Save session"), suggested, file_filter());
    if (file.isEmpty()) return false;
    if (QFileInfo(file).suffix().isEmpty()) file += QLatin1Char('.') + kSessionEnding;
    return saveSession(file);
}

bool MainWindow::mayDiscard() {
    if (document_.undoStack().isClean()) return true;
    const auto answer =
        QMessageBox::question(this, tr("Save the session?"), tr("The session has changes that are not saved."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::newSession() {
    if (!mayDiscard()) return;
    OpenedSession fresh;
    fresh.session.scenario = default_scenario(engine_);
    takeSession(fresh, {});
    message_->hide();
}

void MainWindow::chooseSession() {
    const QString folder = session_file_.isEmpty() ? QString() : QFileInfo(session_file_).path();
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a session, a GPU spec, a language model's config, a table or a model"), folder,
        tr("What can be opened (*.%1 *.json *.yaml *.yml *.py *.csv *.csv.gz *.model);;All files (*)").arg(kSessionEnding));
    if (!file.isEmpty()) openAnyFile(file);
}

bool MainWindow::openAnyFile(const QString& file) {
    if (!QFileInfo(file).isFile()) {
        message_->show(MessageBar::Kind::error, tr("%1 is not a file").arg(file));
        return false;
    }
    if (file.endsWith(QLatin1String(".model"), Qt::CaseInsensitive)) return openModel(file);
    if (looks_like_requests(file)) return openRequests(file);
    if (looks_like_prices(file)) return openPrices(file);
    if (isTableFile(file)) {
        openTable(file);
        return true;
    }
    const bool session = QFileInfo(file).suffix() == kSessionEnding || looks_like_session(file);
    if (!session && looks_like_llm_config(file)) return openLlm(file);
    if (!session) return openGpuFile(file);
    return mayDiscard() && openSession(file);
}

bool MainWindow::openGpuFile(const QString& file) {
    const std::filesystem::path path(file.toStdString());
    const Result<GpuSpec> own = read_gpu_file(path, SpecOrigin::user);
    if (own) {
        document_.setGpu(*own);
        message_->show(MessageBar::Kind::note,
                       tr("%1 from %2. \"Save this GPU among mine\" keeps it.").arg(text(own->name), file));
        return true;
    }
    const Result<ImportedGpu> foreign = import_gpu(path);
    if (!foreign) {
        // A file with an id is one of ours with a mistake; for anything else the importer lists what it knows.
        QFile handle(file);
        const bool ours =
            handle.open(QIODevice::ReadOnly) && handle.read(static_cast<qint64>(kMaxSpecFileBytes)).contains("\"id\"");
        message_->show(MessageBar::Kind::error, text((ours ? own.error() : foreign.error()).to_string()));
        return false;
    }
    document_.setGpu(foreign->spec);
    QStringList lines{
        tr("%1 from %2, read as a spec of %3:").arg(text(foreign->spec.name), file, text(foreign->format))};
    for (const std::string& decision : foreign->decisions) lines << text(decision);
    message_->show(MessageBar::Kind::note, lines.join(QLatin1Char('\n')));
    return true;
}

void MainWindow::offerRecovery() {
    const std::optional<Recovery> recovery = autosave_->find();
    if (!recovery) return;
    const auto answer = QMessageBox::question(
        this, tr("Restore the session?"),
        tr("The program ended without saving. A session from %1 was kept. Restore it?").arg(recovery->saved_at),
        QMessageBox::Yes | QMessageBox::No, QMessageBox::Yes);
    if (answer == QMessageBox::No) return autosave_->discard(*recovery);
    const Result<OpenedSession> opened = parse_session(recovery->session, recovery->file, engine_);
    if (!opened) {
        // The file stays: it is all that is left of that work.
        message_->show(MessageBar::Kind::error, text(opened.error().to_string()));
        return;
    }
    takeSession(*opened, {});
    // What was restored is in no file of the user's yet, and kept by nothing but its own recovery file until this
    // window wrote one.
    document_.undoStack().resetClean();
    updateTitle();
    if (autosave_->writeNow()) autosave_->discard(*recovery);
}

void MainWindow::noteFile(const QString& file) {
    QSettings settings;
    QStringList files = settings.value(QStringLiteral("recentFiles")).toStringList();
    files.removeAll(file);
    files.prepend(file);
    settings.setValue(QStringLiteral("recentFiles"), files.mid(0, kMostRecent));
    fillRecentMenu();
}

void MainWindow::fillRecentMenu() {
    recent_->clear();
    for (const QString& file : QSettings().value(QStringLiteral("recentFiles")).toStringList().mid(0, kMostRecent)) {
        QAction* action = add(recent_, QFileInfo(file).fileName(), {}, [this, file] { openAnyFile(file); });
        action->setToolTip(file);
        action->setStatusTip(file);
    }
    recent_->setEnabled(!recent_->isEmpty());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) return event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        event->acceptProposedAction();
        openAnyFile(url.toLocalFile());
        return;
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayDiscard() || (kernel_editor_ != nullptr && !kernel_editor_->mayDiscard())) return event->ignore();
    storeSettings();
    autosave_->noteSaved();
    event->accept();
}

QByteArray MainWindow::layoutState() const {
    return board_->saveState(kLayoutVersion);
}

void MainWindow::applyLayout(const QByteArray& state) {
    // A layout of another version of the window is not understood: the standard one is always right.
    if (!board_->restoreState(state, kLayoutVersion)) applyStandardLayout();
}

void MainWindow::applyStandardLayout() {
    board_->restoreState(standard_layout_, kLayoutVersion);
    shareDocks();  // the state was taken before the window had its size
}

void MainWindow::shareDocks() {
    const Theme& theme = Theme::instance();
    PanelDock *scenario = docks_[0], *why = docks_[1], *details = docks_[2];
    board_->resizeDocks({scenario, why}, {theme.px(286), theme.px(306)}, Qt::Horizontal);
    board_->resizeDocks({why, details}, {theme.px(470), theme.px(420)}, Qt::Vertical);
}

QStringList MainWindow::layoutNames() const {
    QSettings settings;
    settings.beginGroup(QStringLiteral("layouts"));
    return settings.childKeys();
}

void MainWindow::restoreSettings() {
    const QSettings settings;
    Theme& theme = Theme::instance();
    theme.setChoice(static_cast<ThemeChoice>(std::clamp(settings.value(QStringLiteral("theme"), 0).toInt(), 0, 2)));
    theme.setColormap(static_cast<Colormap>(std::clamp(settings.value(QStringLiteral("colormap"), 0).toInt(), 0, 2)));
    theme.setScale(settings.value(QStringLiteral("scale"), 1.0).toDouble());
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    if (const QByteArray layout = settings.value(QStringLiteral("layout")).toByteArray(); !layout.isEmpty())
        applyLayout(layout);
}

void MainWindow::setLookForThisRun(std::optional<ThemeChoice> choice, std::optional<double> scale) {
    Theme& theme = Theme::instance();
    if (choice) theme.setChoice(*choice);
    if (scale) theme.setScale(*scale);
    run_theme_ = choice ? std::optional(theme.choice()) : std::nullopt;
    run_scale_ = scale ? std::optional(theme.scale()) : std::nullopt;
}

void MainWindow::storeSettings() const {
    QSettings settings;
    const Theme& theme = Theme::instance();
    if (run_theme_ != theme.choice()) settings.setValue(QStringLiteral("theme"), static_cast<int>(theme.choice()));
    settings.setValue(QStringLiteral("colormap"), static_cast<int>(theme.colormap()));
    if (run_scale_ != theme.scale()) settings.setValue(QStringLiteral("scale"), theme.scale());
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("layout"), layoutState());
}

}  // namespace synperf::ui
