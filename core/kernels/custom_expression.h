// Expressions of a user's kernel file: checked once when the file is read, then evaluated with the values of one call.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "kernels/calibration.h"
#include "kernels/params.h"

namespace synperf {

inline constexpr std::size_t kMaxExpressionLength = 1000;  ///< bytes

/// The names that an expression may use at one place of the file.
struct ExpressionScope {
    std::map<std::string, std::size_t, std::less<>> values;  ///< parameters, GPU fields, definitions, loop variables: slot of the value
    std::map<std::string, std::size_t, std::less<>> lists;   ///< parameters that are lists: slot of the list's number
    std::map<std::string, double, std::less<>> constants;    ///< number formats and choices
    std::map<std::string, int, std::less<>> later;           ///< names that the file defines further on, with their lines

    [[nodiscard]] bool knows(std::string_view name) const { return values.contains(name) || lists.contains(name) || constants.contains(name); }
};

/// One expression as the file has it. A plain number has no text to evaluate.
struct Expression {
    std::string text;
    double number = 0;            ///< where `text` is empty
    std::size_t index = 0;        ///< in the kernel's list of texts
    std::vector<std::pair<std::string, std::size_t>> uses{};  ///< variables, each once, with their slots
    std::string field{};          ///< where it stands: "launch.tasks[0].count"
    int line = 0;
};

/// A function of expressions, for messages and the documentation.
struct ExpressionFunction {
    std::string_view name;
    std::string_view usage;
};
[[nodiscard]] const std::vector<ExpressionFunction>& expression_functions();
/// A letter, then letters, digits or '_'; at most 40.
[[nodiscard]] bool is_expression_name(std::string_view text);

/// Checks `text` against the names in scope and reports which it uses. Errors are one sentence without file and field.
[[nodiscard]] Result<Expression> check_expression(std::string_view text, const ExpressionScope& scope);

/// Compiled texts with values of their own: one evaluator serves one call at a time.
class Evaluator {
public:
    /// `slots`: how many values the texts' variables need. The texts must have passed check_expression.
    Evaluator(const std::vector<Expression>& texts, std::size_t slots, const std::map<std::string, double, std::less<>>& constants,
              const Calibration& calibration);
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// Starts a call: forgets the lists and the last error.
    void begin(const GpuSpec& gpu);
    [[nodiscard]] double& operator[](std::size_t slot) { return values_[slot]; }
    void set_list(std::size_t slot, const IntegerList& list);

    /// The value, finite; false where there is none, and `error()` says why with the values that were used.
    [[nodiscard]] bool evaluate(const Expression& expression, double& value);
    void fail(const Expression& at, std::string message);
    [[nodiscard]] const Error& error() const { return error_; }

    struct Functions;  ///< what functions of the GPU and of lists look into

private:
    [[nodiscard]] std::string used_values(const Expression& expression) const;

    struct Parsers;
    std::vector<double> values_;
    std::unique_ptr<Functions> functions_;
    std::unique_ptr<Parsers> parsers_;
    Error error_;
};

}  // namespace synperf
