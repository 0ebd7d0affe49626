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

GroupRate rate_of(const TaskGroup& group, const Machine& machine, InSlot place) {
    const TaskLoad load = task_load(group, machine, place);
    GroupRate rate;
    rate.solo = shared_cycles(load, 1.0, machine.overlap_exponent);
    if (rate.solo <= 0) return rate;
    const double per_cycle = 1.0 / rate.solo;
    for (std::size_t i = 0; i < 4; ++i) rate.compute[i] = load.compute[i] * per_cycle;
    for (std::size_t i = 0; i < 2; ++i) rate.memory[i] = load.memory[i] * per_cycle;
    rate.latency = load.latency * per_cycle;
    return rate;
}

// Rates by group: kept where tasks share groups, worked out when asked for where nearly every task has its own.
class Rates {
public:
    Rates(const Launch& launch, const Machine& machine, std::int64_t tasks) : launch_(launch), machine_(machine) {
        if (static_cast<std::int64_t>(launch.groups.size()) > tasks / 2) return;
        kept_.reserve(2 * launch.groups.size());
        for (const TaskGroup& group : launch.groups) {
            kept_.push_back(rate_of(group, machine, InSlot::first));
            kept_.push_back(rate_of(group, machine, InSlot::later));
        }
    }
    [[nodiscard]] GroupRate of(std::int32_t group, InSlot place) const {
        const auto index = static_cast<std::size_t>(group);
        return kept_.empty() ? rate_of(launch_.groups[index], machine_, place) : kept_[2 * index + static_cast<std::size_t>(place)];
    }

private:
    const Launch& launch_;
    const Machine& machine_;
    std::vector<GroupRate> kept_;  // by group: first of a slot, later
};

// The least of a fixed set of numbers, none negative: a tournament tree, O(log n) to change one. Ties go to the lower index.
class Tournament {
public:
    Tournament(std::size_t entrants, double value)
        : leaves_(std::bit_ceil(std::max<std::size_t>(2, entrants))), nodes_(2 * leaves_, Node{key_of(kNever), 0}) {
        for (std::size_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i] = {key_of(i < entrants ? value : kNever), i};
        for (std::size_t i = leaves_ - 1; i >= 1; --i) nodes_[i] = nodes_[2 * i + 1].key < nodes_[2 * i].key ? nodes_[2 * i + 1] : nodes_[2 * i];
    }
    [[nodiscard]] std::size_t index() const { return nodes_[1].index; }
    [[nodiscard]] double least() const { return std::bit_cast<double>(nodes_[1].key); }
    void set(std::size_t entrant, double value) {
        std::size_t node = leaves_ + entrant;
        Node best{key_of(value), entrant};
        nodes_[node] = best;
        // The way up carries the winner in registers and selects it with a mask: which side wins is as good as random, so a branch
        // would be mispredicted at every level.
        for (; node > 1; node /= 2) {
            const Node& sibling = nodes_[node ^ 1];
            const bool wins = (sibling.key < best.key) | ((sibling.key == best.key) & ((node & 1) != 0));
            const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(wins);
            best.key ^= (best.key ^ sibling.key) & mask;
            best.index ^= (best.index ^ sibling.index) & mask;
            nodes_[node / 2] = best;
        }
    }

private:
    struct Node {
        std::uint64_t key;  // the bits of a double that is not negative sort as the number does
        std::uint64_t index;
    };
    static std::uint64_t key_of(double value) { return std::bit_cast<std::uint64_t>(value); }

    std::size_t leaves_;
    std::vector<Node> nodes_;
};

// Which task a lane takes next.
class TaskSource {
public:
    TaskSource(const Launch& launch, std::int64_t tasks, std::int64_t lanes, const std::vector<std::int32_t>& group_of,
               const Rates& rates)
        : kind_(launch.scheduler), tasks_(tasks), lanes_(lanes) {
        if (kind_ == SchedulerKind::persistent_longest_first) {
            order_.resize(static_cast<std::size_t>(tasks));
            std::iota(order_.begin(), order_.end(), 0);
            std::vector<double> solo;
            for (std::size_t group = 0; group < launch.groups.size(); ++group) solo.push_back(rates.of(static_cast<std::int32_t>(group), InSlot::later).solo);
            const auto time = [&](std::int32_t task) { return solo[static_cast<std::size_t>(group_of[static_cast<std::size_t>(task)])]; };
            std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) { return time(a) > time(b); });
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
                const std::int64_t task = lane_next_[lane];
                if (task >= 0) lane_next_[lane] = after_[static_cast<std::size_t>(task)];
                return task;
            }
            case SchedulerKind::persistent_longest_first: return next_ < tasks_ ? order_[static_cast<std::size_t>(next_++)] : -1;
            case SchedulerKind::hardware:
            case SchedulerKind::persistent_queue: return next_ < tasks_ ? next_++ : -1;
        }
        return -1;
    }

    // Tasks in an order in which each lane's own start one after the other; empty where launch order is one.
    [[nodiscard]] const std::vector<std::int32_t>& start_order() const { return order_; }

private:
    // In launch order, each task to the lane with the least accumulated cost. A lane's tasks are chained.
    void assign_by_cost(const Launch& launch, std::int64_t tasks, std::int64_t lanes, const std::vector<std::int32_t>& group_of) {
        Tournament load(static_cast<std::size_t>(lanes), 0.0);
        std::vector<double> costs;
        for (const TaskGroup& group : launch.groups) costs.push_back(group.cost);
        lane_next_.assign(static_cast<std::size_t>(lanes), -1);
        std::vector<std::int32_t> last(static_cast<std::size_t>(lanes), -1);
        after_.resize(static_cast<std::size_t>(tasks));
        for (std::size_t task = 0; task < after_.size(); ++task) {
            const std::size_t lane = load.index();
            const std::int32_t before = last[lane];
            if (before < 0) {
                lane_next_[lane] = static_cast<std::int64_t>(task);
            } else {
                after_[static_cast<std::size_t>(before)] = static_cast<std::int32_t>(task);
            }
            last[lane] = static_cast<std::int32_t>(task);
            after_[task] = -1;
            load.set(lane, load.least() + costs[static_cast<std::size_t>(group_of[task])]);
        }
    }

    SchedulerKind kind_;
    std::int64_t tasks_;
    std::int64_t lanes_;
    std::int64_t next_ = 0;
    std::vector<std::int32_t> order_;
    std::vector<std::int64_t> lane_next_;
    std::vector<std::int32_t> after_;  // by task: the next one of its lane, or -1
};

constexpr std::size_t kMaxResidents = 64;  // free slots are bits of a word; today's GPUs hold 32 CTAs

struct Resident {
    double end = 0;        // on the SM's own clock, which slows down with its load
    GroupRate rate;
    std::int32_t task = 0;
    std::int32_t slot = 0;
    bool first = false;    // of its slot: fills the whole pipeline
};

// One SM: its residents, and a clock of its own that runs at 1 / slowdown of real time.
struct SmState {
    double own = 0;
    double due = kNever;  // least end of its residents
    double busy_since = 0;
    std::uint64_t free_slots = 0;
    std::size_t count = 0;
    std::array<Resident, kMaxResidents> residents;
};

double slowdown_of(const SmState& state, double exponent) {
    if (state.count <= 1) return 1.0;
    std::array<double, 4> compute{};
    std::array<double, 2> memory{};
    double latency = 0;
    for (std::size_t r = 0; r < state.count; ++r) {
        const GroupRate& rate = state.residents[r].rate;
        for (std::size_t i = 0; i < 4; ++i) compute[i] += rate.compute[i];
        for (std::size_t i = 0; i < 2; ++i) memory[i] += rate.memory[i];
        latency += rate.latency;
    }
    const double most_compute = std::max(std::max(compute[0], compute[1]), std::max(compute[2], compute[3]));
    const double most_memory = std::max(std::max(memory[0], memory[1]), latency / static_cast<double>(state.count));
    return std::max(1.0, overlapped(most_compute, most_memory, exponent));
}

// Work of the launch in cycles of one lane, for the pipeline fill; for equal tasks the same as the closed form.
double body_cycles(const Launch& launch, const Machine& machine, std::int64_t tasks, std::int64_t lanes) {
    if (launch.groups.size() == 1) return uniform_body(task_load(launch.groups.front(), machine), tasks, lanes, machine);
    TaskGroup sum;
    for (const TaskGroup& group : launch.groups) {
        const auto count = static_cast<double>(group.count * launch.repeats);
        for (const Pipe pipe : kPipes) sum.demand[pipe] += count * group.demand[pipe];
        sum.steps += count * group.steps;
    }
    return task_cycles(sum, machine, 1) / static_cast<double>(std::min(lanes, tasks));
}

class Simulation {
public:
    Simulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Schedule& schedule)
        : launch_(launch), machine_(machine), lanes_(lanes), schedule_(schedule), rates_(launch, machine, schedule.tasks),
          earliest_(static_cast<std::size_t>(machine.sms), kNever) {}

    Result<void> run(const std::stop_token& stop);

private:
    void fill_groups(PlacedTasks& placed) const;
    Result<void> run_events(const std::stop_token& stop);
    void run_lanes(PlacedTasks& placed);
    bool admit(std::size_t sm);
    void settle(std::size_t sm, std::size_t first_new);
    std::size_t retire(std::size_t sm);
    void count(std::size_t sm, std::size_t task);
    void order_by_lane(PlacedTasks& placed) const;

    const Launch& launch_;
    const Machine& machine_;
    std::int64_t lanes_;
    Schedule& schedule_;
    Rates rates_;
    Tournament earliest_;
    std::vector<SmState> states_;
    std::vector<std::int32_t> lane_of_;  // by task
    std::vector<double> start_, end_;    // by task
    std::vector<std::int32_t> group_of_;
    std::optional<TaskSource> source_;
    double ramp_ = 0;
    double now_ = 0;
    std::int64_t admitted_ = 0;
};

void Simulation::fill_groups(PlacedTasks& placed) const {
    placed.group_of.reserve(static_cast<std::size_t>(schedule_.tasks));
    for (std::int64_t repeat = 0; repeat < launch_.repeats; ++repeat) {
        for (std::size_t g = 0; g < launch_.groups.size(); ++g) {
            placed.group_of.insert(placed.group_of.end(), static_cast<std::size_t>(launch_.groups[g].count), static_cast<std::int32_t>(g));
        }
    }
}

void Simulation::count(std::size_t sm, std::size_t task) {
    ++schedule_.sm_tasks[sm];
    const Demand& demand = launch_.groups[static_cast<std::size_t>(group_of_[task])].demand;
    for (const Pipe pipe : kPipes) schedule_.sm_demand[sm][pipe] += demand[pipe];
}

// Puts the next task on a free slot of `sm`, the lowest that has one; false where there is none. `settle` must follow.
bool Simulation::admit(std::size_t sm) {
    SmState& state = states_[sm];
    for (std::uint64_t free = state.free_slots; free != 0; free &= free - 1) {
        const auto slot = std::countr_zero(free);
        const std::int64_t task = source_->take(sm + static_cast<std::size_t>(slot) * static_cast<std::size_t>(machine_.sms));
        if (task < 0) continue;
        state.free_slots &= ~(std::uint64_t{1} << slot);
        if (state.count == 0) state.busy_since = now_;
        const auto index = static_cast<std::size_t>(task);
        const bool first = now_ == 0.0;
    state.residents[state.count++] = {0, rates_.of(group_of_[index], first ? InSlot::first : InSlot::later), static_cast<std::int32_t>(task), slot, first};
        lane_of_[index] = static_cast<std::int32_t>(sm) * schedule_.slots_per_sm + slot;
        start_[index] = now_;
        ++admitted_;
        count(sm, index);
        return true;
    }
    return false;
}

// New slowdown after admissions and retirements; residents from `first_new` on get their end. The ramp is real time, so it counts
// 1 / slowdown on the SM's own clock.
void Simulation::settle(std::size_t sm, std::size_t first_new) {
    SmState& state = states_[sm];
    if (state.count == 0) {
        earliest_.set(sm, kNever);
        return;
    }
    const double slowdown = slowdown_of(state, machine_.overlap_exponent);
    for (std::size_t i = first_new; i < state.count; ++i) {
        Resident& resident = state.residents[i];
        resident.end = state.own + resident.rate.solo + (resident.first ? ramp_ / slowdown : 0.0);
    }
    state.due = kNever;
    for (std::size_t i = 0; i < state.count; ++i) state.due = std::min(state.due, state.residents[i].end);
    earliest_.set(sm, now_ + (state.due - state.own) * slowdown);
}

// Ends the residents that are due on `sm` and returns how many stay.
std::size_t Simulation::retire(std::size_t sm) {
    SmState& state = states_[sm];
    state.own = state.due;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state.count; ++i) {
        const Resident& resident = state.residents[i];
        if (resident.end > state.due) {
            state.residents[kept++] = resident;
        } else {
            end_[static_cast<std::size_t>(resident.task)] = now_;
            state.free_slots |= std::uint64_t{1} << resident.slot;
        }
    }
    state.count = kept;
    if (kept == 0) schedule_.sm_busy_cycles[sm] += now_ - state.busy_since;
    schedule_.sm_end_cycles[sm] = now_;
    return kept;
}

Result<void> Simulation::run_events(const std::stop_token& stop) {
    const auto sms = static_cast<std::size_t>(machine_.sms);
    states_.resize(sms);
    // First round: breadth first over the SMs, one slot each, then the next slot.
    for (std::size_t sm = 0; sm < sms; ++sm) {
        const std::int64_t free = static_cast<std::int64_t>(sm) < lanes_ ? (lanes_ - static_cast<std::int64_t>(sm) - 1) / machine_.sms + 1 : 0;
        states_[sm].free_slots = free >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << free) - 1;
    }
    for (int slot = 0; slot < schedule_.slots_per_sm; ++slot) {
        for (std::size_t sm = 0; sm < sms; ++sm) admit(sm);
    }
    for (std::size_t sm = 0; sm < sms; ++sm) settle(sm, 0);

    std::vector<std::pair<std::size_t, std::size_t>> freed;  // SM, residents that stayed
    std::int64_t next_stop_check = kStopCheckInterval;
    while (earliest_.least() < kNever) {
        now_ = earliest_.least();
        const std::size_t first = earliest_.index();
        const std::size_t stayed = retire(first);
        earliest_.set(first, kNever);
        if (earliest_.least() > now_) {  // the usual case: one SM at a time
            while (admit(first)) {
            }
            settle(first, stayed);
        } else {
            freed.assign(1, {first, stayed});
            while (earliest_.least() == now_) {
                const std::size_t sm = earliest_.index();
                freed.emplace_back(sm, retire(sm));
                earliest_.set(sm, kNever);
            }
            // Slots that free at the same moment are filled breadth first, the emptiest SM first.
            for (std::size_t level = 0; level < static_cast<std::size_t>(schedule_.slots_per_sm); ++level) {
                for (const auto& [sm, kept] : freed) {
                    if (states_[sm].count == level) admit(sm);
                }
            }
            for (const auto& [sm, kept] : freed) settle(sm, kept);
        }
        if (admitted_ >= next_stop_check) {
            if (stop.stop_requested()) return failure("cancelled");
            next_stop_check = admitted_ + kStopCheckInterval;
        }
    }
    schedule_.makespan_cycles = now_;
    return {};
}

// One worker an SM that knows its tasks in advance: nothing is shared, so each SM is a sum, already in lane order.
void Simulation::run_lanes(PlacedTasks& placed) {
    const auto tasks = static_cast<std::size_t>(schedule_.tasks);
    placed.start.resize(tasks);
    placed.end.resize(tasks);
    placed.task.resize(tasks);
    placed.position_of.resize(tasks);
    placed.lane_begin.assign(static_cast<std::size_t>(machine_.sms) + 1, static_cast<std::int32_t>(tasks));
    std::size_t position = 0;
    for (std::size_t sm = 0; sm < static_cast<std::size_t>(lanes_); ++sm) {
        placed.lane_begin[sm] = static_cast<std::int32_t>(position);
        double now = 0;
        for (std::int64_t task = source_->take(sm); task >= 0; task = source_->take(sm)) {
            const auto index = static_cast<std::size_t>(task);
            count(sm, index);
            placed.start[position] = now;
            const bool first = now == 0.0;
            now += rates_.of(group_of_[index], first ? InSlot::first : InSlot::later).solo + (first ? ramp_ : 0.0);
            placed.end[position] = now;
            placed.task[position] = static_cast<std::int32_t>(index);
            placed.position_of[index] = static_cast<std::int32_t>(position++);
        }
        schedule_.sm_end_cycles[sm] = schedule_.sm_busy_cycles[sm] = now;
        schedule_.makespan_cycles = std::max(schedule_.makespan_cycles, now);
    }
}

Result<void> Simulation::run(const std::stop_token& stop) {
    if (schedule_.slots_per_sm > static_cast<int>(kMaxResidents)) return failure("more than 64 CTAs on an SM", "max_ctas_per_sm");
    const auto tasks = static_cast<std::size_t>(schedule_.tasks);
    PlacedTasks placed;
    fill_groups(placed);
    group_of_ = std::move(placed.group_of);
    source_.emplace(launch_, schedule_.tasks, lanes_, group_of_, rates_);
    ramp_ = exposed_ramp(body_cycles(launch_, machine_, schedule_.tasks, lanes_), machine_);
    schedule_.ramp_cycles = ramp_;
    const bool known_in_advance =
        launch_.scheduler == SchedulerKind::persistent_static || launch_.scheduler == SchedulerKind::persistent_assigned;
    if (known_in_advance && lanes_ <= machine_.sms) {
        run_lanes(placed);
    } else {
        lane_of_.resize(tasks);
        start_.resize(tasks);
        end_.resize(tasks);
        if (auto done = run_events(stop); !done) return done;
        order_by_lane(placed);
    }
    placed.group_of = std::move(group_of_);
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
    const std::vector<std::int32_t>& order = source_->start_order();
    for (std::size_t i = 0; i < tasks; ++i) {
        const std::size_t index = order.empty() ? i : static_cast<std::size_t>(order[i]);
        const std::int32_t position = at[static_cast<std::size_t>(lane_of_[index])]++;
        placed.position_of[index] = position;
        placed.task[static_cast<std::size_t>(position)] = static_cast<std::int32_t>(index);
        placed.start[static_cast<std::size_t>(position)] = start_[index];
        placed.end[static_cast<std::size_t>(position)] = end_[index];
    }
}

}  // namespace

Result<void> simulate(const Launch& launch, const Machine& machine, std::int64_t lanes, Schedule& schedule, const std::stop_token& stop) {
    return Simulation(launch, machine, lanes, schedule).run(stop);
}

}  // namespace synperf
