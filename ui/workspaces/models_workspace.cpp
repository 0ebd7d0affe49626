#include "workspaces/models_workspace.h"

#include <QDragEnterEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QScrollArea>
#include <QTableView>
#include <QUrl>
#include <algorithm>

#include "models/batch_rows.h"
#include "models/core_text.h"
#include "models/model_tables.h"
#include "panels/comparison_panel.h"
#include "panels/training_panel.h"
#include "theme/theme.h"
#include "views/card.h"
#include "views/table_window.h"
#include "views/training_curves.h"

namespace synperf::ui {

namespace {

constexpr int kNarrow = 900;  // below, the two columns stand under each other

Card* card_with(const QString& title, QWidget* content) {
    auto* card = new Card;
    card->setTitle(title);
    card->body()->addWidget(content);
    return card;
}

QStringList tables_of(const QMimeData& data) {
    QStringList files;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile() && isTableFile(url.toLocalFile())) files << url.toLocalFile();
    }
    return files;
}

}  // namespace

ModelsWorkspace::ModelsWorkspace(const Engine& engine, std::filesystem::path user_folder, QWidget* parent)
    : QWidget(parent),
      engine_(engine),
      user_folder_(std::move(user_folder)),
      data_(engine, this),
      trainer_(this),
      models_(panelTable(tr("Models in use"), [this] { return model_table(engine_.predictor.models(), user_folder_); })),
      left_out_(panelTable(tr("Errors on GPUs left out of training"), [this] { return static_cast<TableModel*>(left_out_->model())->table(); })),
      card_(new QLabel),
      left_out_title_(new QLabel(tr("Errors on GPUs left out of training"))),
      training_(new TrainingPanel(data_)),
      curves_(new TrainingCurves),
      comparison_(new ComparisonPanel),
      halves_(new QBoxLayout(QBoxLayout::LeftToRight)) {
    setAccessibleName(tr("Models"));
    setAcceptDrops(true);
    const int gap = Theme::instance().px(kGap);
    auto* left = new QVBoxLayout;
    left->setSpacing(gap);
    left->addWidget(card_with(tr("Models in use"), buildModels()));
    auto* right = new QVBoxLayout;
    right->setSpacing(gap);
    right->addWidget(card_with(tr("Train a model"), training_));
    right->addWidget(new Card(curves_), 2);
    right->addWidget(card_with(tr("New model beside the one in use"), comparison_), 3);
    auto* page = new QWidget;
    page->setProperty("look", "page");
    halves_->setSpacing(gap);
    halves_->setContentsMargins(0, 0, 0, 0);
    halves_->addLayout(left, 1);
    halves_->addLayout(right, 1);
    page->setLayout(halves_);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(gap, gap, gap, gap);
    outer->addWidget(scroll);

    connect(training_, &TrainingPanel::trainRequested, this, &ModelsWorkspace::train);
    connect(training_, &TrainingPanel::cancelRequested, this, [this] {
        trainer_.cancel();
        training_->setOutcome(tr("Cancelled: the models in use are as before"), false);
    });
    connect(&data_, &TrainingData::refused, this, [this](const QString& why) {
        training_->setOutcome(coreText(why.toStdString()), true);
        emit refused(coreText(why.toStdString()));
    });
    connect(&trainer_, &ModelTrainer::pointsAdded, curves_, &TrainingCurves::add);
    connect(&trainer_, &ModelTrainer::progressed, training_, &TrainingPanel::setProgress);
    connect(&trainer_, &ModelTrainer::finished, this, &ModelsWorkspace::take);
    connect(&trainer_, &ModelTrainer::failed, this, [this](const QString& why) { training_->setOutcome(coreText(why.toStdString()), true); });
    connect(&trainer_, &ModelTrainer::ended, this, [this] { training_->setTraining(false); });
    connect(comparison_, &ComparisonPanel::adoptRequested, this, [this](bool for_good) { emit adoptRequested(comparison_->trained()->model, for_good); });
    connect(comparison_, &ComparisonPanel::worstRequested, this, [this] {
        emit worstRequested(worst_rows(comparison_->trained()->comparison, compared_tables_), QString::fromStdString(comparison_->trained()->model->name));
    });
    modelsChanged();
    reflow();
}

QWidget* ModelsWorkspace::buildModels() {
    const Theme& theme = Theme::instance();
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(8));
    models_->setObjectName(QStringLiteral("modelList"));
    models_->setSelectionMode(QAbstractItemView::SingleSelection);
    models_->setMinimumHeight(theme.px(130));
    column->addWidget(models_, 2);
    card_->setProperty("look", "second");
    card_->setWordWrap(true);
    card_->setTextFormat(Qt::PlainText);
    card_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(card_);
    left_out_title_->setProperty("look", "heading");
    column->addWidget(left_out_title_);
    left_out_->setMinimumHeight(theme.px(90));
    column->addWidget(left_out_, 3);
    return content;
}

void ModelsWorkspace::modelsChanged() {
    const QString chosen = models_->currentIndex().siblingAtColumn(0).data().toString();
    showTable(*models_, model_table(engine_.predictor.models(), user_folder_));
    connect(models_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ModelsWorkspace::showCard);
    int row = 0;
    for (int at = 0; at < models_->model()->rowCount(); ++at)
        if (models_->model()->index(at, 0).data().toString() == chosen) row = at;
    models_->setCurrentIndex(models_->model()->index(row, 0));
    showCard();
    if (const auto& trained = comparison_->trained()) {
        const LearnedModel* used = engine_.predictor.models().find(trained->model->name);
        // One that was adopted for good is a copy that knows its file.
        comparison_->setInUse(used != nullptr && used->card == trained->model->card && used->centres == trained->model->centres);
    }
}

void ModelsWorkspace::showCard() {
    const auto all = models_in_order(engine_.predictor.models());
    const int row = models_->currentIndex().row();
    const bool any = row >= 0 && static_cast<std::size_t>(row) < all.size();
    card_->setText(any ? card_text(*all[static_cast<std::size_t>(row)]) : tr("No model is in use: every prediction comes from the analysis alone."));
    const TableData table = any ? left_out_table(*all[static_cast<std::size_t>(row)]) : TableData{};
    left_out_->setVisible(table.rows > 0);
    left_out_title_->setVisible(table.rows > 0);
    showTable(*left_out_, table);
}

void ModelsWorkspace::train() {
    if (trainer_.busy() || data_.files().empty()) return;
    const RetrainOptions options = training_->options();
    training_tables_ = data_.tables();
    curves_->begin(options.recipe.members, options.recipe.network.epochs);
    training_->setTraining(true);
    training_->setProgress(tr("Analysing the rows"), 0, -1);
    trainer_.start(training_tables_, engine_snapshot(engine_, {}), options);
}

void ModelsWorkspace::take(std::shared_ptr<const Retrained> trained) {
    const QLocale locale;
    QString outcome = tr("Learned from %1 rows").arg(locale.toString(static_cast<qlonglong>(trained->learned)));
    const TrainingRowsReport& report = trained->report;
    if (report.failed > 0) outcome += QStringLiteral(". ") + tr("%1 rows can not be used, the first: %2").arg(report.failed).arg(QString::fromStdString(report.first_failure));
    if (report.set_aside > 0) outcome += QStringLiteral(". ") + tr("%1 rows were set aside: timed eagerly, or measuring something else").arg(report.set_aside);
    training_->setOutcome(outcome, false);
    compared_tables_ = training_tables_;
    comparison_->setTrained(std::move(trained));
    comparison_->setInUse(false);
}

void ModelsWorkspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    reflow();
}

void ModelsWorkspace::reflow() {
    const bool narrow = width() < Theme::instance().px(kNarrow);
    halves_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ModelsWorkspace::dragEnterEvent(QDragEnterEvent* event) {
    if (!tables_of(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

// Other files are the window's.
void ModelsWorkspace::dropEvent(QDropEvent* event) {
    const QStringList files = tables_of(*event->mimeData());
    if (files.isEmpty()) return event->ignore();
    event->acceptProposedAction();
    if (!trainer_.busy()) data_.add(files);
}

}  // namespace synperf::ui
