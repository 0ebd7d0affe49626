// Tables of kernels: a window each, a row of one as the scenario, and the table of what was measured near it.
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QPushButton>

#include "main_window.h"
#include "models/batch_rows.h"
#include "models/core_text.h"
#include "models/nearest_measured.h"
#include "panels/message_bar.h"
#include "views/progress.h"
#include "views/rows_window.h"

namespace synperf::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

QString note_of(const BatchRows& batch) {
    const QLocale locale;
    const auto number = [&](std::size_t n) { return locale.toString(static_cast<qlonglong>(n)); };
    QStringList parts;
    if (batch.failed > 0) parts << MainWindow::tr("%1 can not be predicted").arg(number(batch.failed));
    if (batch.measured > 0) {
        parts << MainWindow::tr("Error of %1 measured ones: mean %2 %, median %3 %")
                     .arg(number(batch.measured), locale.toString(100 * batch.mean_error, 'f', 1), locale.toString(100 * batch.median_error, 'f', 1));
    }
    return parts.join(QStringLiteral(". "));
}

}  // namespace

void MainWindow::openTable(const QString& file) {
    auto* work = new BackgroundWork(this);
    connect(work, &BackgroundWork::ended, work, &QObject::deleteLater);
    const QString name = QFileInfo(file).fileName();
    work->run(
        [file, engine = engine_snapshot(engine_, document_.scenario()), folder = folders_.specs](const BackgroundWork::Progress& progress, const std::stop_token& stop) {
            return batch_rows(file, *engine, folder, progress, stop);
        },
        [this, file, name](const Result<BatchRows>& batch) {
            if (!batch) {
                message_->show(MessageBar::Kind::error, text(batch.error().to_string()));
                return;
            }
            message_->hide();
            noteFile(QFileInfo(file).absoluteFilePath());
            RowsWindow* window = showRows(std::make_unique<RowsWindow>(name, this));
            window->setRows(batch->rows, note_of(*batch));
            window->setCanOpen(batch->calls);
            connect(window, &RowsWindow::rowOpened, this, [this, window, rows = batch->rows](std::size_t row) { openRow(*window, rows->table, row); });
        });
    showProgress(*work, tr("Predicting %1").arg(name), this);
}

RowsWindow* MainWindow::showRows(std::unique_ptr<RowsWindow> made) {
    RowsWindow* window = made.release();  // the main window owns it
    window->setAttribute(Qt::WA_DeleteOnClose);
    // Its rows are opened through the session's undo stack, so its keys work there, too.
    QAction* undo = document_.undoStack().createUndoAction(window);
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = document_.undoStack().createRedoAction(window);
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    window->addActions({undo, redo});
    window->show();
    window->raise();
    window->activateWindow();
    return window;
}

void MainWindow::openRow(RowsWindow& window, const CsvTable& table, std::size_t row) {
    const Result<Scenario> scenario = scenario_of_row(table, row, engine_, document_.scenario());
    if (!scenario) {
        window.showProblem(text(scenario.error().to_string()));
        return;
    }
    showWorkspace(Workspace::kernel);
    document_.setScenario(*scenario, tr("row %1 of %2").arg(QLocale().toString(static_cast<qlonglong>(row + 1)), window.windowTitle()));
}

void MainWindow::showNearest() {
    if (nearest_work_ == nullptr) nearest_work_ = new BackgroundWork(this);
    const Scenario scenario = document_.scenario();
    nearest_work_->run(
        [scenario, engine = engine_snapshot(engine_, scenario), folder = measured_folder(), kept = measured_](const BackgroundWork::Progress& progress, const std::stop_token& stop) {
            return nearest_measured(scenario, engine, folder, kept, progress, stop);
        },
        [this](const Result<NearestMeasured>& nearest) {
            if (nearest) return takeNearest(*nearest);
            message_->show(MessageBar::Kind::note, coreText(nearest.error().to_string()));
        });
    showProgress(*nearest_work_, tr("Looking through the measured tables"), this);
}

void MainWindow::takeNearest(const NearestMeasured& nearest) {
    if (nearest.kept) measured_ = nearest.kept;
    if (nearest_) nearest_->close();
    const QLocale locale;
    RowsWindow* window = showRows(std::make_unique<RowsWindow>(tr("Nearest measurements"), this));
    nearest_ = window;
    QPushButton* choose = window->addButton(tr("Folder of tables…"));
    connect(choose, &QPushButton::clicked, this, &MainWindow::chooseMeasuredFolder);
    window->setCanOpen(nearest.from_tables);
    const QString distance = tr("Distance: root of the mean squared difference of %1 features, each in its standard deviation").arg(locale.toString(static_cast<qlonglong>(nearest.features)));
    if (nearest.from_tables) {
        window->setRows(nearest.rows.rows, tr("The nearest of %1 that the model %2 answers for. %3").arg(locale.toString(static_cast<qlonglong>(nearest.searched)), nearest.model, distance));
        connect(window, &RowsWindow::rowOpened, this,
                [this, window, sources = nearest.rows.sources](std::size_t row) { openRow(*window, *sources[row].first, sources[row].second); });
        return;
    }
    window->setRows(nearest.rows.rows, tr("Centres of the rows that the model %1 was trained on: means of their features, all that the model keeps of them. The measured rows are public tables "
                                          "that the model's card names; choose the folder where you have them. %2")
                                           .arg(nearest.model, distance));
}

void MainWindow::chooseMeasuredFolder() {
    const QString folder = QFileDialog::getExistingDirectory(nearest_ ? static_cast<QWidget*>(nearest_.data()) : this, tr("Folder of measured tables"), measured_folder());
    if (folder.isEmpty()) return;
    set_measured_folder(folder);
    showNearest();
}

}  // namespace synperf::ui
