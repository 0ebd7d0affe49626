#include "workspaces/kernel_workspace.h"

#include <QComboBox>
#include <QMenu>
#include <QSplitterHandle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kNarrow = 720;  // below, the lower pictures stand under each other and the page scrolls

// The gap between cards is the handle: nothing is drawn in it.
class GapHandle : public QSplitterHandle {
public:
    using QSplitterHandle::QSplitterHandle;

protected:
    void paintEvent(QPaintEvent* /*event*/) override {}
};

class GapSplitter : public QSplitter {
public:
    using QSplitter::QSplitter;

protected:
    QSplitterHandle* createHandle() override { return new GapHandle(orientation(), this); }
};

// The pipe that a newly chosen kernel is looked at through.
Pipe busiestPipe(const Analysis& analysis) {
    return *std::max_element(kPipes.begin(), kPipes.end(),
                             [&](Pipe a, Pipe b) { return analysis.work.busiest_cycles[a] < analysis.work.busiest_cycles[b]; });
}

void addPipeChoice(Card* card, Selection& selection) {
    auto* choice = new QComboBox(card);
    for (const Pipe pipe : kPipes) choice->addItem(pipeName(pipe));
    choice->setAccessibleName(KernelWorkspace::tr("Pipe over time"));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(5);
    choice->setCurrentIndex(static_cast<int>(selection.pipe()));
    card->header()->addWidget(choice);
    QObject::connect(choice, &QComboBox::activated, &selection,
                     [&selection](int index) { selection.setPipe(kPipes[static_cast<std::size_t>(index)]); });
    QObject::connect(&selection, &Selection::pipeChanged, choice,
                     [choice, &selection] { choice->setCurrentIndex(static_cast<int>(selection.pipe())); });
}

}  // namespace

KernelWorkspace::KernelWorkspace(Document& document, Selection& selection, QWidget* parent)
    : QWidget(parent),
      document_(document),
      selection_(selection),
      scroll_(new QScrollArea(this)),
      page_(new QWidget),
      rows_(new GapSplitter(Qt::Vertical)),
      bottom_(new GapSplitter(Qt::Horizontal)),
      latency_(new LatencyCard(document)),
      timeline_(new TimelineView(selection)),
      transport_(new TransportBar(selection)),
      pipe_map_(new PipeMapView(selection)),
      time_map_(new TimeMapView(selection)),
      roofline_(new RooflineView),
      sweep_(new SweepView),
      charts_(new Card),
      chart_stack_(new QStackedWidget),
      chart_tabs_(new QButtonGroup(this)),
      details_(new DetailsPanel(selection)),
      why_(new WhyPanel) {
    const int gap = Theme::instance().px(kGap);
    setAccessibleName(tr("Kernel"));

    auto* timeline_card = new Card(timeline_);
    timeline_card->body()->addWidget(transport_);
    auto* time_card = new Card(time_map_);
    addPipeChoice(time_card, selection_);
    buildCharts();
    bottom_->addWidget(new Card(pipe_map_));
    bottom_->addWidget(time_card);
    bottom_->addWidget(charts_);
    rows_->addWidget(timeline_card);
    rows_->addWidget(bottom_);
    rows_->setSizes({5000, 4000});  // shares, as below
    rows_->setStretchFactor(0, 5);
    rows_->setStretchFactor(1, 4);
    for (int at = 0; at < bottom_->count(); ++at) bottom_->setStretchFactor(at, 1);
    bottom_->setSizes({1000, 1000, 1000});  // equal shares of whatever there is
    for (QSplitter* splitter : {rows_, bottom_}) {
        splitter->setHandleWidth(gap);
        splitter->setChildrenCollapsible(false);
    }

    page_->setProperty("look", "page");
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(rows_);
    scroll_->setWidget(page_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(gap);
    outer->addWidget(latency_);  // does not scroll away: it is the answer
    outer->addWidget(scroll_, 1);

    connect(timeline_, &TimelineView::playRequested, transport_, &TransportBar::togglePlaying);
    connect(why_, &WhyPanel::whatIfRequested, this, &KernelWorkspace::whatIfRequested);
    connect(details_, &DetailsPanel::tableRequested, timeline_, &PictureView::openTable);
    connect(&document_, &Document::pinsChanged, this, &KernelWorkspace::refreshPins);
    for (QAction* action : transport_->transportActions()) timeline_->addAction(action);
    refreshPins();
    reflow();
}

KernelWorkspace::~KernelWorkspace() {
    for (QWidget* panel : {static_cast<QWidget*>(details_.data()), static_cast<QWidget*>(why_.data())}) {
        if (panel != nullptr && panel->parentWidget() == nullptr) delete panel;
    }
}

void KernelWorkspace::buildCharts() {
    chart_stack_->addWidget(roofline_);
    chart_stack_->addWidget(sweep_);
    charts_->titleLabel()->hide();
    const QStringList names{tr("Roofline"), tr("Sweep")};
    for (int at = 0; at < names.size(); ++at) {
        auto* tab = new QToolButton(charts_);
        tab->setText(names[at]);
        tab->setCheckable(true);
        tab->setChecked(at == 0);
        tab->setProperty("look", "quiet");
        chart_tabs_->addButton(tab, at);
        charts_->header()->insertWidget(at, tab);
    }
    sweep_->parameterChoice()->setParent(charts_);
    sweep_->parameterChoice()->hide();
    charts_->header()->addWidget(sweep_->parameterChoice());
    charts_->body()->addWidget(chart_stack_, 1);
    connect(chart_tabs_, &QButtonGroup::idClicked, this, [this](int id) { showSweep(id == 1); });
    const auto caption = [this] {
        charts_->setCaption(chart_stack_->currentWidget() == sweep_ ? sweep_->caption() : roofline_->caption());
    };
    connect(roofline_, &PictureView::captionChanged, this, caption);
    connect(sweep_, &PictureView::captionChanged, this, caption);
    connect(chart_stack_, &QStackedWidget::currentChanged, this, caption);
    connect(sweep_, &SweepView::sweepRequested, this, &KernelWorkspace::sweepRequested);
    connect(sweep_, &SweepView::valueChosen, this, [this](std::size_t index, double value) {
        const Scenario& scenario = document_.scenario();
        if (scenario.family == nullptr || index >= scenario.family->schema().size()) return;
        const bool whole = scenario.family->schema()[index].kind == ParamKind::integer;
        document_.setParam(index, whole ? ParamValue(static_cast<std::int64_t>(value)) : ParamValue(value));
    });
}

void KernelWorkspace::showSweep(bool shown) {
    chart_tabs_->button(shown ? 1 : 0)->setChecked(true);
    chart_stack_->setCurrentWidget(shown ? static_cast<QWidget*>(sweep_) : roofline_);
    sweep_->parameterChoice()->setVisible(shown);
    if (shown) sweep_->request();
}

void KernelWorkspace::setExplanation(std::shared_ptr<const Explanation> explanation, const Scenario& scenario) {
    if (!explanation) return;
    // Held until every view has the new one: they compare and drop the old.
    const ScenePtr before = std::exchange(scene_, std::make_shared<const Scene>(std::move(explanation), scenario));
    if (scene_->family != nullptr && scene_->family != family_) {
        family_ = scene_->family;
        selection_.setPipe(busiestPipe(scene_->explanation->analysis));
    }
    latency_->setExplanation(scene_->explanation, scenario.analytical);
    timeline_->setScene(scene_);
    transport_->setScene(scene_);
    pipe_map_->setScene(scene_);
    time_map_->setScene(scene_);
    roofline_->setScene(scene_);
    sweep_->setScene(scene_);
    if (details_) details_->setScene(scene_);
    if (why_) why_->setExplanation(scene_->explanation);
    setDimmed(false);
    if (chart_stack_->currentWidget() == sweep_) sweep_->request();
}

void KernelWorkspace::setError(const QString& message) {
    latency_->setError(message);
    setDimmed(true);
}

void KernelWorkspace::setDimmed(bool dimmed) {
    for (PictureView* view : {static_cast<PictureView*>(timeline_), static_cast<PictureView*>(pipe_map_),
                              static_cast<PictureView*>(time_map_), static_cast<PictureView*>(roofline_),
                              static_cast<PictureView*>(sweep_)}) {
        view->setDimmed(dimmed);
    }
    for (QWidget* panel : {static_cast<QWidget*>(details_.data()), static_cast<QWidget*>(why_.data())}) {
        if (panel != nullptr) panel->setEnabled(!dimmed);
    }
}

void KernelWorkspace::setWhatIfs(std::vector<WhatIf> changes) {
    if (why_) why_->setWhatIfs(std::move(changes));
}

void KernelWorkspace::setSweep(std::size_t paramIndex, std::vector<Predictor::SweepPoint> points) {
    sweep_->setSweep(paramIndex, std::move(points));
}

void KernelWorkspace::refreshPins() {
    std::vector<RooflineMark> marks;
    for (const Pin& pin : document_.pins()) {
        if (pin.explanation) marks.push_back({pin.name, pin.explanation->analysis.roofline});
    }
    roofline_->setPinned(std::move(marks));
}

QList<QAction*> KernelWorkspace::viewActions() {
    // One submenu a picture: its actions are named alike in all of them.
    if (menus_.isEmpty()) {
        auto* play = new QMenu(tr("Play"), this);
        play->addActions(transport_->transportActions());
        menus_.append(play->menuAction());
        for (PictureView* view : {static_cast<PictureView*>(timeline_), static_cast<PictureView*>(pipe_map_),
                                  static_cast<PictureView*>(time_map_), static_cast<PictureView*>(roofline_),
                                  static_cast<PictureView*>(sweep_)}) {
            auto* menu = new QMenu(view->title(), this);
            menu->addActions(view->pictureActions());
            connect(view, &PictureView::captionChanged, menu, [menu, view] { menu->setTitle(view->title()); });
            menus_.append(menu->menuAction());
        }
    }
    return menus_;
}

void KernelWorkspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    reflow();
}

void KernelWorkspace::reflow() {
    const Theme& theme = Theme::instance();
    const bool narrow = width() < theme.px(kNarrow);
    bottom_->setOrientation(narrow ? Qt::Vertical : Qt::Horizontal);
    // Enough height for every picture to be read; the page scrolls where the window has less.
    rows_->setMinimumHeight(theme.px(narrow ? 1240 : 520));
}

}  // namespace synperf::ui
