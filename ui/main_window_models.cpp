// Workspaces, and models taken into use.
#include <QActionGroup>
#include <QFileInfo>
#include <QLayout>
#include <QTableView>

#include "main_window.h"
#include "models/adopt_model.h"
#include "models/core_text.h"
#include "models/sourced_rows.h"
#include "panels/message_bar.h"
#include "prediction/feature_check.h"
#include "views/rows_window.h"
#include "workspaces/compare_workspace.h"
#include "workspaces/models_workspace.h"
#include "workspaces/cost_workspace.h"
#include "workspaces/serving_workspace.h"

namespace synperf::ui {

ModelsWorkspace& MainWindow::modelsWorkspace() {
    if (models_ == nullptr) {
        models_ = new ModelsWorkspace(engine_, folders_.models);
        models_->setFocusProxy(models_->modelList());
        placeWorkspace(Workspace::models, models_);
        connect(models_, &ModelsWorkspace::adoptRequested, this, &MainWindow::adoptModel);
        connect(models_, &ModelsWorkspace::worstRequested, this, &MainWindow::showWorst);
        connect(models_, &ModelsWorkspace::refused, this, [this](const QString& why) { message_->show(MessageBar::Kind::error, why); });
    }
    return *models_;
}

QString MainWindow::workspaceName(Workspace workspace) const {
    switch (workspace) {
        case Workspace::kernel: return tr("Kernel");
        case Workspace::compare: return tr("Compare");
        case Workspace::serving: return tr("Serving");
        case Workspace::cost: return tr("Cost");
        case Workspace::models: return tr("Models");
    }
    return {};
}

QWidget& MainWindow::workspaceWidget(Workspace workspace) {
    switch (workspace) {
        case Workspace::kernel: break;
        case Workspace::compare: return compareWorkspace();
        case Workspace::serving: return servingWorkspace();
        case Workspace::cost: return costWorkspace();
        case Workspace::models: return modelsWorkspace();
    }
    return *board_;
}

void MainWindow::placeWorkspace(Workspace workspace, QWidget* widget) {
    widget->hide();
    static_cast<QBoxLayout*>(centralWidget()->layout())->addWidget(widget, 1);
    workspace_widgets_[workspace] = widget;
}

void MainWindow::showWorkspace(Workspace workspace) {
    QWidget& shown = workspaceWidget(workspace);
    // Those that go first: two at once would ask the window for room.
    for (const auto& [other, widget] : workspace_widgets_)
        if (widget != &shown) widget->hide();
    shown.show();
    if (shown.focusProxy() != nullptr) shown.setFocus();
    for (QAction* tab : workspaces_->actions())
        if (tab->data().toInt() == static_cast<int>(workspace)) tab->setChecked(true);
}

MainWindow::Workspace MainWindow::workspace() const {
    for (const auto& [workspace, widget] : workspace_widgets_)
        if (!widget->isHidden()) return workspace;
    return Workspace::kernel;
}

bool MainWindow::openModel(const QString& file) {
    auto model = LearnedModel::read(file.toStdString());
    if (!model) {
        message_->show(MessageBar::Kind::error, QString::fromStdString(model.error().to_string()));
        return false;
    }
    // Trained on other numbers than this program computes, it would never be asked.
    if (const auto fits = check_feature_names(*model, feature_names_of(model->name, engine_.kernels, engine_.gpus, engine_.predictor.analytical())); !fits) {
        message_->show(MessageBar::Kind::error, QString::fromStdString(Error{fits.error().message, fits.error().field, file.toStdString()}.to_string()));
        return false;
    }
    return adoptModel(std::make_shared<const LearnedModel>(std::move(*model)), false);
}

bool MainWindow::adoptModel(std::shared_ptr<const LearnedModel> model, bool for_good) {
    const QString name = QString::fromStdString(model->name);
    if (for_good && folders_.models.empty()) return false;
    const auto adopted = adopt_model(engine_, document_.undoStack(), std::move(model), for_good ? folders_.models : std::filesystem::path{}, [this](const Result<void>& files) {
        modelsChanged();
        if (!files) message_->show(MessageBar::Kind::error, QString::fromStdString(files.error().to_string()));
    });
    if (!adopted) {
        message_->show(MessageBar::Kind::error, QString::fromStdString(adopted.error().to_string()));
        return false;
    }
    message_->show(MessageBar::Kind::note, for_good ? tr("The model %1 answers from now on; it is kept in %2.").arg(name, QString::fromStdString(folders_.models.string()))
                                                    : tr("The model %1 answers until the program ends.").arg(name));
    return true;
}

void MainWindow::modelsChanged() {
    if (models_ != nullptr) models_->modelsChanged();
    if (serving_ != nullptr) serving_->refresh();
    if (compare_ != nullptr) compare_->refresh();
    if (cost_ != nullptr) cost_->refresh();
    worker_.request(document_.scenario());
}

void MainWindow::showWorst(const SourcedRows& rows, const QString& model) {
    RowsWindow* window = showRows(std::make_unique<RowsWindow>(tr("Worst rows of the new model %1").arg(model), this));
    window->setRows(rows.rows, tr("Rows kept out of training, the largest error of the new model first"));
    connect(window, &RowsWindow::rowOpened, this, [this, window, sources = rows.sources](std::size_t row) { openRow(*window, *sources[row].first, sources[row].second); });
}

}  // namespace synperf::ui
