#include "views/scene.h"
#include "models/core_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace synperf::ui {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

bool persistent(const Launch& launch) {
    return launch.scheduler != SchedulerKind::hardware;
}

}  // namespace

Scene::Scene(std::shared_ptr<const Explanation> what, const Scenario& scenario)
    : explanation(std::move(what)), family(scenario.family), gpu(scenario.gpu), lanes(explanation->timeline) {}

const Launch& Scene::launch(std::size_t phase) const {
    return phase < explanation->phase_machines.size() ? explanation->phase_launch(phase) : explanation->launch;
}

bool Scene::holds(TaskRef task) const {
    return task.phase < timeline().phases().size() && task.task >= 0 && task.task < schedule(task.phase).task_count();
}

QString Scene::taskLabel(TaskRef task) const {
    if (!holds(task) || family == nullptr || task.phase != explanation->main_phase) return {};
    return coreText(family->task_label(explanation->resolved, gpu, explanation->launch, task.task));
}

QString Scene::taskName(TaskRef task) const {
    const bool worker = persistent(launch(task.phase));
    const QString number = QLocale().toString(static_cast<qlonglong>(task.task));
    const QString name = worker ? Words::tr("task %1").arg(number) : Words::tr("CTA %1").arg(number);
    if (timeline().phases().size() < 2) return name;
    return Words::tr("%1, %2").arg(QString::fromStdString(timeline().phases()[task.phase].name), name);
}

double Scene::pipeShare(TaskRef task, Pipe pipe) const {
    const Schedule& of = schedule(task.phase);
    const TaskRun run = of.run(task.task);
    const double could = of.peak[pipe] * (run.end - run.start);
    return could > 0 ? std::clamp(of.demand_of(task.task)[pipe] / could, 0.0, 1.0) : 0.0;
}

double Scene::busyShare(int sm, Pipe pipe) const {
    double cycles = 0;
    for (const TimelinePhase& phase : timeline().phases()) {
        const Schedule& of = *phase.schedule;
        if (sm < of.sms && of.peak[pipe] > 0)
            cycles += of.sm_demand[static_cast<std::size_t>(sm)][pipe] / of.peak[pipe];
    }
    double makespan = 0;
    for (const TimelinePhase& phase : timeline().phases()) makespan += phase.schedule->makespan_cycles;
    return makespan > 0 ? std::clamp(cycles / makespan, 0.0, 1.0) : 0.0;
}

QString timeText(double cycles, TimeUnit unit, double clock_hz) {
    if (unit == TimeUnit::cycles) return Words::tr("%1 cycles").arg(QLocale().toString(cycles, 'f', 0));
    return QString::fromStdString(format_duration(Seconds{cycles / clock_hz}));
}

QString timeNumber(double cycles, TimeUnit unit, double clock_hz, double step) {
    const double step_value = toUnit(step, unit, clock_hz);
    const int decimals =
        step_value > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step_value) - 1e-9)), 0, 9) : 2;
    return QLocale().toString(toUnit(cycles, unit, clock_hz), 'f', decimals);
}

QString unitName(TimeUnit unit) {
    return unit == TimeUnit::cycles ? Words::tr("cycles") : QStringLiteral("µs");
}

QString pipeName(Pipe pipe) {
    switch (pipe) {
        case Pipe::tensor:
            return Words::tr("Tensor");
        case Pipe::fma:
            return Words::tr("FMA");
        case Pipe::xu:
            return Words::tr("XU");
        case Pipe::smem:
            return Words::tr("Shared");
        case Pipe::l2:
            return Words::tr("L2");
        case Pipe::dram:
            return Words::tr("DRAM");
    }
    return coreText(name(pipe));
}

QString percent(double share, int decimals) {
    return QLocale().toString(share * 100, 'f', decimals) + QStringLiteral(" %");
}

QString signedPercent(double change) {
    const double value = change * 100;
    const int decimals = std::abs(value) < 9.95 ? 1 : 0;
    const QString sign = value > 0 ? QStringLiteral("+") : value < 0 ? QStringLiteral("\u2212") : QString();
    return sign + QLocale().toString(std::abs(value), 'f', decimals) + QStringLiteral(" %");
}

QString amountText(double amount, const QString& unit) {
    static constexpr std::array<const char*, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    while (std::abs(amount) >= 999.5 && prefix + 1 < kPrefixes.size()) {
        amount /= 1000;
        ++prefix;
    }
    return QString::fromStdString(format_number(amount, prefix == 0 ? 3 : 4)) + QLatin1Char(' ') +
           QLatin1String(kPrefixes[prefix]) + unit;
}

QString launchCaption(const Scene& scene) {
    if (scene.timeline().phases().empty()) return {};
    const Schedule& main = scene.schedule(scene.explanation->main_phase);
    const QLocale locale;
    const QString tasks = locale.toString(static_cast<qlonglong>(main.task_count()));
    const bool worker = persistent(scene.explanation->launch);
    QString text = worker ? Words::tr("%1 tasks on %2 SMs").arg(tasks).arg(main.sms)
                          : Words::tr("%1 CTAs on %2 SMs").arg(tasks).arg(main.sms);
    text += Words::tr(", %1 waves").arg(locale.toString(main.waves, 'f', 2));
    if (main.tail_tasks > 0) {
        text += Words::tr(", tail %1 of %2")
                    .arg(locale.toString(static_cast<qlonglong>(main.tail_tasks)),
                         locale.toString(qlonglong{main.sms} * main.slots_per_sm));
    }
    return text;
}

}  // namespace synperf::ui
