// Thread-block clusters: GPC sizes, what fits, and schedules worked out by hand.
#include <QtTest>
#include <numeric>
#include <random>

#include "machines.h"
#include "schedule/cluster.h"
#include "schedule/schedule.h"
#include "schedule/simulate_clusters.h"

using namespace synperf;
using test::close;
using test::compare_runs;
using test::Expected;

namespace {

const std::vector<int> kH100{18, 18, 16, 16, 16, 16, 16, 16};

GpuSpec gpu_of(const char* compute_capability, int sms) {
    GpuSpec gpu = test::plain_gpu();
    gpu.compute_capability = compute_capability;
    gpu[GpuField::sm_count] = sms;
    return gpu;
}

Machine machine_of(const std::vector<int>& gpc_sms, int residents) {
    Machine machine = test::plain_machine(std::accumulate(gpc_sms.begin(), gpc_sms.end(), 0), residents);
    machine.gpc_sms = gpc_sms;
    return machine;
}

Launch launch_of(int cluster, std::vector<TaskGroup> groups, SchedulerKind kind = SchedulerKind::hardware, std::int64_t workers = 0) {
    Launch launch;
    launch.cta.cluster = cluster;
    launch.groups = std::move(groups);
    launch.scheduler = kind;
    launch.workers = workers;
    return launch;
}

std::vector<TaskGroup> tasks_of(std::initializer_list<double> cycles) {
    std::vector<TaskGroup> groups;
    for (const double each : cycles) groups.push_back(test::tensor_tasks(1, each));
    return groups;
}

// A launch whose CTAs fill an SM each: 120 of 163 KiB of shared memory.
Launch one_cta_an_sm(int cluster, std::int64_t ctas) {
    Launch launch = launch_of(cluster, {test::tensor_tasks(ctas, 1000)});
    launch.cta.smem_bytes = 120 * 1024;
    return launch;
}

Schedule placed(const Launch& launch, const Machine& machine) {
    auto schedule = run_schedule(launch, machine, Detail::placed);
    if (!schedule) qFatal("%s", schedule.error().to_string().c_str());
    return std::move(*schedule);
}

QString refusal(const Launch& launch, const GpuSpec& gpu) {
    const auto machine = machine_for(launch, gpu, Calibration{});
    return machine ? QString() : QString::fromStdString(machine.error().to_string());
}

void compare_schedules(const Schedule& a, const Schedule& b, int round) {
    const QByteArray where = "round " + QByteArray::number(round);
    QVERIFY2(close(a.makespan_cycles, b.makespan_cycles), where.constData());
    QCOMPARE(a.sm_tasks, b.sm_tasks);
    for (std::size_t sm = 0; sm < a.sm_tasks.size(); ++sm) {
        QVERIFY2(close(a.sm_end_cycles[sm], b.sm_end_cycles[sm]) && close(a.sm_busy_cycles[sm], b.sm_busy_cycles[sm]), where.constData());
    }
    for (std::int64_t task = 0; task < a.task_count(); ++task) {
        const TaskRun one = a.run(task);
        const TaskRun other = b.run(task);
        QVERIFY2(one.sm == other.sm && close(one.start, other.start) && close(one.end, other.end), where.constData());
    }
}

TaskGroup random_group(std::mt19937& random, std::int64_t count) {
    TaskGroup group;
    group.count = count;
    for (const Pipe pipe : kPipes) group.demand[pipe] = std::uniform_int_distribution<int>(0, 50)(random);
    group.steps = std::uniform_int_distribution<int>(0, 10)(random);
    return group;
}

void set_waits(Machine& machine, std::mt19937& random) {
    machine.fill_cycles = std::uniform_int_distribution<int>(0, 3)(random) * 7.0;
    machine.ramp_cycles = std::uniform_int_distribution<int>(0, 3)(random) * 11.0;
    machine.ramp_half_cycles = 5.0;
    machine.latency_cycles_per_step = 3.0;
}

}  // namespace

class ClusterTest : public QObject {
    Q_OBJECT

private slots:
    void tpcs_are_spread_evenly_over_the_gpcs_of_a_part() {
        // 66 TPCs over ceil(132 / 18) = 8 GPCs: 8 each, two get a ninth.
        QCOMPARE(gpc_sizes(gpu_of("9.0", 132)), kH100);
        // H100 PCIe: 57 TPCs over ceil(114 / 18) = 7.
        QCOMPARE(gpc_sizes(gpu_of("9.0", 114)), (std::vector<int>{18, 16, 16, 16, 16, 16, 16}));
        // B200: 74 TPCs over ceil(148 / 20) = 8.
        QCOMPARE(gpc_sizes(gpu_of("10.0", 148)), (std::vector<int>{20, 20, 18, 18, 18, 18, 18, 18}));
        // RTX 5090: 85 TPCs over ceil(170 / 16) = 11.
        QCOMPARE(gpc_sizes(gpu_of("12.0", 170)), (std::vector<int>{16, 16, 16, 16, 16, 16, 16, 16, 14, 14, 14}));
        QCOMPARE(gpc_sizes(gpu_of("gfx942", 304)), std::vector<int>{304});
    }

    void a_stated_number_of_gpcs_counts() {
        GpuSpec gpu = gpu_of("9.0", 132);
        gpu[GpuField::gpc_count] = 7;  // 66 TPCs: 9 each, three get a tenth
        QCOMPARE(gpc_sizes(gpu), (std::vector<int>{20, 20, 20, 18, 18, 18, 18}));
        gpu[GpuField::sm_count] = 5;  // two and a half TPCs can not be in seven
        QCOMPARE(gpc_sizes(gpu), (std::vector<int>{2, 2, 1}));
    }

    void sms_are_numbered_in_pairs_that_go_round_over_the_gpcs() {
        QCOMPARE(gpc_of_sms(std::vector<int>{6, 4, 3}), (std::vector<int>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 0, 0}));
    }

    void h100_runs_whole_clusters_and_leaves_the_rest_idle_data() {
        QTest::addColumn<int>("cluster");
        QTest::addColumn<qint64>("ctas");
        QTest::addColumn<std::vector<int>>("idle");
        // GPCs of 16 and 18 hold 8 and 9 clusters of 2: nothing is left. Of 4, 8 and 16 they hold the same 16 CTAs, and the ninth TPCs of
        // GPC 0 and 1, numbered last, stay idle.
        QTest::newRow("2") << 2 << qint64{132} << std::vector<int>{};
        QTest::newRow("4") << 4 << qint64{128} << std::vector<int>{128, 129, 130, 131};
        QTest::newRow("8") << 8 << qint64{128} << std::vector<int>{128, 129, 130, 131};
        QTest::newRow("16") << 16 << qint64{128} << std::vector<int>{128, 129, 130, 131};
        // 6 of 3 in 18 SMs, 5 in 16: the second SM of the eighth TPC of GPC 2 to 7 is idle, SM 2 x (56 + g) + 1.
        QTest::newRow("3") << 3 << qint64{126} << std::vector<int>{117, 119, 121, 123, 125, 127};
    }
    void h100_runs_whole_clusters_and_leaves_the_rest_idle() {
        QFETCH(const int, cluster);
        QFETCH(const qint64, ctas);
        QFETCH(const std::vector<int>, idle);
        const GpuSpec gpu = gpu_of("9.0", 132);
        const Launch launch = one_cta_an_sm(cluster, 240 * cluster);
        const auto machine = machine_for(launch, gpu, Calibration{});
        QVERIFY2(machine.has_value(), machine ? "" : machine.error().to_string().c_str());
        QCOMPARE(machine->occupancy.ctas_per_sm, 1);
        QCOMPARE(cluster * clusters_at_a_time(machine->gpc_sms, 1, cluster), std::int64_t{ctas});
        QCOMPARE(lane_count(launch, *machine), std::int64_t{ctas});
        QCOMPARE(machine->active_sms, static_cast<int>(ctas));
        QCOMPARE(idle_sms(machine->gpc_sms, 1, cluster), idle);

        const Schedule schedule = placed(launch, machine_of(machine->gpc_sms, 1));  // an empty calibration has no sustained rates
        std::vector<int> without_work;
        std::int64_t at_start = 0;
        for (std::size_t sm = 0; sm < 132; ++sm) {
            if (schedule.sm_tasks[sm] == 0) without_work.push_back(static_cast<int>(sm));
        }
        for (std::int64_t task = 0; task < schedule.task_count(); ++task) at_start += schedule.run(task).start == 0.0 ? 1 : 0;
        QCOMPARE(without_work, idle);
        QCOMPARE(at_start, std::int64_t{ctas});
    }

    void two_ctas_an_sm_leave_only_slots_idle() {
        // H100 with 2 slots an SM: 32 and 36 slots hold two clusters of 16 each, so 8 x 32 CTAs run and no SM is without one.
        QCOMPARE(clusters_at_a_time(kH100, 2, 16), std::int64_t{16});
        QVERIFY(idle_sms(kH100, 2, 16).empty());
    }

    void clusters_go_round_over_the_gpcs() {
        const Schedule schedule = placed(launch_of(4, {test::tensor_tasks(16, 1)}), machine_of({8, 8}, 1));
        // SMs 0, 1, 4, 5, 8, 9, 12, 13 are GPC 0.
        std::vector<int> sms;
        for (std::int64_t task = 0; task < 16; ++task) sms.push_back(schedule.run(task).sm);
        QCOMPARE(sms, (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
    }

    void a_slow_cta_holds_back_the_next_cluster_of_its_gpc() {
        compare_runs(placed(launch_of(2, tasks_of({10, 1, 1, 1})), machine_of({2}, 1)), {{0, 0, 10}, {1, 0, 1}, {0, 10, 11}, {1, 10, 11}});
    }

    // Two GPCs of two SMs. From 2 on an SM of each is free, but no GPC has two: the third cluster waits for SM 2 and starts at 3.
    void free_sms_of_different_gpcs_do_not_make_a_cluster() {
        const auto tasks = tasks_of({10, 1, 3, 2, 4, 4, 1, 1});
        const Machine machine = machine_of({2, 2}, 1);
        const Schedule schedule = placed(launch_of(2, tasks), machine);
        compare_runs(schedule, {{0, 0, 10}, {1, 0, 1}, {2, 0, 3}, {3, 0, 2}, {2, 3, 7}, {3, 3, 7}, {2, 7, 8}, {3, 7, 8}});
        QVERIFY(close(schedule.makespan_cycles, 10) && close(schedule.sm_busy_cycles[1], 1));
        // Without clusters SM 1 takes the fifth task at once.
        const TaskRun alone = placed(launch_of(1, tasks), machine).run(4);
        QVERIFY(alone.sm == 1 && close(alone.start, 1));
    }

    // One GPC, two SMs with two slots. SM 0 holds 10 and 3 cycles of work, which share the pipe until 6; SM 1 holds 8 and 2, which share until 4.
    // The slot that is free from 4 on waits for the one at 6. Then task 0 has 7 left and shares with 2 until 10, so it ends at 15; task 1 has
    // 4 left and shares with 3 until 12, so it ends at 13.
    void a_cluster_joins_sms_in_the_middle_of_their_work() {
        compare_runs(placed(launch_of(2, tasks_of({10, 8, 3, 2, 2, 3})), machine_of({2}, 2)),
                     {{0, 0, 15}, {1, 0, 13}, {0, 0, 6}, {1, 0, 4}, {0, 6, 10}, {1, 6, 12}});
    }

    // A GPC of one SM with four slots takes a whole cluster of 4; each of its CTAs gets a quarter of the pipe.
    void ctas_of_a_cluster_may_share_an_sm() {
        compare_runs(placed(launch_of(4, {test::tensor_tasks(4, 3)}), machine_of({1}, 4)), {{0, 0, 12}, {0, 0, 12}, {0, 0, 12}, {0, 0, 12}});
    }

    void clusters_of_one_are_the_usual_schedule() {
        std::mt19937 random(11);
        for (int round = 0; round < 60; ++round) {
            const int sms = std::uniform_int_distribution<int>(1, 20)(random);
            Machine machine = machine_of({sms}, std::uniform_int_distribution<int>(1, 4)(random));
            set_waits(machine, random);
            std::vector<TaskGroup> groups;
            for (int i = 0; i < 30; ++i) groups.push_back(random_group(random, std::uniform_int_distribution<int>(1, 9)(random)));
            const Launch launch = launch_of(1, groups);
            const Schedule usual = placed(launch, machine);
            Schedule clustered = usual;
            clustered.placement = {};
            clustered.sm_demand.assign(usual.sm_demand.size(), {});
            clustered.sm_tasks.assign(usual.sm_tasks.size(), 0);
            clustered.sm_busy_cycles.assign(usual.sm_busy_cycles.size(), 0);
            clustered.sm_end_cycles.assign(usual.sm_end_cycles.size(), 0);
            QVERIFY(simulate_clusters(launch, machine, lane_count(launch, machine), Detail::placed, clustered, {}).has_value());
            compare_schedules(clustered, usual, round);
        }
    }

    void closed_form_equals_the_simulation_where_sms_in_order_are_whole_clusters() {
        std::mt19937 random(20240608);
        const auto pick = [&random](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        for (int round = 0; round < 200; ++round) {
            // Either GPCs of whole TPCs and clusters of 2, or one GPC of a multiple of the cluster.
            const bool one_gpc = pick(0, 2) == 0;
            const int cluster = one_gpc ? pick(2, 8) : 2;
            std::vector<int> gpc_sms;
            for (int gpc = one_gpc ? 1 : pick(1, 5); gpc > 0; --gpc) gpc_sms.push_back(cluster * pick(1, 4));
            Machine machine = machine_of(gpc_sms, pick(1, 4));
            set_waits(machine, random);
            const Launch launch = launch_of(cluster, {random_group(random, cluster * pick(1, 150))});
            QVERIFY(has_closed_form(launch, machine));
            const auto closed = run_schedule(launch, machine);
            QVERIFY(std::holds_alternative<UniformWaves>(closed->placement));
            compare_schedules(*closed, placed(launch, machine), round);
            QVERIFY(close(estimate_makespan(launch, machine), closed->makespan_cycles));
        }
    }

    // One CTA an SM: SMs stay idle, but all lanes still end together. The picture comes from the simulation, the time from the closed form.
    void uniform_clusters_with_idle_sms_take_the_time_of_fewer_lanes() {
        for (const int cluster : {4, 8, 16}) {
            for (const std::int64_t count : {1, 7, 8, 33, 100}) {
                const Machine machine = machine_of(kH100, 1);
                const Launch launch = launch_of(cluster, {test::tensor_tasks(cluster * count, 10)});
                QVERIFY(has_closed_form(launch, machine));
                const Schedule schedule = *run_schedule(launch, machine);
                QVERIFY(std::holds_alternative<PlacedTasks>(schedule.placement));
                QVERIFY(close(schedule.makespan_cycles, 10.0 * std::ceil(static_cast<double>(cluster * count) / 128)));
                QVERIFY(close(estimate_makespan(launch, machine), schedule.makespan_cycles));
                QCOMPARE(*std::ranges::max_element(schedule.sm_tasks), busiest_sm_tasks(launch, machine));
                QVERIFY(close(run_schedule(launch, machine, Detail::totals)->makespan_cycles, schedule.makespan_cycles));
            }
        }
    }

    void uneven_slots_have_no_closed_form() {
        // Two slots an SM and clusters of 16: 256 of 264 slots run, so four of the SMs of GPC 0 and 1 each hold one CTA, all others two.
        const Machine machine = machine_of(kH100, 2);
        const Launch launch = launch_of(16, {test::tensor_tasks(256, 10)});
        QVERIFY(!has_closed_form(launch, machine));
        const Schedule schedule = *run_schedule(launch, machine);
        QCOMPARE(std::ranges::count(schedule.sm_tasks, 1), 8);
        QCOMPARE(std::ranges::count(schedule.sm_tasks, 2), 124);
        QVERIFY(close(schedule.makespan_cycles, 20));
        QVERIFY(close(estimate_makespan(launch, machine), 20));
        const Schedule totals = *run_schedule(launch, machine, Detail::totals);
        QVERIFY(close(totals.makespan_cycles, 20));
        QCOMPARE(totals.sm_tasks, schedule.sm_tasks);
    }

    void every_cluster_starts_together_in_one_gpc_and_no_work_is_lost() {
        std::mt19937 random(3);
        const auto pick = [&random](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        for (int round = 0; round < 100; ++round) {
            std::vector<int> gpc_sms;
            for (int gpc = pick(1, 6); gpc > 0; --gpc) gpc_sms.push_back(pick(1, 9));
            Machine machine = machine_of(gpc_sms, pick(1, 4));
            set_waits(machine, random);
            const int most = *std::ranges::max_element(gpc_sms) * machine.occupancy.ctas_per_sm;
            const int cluster = pick(1, std::min(16, most));
            std::vector<TaskGroup> groups;
            for (int i = 0; i < 40; ++i) groups.push_back(random_group(random, pick(0, 5)));
            groups.push_back(random_group(random, 1));
            Launch launch = launch_of(cluster, groups);
            launch.repeats = cluster;  // whole clusters
            const Schedule schedule = placed(launch, machine);
            const std::vector<int> gpc_of = gpc_of_sms(gpc_sms);
            const auto gpc = [&](const TaskRun& run) { return gpc_of[static_cast<std::size_t>(run.sm)]; };
            double before = 0;
            for (std::int64_t task = 0; task < schedule.task_count(); ++task) {
                const TaskRun run = schedule.run(task);
                const TaskRun first = schedule.run(task - task % cluster);
                QCOMPARE(gpc(run), gpc(first));
                QVERIFY(run.start == first.start && run.start >= before && run.end >= run.start);
                before = run.start;
            }
            const auto& lanes = std::get<PlacedTasks>(schedule.placement);
            for (std::size_t lane = 0; lane + 1 < lanes.lane_begin.size(); ++lane) {
                for (auto i = static_cast<std::size_t>(lanes.lane_begin[lane]) + 1; i < static_cast<std::size_t>(lanes.lane_begin[lane + 1]); ++i) {
                    QVERIFY(lanes.start[i] >= lanes.end[i - 1]);
                }
            }
            QCOMPARE(std::accumulate(schedule.sm_tasks.begin(), schedule.sm_tasks.end(), std::int64_t{0}), launch.task_count());
            for (const Pipe pipe : kPipes) {
                double sum = 0;
                for (const Demand& sm : schedule.sm_demand) sum += sm[pipe];
                QVERIFY(close(sum, launch.total_demand()[pipe]));
            }
        }
    }

    void persistent_workers_are_whole_clusters() {
        const Machine machine = machine_of(kH100, 1);
        const std::vector<TaskGroup> tiles{test::tensor_tasks(1000, 1)};
        const auto lanes = [&](SchedulerKind kind, std::int64_t workers) { return lane_count(launch_of(4, tiles, kind, workers), machine); };
        QCOMPARE(lanes(SchedulerKind::persistent_static, 0), std::int64_t{128});
        QCOMPARE(lanes(SchedulerKind::persistent_static, 132), std::int64_t{128});
        QCOMPARE(lanes(SchedulerKind::persistent_queue, 6), std::int64_t{8});  // a started cluster is a whole one
        QCOMPARE(lanes(SchedulerKind::persistent_assigned, 0), std::int64_t{128});
        // 1000 tiles on 128 workers are 8 rounds, whatever the tiles' number has to do with the cluster.
        const Launch launch = launch_of(4, {test::tensor_tasks(1001, 1)}, SchedulerKind::persistent_static, 132);
        QVERIFY(close(placed(launch, machine).makespan_cycles, 8));
    }

    void a_gpu_without_clusters_is_refused() {
        QCOMPARE(refusal(one_cta_an_sm(4, 64), gpu_of("8.0", 108)),
                 QStringLiteral("cluster: a cluster of 4 CTAs: test-gpu (compute capability 8.0) has no thread-block clusters, 1 is needed; they came with 9.0"));
        QCOMPARE(refusal(one_cta_an_sm(1, 64), gpu_of("8.0", 108)), QString());
    }

    void a_cluster_that_is_too_large_is_refused() {
        QCOMPARE(refusal(one_cta_an_sm(17, 170), gpu_of("9.0", 132)), QStringLiteral("cluster: a cluster of 17 CTAs: test-gpu allows 1 to 16"));
        QCOMPARE(refusal(one_cta_an_sm(0, 64), gpu_of("9.0", 132)), QStringLiteral("cluster: a cluster of 0 CTAs: 1 or more are needed"));
        QCOMPARE(refusal(one_cta_an_sm(16, 64), gpu_of("9.0", 24)),  // 12 TPCs over two GPCs
                 QStringLiteral("cluster: a cluster of 16 CTAs does not fit into a GPC of test-gpu, which holds 12 of them (12 SMs, 1 CTAs an SM)"));
    }

    void a_grid_that_is_no_multiple_of_the_cluster_is_refused() {
        const QString line = QStringLiteral("grid: 66 CTAs are no whole number of clusters of 4: the grid must be a multiple of the cluster");
        QCOMPARE(refusal(one_cta_an_sm(4, 66), gpu_of("9.0", 132)), line);
        const auto schedule = run_schedule(launch_of(4, {test::tensor_tasks(66, 1)}), machine_of(kH100, 1));
        QVERIFY(!schedule.has_value());
        QCOMPARE(QString::fromStdString(schedule.error().to_string()), line);
    }

    void a_cluster_without_a_gpc_is_refused_by_the_schedule_too() {
        const auto schedule = run_schedule(launch_of(4, {test::tensor_tasks(8, 1)}), machine_of({2, 2}, 1));
        QVERIFY(!schedule.has_value());
        QCOMPARE(QString::fromStdString(schedule.error().to_string()), QStringLiteral("cluster: a cluster of 4 CTAs does not fit into any GPC"));
    }

    void an_empty_launch_with_clusters_takes_no_time() {
        const auto schedule = run_schedule(launch_of(4, {}), machine_of(kH100, 1));
        QVERIFY(schedule.has_value());
        QCOMPARE(schedule->makespan_cycles, 0.0);
    }

    void a_cancelled_simulation_says_so() {
        std::vector<TaskGroup> groups;
        for (int i = 0; i < 50'000; ++i) groups.push_back(test::tensor_tasks(2, 1 + i % 7));
        std::stop_source stop;
        stop.request_stop();
        const auto schedule = run_schedule(launch_of(2, groups), machine_of({4, 4}, 1), Detail::placed, stop.get_token());
        QVERIFY(!schedule.has_value());
        QCOMPARE(schedule.error().message, std::string("cancelled"));
    }
};

QTEST_APPLESS_MAIN(ClusterTest)
#include "test_cluster.moc"
