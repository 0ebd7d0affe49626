// Collects operators, keeping the first problem.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "serving/operator_sequence.h"

namespace synperf {

class SequenceBuilder {
public:
    using Value = std::pair<std::string_view, ParamValue>;

    explicit SequenceBuilder(const KernelRegistry& kernels) : kernels_(kernels) {}

    /// One kernel of `family`; parameters that are not named keep their defaults.
    void call(std::string_view name, std::string_view part, std::string_view family, std::int64_t count, std::vector<Value> values, double bytes = 0) {
        const auto found = kernels_.find(family);
        if (!found) return fail(found.error());
        Operator op;
        op.name = name;
        op.part = part;
        op.family = *found;
        op.count = count;
        op.bytes = bytes;
        const auto& schema = op.family->schema();
        op.params = default_params(schema);
        for (Value& value : values) {
            const std::size_t index = param_index(schema, value.first);
            if (index == schema.size()) return fail({std::string(family) + " has no parameter", std::string(value.first)});
            if (auto checked = check_param(schema[index], value.second); !checked) return fail({std::string(name) + ": " + checked.error().message, checked.error().field});
            op.params.values[index] = std::move(value.second);
        }
        put(std::move(op));
    }

    void message(std::string_view name, CommunicationOp communication, double bytes, int ranks, std::int64_t count) {
        Operator op;
        op.name = name;
        op.part = "communication";
        op.communication = communication;
        op.bytes = bytes;
        op.ranks = ranks;
        op.count = count;
        put(std::move(op));
    }

    /// A memory-bound kernel of `bytes` in place of what no family models.
    void stand_in(std::string_view name, std::string_view part, double bytes, std::string_view why, std::int64_t count) {
        const auto add = kernels_.find("add");
        if (!add) return fail(add.error());
        const auto params = memory_bound_params(**add, bytes);
        if (!params) return fail(params.error());
        Operator op;
        op.name = name;
        op.part = part;
        op.family = *add;
        op.params = *params;
        op.count = count;
        op.bytes = bytes;
        op.stand_in = why;
        put(std::move(op));
    }

    [[nodiscard]] Result<std::vector<Operator>> finish() {
        if (problem_) return tl::unexpected(*problem_);
        return std::move(out_);
    }

private:
    // Layers of several shapes share most of their kernels: equal ones are counted together.
    void put(Operator op) {
        for (Operator& known : out_) {
            if (known.name != op.name || known.family != op.family || known.communication != op.communication || known.bytes != op.bytes || known.params != op.params) continue;
            known.count += op.count;
            return;
        }
        out_.push_back(std::move(op));
    }

    void fail(Error error) {
        if (!problem_) problem_ = std::move(error);
    }

    const KernelRegistry& kernels_;
    std::vector<Operator> out_;
    std::optional<Error> problem_;
};

}  // namespace synperf
