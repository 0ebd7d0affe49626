#include "serving/step_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace synperf {

namespace {

// What one micro-batch does: before the first layer, in a layer of each shape, after the last one, and between stages.
struct Parts {
    std::vector<OperatorTime> before, after, send;
    std::vector<std::vector<OperatorTime>> layers;  // by shape
    Seconds host;  // of one stage
};

bool is_message(const OperatorTime& op) { return op.family == nullptr; }

// The sequence of a model with one layer, cut at the names that open and close it.
Result<Parts> parts_of(StepTimer& timer, const Step& step) {
    Parts parts;
    const LlmConfig& config = timer.config();
    for (std::size_t shape = 0; shape < config.shapes.size(); ++shape) {
        auto layer = timer.one_layer(step, shape);
        if (!layer) return tl::unexpected<Error>(layer.error());
        std::vector<OperatorTime> before, inside, after, send;
        for (OperatorTime& op : layer->operators) {
            const bool last = !after.empty() || op.name == "final_norm";
            auto& where = op.name == "send_recv" ? send : op.name.starts_with("embedding") ? before : last ? after : inside;
            where.push_back(std::move(op));
        }
        parts.layers.push_back(std::move(inside));
        if (shape > 0) continue;
        parts.before = std::move(before);
        parts.after = std::move(after);
        parts.send = std::move(send);
    }
    parts.host = host_time(timer.deployment(), step.decodes()) * (1.0 / timer.deployment().pp);
    return parts;
}

std::vector<Step> split(const Step& step, int wanted) {
    const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, wanted)), 1, step.requests.size());
    std::vector<Step> steps(count);
    for (std::size_t i = 0; i < step.requests.size(); ++i) steps[i * count / step.requests.size()].requests.push_back(step.requests[i]);
    std::int64_t sampled = step.sampled;
    for (Step& each : steps) {
        each.sampled = std::min<std::int64_t>(sampled, static_cast<std::int64_t>(each.requests.size()));
        sampled -= each.sampled;
    }
    return steps;
}

class Builder {
public:
    Builder(const StepTimer& timer, StepSchedule& out) : config_(timer.config()), deployment_(timer.deployment()), out_(out), lanes_(static_cast<std::size_t>(deployment_.pp)) {}

    void micro_batch(int index, const Parts& parts) {
        Seconds ready{};
        for (int stage = 0; stage < deployment_.pp; ++stage) {
            Lane& lane = lanes_[static_cast<std::size_t>(stage)];
            // A stage takes the next micro-batch when its kernels are done with the one before.
            now_ = std::max(ready, lane.compute);
            at_ = {stage, index, -1};
            if (parts.host.value > 0) host(parts.host);
            if (stage == 0) run(parts.before);
            const auto [begin, end] = layers_of_stage(config_, deployment_.pp, stage);
            for (std::size_t layer = begin; layer < end; ++layer) {
                at_.layer = static_cast<int>(layer);
                run(parts.layers[config_.layers[layer]]);
            }
            at_.layer = -1;
            const bool last = stage + 1 == deployment_.pp;
            run(last ? parts.after : parts.send);
            lane.compute = now_;
            ready = std::max(now_, lane.communication);  // what the next stage waits for came as this one's last message
        }
    }

    void finish() {
        std::ranges::stable_sort(out_.entries, {}, &ScheduledOperator::start);
        for (const ScheduledOperator& entry : out_.entries) out_.total = std::max(out_.total, entry.end);
        measure();
    }

private:
    struct Lane {
        Seconds compute{}, communication{};  // when they are free
    };
    struct Place {
        int stage = 0, micro_batch = 0, layer = -1;
    };

    std::size_t known(const OperatorTime& op) {
        const auto key = std::tuple(op.name, op.each.value.value, op.count);
        const auto [found, added] = known_.try_emplace(key, out_.operators.size());
        if (added) out_.operators.push_back(op);
        return found->second;
    }

    void put(Stream stream, std::size_t op, Seconds start, Seconds end) { out_.entries.push_back({stream, at_.stage, at_.micro_batch, at_.layer, op, start, end}); }

    void host(Seconds time) {
        OperatorTime op;
        op.name = op.part = "host";
        op.count = 1;
        op.each = op.all = {time, time, time};
        put(Stream::host, known(op), now_, now_ + time);
        now_ += time;
    }

    void run(const std::vector<OperatorTime>& operators) {
        Lane& lane = lanes_[static_cast<std::size_t>(at_.stage)];
        for (const OperatorTime& op : operators) {
            if (!is_message(op)) {
                put(Stream::compute, known(op), now_, now_ + op.all.value);
                now_ += op.all.value;
                continue;
            }
            const Seconds start = std::max(now_, lane.communication), time = op.each.value;
            put(Stream::communication, known(op), start, start + time);
            lane.communication = start + time;
            now_ = start + time * (1.0 - deployment_.hidden_share());
        }
    }

    // Hidden communication and idle time, lane by lane: both streams of a stage are sorted by start and do not overlap themselves.
    void measure() {
        double busy = 0;
        for (int stage = 0; stage < deployment_.pp; ++stage) {
            std::vector<std::pair<double, int>> edges;  // +-1 of communication is 2 apart from computation
            for (const ScheduledOperator& entry : out_.entries) {
                if (entry.stage != stage || entry.start == entry.end) continue;
                const int kind = entry.stream == Stream::communication ? 2 : 1;
                edges.emplace_back(entry.start.value, kind);
                edges.emplace_back(entry.end.value, -kind);
            }
            std::ranges::sort(edges);
            int computing = 0, sending = 0;
            double last = 0;
            for (const auto& [time, change] : edges) {
                if (computing > 0 || sending > 0) busy += time - last;
                if (computing > 0 && sending > 0) out_.hidden += Seconds{time - last};
                (change == 1 || change == -1 ? computing : sending) += change > 0 ? 1 : -1;
                last = time;
            }
        }
        const double all = out_.total.value * deployment_.pp;
        out_.bubble = all > 0 ? std::max(0.0, 1.0 - busy / all) : 0;
    }

    const LlmConfig& config_;
    const Deployment& deployment_;
    StepSchedule& out_;
    std::vector<Lane> lanes_;
    std::map<std::tuple<std::string, double, std::int64_t>, std::size_t> known_;
    Seconds now_{};
    Place at_;
};

}  // namespace

std::string_view name(Stream stream) { return stream == Stream::host ? "host" : stream == Stream::compute ? "compute" : "communication"; }

Result<StepSchedule> schedule_step(StepTimer& timer, const Step& step, int micro_batches) {
    if (step.requests.empty()) return failure("a step without requests");
    if (micro_batches < 1 || micro_batches > kMostMicroBatches) return failure(fmt::format("{} is out of range, allowed is 1 to {}", micro_batches, kMostMicroBatches), "--micro-batches");
    const std::vector<Step> steps = split(step, micro_batches);
    StepSchedule schedule;
    schedule.stages = timer.deployment().pp;
    schedule.micro_batches = static_cast<int>(steps.size());
    Builder builder(timer, schedule);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto parts = parts_of(timer, steps[i]);
        if (!parts) return tl::unexpected<Error>(parts.error());
        builder.micro_batch(static_cast<int>(i), *parts);
    }
    builder.finish();
    return schedule;
}

}  // namespace synperf
