#include "views/tables.h"

#include <QCoreApplication>
#include <algorithm>
#include <vector>

namespace synperf::ui {

namespace {

class Tables {
    Q_DECLARE_TR_FUNCTIONS(Tables)
};

// Row of the task table -> phase and task.
TaskRef taskOfRow(const Scene& scene, qint64 row) {
    std::size_t phase = 0;
    while (phase + 1 < scene.lanes.phases() && row >= scene.schedule(phase).task_count()) {
        row -= scene.schedule(phase).task_count();
        ++phase;
    }
    return {phase, row};
}

}  // namespace

TableData taskTable(ScenePtr scene) {
    TableData table;
    table.title = Tables::tr("CTAs");
    table.headers = {Tables::tr("Phase"),       Tables::tr("CTA"),
                     Tables::tr("Works on"),    Tables::tr("SM"),
                     Tables::tr("Slot"),        Tables::tr("Wave"),
                     Tables::tr("Start (µs)"),  Tables::tr("End (µs)"),
                     Tables::tr("Length (µs)"), Tables::tr("Start (cycles)"),
                     Tables::tr("End (cycles)")};
    table.columns = {"phase",    "task",   "label",     "sm",           "slot",      "wave",
                     "start_us", "end_us", "length_us", "start_cycles", "end_cycles"};
    table.rows = scene->timeline().task_count();
    table.cell = [scene](qint64 row, int column) -> QVariant {
        const TaskRef task = taskOfRow(*scene, row);
        if (column == 0) return QString::fromStdString(scene->timeline().phases()[task.phase].name);
        if (column == 1) return qlonglong{task.task};
        if (column == 2) return scene->taskLabel(task);
        const TaskRun run = scene->timeline().run(task);
        const double us = 1e6 / scene->clockHz();
        switch (column) {
            case 3:
                return qlonglong{run.sm};
            case 4:
                return qlonglong{run.slot};
            case 5:
                return qlonglong{run.wave};
            case 6:
                return run.start * us;
            case 7:
                return run.end * us;
            case 8:
                return (run.end - run.start) * us;
            case 9:
                return run.start;
            default:
                return run.end;
        }
    };
    return table;
}

TableData pipeTable(ScenePtr scene) {
    TableData table;
    table.title = Tables::tr("Pipes by SM");
    table.headers << Tables::tr("SM");
    table.columns << "sm";
    for (const Pipe pipe : kPipes) {
        table.headers << Tables::tr("%1, busy share").arg(pipeName(pipe));
        table.columns << QString::fromUtf8(name(pipe).data()) + QStringLiteral("_share");
    }
    table.headers << Tables::tr("CTAs");
    table.columns << "tasks";
    table.rows = scene->timeline().sms();
    table.cell = [scene](qint64 row, int column) -> QVariant {
        if (column == 0) return qlonglong{row};
        if (column <= static_cast<int>(kPipeCount)) {
            return scene->busyShare(static_cast<int>(row), kPipes[static_cast<std::size_t>(column - 1)]);
        }
        qlonglong tasks = 0;
        for (const TimelinePhase& phase : scene->timeline().phases()) {
            if (row < phase.schedule->sms) tasks += phase.schedule->sm_tasks[static_cast<std::size_t>(row)];
        }
        return tasks;
    };
    return table;
}

TableData activityTable(ScenePtr scene, Pipe pipe, TimeRange range, int stretches) {
    TableData table;
    table.title = Tables::tr("%1 pipe over time").arg(pipeName(pipe));
    table.headers << Tables::tr("SM");
    table.columns << "sm";
    const double us = 1e6 / scene->clockHz();
    for (int at = 0; at < stretches; ++at) {
        const double begin = (range.begin + (range.end - range.begin) * at / stretches) * us;
        table.headers << Tables::tr("from %1 µs").arg(begin, 0, 'f', 2);
        table.columns << QStringLiteral("from_%1_us").arg(begin, 0, 'f', 3);
    }
    // One SM's row is asked for cell by cell, so all are computed once: SMs x stretches is small.
    auto shares = std::make_shared<std::vector<float>>();
    const auto bins = static_cast<std::size_t>(stretches);
    shares->resize(static_cast<std::size_t>(scene->timeline().sms()) * bins);
    for (int sm = 0; sm < scene->timeline().sms(); ++sm) {
        scene->timeline().pipe_activity(pipe, sm, sm + 1, range.begin, range.end, bins,
                                        std::span<float>(*shares).subspan(static_cast<std::size_t>(sm) * bins, bins));
    }
    table.rows = scene->timeline().sms();
    table.cell = [shares, bins](qint64 row, int column) -> QVariant {
        if (column == 0) return qlonglong{row};
        return static_cast<double>(
            (*shares)[static_cast<std::size_t>(row) * bins + static_cast<std::size_t>(column - 1)]);
    };
    return table;
}

}  // namespace synperf::ui
