// A schedule small enough to check by hand: 7 CTAs of 100 cycles on 3 SMs, one at a time, after 50 cycles of launch.
//
//   SM 0 | CTA 0  50-150 | CTA 3 150-250 | CTA 6 250-350
//   SM 1 | CTA 1  50-150 | CTA 4 150-250 | idle
//   SM 2 | CTA 2  50-150 | CTA 5 150-250 | idle
#pragma once

#include "views/scene.h"

namespace synperf::ui {

inline constexpr double kExampleLaunch = 50, kExampleTask = 100, kExampleEnd = 350;

inline std::shared_ptr<const Explanation> exampleExplanation(bool placed = false) {
    auto schedule = std::make_shared<Schedule>();
    schedule->sms = 3;
    schedule->slots_per_sm = 1;
    schedule->makespan_cycles = kExampleEnd - kExampleLaunch;
    schedule->tasks = 7;
    schedule->tail_tasks = 1;
    schedule->waves = 7.0 / 3.0;
    schedule->sm_tasks = {3, 2, 2};
    schedule->sm_end_cycles = {300, 200, 200};
    schedule->sm_busy_cycles = {300, 200, 200};
    Demand demand{};
    demand[Pipe::tensor] = 50'000;  // half of what 100 cycles at 1000 FLOP a cycle could do
    schedule->group_demand = {demand};
    schedule->peak[Pipe::tensor] = 1000;
    schedule->sm_demand.resize(3);
    for (std::size_t sm = 0; sm < 3; ++sm)
        schedule->sm_demand[sm][Pipe::tensor] = 50'000.0 * static_cast<double>(schedule->sm_tasks[sm]);
    if (placed) {
        PlacedTasks tasks;
        tasks.start = {0, 100, 200, 0, 100, 0, 100};
        tasks.end = {100, 200, 300, 100, 200, 100, 200};
        tasks.task = {0, 3, 6, 1, 4, 2, 5};
        tasks.position_of = {0, 3, 5, 1, 4, 6, 2};
        tasks.group_of = {0, 0, 0, 0, 0, 0, 0};
        tasks.lane_begin = {0, 3, 5, 7};
        schedule->placement = tasks;
    } else {
        UniformWaves waves;
        waves.lanes = 3;
        waves.full_waves = 2;
        waves.first_wave_cycles = waves.wave_cycles = kExampleTask;
        waves.tail_tasks = 1;
        waves.tail_more = 1;
        waves.tail_more_cycles = kExampleTask;
        schedule->placement = waves;
    }
    auto explanation = std::make_shared<Explanation>();
    explanation->timeline = Timeline({{"example", schedule, kExampleLaunch}}, Hertz{1e9});  // 1 cycle = 1 ns
    explanation->launch.kernel = "example";
    explanation->launch.groups = {{7, demand, 0, 0, 0}};
    explanation->machine.sms = 3;
    explanation->machine.clock = Hertz{1e9};
    explanation->machine.occupancy.ctas_per_sm = 1;
    Prediction& prediction = explanation->prediction;
    prediction.latency = Seconds{350e-9};
    prediction.ceiling = Seconds{175e-9};
    prediction.efficiency = 0.5;
    prediction.bound = Bound::tensor;
    explanation->analysis.parts = {{PartKind::pipe, "Tensor pipe", "", Seconds{200e-9}},
                        {PartKind::tail, "Tail", "", Seconds{100e-9}},
                        {PartKind::launch, "Launch", "", Seconds{50e-9}}};
    explanation->analysis.roofline = {100, 0.5, 3.0, 100, 400, 50};
    return explanation;
}

inline ScenePtr exampleScene(bool placed = false) {
    return std::make_shared<const Scene>(exampleExplanation(placed), Scenario{});
}

}  // namespace synperf::ui
