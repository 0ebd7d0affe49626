#include "workspaces/serving_workspace.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "models/core_text.h"
#include "panels/serving_card.h"
#include "panels/serving_form.h"
#include "panels/serving_sweep_panel.h"
#include "theme/theme.h"
#include "views/breakdown_view.h"
#include "views/card.h"
#include "views/iteration_view.h"
#include "views/memory_view.h"
#include "views/serving_sweep_view.h"
#include "views/schedule_view.h"
#include "views/step_rows.h"
#include "views/step_view.h"
#include "views/table_window.h"

namespace synperf::ui {

namespace {

constexpr int kNarrow = 700;      // below, the inputs stand over the answer
constexpr int kOneColumn = 1080;  // below, the cards stand under each other
constexpr int kFormWidth = 292;

QString text(const std::string& s) { return QString::fromStdString(s); }

// What the table shows, in its order.
TableData shownTable(const QSortFilterProxyModel& sorted) {
    const auto* model = qobject_cast<const TableModel*>(sorted.sourceModel());
    if (model == nullptr) return {};
    TableData table = model->table();
    std::vector<int> rows;
    for (int row = 0; row < sorted.rowCount(); ++row) rows.push_back(sorted.mapToSource(sorted.index(row, 0)).row());
    table.cell = [rows, cell = table.cell](qint64 row, int column) { return cell(rows[static_cast<std::size_t>(row)], column); };
    return table;
}

QScrollArea* scrollOf(QWidget* page) {
    page->setProperty("look", "page");
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

}  // namespace

ServingWorkspace::ServingWorkspace(Document& document, std::filesystem::path user_specs, QWidget* parent)
    : QWidget(parent),
      document_(document),
      worker_(document.engine(), user_specs, this),
      form_(new ServingForm(document, user_specs, worker_.frameworks())),
      card_(new ServingCard),
      memory_(new MemoryView),
      largest_(new QPushButton),
      refusal_(new QLabel),
      breakdown_(new BreakdownView),
      iterations_(new IterationView),
      step_(new StepView),
      schedule_(new ScheduleView),
      micro_batches_(new QSpinBox),
      table_(panelTable(tr("Kernels of a step"), [this] { return shownTable(*sorted_); })),
      sorted_(new QSortFilterProxyModel(this)),
      step_stack_(new QStackedWidget),
      step_tabs_(new QButtonGroup(this)),
      sweep_(new ServingSweepPanel(worker_)),
      halves_(new QBoxLayout(QBoxLayout::LeftToRight)),
      upper_(new QBoxLayout(QBoxLayout::LeftToRight)),
      lower_(new QBoxLayout(QBoxLayout::LeftToRight)) {
    setAccessibleName(tr("Serving"));
    const int gap = Theme::instance().px(kGap);
    auto* inputs = new Card;
    inputs->setTitle(tr("What is served"));
    inputs->body()->addWidget(form_);
    form_side_ = inputs;
    scroll_ = scrollOf(buildPage());
    auto* right = new QVBoxLayout;
    right->setSpacing(gap);
    right->addWidget(card_);  // does not scroll away: it is the answer
    right->addWidget(scroll_, 1);
    halves_->setContentsMargins(gap, gap, gap, gap);
    halves_->setSpacing(gap);
    halves_->addWidget(inputs);
    halves_->addLayout(right, 1);
    setLayout(halves_);

    connect(&document_, &Document::servingChanged, this, &ServingWorkspace::request);
    connect(&document_, &Document::scenarioChanged, this, [this] {
        // Of a scenario the GPU and the switch of the models matter here; a dragged parameter of a kernel does not.
        const Scenario& scenario = document_.scenario();
        const bool same = asked_ && same_gpu(asked_->first, scenario.gpu) && asked_->second == scenario.analytical;
        if (!same || stale_) request();
    });
    connect(form_, &ServingForm::editGpuRequested, this, &ServingWorkspace::editGpuRequested);
    connect(form_, &ServingForm::refused, this, &ServingWorkspace::refused);
    connect(form_, &ServingForm::inputErrorChanged, this, [this] {
        const QString wrong = form_->inputError();
        if (!wrong.isEmpty()) card_->setError(wrong);
        if (wrong.isEmpty() && !failure_.isEmpty()) card_->setError(failure_);
        if (wrong.isEmpty() && failure_.isEmpty() && outcome_) card_->setOutcome(outcome_);
        setDimmed(!wrong.isEmpty() || !failure_.isEmpty() || !outcome_ || !outcome_->served.result);
    });
    connect(&worker_, &ServingWorker::answered, this, &ServingWorkspace::take);
    connect(&worker_, &ServingWorker::failed, this, &ServingWorkspace::fail);
    connect(&worker_, &ServingWorker::stepReady, this, &ServingWorkspace::takeStep);
    connect(&worker_, &ServingWorker::stepFailed, this, [this](const QString& message) {
        setStepDimmed(true);  // the kernels shown are another step's
        emit refused(tr("The kernels of this step: %1").arg(coreText(message.toStdString())));
    });
    connect(&worker_, &ServingWorker::progressed, card_, &ServingCard::setProgress);
    connect(card_, &ServingCard::cancelRequested, this, [this] {
        worker_.cancel();
        asked_.reset();
        card_->setError(tr("Cancelled: the numbers are those of the last finished prediction"));
    });
    connect(iterations_, &IterationView::selectedChanged, this, &ServingWorkspace::requestStep);
    connect(step_, &StepView::operatorOpened, this, &ServingWorkspace::openOperator);
    connect(breakdown_, &BreakdownView::operatorChosen, this, &ServingWorkspace::showOperator);
    connect(&sweep_->view(), &ServingSweepView::rowOpened, this, &ServingWorkspace::openSweepRow);
    connect(largest_, &QPushButton::clicked, this, &ServingWorkspace::useLargestBatch);
    reflow();
}

QWidget* ServingWorkspace::buildPage() {
    const int gap = Theme::instance().px(kGap);
    auto* memory = new Card(memory_);
    largest_->setObjectName(QStringLiteral("largestBatch"));
    largest_->setDefault(true);
    largest_->hide();
    refusal_->setProperty("look", "error");
    refusal_->setObjectName(QStringLiteral("refusal"));
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    refusal_->hide();
    memory->body()->addWidget(refusal_);
    memory->body()->addWidget(largest_, 0, Qt::AlignLeft);
    auto* sweep = new Card;
    sweep->body()->addWidget(sweep_);
    const auto follow = [this, sweep] {
        sweep->setTitle(sweep_->view().title());
        sweep->setCaption(sweep_->view().caption());
    };
    connect(&sweep_->view(), &PictureView::captionChanged, sweep, follow);
    follow();
    upper_->setSpacing(gap);
    upper_->addWidget(memory, 2);
    upper_->addWidget(new Card(breakdown_), 3);
    lower_->setSpacing(gap);
    lower_->addWidget(buildSteps(), 1);
    lower_->addWidget(sweep, 1);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap);
    column->addLayout(upper_);
    column->addWidget(new Card(iterations_));
    column->addLayout(lower_, 1);
    return page;
}

Card* ServingWorkspace::buildSteps() {
    auto* steps = new Card;
    const QStringList names{tr("Bars"), tr("Table"), tr("Schedule")};
    const std::array object_names{"stepBars", "stepTable", "stepSchedule"};
    for (int at = 0; at < names.size(); ++at) {
        auto* tab = new QToolButton(steps);
        tab->setObjectName(QLatin1String(object_names[static_cast<std::size_t>(at)]));
        tab->setText(names[at]);
        tab->setCheckable(true);
        tab->setChecked(at == 0);
        tab->setProperty("look", "quiet");
        step_tabs_->addButton(tab, at);
        steps->header()->addWidget(tab);
    }
    sorted_->setSortRole(Qt::EditRole);
    table_->setObjectName(QStringLiteral("operatorTable"));
    table_->setSortingEnabled(true);
    table_->setModel(sorted_);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    step_stack_->addWidget(step_);
    step_stack_->addWidget(table_);
    auto* lanes = new QWidget;
    auto* lanes_column = new QVBoxLayout(lanes);
    lanes_column->setContentsMargins(0, 0, 0, 0);
    micro_batches_->setRange(1, kMostMicroBatches);
    micro_batches_->setPrefix(tr("micro-batches "));
    micro_batches_->setAccessibleName(tr("Micro-batches"));
    micro_batches_->setToolTip(tr("Parts of the step's requests that follow each other through the pipeline stages"));
    micro_batches_->setObjectName(QStringLiteral("microBatches"));
    lanes_column->addWidget(micro_batches_, 0, Qt::AlignLeft);
    lanes_column->addWidget(schedule_, 1);
    step_stack_->addWidget(lanes);
    connect(micro_batches_, &QSpinBox::valueChanged, this, &ServingWorkspace::requestStep);
    connect(schedule_, &ScheduleView::operatorOpened, this, &ServingWorkspace::openKernel);
    steps->body()->addWidget(step_stack_, 1);
    connect(step_tabs_, &QButtonGroup::idClicked, step_stack_, &QStackedWidget::setCurrentIndex);
    const auto follow = [this, steps] {
        steps->setTitle(step_->title());
        steps->setCaption(step_stack_->currentIndex() == 2 ? schedule_->caption() : step_->caption());
    };
    connect(step_, &PictureView::captionChanged, steps, follow);
    connect(schedule_, &PictureView::captionChanged, steps, follow);
    connect(step_stack_, &QStackedWidget::currentChanged, steps, follow);
    follow();
    const auto open = [this](const QModelIndex& index) { openOperator(static_cast<std::size_t>(sorted_->mapToSource(index).row())); };
    connect(table_, &QTableView::doubleClicked, this, open);
    auto* enter = new QAction(tr("Open in the Kernel workspace"), table_);
    enter->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    enter->setShortcutContext(Qt::WidgetShortcut);
    connect(enter, &QAction::triggered, this, [this, open] {
        if (table_->currentIndex().isValid()) open(table_->currentIndex());
    });
    table_->insertAction(table_->actions().value(0), enter);
    return steps;
}

void ServingWorkspace::request() {
    stale_ = !isVisible();
    if (stale_) return;
    asked_ = {document_.scenario().gpu, document_.scenario().analytical};
    worker_.request(document_.serving(), document_.scenario());
}

void ServingWorkspace::refresh() {
    form_->catalogueChanged();
    stale_ = true;
    request();
}

void ServingWorkspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) request();
}

void ServingWorkspace::take(const ServingOutcomePtr& outcome) {
    outcome_ = outcome;
    failure_.clear();
    const ServedPlan& served = outcome->served;
    form_->clearErrors();
    form_->setDefaults(outcome->plan);
    const QString wrong = form_->inputError();
    card_->setOutcome(outcome);
    if (!wrong.isEmpty()) card_->setError(wrong);
    memory_->setFit(served.memory, served.runs(), served.largest_batch());
    refusal_->setText(served.runs() ? QString() : coreText(served.does_not_fit().message));
    refusal_->setVisible(!served.runs());
    const bool offer = !served.runs() && outcome->plan.shape && served.largest_batch() > 0;
    largest_->setVisible(offer);
    largest_->setText(tr("Use the largest batch that fits, %1").arg(QLocale().toString(qlonglong{served.largest_batch()})));
    setDimmed(!served.result || !wrong.isEmpty());
    if (served.result) {
        breakdown_->setResult(*served.result);
        iterations_->setIterations(served.result->iterations);
        // A decode step in the middle, until the user looks at another.
        if (!iterations_->selected()) iterations_->select(iterations_->iterations().size() / 2);
        requestStep();
    }
    sweep_->setOutcome(outcome);
    emit predicted(outcome->milliseconds);
}

void ServingWorkspace::fail(const QString& field, const QString& message) {
    form_->setError(field, message);
    failure_ = coreText(message.toStdString());
    asked_.reset();
    card_->setError(failure_);
    refusal_->hide();
    largest_->hide();
    if (!outcome_) sweep_->view().setProblem(tr("Nothing to sweep until the plan can be served"));
    setDimmed(true);
}

void ServingWorkspace::setDimmed(bool dimmed) {
    breakdown_->setDimmed(dimmed);
    iterations_->setDimmed(dimmed);
    setStepDimmed(dimmed);
}

void ServingWorkspace::setStepDimmed(bool dimmed) {
    step_->setDimmed(dimmed);
    schedule_->setDimmed(dimmed);
    table_->setEnabled(!dimmed);
}

void ServingWorkspace::requestStep() {
    if (outcome_ && outcome_->served.result && iterations_->selected()) worker_.requestStep(outcome_, *iterations_->selected(), micro_batches_->value());
}

void ServingWorkspace::takeStep(const std::shared_ptr<const ServingStep>& step) {
    if (step->of != outcome_) return;
    const StepTime& time = step->time;
    const bool prefill = outcome_->served.result->iterations[step->iteration].prefill;
    const QString number = QLocale().toString(static_cast<qlonglong>(step->iteration + 1));
    if (form_->inputError().isEmpty() && failure_.isEmpty()) setStepDimmed(false);
    schedule_->setSchedule(step);
    micro_batches_->setVisible(outcome_->plan.deployment.pp > 1);
    step_->setStep(prefill ? tr("step %1, with prompts").arg(number) : tr("step %1, decode").arg(number), time);
    QAbstractItemModel* const before = sorted_->sourceModel();
    sorted_->setSourceModel(new TableModel(stepTable(step_->title(), step_->rows(), time.total.value), sorted_));
    delete before;
    if (!has_shown_) table_->sortByColumn(-1, Qt::AscendingOrder);  // the order of the step, until a header is clicked
    has_shown_ = true;
    table_->resizeColumnsToContents();
}

void ServingWorkspace::openOperator(std::size_t row) {
    if (row < step_->rows().size()) openKernel(step_->rows()[row]);
}

void ServingWorkspace::openKernel(const OperatorTime& chosen) {
    if (chosen.family == nullptr || !outcome_) return;
    const auto family = document_.engine().kernels.find(chosen.family->id());
    if (!family) return emit refused(text(family.error().to_string()));
    Scenario scenario = document_.scenario();
    scenario.family = *family;
    scenario.params = chosen.params;
    scenario.measured_us.reset();
    document_.setScenario(scenario, tr("kernel %1 of %2").arg(text(chosen.name), text(outcome_->plan.config.id)));
    emit operatorOpened();
}

void ServingWorkspace::openSweepRow(std::size_t row) {
    const auto sweep = sweep_->view().sweep();
    if (!sweep || row >= sweep->rows.size()) return;
    // Through the engine's own rule for the GPU count, then back into the inputs.
    ServingPlan plan = sweep->of->plan;
    if (!set_values(plan, sweep->dimensions, sweep->rows[row].values)) return;
    ServingInputs inputs = document_.serving();
    if (plan.shape) inputs.shape = *plan.shape;
    inputs.tp = plan.deployment.tp;
    inputs.pp = plan.deployment.pp;
    inputs.ep = plan.deployment.ep;
    if (inputs.count > 0) inputs.count = plan.deployment.count;
    document_.setServing(inputs, tr("plan of the sweep"));
}

void ServingWorkspace::useLargestBatch() {
    if (!outcome_ || !outcome_->plan.shape || outcome_->served.largest_batch() < 1) return;
    ServingInputs inputs = document_.serving();
    inputs.shape.batch = outcome_->served.largest_batch();
    document_.setServing(inputs, tr("largest batch %1").arg(inputs.shape.batch));
}

void ServingWorkspace::showOperator(int phase, const QString& name) {
    if (!outcome_ || !outcome_->served.result) return;
    const auto& all = iterations_->iterations();
    const auto found = phase == 0 ? std::ranges::find(all, true, &Iteration::prefill) : std::ranges::find(all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end(), false, &Iteration::prefill);
    if (found == all.end()) return;
    iterations_->select(static_cast<std::size_t>(found - all.begin()));
    const auto row = std::ranges::find(step_->rows(), name.toStdString(), &OperatorTime::name);
    if (row != step_->rows().end()) step_->setCurrent(static_cast<std::size_t>(row - step_->rows().begin()));
}

QList<QAction*> ServingWorkspace::viewActions() {
    if (!menus_.isEmpty()) return menus_;
    const auto add = [this](const QString& name, auto run) {
        auto* action = new QAction(name, this);
        connect(action, &QAction::triggered, this, [this, run] {
            emit wanted();
            run();
        });
        menus_ << action;
        return action;
    };
    add(tr("Choose a model"), [this] { form_->openModelPicker(); });
    add(tr("Open a config.json…"), [this] { form_->chooseModelFile(); });
    add(tr("Open a table of requests…"), [this] { form_->chooseRequests(); });
    add(tr("Use the largest batch that fits"), [this] { useLargestBatch(); });
    add(tr("Kernels of the step as a table"), [this] { step_tabs_->button(step_stack_->currentIndex() == 0 ? 1 : 0)->click(); });
    add(tr("Cancel the prediction"), [this] { card_->cancelButton()->click(); });
    for (PictureView* view : {static_cast<PictureView*>(memory_), static_cast<PictureView*>(breakdown_), static_cast<PictureView*>(iterations_), static_cast<PictureView*>(step_),
                              static_cast<PictureView*>(schedule_), static_cast<PictureView*>(&sweep_->view())}) {
        auto* menu = new QMenu(view->title(), this);
        menu->addActions(view->pictureActions());
        connect(view, &PictureView::captionChanged, menu, [menu, view] { menu->setTitle(view->title()); });
        menus_ << menu->menuAction();
    }
    return menus_;
}

void ServingWorkspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    reflow();
}

void ServingWorkspace::reflow() {
    const Theme& theme = Theme::instance();
    const bool narrow = width() < theme.px(kNarrow), one = width() < theme.px(kOneColumn);
    halves_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    form_side_->setFixedWidth(narrow ? QWIDGETSIZE_MAX : theme.px(kFormWidth));
    if (narrow) {
        form_side_->setMinimumWidth(0);
        form_side_->setMaximumWidth(QWIDGETSIZE_MAX);
    }
    form_side_->setMaximumHeight(narrow ? std::max(theme.px(180), height() / 3) : QWIDGETSIZE_MAX);
    for (QBoxLayout* row : {upper_, lower_}) row->setDirection(one ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

}  // namespace synperf::ui
