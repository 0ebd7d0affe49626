// Schedules against hand-worked examples, and the closed form against the event simulation.
#include <QtTest>
#include <random>

#include "machines.h"
#include "schedule/schedule.h"
#include "schedule/timeline.h"

using namespace synperf;
using test::close;
using test::compare_runs;
using test::Expected;

namespace {

Launch launch_of(std::vector<TaskGroup> groups, SchedulerKind kind = SchedulerKind::hardware, std::int64_t workers = 0) {
    Launch launch;
    launch.groups = std::move(groups);
    launch.scheduler = kind;
    launch.workers = workers;
    return launch;
}

Schedule placed(const Launch& launch, const Machine& machine) {
    auto schedule = run_schedule(launch, machine, Detail::placed);
    if (!schedule) qFatal("%s", schedule.error().to_string().c_str());
    return std::move(*schedule);
}

}  // namespace

class ScheduleTest : public QObject {
    Q_OBJECT

private slots:
    // docs/hand-checked.md, example 1.
    void seven_ctas_on_three_sms_start_and_end_as_drawn() {
        std::vector<TaskGroup> groups;
        for (const double cycles : {4.0, 2.0, 3.0, 2.0, 3.0, 1.0, 2.0}) groups.push_back(test::tensor_tasks(1, cycles));
        const Schedule schedule = placed(launch_of(groups), test::plain_machine(3, 1));
        compare_runs(schedule, {{0, 0, 4}, {1, 0, 2}, {2, 0, 3}, {1, 2, 4}, {2, 3, 6}, {0, 4, 5}, {1, 4, 6}});
        QVERIFY(close(schedule.makespan_cycles, 6));
        QCOMPARE(schedule.sm_tasks, (std::vector<std::int64_t>{2, 3, 2}));
        QVERIFY(close(schedule.sm_busy_cycles[0], 5) && close(schedule.sm_busy_cycles[1], 6) && close(schedule.sm_busy_cycles[2], 6));

        const Timeline timeline({{"kernel", std::make_shared<const Schedule>(schedule), 10.0}}, megahertz(1000));
        QVERIFY(close(timeline.run({0, 4}).start, 13) && close(timeline.run({0, 4}).end, 16));
        QVERIFY(close(timeline.end_cycles(), 16));
    }

    // docs/hand-checked.md, example 2: two residents share the tensor pipe. Alone 4 and 2 cycles; together each runs at half speed, so
    // CTA 1 ends at 4 having done 2, CTA 0 has 2 of 4 left and shares again with CTA 2 (3 cycles).
    void co_resident_ctas_share_the_pipe() {
        const Schedule schedule = placed(launch_of({test::tensor_tasks(1, 4), test::tensor_tasks(1, 2), test::tensor_tasks(1, 3)}), test::plain_machine(1, 2));
        compare_runs(schedule, {{0, 0, 8}, {0, 0, 4}, {0, 4, 9}});
    }

    // docs/hand-checked.md, example 2b.
    void at_an_even_pace_every_sm_is_as_slow_as_the_fullest() {
        std::vector<TaskGroup> groups;
        for (const double cycles : {4.0, 2.0, 2.0, 2.0, 3.0}) groups.push_back(test::tensor_tasks(1, cycles));
        Launch launch = launch_of(groups);
        launch.even_pace = true;
        const Schedule schedule = placed(launch, test::plain_machine(2, 2));
        compare_runs(schedule, {{0, 0, 6}, {1, 0, 4}, {0, 0, 4}, {1, 0, 4}, {1, 4, 7}});
        QCOMPARE(schedule.makespan_cycles, 7.0);
        QCOMPARE(schedule.sm_tasks, (std::vector<std::int64_t>{2, 3}));
    }

    void at_an_even_pace_ctas_without_work_take_no_slot() {
        Launch launch = launch_of({test::tensor_tasks(3, 0), test::tensor_tasks(1, 4), test::tensor_tasks(1, 2)});
        launch.even_pace = true;
        const Schedule schedule = placed(launch, test::plain_machine(2, 2));
        QCOMPARE(schedule.makespan_cycles, 4.0);  // two SMs, a task each
    }

    void residents_that_only_wait_do_not_slow_each_other() {
        Machine machine = test::plain_machine(1, 2);
        const Schedule schedule = placed(launch_of({test::waiting_tasks(1, 4, machine), test::waiting_tasks(3, 2, machine)}), machine);
        compare_runs(schedule, {{0, 0, 4}, {0, 0, 2}, {0, 2, 4}, {0, 4, 6}});
    }

    void first_round_goes_over_all_sms_before_a_second_slot() {
        const Schedule schedule = placed(launch_of({test::tensor_tasks(5, 1)}), test::plain_machine(3, 2));
        std::vector<int> sms;
        for (std::int64_t task = 0; task < 5; ++task) sms.push_back(schedule.run(task).sm);
        QCOMPARE(sms, (std::vector<int>{0, 1, 2, 0, 1}));
    }

    void persistent_static_strides() {
        const auto launch = launch_of({test::tensor_tasks(1, 5), test::tensor_tasks(4, 1)}, SchedulerKind::persistent_static, 2);
        compare_runs(placed(launch, test::plain_machine(2, 1)), {{0, 0, 5}, {1, 0, 1}, {0, 5, 6}, {1, 1, 2}, {0, 6, 7}});
    }

    void persistent_queue_gives_the_next_task_to_whoever_is_free() {
        const auto launch = launch_of({test::tensor_tasks(1, 5), test::tensor_tasks(4, 1)}, SchedulerKind::persistent_queue, 2);
        compare_runs(placed(launch, test::plain_machine(2, 1)), {{0, 0, 5}, {1, 0, 1}, {1, 1, 2}, {1, 2, 3}, {1, 3, 4}});
    }

    void persistent_longest_first_sorts() {
        const auto launch = launch_of({test::tensor_tasks(3, 1), test::tensor_tasks(1, 3)}, SchedulerKind::persistent_longest_first, 2);
        compare_runs(placed(launch, test::plain_machine(2, 1)), {{1, 0, 1}, {1, 1, 2}, {1, 2, 3}, {0, 0, 3}});
    }

    void persistent_assigned_balances_the_kernels_own_cost() {
        // Costs 4, 3, 2, 2 in order: SM 0 gets 4, SM 1 gets 3 and 2 (5), SM 0 gets 2.
        std::vector<TaskGroup> groups;
        for (const double cost : {4.0, 3.0, 2.0, 2.0}) {
            groups.push_back(test::tensor_tasks(1, cost));
            groups.back().cost = cost;
        }
        compare_runs(placed(launch_of(groups, SchedulerKind::persistent_assigned), test::plain_machine(2, 1)), {{0, 0, 4}, {1, 0, 3}, {1, 3, 5}, {0, 4, 6}});
    }

    void persistent_assigned_without_costs_balances_times() {
        // Times 4, 3, 2, 2 as above; without costs all would go to one worker.
        const std::vector<TaskGroup> groups{test::tensor_tasks(1, 4), test::tensor_tasks(1, 3), test::tensor_tasks(2, 2)};
        compare_runs(placed(launch_of(groups, SchedulerKind::persistent_assigned), test::plain_machine(2, 1)), {{0, 0, 4}, {1, 0, 3}, {1, 3, 5}, {0, 4, 6}});
    }

    void persistent_assigned_uses_the_workers_it_is_given() {
        Launch launch = launch_of({test::tensor_tasks(4, 2)}, SchedulerKind::persistent_assigned);
        launch.workers = 1;
        const Schedule schedule = placed(launch, test::plain_machine(3, 1));
        QCOMPARE(schedule.makespan_cycles, 8.0);
        QCOMPARE(schedule.sm_tasks[0], std::int64_t{4});
    }

    void closed_form_equals_the_event_simulation() {
        std::mt19937 random(20240607);
        const auto pick = [&random](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        for (int round = 0; round < 400; ++round) {
            const int sms = pick(1, 40);
            const int residents = pick(1, 6);
            Machine machine = test::plain_machine(sms, residents);
            machine.overlap_exponent = pick(0, 1) == 0 ? 3.0 : 2.7;
            machine.fill_cycles = pick(0, 3) * 7.0;
            machine.ramp_cycles = pick(0, 3) * 11.0;
            machine.ramp_half_cycles = 5.0;
            machine.latency_cycles_per_step = 3.0;
            TaskGroup group;
            group.count = pick(1, 400);
            for (const Pipe pipe : kPipes) group.demand[pipe] = pick(0, 50);
            group.steps = pick(0, 10);
            const bool persistent = pick(0, 1) == 1;
            const int workers = persistent ? (pick(0, 1) == 0 ? pick(1, sms) : sms * pick(1, residents)) : 0;
            Launch launch = launch_of({group}, persistent ? SchedulerKind::persistent_static : SchedulerKind::hardware, workers);
            launch.repeats = pick(1, 3);

            const auto closed = run_schedule(launch, machine);
            QVERIFY(closed.has_value());
            QVERIFY(std::holds_alternative<UniformWaves>(closed->placement));
            const Schedule simulated = placed(launch, machine);
            const QByteArray where = "round " + QByteArray::number(round);
            QVERIFY2(close(closed->makespan_cycles, simulated.makespan_cycles), where.constData());
            QCOMPARE(closed->sm_tasks, simulated.sm_tasks);
            QCOMPARE(closed->task_count(), simulated.task_count());
            QCOMPARE(closed->tail_tasks, simulated.tail_tasks);
            for (std::size_t sm = 0; sm < static_cast<std::size_t>(sms); ++sm) {
                QVERIFY2(close(closed->sm_end_cycles[sm], simulated.sm_end_cycles[sm]), where.constData());
                QVERIFY2(close(closed->sm_busy_cycles[sm], simulated.sm_busy_cycles[sm]), where.constData());
                for (const Pipe pipe : kPipes) QVERIFY2(close(closed->sm_demand[sm][pipe], simulated.sm_demand[sm][pipe]), where.constData());
            }
            for (std::int64_t task = 0; task < closed->task_count(); ++task) {
                const TaskRun a = closed->run(task);
                const TaskRun b = simulated.run(task);
                QVERIFY2(a.sm == b.sm && close(a.start, b.start) && close(a.end, b.end), where.constData());
            }
        }
    }

    void no_two_tasks_overlap_on_a_lane_and_none_is_lost() {
        std::mt19937 random(7);
        std::vector<TaskGroup> groups;
        for (int i = 0; i < 300; ++i) groups.push_back(test::tensor_tasks(std::uniform_int_distribution<int>(1, 4)(random), std::uniform_int_distribution<int>(1, 30)(random)));
        for (const SchedulerKind kind : {SchedulerKind::hardware, SchedulerKind::persistent_static, SchedulerKind::persistent_queue,
                                         SchedulerKind::persistent_longest_first, SchedulerKind::persistent_assigned}) {
            const Launch launch = launch_of(groups, kind);
            const Schedule schedule = placed(launch, test::plain_machine(13, 3));
            const auto& tasks = std::get<PlacedTasks>(schedule.placement);
            std::vector<bool> seen(static_cast<std::size_t>(schedule.task_count()));
            for (std::size_t lane = 0; lane + 1 < tasks.lane_begin.size(); ++lane) {
                for (auto i = static_cast<std::size_t>(tasks.lane_begin[lane]); i < static_cast<std::size_t>(tasks.lane_begin[lane + 1]); ++i) {
                    seen[static_cast<std::size_t>(tasks.task[i])] = true;
                    QVERIFY(tasks.end[i] > tasks.start[i]);
                    if (i > static_cast<std::size_t>(tasks.lane_begin[lane])) QVERIFY(tasks.start[i] >= tasks.end[i - 1]);
                }
            }
            QVERIFY(std::find(seen.begin(), seen.end(), false) == seen.end());
            double demand = 0;
            for (const auto& sm : schedule.sm_demand) demand += sm[Pipe::tensor];
            QVERIFY(close(demand, launch.total_demand()[Pipe::tensor]));
        }
    }

    void more_work_never_takes_less_time() {
        const Machine machine = test::plain_machine(7, 2);
        double before = 0;
        for (std::int64_t count = 1; count < 200; ++count) {
            const double now = run_schedule(launch_of({test::tensor_tasks(count, 10)}), machine)->makespan_cycles;
            QVERIFY(now >= before - 1e-9);
            before = now;
        }
    }

    void an_empty_launch_takes_no_time() {
        const auto schedule = run_schedule(launch_of({}), test::plain_machine(4, 1));
        QVERIFY(schedule.has_value());
        QCOMPARE(schedule->makespan_cycles, 0.0);
        QCOMPARE(schedule->task_count(), std::int64_t{0});
    }

    void a_cancelled_simulation_says_so() {
        std::vector<TaskGroup> groups;
        for (int i = 0; i < 100'000; ++i) groups.push_back(test::tensor_tasks(1, 1 + i % 7));
        std::stop_source stop;
        stop.request_stop();
        const auto schedule = run_schedule(launch_of(groups), test::plain_machine(8, 1), Detail::placed, stop.get_token());
        QVERIFY(!schedule.has_value());
        QCOMPARE(schedule.error().message, std::string("cancelled"));
    }
};

QTEST_APPLESS_MAIN(ScheduleTest)
#include "test_schedule.moc"
