// The Cost workspace in the window: made when it is first looked at.
#include <QFileInfo>
#include <QLabel>
#include <QMenu>

#include "main_window.h"
#include "models/background_work.h"
#include "models/core_text.h"
#include "models/price_files.h"
#include "models/price_store.h"
#include "panels/message_bar.h"
#include "panels/price_book_window.h"
#include "panels/price_import_dialog.h"
#include "views/cost_chart_view.h"
#include "workspaces/cost_workspace.h"

namespace synperf::ui {

CostWorkspace& MainWindow::costWorkspace() {
    if (cost_ != nullptr) return *cost_;
    cost_ = new CostWorkspace(document_, folders_.specs);
    cost_->setFocusProxy(&cost_->chart());
    placeWorkspace(Workspace::cost, cost_);
    cost_menu_->addActions(cost_->viewActions());
    connect(cost_, &CostWorkspace::wanted, this, [this] { showWorkspace(Workspace::cost); });
    connect(cost_, &CostWorkspace::workloadRequested, this, [this] { showWorkspace(Workspace::serving); });
    connect(cost_, &CostWorkspace::pricesRequested, this, &MainWindow::showPriceBook);
    connect(cost_, &CostWorkspace::refused, this, [this](const QString& why) { message_->show(MessageBar::Kind::error, why); });
    connect(cost_, &CostWorkspace::said, this, [this](const QString& note) { message_->show(MessageBar::Kind::note, note); });
    connect(cost_, &CostWorkspace::predicted, this, [this](double milliseconds) { status_->setText(tr("Ranked in %1 ms").arg(QString::fromStdString(format_number(milliseconds, 2)))); });
    connect(&cost_->worker(), &CostWorker::idle, this, [this] {
        if (!busy()) emit settled();
    });
    QStringList lines;
    for (const Error& problem : cost_->worker().problems()) lines << coreText(problem.to_string());
    if (!lines.isEmpty()) message_->show(MessageBar::Kind::error, lines.join(QLatin1Char('\n')));
    return *cost_;
}

// The user's own prices are kept whether the workspace was looked at or not: undo reaches them from anywhere.
void MainWindow::watchPrices() {
    std::vector<Error> problems;
    (void)default_cost(folders_.specs, &problems);
    QStringList lines;
    for (const Error& problem : problems) lines << coreText(problem.to_string());
    if (!lines.isEmpty()) message_->show(MessageBar::Kind::error, lines.join(QLatin1Char('\n')));
    price_store_ = new PriceStore(document_, folders_.specs, this);
    connect(price_store_, &PriceStore::failed, this, [this](const QString& why) { message_->show(MessageBar::Kind::error, why); });
}

void MainWindow::showPriceBook() {
    if (price_book_ == nullptr) {
        price_book_ = new PriceBookWindow(document_, costWorkspace().worker(), this);
        connect(price_book_, &PriceBookWindow::importRequested, this, &MainWindow::openPrices);
    }
    price_book_->show();
    price_book_->raise();
    price_book_->activateWindow();
}

bool MainWindow::openPrices(const QString& file) {
    auto* work = new BackgroundWork(this);
    connect(work, &BackgroundWork::ended, work, &QObject::deleteLater);
    const auto known = std::make_shared<const PriceCatalogue>(costWorkspace().worker().catalogue(document_.cost()));
    work->run([file, known, gpus = std::make_shared<const GpuCatalogue>(engine_.gpus)](const BackgroundWork::Progress&, const std::stop_token&) { return read_prices(file, *gpus, *known); },
              [this, file](const Result<ImportedPrices>& read) {
                  if (!read) {
                      message_->show(MessageBar::Kind::error, coreText(read.error().to_string()));
                      return;
                  }
                  noteFile(QFileInfo(file).absoluteFilePath());
                  showWorkspace(Workspace::cost);
                  auto* dialog = new PriceImportDialog(document_, file, *read, price_book_ != nullptr && price_book_->isVisible() ? static_cast<QWidget*>(price_book_) : this);
                  dialog->setAttribute(Qt::WA_DeleteOnClose);
                  dialog->open();
              });
    return true;
}

}  // namespace synperf::ui
