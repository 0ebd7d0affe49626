#include "workspaces/compare_workspace.h"

#include <QAction>
#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/core_text.h"
#include "panels/compare_card.h"
#include "panels/comparison_table.h"
#include "panels/design_panel.h"
#include "panels/search_popup.h"
#include "theme/theme.h"
#include "views/card.h"
#include "views/lane_view.h"
#include "views/operator_bars.h"
#include "views/pipe_bars.h"
#include "views/tornado_view.h"
#include "workspaces/comparison_board.h"

namespace synperf::ui {

namespace {

constexpr int kNarrow = 1180;     // below, the design panel stands under the table
constexpr int kNoBars = 860;      // below, cards have no bars
constexpr int kDesignWidth = 360;
constexpr int kCardHeight = 176;  // at most
constexpr int kAxis = 28;

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

QToolButton* quiet(const QString& text, const char* name) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setProperty("look", "quiet");
    made->setText(text);
    made->setCheckable(true);
    return made;
}

}  // namespace

CompareWorkspace::CompareWorkspace(Document& document, std::filesystem::path user_specs, QWidget* parent)
    : QWidget(parent),
      document_(document),
      worker_(document.engine(), std::move(user_specs), this),
      title_(new ElidedLabel(QStringLiteral("key"))),
      caption_(new ElidedLabel(QStringLiteral("second"))),
      problem_(new QLabel),
      verdict_(new QLabel),
      kernel_(quiet(tr("Kernel"), "compareKernel")),
      workload_(quiet(tr("LLM workload"), "compareWorkload")),
      schedule_(quiet(tr("Timelines"), "compareTimelines")),
      pipes_(quiet(tr("Heat maps"), "comparePipes")),
      edit_(new QPushButton(tr("edit"))),
      add_(new QPushButton(tr("Add GPU"))),
      cancel_(new QPushButton(tr("Cancel"))),
      progress_(new QProgressBar),
      picker_(new SearchPopup(&gpus_, GpuListModel::searchRole, GpuListModel::secondRole, tr("Search a GPU"), this)),
      board_(new ComparisonBoard),
      model_(new ComparisonTable(this)),
      table_(new QTableView),
      filter_(new QLineEdit(table_)),
      prefill_(new OperatorBars(tr("Prefill"))),
      decode_(new OperatorBars(tr("Decode step"))),
      prefill_card_(new Card(prefill_)),
      decode_card_(new Card(decode_)),
      design_(new DesignPanel),
      design_card_(new Card),
      halves_(new QBoxLayout(QBoxLayout::LeftToRight)),
      operators_row_(new QBoxLayout(QBoxLayout::LeftToRight)) {
    setAccessibleName(tr("Compare"));
    const int gap = Theme::instance().px(kGap);
    scroll_ = scrollOf(buildPage());
    design_card_->setTitle(tr("What if"));
    design_scroll_ = scrollOf(design_);
    design_card_->body()->addWidget(design_scroll_, 1);
    auto* left = new QVBoxLayout;
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(Theme::instance().px(6));
    left->addWidget(buildHeader());
    left->addWidget(scroll_, 1);
    halves_->setContentsMargins(gap, gap, gap, gap);
    halves_->setSpacing(gap);
    halves_->addLayout(left, 1);
    halves_->addWidget(design_card_);
    setLayout(halves_);
    setFocusProxy(table_);
    catalogueChanged();
    connectAll();
    showInputs();
    reflow();
    // Words that are coloured by what they say do not follow the theme by themselves.
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        styleTable();
        design_->restyle();
        if (comparison_) board_->setComparison(comparison_);
        reflow();
    });
}

QWidget* CompareWorkspace::buildHeader() {
    const Theme& theme = Theme::instance();
    auto* header = new QWidget;
    header_ = new QBoxLayout(QBoxLayout::LeftToRight, header);
    header_->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    auto* texts = new QVBoxLayout;
    texts->setSpacing(theme.px(1));
    auto* first = new QHBoxLayout;
    first->addWidget(title_, 1);
    texts->addLayout(first);
    texts->addWidget(caption_);
    texts->setContentsMargins(theme.px(4), 0, 0, 0);
    header_->addLayout(texts, 1);
    header_->addLayout(row);
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(theme.px(90));
    progress_->setAccessibleName(tr("Predicting"));
    progress_->hide();
    cancel_->setObjectName(QStringLiteral("cancelCompare"));
    cancel_->hide();
    for (QPushButton* each : {edit_, add_}) {
        each->setProperty("look", "link");
        each->setCursor(Qt::PointingHandCursor);
    }
    edit_->setObjectName(QStringLiteral("editCompared"));
    add_->setObjectName(QStringLiteral("addGpu"));
    add_->setToolTip(tr("Ctrl+G: a shipped GPU or one of yours; the Kernel workspace's own, edits too, comes by the menu View > Compare"));
    row->addWidget(progress_);
    row->addWidget(cancel_);
    const auto exclusive = [this](QToolButton* a, QToolButton* b) {
        auto* group = new QButtonGroup(this);
        group->addButton(a);
        group->addButton(b);
    };
    exclusive(kernel_, workload_);
    exclusive(schedule_, pipes_);
    for (QWidget* each : {static_cast<QWidget*>(kernel_), static_cast<QWidget*>(workload_)}) row->addWidget(each);
    row->addSpacing(theme.px(8));
    for (QWidget* each : {static_cast<QWidget*>(schedule_), static_cast<QWidget*>(pipes_)}) row->addWidget(each);
    row->addStretch();
    for (QPushButton* each : {edit_, add_}) {
        each->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        row->addWidget(each);
    }
    return header;
}

QWidget* CompareWorkspace::buildPage() {
    const int gap = Theme::instance().px(kGap);
    page_ = new QWidget;
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap);
    problem_->setProperty("look", "error");
    problem_->setObjectName(QStringLiteral("compareProblem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->hide();
    operators_row_->setSpacing(gap);
    operators_row_->addWidget(prefill_card_, 1);
    operators_row_->addWidget(decode_card_, 1);
    column->addWidget(problem_);
    column->addWidget(board_, 1);
    column->addLayout(operators_row_);
    column->addWidget(buildTable());
    column->addStretch();
    return page_;
}

void CompareWorkspace::showInputs() {
    const CompareInputs& inputs = document_.compare();
    (inputs.workload ? workload_ : kernel_)->setChecked(true);
    (inputs.pipes ? pipes_ : schedule_)->setChecked(true);
    schedule_->setVisible(!inputs.workload);
    pipes_->setVisible(!inputs.workload);
    edit_->setToolTip(inputs.workload ? tr("Opens the Serving workspace, where the model and its requests are chosen") : tr("Opens the Kernel workspace, where the kernel and its parameters are chosen"));
    add_->setEnabled(inputs.gpus.size() < kMostCompared);
    design_->setInputs(inputs);
    shown_ = inputs;
    if (const QString words = QString::fromStdString(inputs.words); words != filter_->text()) filter_->setText(words);
    applyFilter();
}

void CompareWorkspace::request(bool again) {
    stale_ = !isVisible();
    if (stale_) return;
    // A design change alone leaves the comparison as it is; so does the kernel of the Kernel workspace where a workload is compared, and the other way round.
    Asked now{document_.compare(), document_.scenario(), document_.serving()};
    now.inputs.change = {};
    now.inputs.designed = 0;
    now.inputs.words.clear();
    const auto same = [&now](const Asked& last) {
        if (!(last.inputs == now.inputs)) return false;
        return now.inputs.workload ? last.serving == now.serving && last.scenario.analytical == now.scenario.analytical : same_inputs(last.scenario, now.scenario);
    };
    // Not what is shown: that may be older than what runs.
    if (again || !asked_ || !same(*asked_)) {
        asked_ = std::move(now);
        worker_.request(document_.compare(), document_.scenario(), document_.serving());
    }
    requestDesign();
}

void CompareWorkspace::requestDesign() { worker_.requestDesign(document_.compare(), document_.scenario(), document_.serving()); }

void CompareWorkspace::refresh() {
    worker_.refresh();
    request(true);
}

void CompareWorkspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    request(true);
}

void CompareWorkspace::take(const ComparisonPtr& comparison) {
    comparison_ = comparison;
    problem_->hide();
    board_->setDimmed(false);
    board_->setComparison(comparison);
    title_->setFullText(board_->title());
    caption_->setFullText(board_->caption());
    model_->setComparison(comparison);
    applyFilter();
    QStringList sentences;
    const std::string first = comparison->workload() ? comparison->ranking.latency_verdict : comparison->kernels.verdict;
    sentences << (first.empty() ? tr("None of these GPUs can run it.") : sentenceText(first, comparison->inputs));
    if (!comparison->workload() && !comparison->kernels.cost_verdict.empty()) sentences << sentenceText(comparison->kernels.cost_verdict, comparison->inputs);
    verdict_->setText(sentences.join(QLatin1Char('\n')));
    for (Card* card : {prefill_card_, decode_card_}) card->setVisible(comparison->workload());
    if (comparison->workload()) {
        std::vector<OperatorBars::Bar> prefill, decode;
        for (std::size_t i = 0; i < comparison->size(); ++i) {
            if (!comparison->latency(i)) continue;
            const ServingResult& result = comparison->plan(i)->result;
            prefill.push_back({comparedName(*comparison, i), result.prefill_parts});
            decode.push_back({comparedName(*comparison, i), result.decode_parts});
        }
        prefill_->setBars(prefill);
        decode_->setBars(decode);
    }
    reflow();
    emit predicted(comparison->milliseconds);
    tell(comparison->problems);
}

// One line, once: the same files are unread in the next comparison too.
void CompareWorkspace::tell(const std::vector<Error>& problems) {
    QString line;
    if (!problems.empty()) line = coreText(problems.front().to_string());
    if (problems.size() > 1) line = tr("%1 (and %2 more)").arg(line).arg(problems.size() - 1);
    if (line == std::exchange(told_, line) || line.isEmpty()) return;
    emit refused(line);
}

void CompareWorkspace::fail(const QString& message) {
    asked_.reset();
    problem_->setText(coreText(message.toStdString()));
    problem_->show();
    board_->setDimmed(true);
}

QString CompareWorkspace::verdict() const { return verdict_->text(); }
QString CompareWorkspace::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void CompareWorkspace::openPicker() {
    if (!add_->isEnabled()) return;
    const int width = Theme::instance().px(460);
    picker_->openAt(add_->mapToGlobal(QPoint(add_->width() - width, add_->height() + 2)), width);
}

void CompareWorkspace::catalogueChanged() { gpus_.setCatalogue(document_.engine().gpus); }

void CompareWorkspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    reflow();
}

void CompareWorkspace::reflow() {
    const Theme& theme = Theme::instance();
    const bool narrow = width() < theme.px(kNarrow);
    // Beside the page it has a scroll bar of its own; under the table it is part of the page.
    auto* column = static_cast<QVBoxLayout*>(page_->layout());
    const bool under = column->indexOf(design_card_) >= 0;
    if (narrow && !under) {
        halves_->removeWidget(design_card_);
        column->addWidget(design_card_);
    } else if (!narrow && under) {
        column->removeWidget(design_card_);
        halves_->addWidget(design_card_);
    }
    design_card_->setMinimumWidth(narrow ? 0 : theme.px(kDesignWidth));
    design_card_->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : theme.px(kDesignWidth));
    design_scroll_->setMinimumHeight(narrow ? design_->sizeHint().height() + theme.px(4) : 0);
    const bool tight = width() < theme.px(kNoBars) || (!narrow && width() < theme.px(kNarrow + 120));
    header_->setDirection(tight ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    operators_row_->setDirection(width() < theme.px(kNarrow) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int cards = static_cast<int>(board_->count());
    board_->setMaximumHeight(cards > 0 ? cards * theme.px(kCardHeight) + theme.px(kAxis) : QWIDGETSIZE_MAX);
    board_->setNarrow(scroll_->width() < theme.px(kNoBars));
    fitTable();
}

}  // namespace synperf::ui
