#include "panels/details_panel.h"

#include <QScrollBar>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "theme/theme.h"
#include "models/core_text.h"

namespace synperf::ui {

namespace {

QString whole(std::int64_t number) {
    return QLocale().toString(static_cast<qlonglong>(number));
}

// "residents and what limits them"
QString limitText(OccupancyLimit limit) {
    switch (limit) {
        case OccupancyLimit::ctas:
            return DetailsPanel::tr("CTA limit");
        case OccupancyLimit::registers:
            return DetailsPanel::tr("registers");
        case OccupancyLimit::shared_memory:
            return DetailsPanel::tr("shared memory");
        case OccupancyLimit::warps:
            return DetailsPanel::tr("warps");
        case OccupancyLimit::barriers:
            return DetailsPanel::tr("barriers");
    }
    return coreText(name(limit));
}

QString unitOf(Pipe pipe) {
    switch (pipe) {
        case Pipe::tensor:
            return QStringLiteral("FLOP");
        case Pipe::fma:
        case Pipe::xu:
            return DetailsPanel::tr("ops");
        default:
            return QStringLiteral("B");
    }
}

QString amountOf(Pipe pipe, double amount) {
    const bool bytes = pipe == Pipe::smem || pipe == Pipe::l2 || pipe == Pipe::dram;
    return bytes ? QString::fromStdString(format_bytes(Bytes{amount})) : amountText(amount, unitOf(pipe));
}

const Machine& machineOf(const Scene& scene, std::size_t phase) {
    const auto& machines = scene.explanation->phase_machines;
    return phase < machines.size() ? machines[phase] : scene.explanation->machine;
}

void addResources(FactRows& rows, const Scene& scene, std::size_t phase) {
    const CtaResources& cta = scene.launch(phase).cta;
    const Occupancy& occupancy = machineOf(scene, phase).occupancy;
    const double block_max = scene.gpu.value_or(GpuField::smem_per_block_max_kib, 0);
    QString shared = QString::fromStdString(format_bytes(Bytes{cta.smem_bytes}));
    if (block_max > 0)
        shared = DetailsPanel::tr("%1 of %2").arg(shared, QString::fromStdString(format_bytes(kibibytes(block_max))));
    rows.emplace_back(DetailsPanel::tr("Shared memory"), shared);
    rows.emplace_back(DetailsPanel::tr("Registers"),
                      DetailsPanel::tr("%1 \u00d7 %2 threads").arg(cta.registers_per_thread).arg(cta.threads));
    rows.emplace_back(DetailsPanel::tr("Resident CTAs"),
                      DetailsPanel::tr("%1 (%2)").arg(occupancy.ctas_per_sm).arg(limitText(occupancy.limiter)));
    rows.emplace_back(
        DetailsPanel::tr("Active warps"),
        DetailsPanel::tr("%1, %2").arg(occupancy.active_warps).arg(percent(occupancy.active_warp_share, 1)));
}

}  // namespace

FactRows taskFacts(const Scene& scene, TaskRef task, TimeUnit unit) {
    FactRows rows;
    const TaskRun run = scene.timeline().run(task);
    const double hz = scene.clockHz();
    if (const QString label = scene.taskLabel(task); !label.isEmpty())
        rows.emplace_back(DetailsPanel::tr("Works on"), label);
    rows.emplace_back(DetailsPanel::tr("SM, slot, wave"), DetailsPanel::tr("%1, %2, %3 of %4")
                                                              .arg(run.sm)
                                                              .arg(run.slot)
                                                              .arg(run.wave + 1)
                                                              .arg(scene.timeline().wave_count(task.phase)));
    const double step = (run.end - run.start) / 200;
    rows.emplace_back(DetailsPanel::tr("Start, end"), DetailsPanel::tr("%1, %2 %3")
                                                          .arg(timeNumber(run.start, unit, hz, step),
                                                               timeNumber(run.end, unit, hz, step), unitName(unit)));
    rows.emplace_back(DetailsPanel::tr("Length"), timeText(run.end - run.start, unit, hz));
    const Demand& demand = scene.schedule(task.phase).demand_of(task.task);
    for (const Pipe pipe : kPipes) {
        if (!(demand[pipe] > 0)) continue;
        rows.emplace_back(
            DetailsPanel::tr("%1 demand").arg(pipeName(pipe)),
            DetailsPanel::tr("%1, %2 of peak").arg(amountOf(pipe, demand[pipe]), percent(scene.pipeShare(task, pipe))));
    }
    addResources(rows, scene, task.phase);
    return rows;
}

FactRows launchFacts(const Scene& scene, TimeUnit unit) {
    FactRows rows;
    const Explanation& what = *scene.explanation;
    const Launch& launch = what.launch;
    rows.emplace_back(DetailsPanel::tr("Kernel"), coreText(launch.kernel));
    rows.emplace_back(
        DetailsPanel::tr("Grid"),
        QStringLiteral("%1 \u00d7 %2 \u00d7 %3").arg(launch.grid[0]).arg(launch.grid[1]).arg(launch.grid[2]));
    if (!scene.timeline().phases().empty()) {
        const Schedule& schedule = scene.schedule(scene.explanation->main_phase);
        if (launch.scheduler == SchedulerKind::hardware) {
            rows.emplace_back(DetailsPanel::tr("CTAs"), whole(schedule.task_count()));
        } else {
            // A persistent kernel's CTAs are its workers, one a slot, and take the tasks in turn.
            const std::int64_t places = std::int64_t{schedule.sms} * schedule.slots_per_sm;
            rows.emplace_back(DetailsPanel::tr("Tasks"),
                              DetailsPanel::tr("%1 on %2 CTAs")
                                  .arg(whole(schedule.task_count()), whole(std::min(places, schedule.task_count()))));
        }
        rows.emplace_back(DetailsPanel::tr("Waves"), QLocale().toString(schedule.waves, 'f', 2));
        if (schedule.tail_tasks > 0) {
            rows.emplace_back(
                DetailsPanel::tr("Tail"),
                DetailsPanel::tr("%1 of %2")
                    .arg(whole(schedule.tail_tasks), whole(std::int64_t{schedule.sms} * schedule.slots_per_sm)));
        }
    }
    rows.emplace_back(DetailsPanel::tr("Scheduler"), coreText(name(launch.scheduler)));
    addResources(rows, scene, scene.explanation->main_phase);
    rows.emplace_back(DetailsPanel::tr("Clock"),
                      DetailsPanel::tr("%1 MHz").arg(what.machine.clock.value * 1e-6, 0, 'f', 0));
    rows.emplace_back(DetailsPanel::tr("Makespan"), timeText(what.analysis.makespan.value, unit, scene.clockHz()));
    for (const Pipe pipe : kPipes) {
        if (what.analysis.work.total[pipe] > 0) {
            rows.emplace_back(DetailsPanel::tr("%1 total").arg(pipeName(pipe)),
                              amountOf(pipe, what.analysis.work.total[pipe]));
        }
    }
    rows.emplace_back(DetailsPanel::tr("DRAM read"), QString::fromStdString(format_bytes(launch.traffic.dram_read)));
    rows.emplace_back(DetailsPanel::tr("DRAM write"),
                      QString::fromStdString(format_bytes(launch.traffic.compulsory_write)));
    for (const Launch& leader : launch.leaders)
        rows.emplace_back(DetailsPanel::tr("First"), coreText(leader.kernel));
    for (const Launch& follower : launch.followers)
        rows.emplace_back(DetailsPanel::tr("Then"), coreText(follower.kernel));
    if (what.candidates > 1)
        rows.emplace_back(DetailsPanel::tr("Chosen from"), DetailsPanel::tr("%1 launches").arg(what.candidates));
    return rows;
}

FactList::FactList(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* copy_action = new QAction(tr("Copy"), this);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    connect(copy_action, &QAction::triggered, this, &FactList::copy);
    addAction(copy_action);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

int FactList::rowHeight() const {
    return QFontMetrics(Theme::instance().font(FontRole::body)).height() + Theme::instance().px(11);
}

QSize FactList::sizeHint() const {
    return {Theme::instance().px(220), rowHeight() * static_cast<int>(rows_.size())};
}

QSize FactList::minimumSizeHint() const {
    return {Theme::instance().px(140), sizeHint().height()};
}

void FactList::setRows(FactRows rows) {
    const bool resized = rows.size() != rows_.size();
    rows_ = std::move(rows);
    setAccessibleDescription(asText());
    if (resized) updateGeometry();
    update();
}

QString FactList::asText() const {
    QString text;
    for (const auto& [name, value] : rows_) text += name + QLatin1Char('\t') + value + QLatin1Char('\n');
    return text;
}

void FactList::copy() const {
    QGuiApplication::clipboard()->setText(asText());
}

bool FactList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto row = static_cast<std::size_t>(std::max(0, help->pos().y() / rowHeight()));
        if (row < rows_.size())
            QToolTip::showText(help->globalPos(), rows_[row].first + QStringLiteral(": ") + rows_[row].second, this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

void FactList::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const QFont font = theme.font(FontRole::body);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    const int height = rowHeight(), gap = theme.px(10);
    for (std::size_t at = 0; at < rows_.size(); ++at) {
        const QRect row(0, height * static_cast<int>(at), width(), height);
        const auto& [name, value] = rows_[at];
        // The value is what was asked for: the name gives way first, down to a third of the row.
        const int name_width = std::min(metrics.horizontalAdvance(name) + 2,
                                        std::max(width() / 3, width() - metrics.horizontalAdvance(value) - gap));
        painter.setPen(theme.color(Role::text_second));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideRight, name_width));
        painter.setPen(theme.color(Role::text));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(value, Qt::ElideRight, width() - name_width - gap));
        if (at + 1 < rows_.size()) painter.fillRect(QRect(0, row.bottom(), width(), 1), theme.color(Role::line));
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(Role::focus), 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

DetailsPanel::DetailsPanel(Selection& selection, QWidget* parent)
    : QScrollArea(parent), selection_(selection), notes_(new QLabel(this)), facts_(new FactList(this)) {
    const Theme& theme = Theme::instance();
    setAccessibleName(tr("Details"));
    notes_->setProperty("look", "faint");
    notes_->setWordWrap(true);
    facts_->setAccessibleName(tr("Details"));
    auto* open = new QPushButton(this);
    open->setProperty("look", "link");
    open->setText(tr("Open as table"));
    open->setCursor(Qt::PointingHandCursor);
    connect(open, &QPushButton::clicked, this, &DetailsPanel::tableRequested);
    auto* page = new QWidget;
    page->setProperty("look", "page");
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(theme.px(12), theme.px(4), theme.px(12), theme.px(8));
    column->setSpacing(theme.px(4));
    column->addWidget(facts_);
    column->addWidget(notes_);
    column->addWidget(open, 0, Qt::AlignLeft);
    column->addStretch();
    connect(&selection_, &Selection::hoverChanged, this, &DetailsPanel::refresh);
    connect(&selection_, &Selection::selectedChanged, this, &DetailsPanel::refresh);
    connect(&selection_, &Selection::unitChanged, this, &DetailsPanel::refresh);
    refresh();
}

void DetailsPanel::setScene(ScenePtr scene) {
    scene_ = std::move(scene);
    refresh();
}

void DetailsPanel::refresh() {
    if (!scene_) {
        setWindowTitle(tr("Details"));
        facts_->setRows({});
        notes_->hide();
        return;
    }
    std::optional<TaskRef> task = selection_.hovered();
    if (!task || !scene_->holds(*task)) task = selection_.selected();
    if (task && scene_->holds(*task)) {
        setWindowTitle(tr("Details: %1").arg(scene_->taskName(*task)));
        facts_->setRows(taskFacts(*scene_, *task, selection_.unit()));
        notes_->hide();
        return;
    }
    setWindowTitle(tr("Details: launch"));
    facts_->setRows(launchFacts(*scene_, selection_.unit()));
    QStringList notes;
    for (const std::string& note : scene_->explanation->notes) notes << QString::fromStdString(note);
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
}

QSize DetailsPanel::minimumSizeHint() const {
    const int contents = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
    return {contents + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height()};
}

}  // namespace synperf::ui
