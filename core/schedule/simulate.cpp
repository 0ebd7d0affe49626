#include "schedule/simulate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "schedule/placement.h"
#include "schedule/simulate_lanes.h"
#include "schedule/task_rates.h"
#include "schedule/task_source.h"
#include "schedule/tournament.h"

namespace synperf {

namespace {

constexpr std::int64_t kStopCheckInterval = 1 << 14;  // tasks between two looks at the stop token
constexpr std::size_t kMaxResidents = 64;  // free slots are bits of a word; today's GPUs hold 32 CTAs

// SMs that do the same at all times: where every run of equal tasks is a multiple of `twins` and the SMs are too, neighbouring SMs get equal
// tasks at equal moments, so one stands for all of them.
std::int64_t twin_sms(const Launch& launch, const Machine& machine, std::int64_t lanes) {
    const bool in_order = launch.scheduler == SchedulerKind::hardware || launch.scheduler == SchedulerKind::persistent_queue;
    if (!in_order || lanes % machine.sms != 0) return 1;
    std::int64_t twins = machine.sms;
    for (const TaskGroup& group : launch.groups) {
        twins = std::gcd(twins, group.count);
        if (twins == 1) break;
    }
    return twins;
}

struct Resident {
    double end = 0;        // on the SM's own clock, which slows down with its load
    const TaskRate* rate = nullptr;
    TaskRates::Variant variant = 0;
    std::int32_t task = 0;
    std::int32_t slot = 0;
    bool first = false;    // of its slot: fills the whole pipeline
};

// One SM: its residents, and a clock of its own that runs at 1 / slowdown of real time.
struct SmState {
    double own = 0;
    double due = Tournament::kNever;  // least end of its residents
    double busy_since = 0;
    std::uint64_t free_slots = 0;
    std::size_t count = 0;
    std::array<Resident, kMaxResidents> residents;
};

class EventSimulation {
public:
    EventSimulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule)
        : launch_(launch), machine_(machine), schedule_(schedule), twins_(twin_sms(launch, machine, lanes)), sms_(static_cast<std::size_t>(machine.sms / twins_)),
          lanes_(lanes / twins_), tasks_(schedule.tasks / twins_), tail_begin_(tasks_ / lanes_ * lanes_), rates_(launch, machine), group_of_(groups_of_tasks(launch, twins_)),
          source_(launch.scheduler, tasks_, lanes_, group_of_, rates_), earliest_(sms_, Tournament::kNever), states_(sms_) {
        ramp_ = exposed_ramp(lane_body_cycles(launch, machine, schedule.tasks, lanes), machine);
        schedule_.ramp_cycles = ramp_;
        if (!rates_.kept()) own_rates_.resize(sms_ * static_cast<std::size_t>(schedule.slots_per_sm));
        if (detail != Detail::totals) placement_.resize(static_cast<std::size_t>(tasks_));
    }

    Result<void> run(const std::stop_token& stop);
    // Twins get what the one that stood for them did.
    void finish();

private:
    void first_round();
    bool admit(std::size_t sm);
    void settle(std::size_t sm, std::size_t first_new);
    std::size_t retire(std::size_t sm);
    void refill_together(std::size_t first, std::size_t stayed);
    [[nodiscard]] double slowdown(const SmState& state);
    [[nodiscard]] bool placed() const { return !placement_.lane_of.empty(); }

    const Launch& launch_;
    const Machine& machine_;
    Schedule& schedule_;
    std::int64_t twins_;
    std::size_t sms_;      // that are simulated
    std::int64_t lanes_;
    std::int64_t tasks_;
    std::int64_t tail_begin_;  // tasks of full waves
    TaskRates rates_;
    std::vector<std::int32_t> group_of_;
    TaskSource source_;
    Tournament earliest_;
    std::vector<SmState> states_;
    std::vector<TaskRate> own_rates_;  // by SM and slot, where rates are not kept
    Placement placement_;
    std::vector<std::pair<std::size_t, std::size_t>> freed_;  // SM, residents that stayed
    double ramp_ = 0;
    double now_ = 0;
    std::int64_t admitted_ = 0;
};

// Puts the next task on a free slot of `sm`, the lowest that has one; false where there is none. `settle` must follow.
bool EventSimulation::admit(std::size_t sm) {
    SmState& state = states_[sm];
    for (std::uint64_t free = state.free_slots; free != 0; free &= free - 1) {
        const auto slot = std::countr_zero(free);
        const std::int64_t task = source_.take(sm + static_cast<std::size_t>(slot) * sms_);
        if (task < 0) continue;
        state.free_slots &= ~(std::uint64_t{1} << slot);
        if (state.count == 0) state.busy_since = now_;
        const auto index = static_cast<std::size_t>(task);
        const std::int32_t group = group_of_[index];
        const bool first = now_ == 0.0;
        const InSlot place = first ? InSlot::first : admitted_ < tail_begin_ ? InSlot::later : InSlot::tail;
        Resident& resident = state.residents[state.count++];
        resident.task = static_cast<std::int32_t>(task);
        resident.slot = slot;
        resident.first = first;
        if (rates_.kept()) {
            resident.variant = rates_.variant(group, place);
            resident.rate = &rates_.rate(resident.variant);
        } else {
            TaskRate& own = own_rates_[sm * static_cast<std::size_t>(schedule_.slots_per_sm) + static_cast<std::size_t>(slot)];
            own = task_rate(launch_.groups[static_cast<std::size_t>(group)], machine_, place);
            resident.rate = &own;
        }
        if (placed()) {
            placement_.lane_of[index] = static_cast<std::int32_t>(sm) * schedule_.slots_per_sm + slot;
            placement_.start[index] = now_;
        }
        ++admitted_;
        ++schedule_.sm_tasks[sm];
        const Demand& demand = launch_.groups[static_cast<std::size_t>(group)].demand;
        for (std::size_t pipe = 0; pipe < kPipeCount; ++pipe) schedule_.sm_demand[sm].values[pipe] += demand.values[pipe];
        return true;
    }
    return false;
}

double EventSimulation::slowdown(const SmState& state) {
    if (state.count <= 1) return 1.0;
    if (state.count == 2 && rates_.kept()) return rates_.pair_slowdown(state.residents[0].variant, state.residents[1].variant);
    std::array<const TaskRate*, kMaxResidents> rates;
    for (std::size_t i = 0; i < state.count; ++i) rates[i] = state.residents[i].rate;
    return slowdown_of(std::span(rates).first(state.count), machine_.overlap_exponent);
}

// New slowdown after admissions and retirements; residents from `first_new` on get their end. The ramp is real time, so it counts
// 1 / slowdown on the SM's own clock.
void EventSimulation::settle(std::size_t sm, std::size_t first_new) {
    SmState& state = states_[sm];
    if (state.count == 0) {
        earliest_.set(sm, Tournament::kNever);
        return;
    }
    const double factor = slowdown(state);
    for (std::size_t i = first_new; i < state.count; ++i) {
        Resident& resident = state.residents[i];
        resident.end = state.own + resident.rate->solo + (resident.first ? ramp_ / factor : 0.0);
    }
    state.due = Tournament::kNever;
    for (std::size_t i = 0; i < state.count; ++i) state.due = std::min(state.due, state.residents[i].end);
    earliest_.set(sm, now_ + (state.due - state.own) * factor);
}

// Ends the residents that are due on `sm` and returns how many stay.
std::size_t EventSimulation::retire(std::size_t sm) {
    SmState& state = states_[sm];
    state.own = state.due;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state.count; ++i) {
        const Resident& resident = state.residents[i];
        if (resident.end > state.due) {
            state.residents[kept++] = resident;
        } else {
            if (placed()) placement_.end[static_cast<std::size_t>(resident.task)] = now_;
            state.free_slots |= std::uint64_t{1} << resident.slot;
        }
    }
    state.count = kept;
    if (kept == 0) schedule_.sm_busy_cycles[sm] += now_ - state.busy_since;
    schedule_.sm_end_cycles[sm] = now_;
    return kept;
}

// Breadth first over the SMs, one slot each, then the next slot.
void EventSimulation::first_round() {
    const auto sms = static_cast<std::int64_t>(sms_);
    for (std::size_t sm = 0; sm < sms_; ++sm) {
        const auto index = static_cast<std::int64_t>(sm);
        const std::int64_t free = index < lanes_ ? (lanes_ - index - 1) / sms + 1 : 0;
        states_[sm].free_slots = free >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << free) - 1;
    }
    for (int slot = 0; slot < schedule_.slots_per_sm; ++slot) {
        for (std::size_t sm = 0; sm < sms_; ++sm) admit(sm);
    }
    for (std::size_t sm = 0; sm < sms_; ++sm) settle(sm, 0);
}

// Slots that free at the same moment are filled breadth first, the emptiest SM first.
void EventSimulation::refill_together(std::size_t first, std::size_t stayed) {
    freed_.assign(1, {first, stayed});
    earliest_.set(first, Tournament::kNever);
    while (earliest_.least() == now_) {
        const std::size_t sm = earliest_.index();
        freed_.emplace_back(sm, retire(sm));
        earliest_.set(sm, Tournament::kNever);
    }
    for (std::size_t level = 0; level < static_cast<std::size_t>(schedule_.slots_per_sm); ++level) {
        for (const auto& [sm, kept] : freed_) {
            if (states_[sm].count == level) admit(sm);
        }
    }
    for (const auto& [sm, kept] : freed_) settle(sm, kept);
}

Result<void> EventSimulation::run(const std::stop_token& stop) {
    first_round();
    std::int64_t next_stop_check = kStopCheckInterval;
    while (earliest_.least() < Tournament::kNever) {
        now_ = earliest_.least();
        const std::size_t first = earliest_.index();
        const bool alone = earliest_.second() > now_;  // the usual case: one SM at a time
        const std::size_t stayed = retire(first);
        if (alone) {
            while (admit(first)) {
            }
            settle(first, stayed);
        } else {
            refill_together(first, stayed);
        }
        if (admitted_ >= next_stop_check) {
            if (stop.stop_requested()) return failure("cancelled");
            next_stop_check = admitted_ + kStopCheckInterval;
        }
    }
    schedule_.makespan_cycles = now_;
    return {};
}

void EventSimulation::finish() {
    const auto twins = static_cast<std::size_t>(twins_);
    for (std::size_t sm = static_cast<std::size_t>(machine_.sms); twins > 1 && sm-- > 0;) {
        schedule_.sm_tasks[sm] = schedule_.sm_tasks[sm / twins];
        schedule_.sm_demand[sm] = schedule_.sm_demand[sm / twins];
        schedule_.sm_busy_cycles[sm] = schedule_.sm_busy_cycles[sm / twins];
        schedule_.sm_end_cycles[sm] = schedule_.sm_end_cycles[sm / twins];
    }
    if (!placed()) return;
    const auto lanes = static_cast<std::size_t>(machine_.sms) * static_cast<std::size_t>(schedule_.slots_per_sm);
    if (twins == 1) {
        schedule_.placement = in_lane_order(placement_, lanes, source_.start_order(), std::move(group_of_));
        return;
    }
    Placement all;
    all.resize(static_cast<std::size_t>(schedule_.tasks));
    for (std::size_t task = 0; task < all.lane_of.size(); ++task) {
        const std::size_t stood_for = task / twins;
        const std::int32_t lane = placement_.lane_of[stood_for];
        const std::int32_t sm = lane / schedule_.slots_per_sm * static_cast<std::int32_t>(twins) + static_cast<std::int32_t>(task % twins);
        all.lane_of[task] = sm * schedule_.slots_per_sm + lane % schedule_.slots_per_sm;
        all.start[task] = placement_.start[stood_for];
        all.end[task] = placement_.end[stood_for];
    }
    schedule_.placement = in_lane_order(all, lanes, {}, groups_of_tasks(launch_, 1));
}

}  // namespace

Result<void> simulate(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule, const std::stop_token& stop) {
    if (schedule.slots_per_sm > static_cast<int>(kMaxResidents)) return failure("more than 64 CTAs on an SM", "max_ctas_per_sm");
    if (known_in_advance(launch, machine, lanes)) {
        simulate_lanes(launch, machine, lanes, detail, schedule);
        return {};
    }
    EventSimulation simulation(launch, machine, lanes, detail, schedule);
    if (auto done = simulation.run(stop); !done) return done;
    simulation.finish();
    return {};
}

}  // namespace synperf
