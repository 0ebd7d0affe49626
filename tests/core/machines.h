// Machines and launches small enough to work out by hand.
#pragma once

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "hardware/gpu_spec.h"
#include "kernels/launch.h"
#include "schedule/schedule.h"

namespace synperf::test {

/// Compute capability 8.0 limits, round numbers elsewhere.
inline GpuSpec plain_gpu() {
    GpuSpec gpu;
    gpu.id = "test-gpu";
    gpu.arch = "Ampere";
    gpu.compute_capability = "8.0";
    gpu[GpuField::sm_count] = 108;
    gpu[GpuField::boost_mhz] = 1000;
    gpu[GpuField::tensor_clock_mhz] = 1000;
    gpu[GpuField::bf16_tflops] = 108 * 2048 * 1000e6 * 1e-12;
    gpu[GpuField::fp32_tflops] = 108 * 128 * 2 * 1000e6 * 1e-12;
    gpu[GpuField::bandwidth_gbps] = 1080;
    gpu[GpuField::l2_mib] = 40;
    gpu[GpuField::smem_per_sm_kib] = 164;
    gpu[GpuField::smem_per_block_max_kib] = 163;
    gpu[GpuField::smem_reserved_per_block_kib] = 1;
    gpu[GpuField::regs32_per_sm] = 65536;
    gpu[GpuField::register_alloc_unit] = 256;
    gpu[GpuField::warp_size] = 32;
    gpu[GpuField::max_threads_per_sm] = 2048;
    gpu[GpuField::max_warps_per_sm] = 64;
    gpu[GpuField::max_ctas_per_sm] = 32;
    gpu[GpuField::launch_floor_us] = 2;
    return gpu;
}

/// Every pipe does one unit a cycle, at peak and sustained; no fill, no load latency.
inline Machine plain_machine(int sms, int residents) {
    Machine machine;
    machine.sms = sms;
    machine.active_sms = sms;
    machine.clock = megahertz(1000);
    machine.occupancy.ctas_per_sm = residents;
    for (const Pipe pipe : kPipes) machine.peak[pipe] = machine.sustained[pipe] = machine.cycles_per_unit[pipe] = 1.0;
    return machine;
}

/// `count` tasks that keep the tensor pipe busy for `cycles` each.
inline TaskGroup tensor_tasks(std::int64_t count, double cycles) {
    TaskGroup group;
    group.count = count;
    group.demand[Pipe::tensor] = cycles;
    return group;
}

/// `count` tasks that wait `cycles` for loads and use no pipe, so that co-residents do not slow each other down.
inline TaskGroup waiting_tasks(std::int64_t count, double cycles, Machine& machine) {
    machine.latency_cycles_per_step = 1.0;
    TaskGroup group;
    group.count = count;
    group.steps = cycles;
    return group;
}

inline bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

/// Where and when a task ran, worked out by hand.
struct Expected {
    int sm;
    double start, end;
};

/// Tasks in launch order.
inline void compare_runs(const Schedule& schedule, const std::vector<Expected>& expected) {
    QCOMPARE(schedule.task_count(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t task = 0; task < expected.size(); ++task) {
        const TaskRun run = schedule.run(static_cast<std::int64_t>(task));
        const QString where = QStringLiteral("CTA %1 on SM %2 from %3 to %4").arg(task).arg(run.sm).arg(run.start).arg(run.end);
        QVERIFY2(run.sm == expected[task].sm && close(run.start, expected[task].start) && close(run.end, expected[task].end), qPrintable(where));
    }
}

}  // namespace synperf::test
