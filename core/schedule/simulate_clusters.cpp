#include "schedule/simulate_clusters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "schedule/cluster.h"
#include "schedule/placement.h"
#include "schedule/task_rates.h"
#include "schedule/task_time.h"

namespace synperf {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::int64_t kStopCheckInterval = 1 << 14;  // tasks between two looks at the stop token
constexpr int kMaxResidents = 64;  // free slots are bits of a word; today's GPUs hold 32 CTAs

struct Resident {
    double end = 0;  // on the SM's own clock
    TaskRate rate;
    std::int32_t task = 0;
    int slot = 0;
    bool first = false;  // of its slot: fills the whole pipeline
};

// One SM: its residents, and a clock of its own that runs at 1 / slowdown of real time.
struct SmState {
    double own = 0;
    double at = 0;  // real time that `own` is of
    double due = kNever;
    double slowdown = 1;
    double busy_since = 0;
    std::uint64_t free_slots = 0;
    std::size_t settled = 0;  // residents whose end is known
    bool changed = false;
    std::vector<Resident> residents;
};

double slowdown_on(const SmState& state, double exponent) {
    std::array<const TaskRate*, kMaxResidents> rates;
    for (std::size_t i = 0; i < state.residents.size(); ++i) rates[i] = &state.residents[i].rate;
    return slowdown_of(std::span(rates).first(state.residents.size()), exponent);
}

// One GPC: its SMs and how many of them have 0, 1, 2, ... residents.
struct Gpc {
    std::vector<std::size_t> sms;
    std::vector<int> sms_with;  // residents, up to the slots of an SM
    std::int64_t free_slots = 0;

    // How full a further cluster would find the SMs: residents of the fullest SM that takes a CTA of it, and how many CTAs lie above that
    // level. The GPC with the least takes the cluster, so that no SM gets a second CTA while another one that could serve has none.
    [[nodiscard]] std::pair<std::size_t, int> fill(int cluster) const {
        int room = 0;  // slots below the level after `level`
        int sms_below = 0;
        std::size_t level = 0;
        for (; level + 1 < sms_with.size(); ++level) {
            sms_below += sms_with[level];
            room += sms_below;
            if (room >= cluster) break;
        }
        int above = 0;
        for (std::size_t r = level + 1; r < sms_with.size(); ++r) above += sms_with[r] * static_cast<int>(r - level);
        return {level, above};
    }
};

class ClusterSimulation {
public:
    ClusterSimulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule);
    Result<void> run(const std::stop_token& stop);

private:
    void start_clusters();
    void place_cluster(Gpc& gpc);
    void admit(std::size_t sm);
    void retire(std::size_t sm);
    void touch(std::size_t sm);
    void settle(std::size_t sm);
    void change_residents(Gpc& gpc, std::size_t from, std::size_t to);
    [[nodiscard]] std::size_t emptiest_sm(const Gpc& gpc) const;
    [[nodiscard]] TaskRate rate_of(std::int32_t group, InSlot place) const;
    void finish();
    [[nodiscard]] bool placed() const { return !placement_.lane_of.empty(); }

    const Launch& launch_;
    const Machine& machine_;
    Schedule& schedule_;
    int slots_;  // of an SM
    std::vector<std::int32_t> group_of_;
    TaskRates rates_;
    std::vector<int> gpc_of_;
    std::vector<Gpc> gpcs_;
    std::vector<SmState> states_;
    std::vector<double> next_;  // by SM: when its next resident ends
    std::vector<std::size_t> changed_;
    Placement placement_;
    int most_slots_ = 1;  // of an SM that had tasks at the same time
    std::int64_t admitted_ = 0;
    double ramp_ = 0;
    double now_ = 0;
};

ClusterSimulation::ClusterSimulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule)
    : launch_(launch), machine_(machine), schedule_(schedule), slots_(machine.occupancy.ctas_per_sm), group_of_(groups_of_tasks(launch, 1)),
      rates_(launch, machine), gpc_of_(gpc_of_sms(machine.gpc_sms)), gpcs_(machine.gpc_sms.size()), states_(gpc_of_.size()), next_(gpc_of_.size(), kNever) {
    ramp_ = exposed_ramp(lane_body_cycles(launch, machine, schedule.tasks, lanes), machine);
    schedule_.ramp_cycles = ramp_;
    for (std::size_t sm = 0; sm < states_.size(); ++sm) {
        states_[sm].free_slots = slots_ >= kMaxResidents ? ~std::uint64_t{0} : (std::uint64_t{1} << slots_) - 1;
        gpcs_[static_cast<std::size_t>(gpc_of_[sm])].sms.push_back(sm);
    }
    for (Gpc& gpc : gpcs_) {
        gpc.sms_with.assign(static_cast<std::size_t>(slots_) + 1, 0);
        gpc.sms_with[0] = static_cast<int>(gpc.sms.size());
        gpc.free_slots = static_cast<std::int64_t>(gpc.sms.size()) * slots_;
    }
    if (detail != Detail::totals) placement_.resize(static_cast<std::size_t>(schedule.tasks));
}

TaskRate ClusterSimulation::rate_of(std::int32_t group, InSlot place) const {
    return rates_.kept() ? rates_.rate(rates_.variant(group, place)) : task_rate(launch_.groups[static_cast<std::size_t>(group)], machine_, place);
}

void ClusterSimulation::change_residents(Gpc& gpc, std::size_t from, std::size_t to) {
    --gpc.sms_with[from];
    ++gpc.sms_with[to];
    gpc.free_slots += static_cast<std::int64_t>(from) - static_cast<std::int64_t>(to);
}

// Brings the SM's own clock to now; its slowdown is worked out anew by `settle` once all of this moment is placed.
void ClusterSimulation::touch(std::size_t sm) {
    SmState& state = states_[sm];
    if (state.changed) return;
    state.changed = true;
    changed_.push_back(sm);
    state.own += (now_ - state.at) / state.slowdown;
    state.at = now_;
}

void ClusterSimulation::retire(std::size_t sm) {
    SmState& state = states_[sm];
    touch(sm);
    state.own = state.due;  // exactly, so that residents due together end together
    const std::size_t before = state.residents.size();
    std::erase_if(state.residents, [&](const Resident& resident) {
        if (resident.end > state.due) return false;
        if (placed()) placement_.end[static_cast<std::size_t>(resident.task)] = now_;
        state.free_slots |= std::uint64_t{1} << resident.slot;
        return true;
    });
    state.settled = state.residents.size();
    change_residents(gpcs_[static_cast<std::size_t>(gpc_of_[sm])], before, state.settled);
    if (state.residents.empty()) schedule_.sm_busy_cycles[sm] += now_ - state.busy_since;
    schedule_.sm_end_cycles[sm] = now_;
}

void ClusterSimulation::admit(std::size_t sm) {
    touch(sm);
    SmState& state = states_[sm];
    const int slot = std::countr_zero(state.free_slots);
    state.free_slots &= state.free_slots - 1;
    if (state.residents.empty()) state.busy_since = now_;
    const auto task = static_cast<std::size_t>(admitted_++);
    const std::int32_t group = group_of_[task];
    const bool first = now_ == 0.0;
    state.residents.push_back({0, rate_of(group, first ? InSlot::first : InSlot::later), static_cast<std::int32_t>(task), slot, first});
    most_slots_ = std::max(most_slots_, slot + 1);
    if (placed()) {
        placement_.lane_of[task] = static_cast<std::int32_t>(sm) * slots_ + slot;
        placement_.start[task] = now_;
    }
    ++schedule_.sm_tasks[sm];
    const Demand& demand = launch_.groups[static_cast<std::size_t>(group)].demand;
    for (const Pipe pipe : kPipes) schedule_.sm_demand[sm][pipe] += demand[pipe];
}

std::size_t ClusterSimulation::emptiest_sm(const Gpc& gpc) const {
    return *std::ranges::min_element(gpc.sms, {}, [&](std::size_t sm) { return states_[sm].residents.size(); });
}

void ClusterSimulation::place_cluster(Gpc& gpc) {
    for (int cta = 0; cta < launch_.cta.cluster; ++cta) {
        const std::size_t sm = emptiest_sm(gpc);
        const std::size_t before = states_[sm].residents.size();
        admit(sm);
        change_residents(gpc, before, before + 1);
    }
}

void ClusterSimulation::start_clusters() {
    while (admitted_ < schedule_.tasks) {
        Gpc* best = nullptr;
        std::pair<std::size_t, int> least;
        for (Gpc& gpc : gpcs_) {
            if (gpc.free_slots < launch_.cta.cluster) continue;
            const auto fill = gpc.fill(launch_.cta.cluster);
            if (best == nullptr || fill < least) {
                best = &gpc;
                least = fill;
            }
        }
        if (best == nullptr) return;
        place_cluster(*best);
    }
}

// New slowdown after this moment's ends and starts; new residents get their end. The ramp is real time, so it counts 1 / slowdown on the
// SM's own clock.
void ClusterSimulation::settle(std::size_t sm) {
    SmState& state = states_[sm];
    state.changed = false;
    state.slowdown = slowdown_on(state, machine_.overlap_exponent);
    for (std::size_t i = state.settled; i < state.residents.size(); ++i) {
        Resident& resident = state.residents[i];
        resident.end = state.own + resident.rate.solo + (resident.first ? ramp_ / state.slowdown : 0.0);
    }
    state.settled = state.residents.size();
    state.due = kNever;
    for (const Resident& resident : state.residents) state.due = std::min(state.due, resident.end);
    next_[sm] = state.residents.empty() ? kNever : now_ + (state.due - state.own) * state.slowdown;
}

Result<void> ClusterSimulation::run(const std::stop_token& stop) {
    std::int64_t next_stop_check = kStopCheckInterval;
    for (;;) {
        start_clusters();
        for (const std::size_t sm : changed_) settle(sm);
        changed_.clear();
        if (admitted_ >= next_stop_check) {
            if (stop.stop_requested()) return failure("cancelled");
            next_stop_check = admitted_ + kStopCheckInterval;
        }
        const double next = *std::ranges::min_element(next_);
        if (next == kNever) break;
        now_ = next;
        for (std::size_t sm = 0; sm < next_.size(); ++sm) {
            if (next_[sm] == now_) retire(sm);
        }
    }
    schedule_.makespan_cycles = now_;
    finish();
    return {};
}

// Slots that no task reached are not there to be drawn. Clusters start in launch order, so the tasks of a lane do too.
void ClusterSimulation::finish() {
    schedule_.slots_per_sm = most_slots_;
    if (!placed()) return;
    for (std::int32_t& lane : placement_.lane_of) lane = lane / slots_ * most_slots_ + lane % slots_;
    const std::size_t lanes = states_.size() * static_cast<std::size_t>(most_slots_);
    schedule_.placement = in_lane_order(placement_, lanes, {}, std::move(group_of_));
}

}  // namespace

Result<void> simulate_clusters(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule,
                               const std::stop_token& stop) {
    if (machine.occupancy.ctas_per_sm > kMaxResidents) return failure("more than 64 CTAs on an SM", "max_ctas_per_sm");
    return ClusterSimulation(launch, machine, lanes, detail, schedule).run(stop);
}

}  // namespace synperf
