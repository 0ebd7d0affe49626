#include "schedule/simulate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "schedule/task_time.h"

namespace synperf {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::int64_t kStopCheckInterval = 1 << 14;  // tasks between two looks at the stop token

// A group's task alone on an SM: its time, and the share of each resource it uses meanwhile.
struct GroupRate {
    double solo = 0;
    std::array<double, 4> compute{};
    std::array<double, 2> memory{};
    double latency = 0;
};

std::vector<GroupRate> group_rates(const Launch& launch, const Machine& machine) {
    std::vector<GroupRate> rates;
    rates.reserve(launch.groups.size());
    for (const TaskGroup& group : launch.groups) {
        const TaskLoad load = task_load(group, machine);
        GroupRate rate;
        rate.solo = shared_cycles(load, 1.0, machine.overlap_exponent);
        if (rate.solo > 0) {
            for (std::size_t i = 0; i < 4; ++i) rate.compute[i] = load.compute[i] / rate.solo;
            for (std::size_t i = 0; i < 2; ++i) rate.memory[i] = load.memory[i] / rate.solo;
            rate.latency = load.latency / rate.solo;
        }
        rates.push_back(rate);
    }
    return rates;
}

// Earliest of a fixed set of times: a tournament tree, O(log n) to change one.
class EarliestSm {
public:
    explicit EarliestSm(std::size_t sms) : leaves_(std::bit_ceil(std::max<std::size_t>(2, sms))), time_(leaves_, kNever), winner_(2 * leaves_) {
        for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = static_cast<std::uint32_t>(i);
        for (std::size_t i = leaves_ - 1; i >= 1; --i) winner_[i] = winner_[2 * i];
    }
    [[nodiscard]] std::size_t sm() const { return winner_[1]; }
    [[nodiscard]] double time() const { return time_[winner_[1]]; }
    void set(std::size_t sm, double time) {
        time_[sm] = time;
        for (std::size_t node = (leaves_ + sm) / 2; node >= 1; node /= 2) {
            const std::uint32_t left = winner_[2 * node];
            const std::uint32_t right = winner_[2 * node + 1];
            winner_[node] = time_[right] < time_[left] ? right : left;  // ties go to the lower index
        }
    }

private:
    std::size_t leaves_;
    std::vector<double> time_;
    std::vector<std::uint32_t> winner_;
};

// Which task a lane takes next.
class TaskSource {
public:
    TaskSource(const Launch& launch, std::int64_t tasks, std::int64_t lanes, const std::vector<std::int32_t>& group_of,
               const std::vector<GroupRate>& rates)
        : kind_(launch.scheduler), tasks_(tasks), lanes_(lanes) {
        if (kind_ == SchedulerKind::persistent_longest_first) {
            order_.resize(static_cast<std::size_t>(tasks));
            std::iota(order_.begin(), order_.end(), 0);
            const auto solo = [&](std::int32_t task) { return rates[static_cast<std::size_t>(group_of[static_cast<std::size_t>(task)])].solo; };
            std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) { return solo(a) > solo(b); });
        } else if (kind_ == SchedulerKind::persistent_static) {
            lane_next_.resize(static_cast<std::size_t>(lanes));
            std::iota(lane_next_.begin(), lane_next_.end(), std::int64_t{0});
        } else if (kind_ == SchedulerKind::persistent_assigned) {
            assign_by_cost(launch, tasks, lanes, group_of);
        }
    }

    // Next task of `lane`, or -1.
    std::int64_t take(std::size_t lane) {
        switch (kind_) {
            case SchedulerKind::persistent_static: {
                const std::int64_t task = lane_next_[lane];
                if (task >= tasks_) return -1;
                lane_next_[lane] += lanes_;
                return task;
            }
            case SchedulerKind::persistent_assigned: {
                if (lane_next_[lane] >= assigned_begin_[lane + 1]) return -1;
                return order_[static_cast<std::size_t>(lane_next_[lane]++)];
            }
            case SchedulerKind::persistent_longest_first: return next_ < tasks_ ? order_[static_cast<std::size_t>(next_++)] : -1;
            case SchedulerKind::hardware:
            case SchedulerKind::persistent_queue: return next_ < tasks_ ? next_++ : -1;
        }
        return -1;
    }

private:
    // In launch order, each task to the lane with the least accumulated cost, ties to the lowest index.
    void assign_by_cost(const Launch& launch, std::int64_t tasks, std::int64_t lanes, const std::vector<std::int32_t>& group_of) {
        using Load = std::pair<double, std::int32_t>;
        std::vector<Load> heap;
        for (std::int32_t lane = 0; lane < lanes; ++lane) heap.emplace_back(0.0, lane);
        const auto later = std::greater<Load>{};
        std::vector<std::int32_t> lane_of(static_cast<std::size_t>(tasks));
        assigned_begin_.assign(static_cast<std::size_t>(lanes) + 1, 0);
        for (std::size_t task = 0; task < lane_of.size(); ++task) {
            std::pop_heap(heap.begin(), heap.end(), later);
            Load& least = heap.back();
            lane_of[task] = least.second;
            ++assigned_begin_[static_cast<std::size_t>(least.second) + 1];
            least.first += launch.groups[static_cast<std::size_t>(group_of[task])].cost;
            std::push_heap(heap.begin(), heap.end(), later);
        }
        std::partial_sum(assigned_begin_.begin(), assigned_begin_.end(), assigned_begin_.begin());
        lane_next_.assign(assigned_begin_.begin(), assigned_begin_.end() - 1);
        order_.resize(lane_of.size());
        std::vector<std::int64_t> at = lane_next_;
        for (std::size_t task = 0; task < lane_of.size(); ++task) {
            order_[static_cast<std::size_t>(at[static_cast<std::size_t>(lane_of[task])]++)] = static_cast<std::int32_t>(task);
        }
    }

    SchedulerKind kind_;
    std::int64_t tasks_;
    std::int64_t lanes_;
    std::int64_t next_ = 0;
    std::vector<std::int32_t> order_;
    std::vector<std::int64_t> lane_next_;
    std::vector<std::int64_t> assigned_begin_;
};

struct Resident {
    double end = 0;        // on the SM's own clock, which slows down with its load
    std::int32_t task = 0;
    std::int32_t slot = 0;
    std::int32_t group = 0;
    bool first = false;    // of its slot: fills the whole pipeline
};

// One SM: its residents, and a clock of its own that runs at 1 / slowdown of real time.
struct SmState {
    std::vector<Resident> residents;
    std::vector<std::int32_t> free_slots;  // descending, so that the lowest is taken from the back
    double real = 0;                       // when `own` was last brought up to date
    double own = 0;
    double slowdown = 1;
    double busy_since = 0;
};

double slowdown_of(const std::vector<Resident>& residents, const std::vector<GroupRate>& rates, double exponent) {
    if (residents.size() <= 1) return 1.0;
    std::array<double, 4> compute{};
    std::array<double, 2> memory{};
    double latency = 0;
    for (const Resident& resident : residents) {
        const GroupRate& rate = rates[static_cast<std::size_t>(resident.group)];
        for (std::size_t i = 0; i < 4; ++i) compute[i] += rate.compute[i];
        for (std::size_t i = 0; i < 2; ++i) memory[i] += rate.memory[i];
        latency += rate.latency;
    }
    const double most_compute = std::max(std::max(compute[0], compute[1]), std::max(compute[2], compute[3]));
    const double most_memory = std::max(std::max(memory[0], memory[1]), latency / static_cast<double>(residents.size()));
    return std::max(1.0, overlapped(most_compute, most_memory, exponent));
}

// Work of the launch in cycles of one lane, for the pipeline fill; for equal tasks the same as the closed form.
double body_cycles(const Launch& launch, const Machine& machine, std::int64_t tasks, std::int64_t lanes, const std::vector<GroupRate>& rates) {
    if (launch.groups.size() == 1) {
        const TaskLoad load = task_load(launch.groups.front(), machine);
        const auto time = [&](std::int64_t residents) {
            return residents > 0 ? shared_cycles(load, static_cast<double>(residents), machine.overlap_exponent) : 0.0;
        };
        const double wave = time(std::max<std::int64_t>(1, lanes / machine.sms));
        return static_cast<double>(tasks / lanes) * wave + time((tasks % lanes + machine.sms - 1) / machine.sms);
    }
    double longest = 0;
    double sum = 0;
    for (std::size_t g = 0; g < launch.groups.size(); ++g) {
        longest = std::max(longest, rates[g].solo);
        sum += rates[g].solo * static_cast<double>(launch.groups[g].count * launch.repeats);
    }
    return std::max(longest, sum / static_cast<double>(std::min(lanes, tasks)));
}

class Simulation {
public:
    Simulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Schedule& schedule)
        : launch_(launch), machine_(machine), lanes_(lanes), schedule_(schedule), rates_(group_rates(launch, machine)),
          earliest_(static_cast<std::size_t>(machine.sms)) {}

    Result<void> run(const std::stop_token& stop);

private:
    void fill_groups(PlacedTasks& placed) const;
    bool admit(std::size_t sm);
    void settle(std::size_t sm, double now, std::size_t first_new);
    std::size_t retire(std::size_t sm, double now);
    void order_by_lane(PlacedTasks& placed) const;

    const Launch& launch_;
    const Machine& machine_;
    std::int64_t lanes_;
    Schedule& schedule_;
    std::vector<GroupRate> rates_;
    EarliestSm earliest_;
    std::vector<SmState> states_;
    std::vector<std::int32_t> lane_of_;   // by task
    std::vector<double> start_, end_;     // by task
    std::vector<std::int32_t> dispatched_;  // tasks by start
    std::vector<std::int32_t> group_of_;
    std::optional<TaskSource> source_;
    double ramp_ = 0;
    double now_ = 0;
};

void Simulation::fill_groups(PlacedTasks& placed) const {
    placed.group_of.reserve(static_cast<std::size_t>(schedule_.tasks));
    for (std::int64_t repeat = 0; repeat < launch_.repeats; ++repeat) {
        for (std::size_t g = 0; g < launch_.groups.size(); ++g) {
            placed.group_of.insert(placed.group_of.end(), static_cast<std::size_t>(launch_.groups[g].count), static_cast<std::int32_t>(g));
        }
    }
}

// Puts the next task on a free slot of `sm`; false where there is none. `settle` must follow.
bool Simulation::admit(std::size_t sm) {
    SmState& state = states_[sm];
    std::int64_t task = -1;
    std::int32_t slot = 0;
    for (std::size_t i = state.free_slots.size(); i-- > 0 && task < 0;) {
        slot = state.free_slots[i];
        task = source_->take(sm + static_cast<std::size_t>(slot) * static_cast<std::size_t>(machine_.sms));
        if (task >= 0) state.free_slots.erase(state.free_slots.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (task < 0) return false;
    const auto index = static_cast<std::size_t>(task);
    if (state.residents.empty()) state.busy_since = now_;
    Resident resident;
    resident.task = static_cast<std::int32_t>(task);
    resident.slot = slot;
    resident.group = group_of_[index];
    resident.first = now_ == 0.0;
    state.residents.push_back(resident);
    lane_of_[index] = static_cast<std::int32_t>(sm) * schedule_.slots_per_sm + slot;
    start_[index] = now_;
    dispatched_.push_back(resident.task);
    ++schedule_.sm_tasks[sm];
    const Demand& demand = launch_.groups[static_cast<std::size_t>(resident.group)].demand;
    for (const Pipe pipe : kPipes) schedule_.sm_demand[sm][pipe] += demand[pipe];
    return true;
}

// New slowdown after admissions and retirements; residents from `first_new` on get their end. Fill is real time, so it counts
// 1 / slowdown on the SM's own clock.
void Simulation::settle(std::size_t sm, double now, std::size_t first_new) {
    SmState& state = states_[sm];
    state.real = now;
    if (state.residents.empty()) {
        earliest_.set(sm, kNever);
        return;
    }
    state.slowdown = slowdown_of(state.residents, rates_, machine_.overlap_exponent);
    for (std::size_t i = first_new; i < state.residents.size(); ++i) {
        Resident& resident = state.residents[i];
        const double fill = resident.first ? ramp_ : machine_.fill_cycles;
        resident.end = state.own + rates_[static_cast<std::size_t>(resident.group)].solo + fill / state.slowdown;
    }
    double next = kNever;
    for (const Resident& resident : state.residents) next = std::min(next, resident.end);
    earliest_.set(sm, now + (next - state.own) * state.slowdown);
}

// Ends the residents that are due on `sm` and returns how many stay.
std::size_t Simulation::retire(std::size_t sm, double now) {
    SmState& state = states_[sm];
    double due = kNever;
    for (const Resident& resident : state.residents) due = std::min(due, resident.end);
    state.own = due;
    const auto leaving = std::stable_partition(state.residents.begin(), state.residents.end(), [due](const Resident& r) { return r.end > due; });
    for (auto it = leaving; it != state.residents.end(); ++it) {
        end_[static_cast<std::size_t>(it->task)] = now;
        state.free_slots.push_back(it->slot);
    }
    state.residents.erase(leaving, state.residents.end());
    if (state.free_slots.size() > 1) std::sort(state.free_slots.begin(), state.free_slots.end(), std::greater<>{});
    if (state.residents.empty()) schedule_.sm_busy_cycles[sm] += now - state.busy_since;
    schedule_.sm_end_cycles[sm] = now;
    return state.residents.size();
}

Result<void> Simulation::run(const std::stop_token& stop) {
    const auto tasks = static_cast<std::size_t>(schedule_.tasks);
    const auto sms = static_cast<std::size_t>(machine_.sms);
    PlacedTasks placed;
    fill_groups(placed);
    group_of_ = std::move(placed.group_of);
    source_.emplace(launch_, schedule_.tasks, lanes_, group_of_, rates_);
    lane_of_.resize(tasks);
    start_.resize(tasks);
    end_.resize(tasks);
    dispatched_.reserve(tasks);
    states_.resize(sms);
    ramp_ = exposed_ramp(body_cycles(launch_, machine_, schedule_.tasks, lanes_, rates_), machine_);

    // First round: breadth first over the SMs, one slot each, then the next slot.
    for (std::size_t sm = 0; sm < sms; ++sm) {
        const std::int64_t slots = static_cast<std::int64_t>(sm) < lanes_ ? (lanes_ - static_cast<std::int64_t>(sm) - 1) / machine_.sms + 1 : 0;
        for (std::int64_t slot = slots - 1; slot >= 0; --slot) states_[sm].free_slots.push_back(static_cast<std::int32_t>(slot));
    }
    for (int slot = 0; slot < schedule_.slots_per_sm; ++slot) {
        for (std::size_t sm = 0; sm < sms; ++sm) {
            if (!states_[sm].free_slots.empty()) admit(sm);
        }
    }
    for (std::size_t sm = 0; sm < sms; ++sm) settle(sm, 0.0, 0);

    std::vector<std::pair<std::size_t, std::size_t>> freed;  // SM, residents that stayed
    std::size_t next_stop_check = kStopCheckInterval;
    while (earliest_.time() < kNever) {
        now_ = earliest_.time();
        freed.clear();
        while (earliest_.time() == now_) {
            const std::size_t sm = earliest_.sm();
            freed.emplace_back(sm, retire(sm, now_));
            earliest_.set(sm, kNever);
        }
        // Slots that free at the same moment are filled breadth first, the emptiest SM first.
        for (std::size_t level = 0; level < static_cast<std::size_t>(schedule_.slots_per_sm); ++level) {
            for (const auto& [sm, stayed] : freed) {
                if (states_[sm].residents.size() == level && !states_[sm].free_slots.empty()) admit(sm);
            }
        }
        for (const auto& [sm, stayed] : freed) settle(sm, now_, stayed);
        if (dispatched_.size() >= next_stop_check) {
            if (stop.stop_requested()) return failure("cancelled");
            next_stop_check = dispatched_.size() + kStopCheckInterval;
        }
    }
    schedule_.makespan_cycles = now_;
    placed.group_of = std::move(group_of_);
    order_by_lane(placed);
    schedule_.placement = std::move(placed);
    return {};
}

void Simulation::order_by_lane(PlacedTasks& placed) const {
    const std::size_t tasks = lane_of_.size();
    const auto lanes = static_cast<std::size_t>(machine_.sms) * static_cast<std::size_t>(schedule_.slots_per_sm);
    placed.lane_begin.assign(lanes + 1, 0);
    for (const std::int32_t lane : lane_of_) ++placed.lane_begin[static_cast<std::size_t>(lane) + 1];
    std::partial_sum(placed.lane_begin.begin(), placed.lane_begin.end(), placed.lane_begin.begin());
    std::vector<std::int32_t> at(placed.lane_begin.begin(), placed.lane_begin.end() - 1);
    placed.start.resize(tasks);
    placed.end.resize(tasks);
    placed.task.resize(tasks);
    placed.position_of.resize(tasks);
    for (const std::int32_t task : dispatched_) {
        const auto index = static_cast<std::size_t>(task);
        const std::int32_t position = at[static_cast<std::size_t>(lane_of_[index])]++;
        placed.position_of[index] = position;
        placed.task[static_cast<std::size_t>(position)] = task;
        placed.start[static_cast<std::size_t>(position)] = start_[index];
        placed.end[static_cast<std::size_t>(position)] = end_[index];
    }
}

}  // namespace

Result<void> simulate(const Launch& launch, const Machine& machine, std::int64_t lanes, Schedule& schedule, const std::stop_token& stop) {
    return Simulation(launch, machine, lanes, schedule).run(stop);
}

}  // namespace synperf
