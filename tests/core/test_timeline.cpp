// Timeline queries: coverage is the truth aggregated, and walking visits every task.
#include <QtTest>
#include <numeric>
#include <random>

#include "machines.h"
#include "schedule/timeline.h"

using namespace synperf;

namespace {

Schedule schedule_of(std::vector<TaskGroup> groups, const Machine& machine, Detail detail) {
    Launch launch;
    launch.groups = std::move(groups);
    return *run_schedule(launch, machine, detail);
}

Timeline timeline_of(Schedule schedule, double begin = 0) {
    return Timeline({{"kernel", std::make_shared<const Schedule>(std::move(schedule)), begin}}, megahertz(1000));
}

std::vector<float> coverage_of(const Timeline& timeline, int sm_begin, int sm_end, double t0, double t1, std::size_t bins) {
    std::vector<float> out(bins * Timeline::kTints);
    timeline.coverage(sm_begin, sm_end, t0, t1, bins, out);
    return out;
}

// The same by brute force over all tasks.
std::vector<double> brute_coverage(const Timeline& timeline, int sm_begin, int sm_end, double t0, double t1, std::size_t bins) {
    std::vector<double> out(bins * Timeline::kTints);
    const Schedule& schedule = *timeline.phases()[0].schedule;
    const double width = (t1 - t0) / static_cast<double>(bins);
    for (std::int64_t task = 0; task < schedule.task_count(); ++task) {
        const TaskRun run = timeline.run({0, task});
        if (run.sm < sm_begin || run.sm >= sm_end) continue;
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double a = t0 + static_cast<double>(bin) * width;
            const double share = std::max(0.0, std::min(run.end, a + width) - std::max(run.start, a)) / width;
            out[bin * Timeline::kTints + static_cast<std::size_t>(run.wave % Timeline::kTints)] += share / ((sm_end - sm_begin) * schedule.slots_per_sm);
        }
    }
    return out;
}

}  // namespace

class TimelineTest : public QObject {
    Q_OBJECT

private slots:
    void coverage_is_exact_at_every_zoom_data() {
        QTest::addColumn<bool>("uniform");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<int>("bins");
        for (const bool uniform : {true, false}) {
            const char* kind = uniform ? "closed form" : "placed";
            QTest::addRow("%s, all in one bin", kind) << uniform << 0.0 << 1.0 << 1;
            QTest::addRow("%s, many tasks a bin", kind) << uniform << 0.0 << 1.0 << 7;
            QTest::addRow("%s, many bins a task", kind) << uniform << 0.0 << 1.0 << 5000;
            QTest::addRow("%s, zoomed into the tail", kind) << uniform << 0.9 << 1.02 << 50;
            QTest::addRow("%s, from before the start", kind) << uniform << -0.1 << 0.3 << 33;
        }
    }
    void coverage_is_exact_at_every_zoom() {
        QFETCH(bool, uniform);
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(int, bins);
        Machine machine = test::plain_machine(5, 3);
        machine.fill_cycles = 2;
        machine.ramp_cycles = 9;
        std::vector<TaskGroup> groups{test::tensor_tasks(917, 10)};
        if (!uniform) {
            groups.clear();
            std::mt19937 random(3);
            for (int i = 0; i < 900; ++i) groups.push_back(test::tensor_tasks(1, 1 + static_cast<double>(random() % 40)));
        }
        const Timeline timeline = timeline_of(schedule_of(groups, machine, Detail::closed_form), 100);
        const double t0 = from * timeline.end_cycles();
        const double t1 = to * timeline.end_cycles();
        for (const auto& [first, last] : {std::pair{0, 5}, std::pair{1, 3}, std::pair{4, 5}}) {
            const auto got = coverage_of(timeline, first, last, t0, t1, static_cast<std::size_t>(bins));
            const auto want = brute_coverage(timeline, first, last, t0, t1, static_cast<std::size_t>(bins));
            for (std::size_t i = 0; i < got.size(); ++i) QVERIFY2(std::abs(static_cast<double>(got[i]) - want[i]) < 1e-4, qPrintable(QString::number(i)));
        }
    }

    void slot_coverage_sums_to_coverage() {
        const Timeline timeline = timeline_of(schedule_of({test::tensor_tasks(40, 10)}, test::plain_machine(3, 2), Detail::closed_form));
        std::vector<float> lanes(20 * Timeline::kTints);
        for (int slot = 0; slot < 2; ++slot) timeline.slot_coverage(1, slot, 0, timeline.end_cycles(), 20, lanes);
        const auto sm = coverage_of(timeline, 1, 2, 0, timeline.end_cycles(), 20);
        for (std::size_t i = 0; i < sm.size(); ++i) QVERIFY(std::abs(lanes[i] / 2 - sm[i]) < 1e-5F);
    }

    void pipe_activity_integrates_to_the_demand() {
        Machine machine = test::plain_machine(4, 2);
        machine.peak[Pipe::tensor] = 4;
        machine.sustained[Pipe::tensor] = 2;
        machine.cycles_per_unit[Pipe::tensor] = 0.5;
        for (const Detail detail : {Detail::closed_form, Detail::placed}) {
            const Timeline timeline = timeline_of(schedule_of({test::tensor_tasks(35, 12)}, machine, detail));
            constexpr std::size_t kBins = 200;
            std::vector<float> activity(kBins);
            timeline.pipe_activity(Pipe::tensor, 0, 4, 0, timeline.end_cycles(), kBins, activity);
            const double sum = std::accumulate(activity.begin(), activity.end(), 0.0);
            const double demand = sum / kBins * timeline.end_cycles() * 4 * machine.peak[Pipe::tensor];
            QVERIFY(std::abs(demand - 35 * 12) < 0.01);
        }
    }

    void walking_along_an_sm_visits_each_of_its_tasks_once() {
        std::vector<TaskGroup> groups;
        for (int i = 0; i < 60; ++i) groups.push_back(test::tensor_tasks(1, 1 + i % 9));
        for (const bool uniform : {false, true}) {
            if (uniform) groups = {test::tensor_tasks(61, 5)};
            const Timeline timeline = timeline_of(schedule_of(groups, test::plain_machine(4, 2), Detail::closed_form));
            const Schedule& schedule = *timeline.phases()[0].schedule;
            TaskRef at{0, 0};
            std::int64_t visited = 1;
            std::vector<TaskRef> path{at};
            while (const auto next = timeline.neighbour(at, 1)) {
                QCOMPARE(timeline.run(*next).sm, 0);
                QVERIFY(timeline.run(*next).start >= timeline.run(at).start);
                at = *next;
                path.push_back(at);
                ++visited;
            }
            QCOMPARE(visited, schedule.sm_tasks[0]);
            for (auto back = path.rbegin(); std::next(back) != path.rend(); ++back) QVERIFY(timeline.neighbour(*back, -1) == *std::next(back));
        }
    }

    void the_task_under_a_point_is_the_one_that_runs_there() {
        for (const Detail detail : {Detail::closed_form, Detail::placed}) {
            const Timeline timeline = timeline_of(schedule_of({test::tensor_tasks(23, 10)}, test::plain_machine(3, 2), detail), 50);
            for (std::int64_t task = 0; task < 23; ++task) {
                const TaskRun run = timeline.run({0, task});
                const auto found = timeline.task_at(run.sm, (run.start + run.end) / 2, (run.slot + 0.5) / 2);
                QVERIFY(found.has_value());
                QCOMPARE(found->task, task);
            }
            QVERIFY(!timeline.task_at(0, 10, 0.1).has_value());
            QVERIFY(!timeline.task_at(0, timeline.end_cycles() + 1, 0.1).has_value());
        }
    }
};

QTEST_APPLESS_MAIN(TimelineTest)
#include "test_timeline.moc"
