// The Compare workspace in the window: made when it is first looked at.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>

#include "main_window.h"
#include "panels/message_bar.h"
#include "workspaces/compare_workspace.h"

namespace synperf::ui {

CompareWorkspace& MainWindow::compareWorkspace() {
    if (compare_ != nullptr) return *compare_;
    compare_ = new CompareWorkspace(document_, folders_.specs);
    placeWorkspace(Workspace::compare, compare_);
    compare_menu_->addActions(compare_->viewActions());
    connect(compare_, &CompareWorkspace::refused, this, [this](const QString& why) { message_->show(MessageBar::Kind::error, why); });
    connect(compare_, &CompareWorkspace::wanted, this, [this] { showWorkspace(Workspace::compare); });
    connect(compare_, &CompareWorkspace::editRequested, this, [this] { showWorkspace(document_.compare().workload ? Workspace::serving : Workspace::kernel); });
    connect(compare_, &CompareWorkspace::predicted, this, [this](double milliseconds) { status_->setText(tr("Predicted in %1 ms").arg(QString::fromStdString(format_number(milliseconds, 2)))); });
    connect(&compare_->worker(), &CompareWorker::idle, this, [this] {
        if (!busy()) emit settled();
    });
    return *compare_;
}

void MainWindow::copyCompareLine() {
    const QString line = compare_command_line(document_.compare(), document_.scenario(), document_.serving(), engine_);
    QGuiApplication::clipboard()->setText(line);
    status_->setText(tr("Copied: %1").arg(line));
    const QStringList caveats = compare_command_line_caveats(document_.compare(), engine_);
    if (!caveats.isEmpty()) message_->show(MessageBar::Kind::note, tr("The command line is copied, but: %1").arg(caveats.join(QLatin1Char(' '))));
}

}  // namespace synperf::ui
