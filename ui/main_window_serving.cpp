// The Serving workspace in the window: made when it is first looked at; files that are for it.
#include <QFileInfo>
#include <QLabel>
#include <QMenu>

#include "main_window.h"
#include "panels/message_bar.h"
#include "panels/serving_form.h"
#include "views/iteration_view.h"
#include "workspaces/compare_workspace.h"
#include "workspaces/cost_workspace.h"
#include "workspaces/serving_workspace.h"

namespace synperf::ui {

ServingWorkspace& MainWindow::servingWorkspace() {
    if (serving_ != nullptr) return *serving_;
    serving_ = new ServingWorkspace(document_, folders_.specs);
    serving_->setFocusProxy(&serving_->timeline());
    placeWorkspace(Workspace::serving, serving_);
    serving_menu_->addActions(serving_->viewActions());
    connect(serving_, &ServingWorkspace::editGpuRequested, this, &MainWindow::editGpu);
    connect(serving_, &ServingWorkspace::refused, this, [this](const QString& why) { message_->show(MessageBar::Kind::error, why); });
    connect(serving_, &ServingWorkspace::wanted, this, [this] { showWorkspace(Workspace::serving); });
    connect(serving_, &ServingWorkspace::operatorOpened, this, [this] { showWorkspace(Workspace::kernel); });
    connect(serving_, &ServingWorkspace::predicted, this, [this](double milliseconds) { status_->setText(tr("Predicted in %1 ms").arg(QString::fromStdString(format_number(milliseconds, 2)))); });
    connect(&serving_->worker(), &ServingWorker::idle, this, [this] {
        if (!busy()) emit settled();
    });
    connect(&serving_->form(), &ServingForm::requestsOpened, this, [this](const QString& file) {
        noteFile(QFileInfo(file).absoluteFilePath());
        showWorkspace(Workspace::serving);
    });
    QStringList lines;
    for (const Error& problem : serving_->worker().problems()) lines << QString::fromStdString(problem.to_string());
    if (!lines.isEmpty()) message_->show(MessageBar::Kind::error, lines.join(QLatin1Char('\n')));
    return *serving_;
}

bool MainWindow::busy() const {
    return worker_.busy() || (serving_ != nullptr && serving_->worker().busy()) || (compare_ != nullptr && compare_->worker().busy()) || (cost_ != nullptr && cost_->worker().busy());
}

bool MainWindow::openLlm(const QString& file) {
    if (const auto opened = servingWorkspace().form().openModelFile(file); !opened) {
        message_->show(MessageBar::Kind::error, QString::fromStdString(opened.error().to_string()));
        return false;
    }
    message_->hide();
    noteFile(QFileInfo(file).absoluteFilePath());
    showWorkspace(Workspace::serving);
    return true;
}

bool MainWindow::openRequests(const QString& file) {
    message_->hide();
    servingWorkspace().form().openRequests(file);
    return true;
}

}  // namespace synperf::ui
