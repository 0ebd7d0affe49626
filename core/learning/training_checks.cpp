#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "learning/training.h"

namespace synperf {

namespace {

tl::unexpected<Error> bad_row(const char* name, std::size_t row, const std::string& what) {
    return failure("row " + std::to_string(row) + " of the " + name + " rows: " + what, name);
}

Result<void> check_row(const TrainingSet& set, std::size_t row, const char* name) {
    for (std::size_t c = 0; c < set.inputs; ++c) {
        if (!std::isfinite(set.features[row * set.inputs + c])) return bad_row(name, row, "feature column " + std::to_string(c) + " is not finite");
    }
    if (!std::isfinite(set.base[row])) return bad_row(name, row, "the base is not finite");
    if (!std::isfinite(set.target[row]) || set.target[row] <= 0.0F) {
        return bad_row(name, row, "the target is " + std::to_string(set.target[row]) + "; it must be a finite number above 0");
    }
    if (!std::isfinite(set.weight[row]) || set.weight[row] < 0.0F) {
        return bad_row(name, row, "the weight is " + std::to_string(set.weight[row]) + "; it must be a finite number of at least 0");
    }
    return {};
}

Result<void> check_number(const char* field, double value, double least, double most) {
    if (value >= least && value <= most) return {};
    return failure(std::to_string(value) + " is not between " + std::to_string(least) + " and " + std::to_string(most), field);
}

}  // namespace

Result<void> check(const TrainingSet& set, std::size_t least_rows, const char* name) {
    const std::size_t rows = set.rows();
    if (rows < least_rows) {
        return failure("there " + std::string(rows == 1 ? "is 1" : rows == 0 ? "are no" : "are " + std::to_string(rows)) + ' ' + name +
                           (rows == 1 ? " row" : " rows") + "; at least " + std::to_string(least_rows) + " are needed",
                       name);
    }
    if (rows == 0) return {};
    if (set.inputs == 0) return failure("the rows have no feature columns", name);
    if (set.features.size() != rows * set.inputs || set.base.size() != rows || set.weight.size() != rows) {
        return failure("columns of " + std::to_string(set.features.size()) + " features, " + std::to_string(set.base.size()) + " bases and " +
                           std::to_string(set.weight.size()) + " weights do not fit " + std::to_string(rows) + " targets of " +
                           std::to_string(set.inputs) + " features each",
                       name);
    }
    double weights = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        if (auto good = check_row(set, row, name); !good) return good;
        weights += static_cast<double>(set.weight[row]);
    }
    if (weights <= 0.0) return failure("every weight is 0", name);
    return {};
}

Recipe published_recipe() {
    Recipe recipe;
    recipe.batch_norm = true;
    recipe.dropout = 0.1;
    recipe.heads = {Head{LossKind::efficiency_mape}};
    recipe.epochs = 2500;
    recipe.schedule = {.kind = Schedule::Kind::plateau, .warm_up_epochs = 0.0, .floor = 1e-6, .factor = 0.6, .patience = 45};
    recipe.patience = 85;
    recipe.seed = 42;
    return recipe;
}

Result<void> check(const Recipe& recipe) {
    struct Range {
        const char* field;
        double value, least, most;
    };
    const std::array ranges{
        Range{"dropout", recipe.dropout, 0.0, 0.95},
        Range{"batch", static_cast<double>(recipe.batch), 2.0, 1048576.0},
        Range{"epochs", static_cast<double>(recipe.epochs), 1.0, 1e6},
        Range{"learning_rate", recipe.adamw.learning_rate, 1e-9, 10.0},
        Range{"weight_decay", recipe.adamw.weight_decay, 0.0, 10.0},
        Range{"clip", recipe.adamw.clip, 0.0, 1e9},
        Range{"warm_up_epochs", recipe.schedule.warm_up_epochs, 0.0, 1e6},
        Range{"floor", recipe.schedule.floor, 0.0, 10.0},
        Range{"factor", recipe.schedule.factor, 0.01, 1.0},
        Range{"average_decay", recipe.average_decay, 0.0, 0.999999},
        Range{"input_noise", recipe.input_noise, 0.0, 10.0},
    };
    for (const Range& range : ranges) {
        if (auto good = check_number(range.field, range.value, range.least, range.most); !good) return good;
    }
    if (recipe.heads.empty()) return failure("a recipe needs at least one head", "heads");
    double weights = 0.0;
    for (const Head& head : recipe.heads) {
        if (auto good = check_number("tau", head.tau, 0.001, 0.999); !good) return good;
        if (auto good = check_number("weight", head.weight, 0.0, 1e6); !good) return good;
        weights += head.weight;
    }
    if (weights <= 0.0) return failure("every head has weight 0", "heads");
    return check(NetworkShape{1, recipe.hidden, recipe.heads.size(), recipe.activation});
}

nlohmann::json to_json(const Recipe& recipe) {
    constexpr std::array kActivations{"none", "relu", "silu"};
    constexpr std::array kSchedules{"constant", "cosine", "plateau"};
    nlohmann::json heads = nlohmann::json::array();
    for (const Head& head : recipe.heads) heads.push_back({{"loss", name(head.loss)}, {"tau", head.tau}, {"weight", head.weight}});
    return {{"hidden", recipe.hidden},
            {"activation", kActivations[static_cast<std::size_t>(recipe.activation)]},
            {"batch_norm", recipe.batch_norm},
            {"dropout", recipe.dropout},
            {"heads", heads},
            {"map", name(recipe.map)},
            {"batch", recipe.batch},
            {"epochs", recipe.epochs},
            {"learning_rate", recipe.adamw.learning_rate},
            {"weight_decay", recipe.adamw.weight_decay},
            {"clip", recipe.adamw.clip},
            {"schedule",
             {{"kind", kSchedules[static_cast<std::size_t>(recipe.schedule.kind)]},
              {"warm_up_epochs", recipe.schedule.warm_up_epochs},
              {"floor", recipe.schedule.floor},
              {"factor", recipe.schedule.factor},
              {"patience", recipe.schedule.patience}}},
            {"average_decay", recipe.average_decay},
            {"input_noise", recipe.input_noise},
            {"patience", recipe.patience},
            {"seed", recipe.seed}};
}

}  // namespace synperf
