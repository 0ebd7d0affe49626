#include "kernels/custom_expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <numeric>
#include <optional>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"
#include "kernels/traffic.h"

namespace synperf {

struct Evaluator::Functions {
    const GpuSpec* gpu = nullptr;
    const Calibration* calibration = nullptr;
    std::vector<const IntegerList*> lists;  // a list's variable holds its place here
};

struct Evaluator::Parsers {
    std::vector<std::unique_ptr<mu::Parser>> of;
};

namespace {

// Thrown by functions that are given what they can not work with; the parser's own errors are about the text.
struct NoValue {
    std::string message;
};

Evaluator::Functions& functions_of(void* data) { return *static_cast<Evaluator::Functions*>(data); }

double least(const double* values, int count) { return *std::min_element(values, values + count); }
double greatest(const double* values, int count) { return *std::max_element(values, values + count); }
double ceil_of(double x) { return std::ceil(x); }
double floor_of(double x) { return std::floor(x); }
double round_of(double x) { return std::round(x); }
double abs_of(double x) { return std::abs(x); }
double sqrt_of(double x) { return std::sqrt(x); }
double log2_of(double x) { return std::log2(x); }
double exp_of(double x) { return std::exp(x); }
double pow_of(double x, double y) { return std::pow(x, y); }
double ceil_quotient(double x, double y) { return std::ceil(x / y); }
double remainder_of(double x, double y) { return x - y * std::floor(x / y); }

double bytes_of(double format) {
    if (!(format >= 0 && format < static_cast<double>(kDTypeNames.size())) || format != std::floor(format)) {
        throw NoValue{fmt::format("bytes() takes a number format, one of {}", fmt::join(kDTypeNames, ", "))};
    }
    return bytes_per_element(static_cast<DType>(static_cast<int>(format)));
}

double l2_miss_of(void* data, double bytes) {
    const auto& functions = functions_of(data);
    if (functions.gpu == nullptr) return 0;
    return l2_miss_share({bytes}, *functions.gpu, *functions.calibration);
}

double l2_cyclic_miss_of(void* data, double bytes) {
    const auto& functions = functions_of(data);
    if (functions.gpu == nullptr) return 0;
    return cyclic_miss_share({bytes}, *functions.gpu, *functions.calibration);
}

const IntegerList& list_of(void* data, double number) {
    const auto& lists = functions_of(data).lists;
    const auto index = static_cast<std::size_t>(number);
    if (index >= lists.size()) throw NoValue{"no such list"};
    return *lists[index];
}

double entry_of(void* data, double list, double at) {
    const IntegerList& entries = list_of(data, list);
    if (!(at >= 0 && at < static_cast<double>(entries.size())) || at != std::floor(at)) {
        throw NoValue{fmt::format("at() is asked for entry {}, the list has {} entries, counted from 0", at, entries.size())};
    }
    return static_cast<double>(entries[static_cast<std::size_t>(at)]);
}
double size_of(void* data, double list) { return static_cast<double>(list_of(data, list).size()); }
double sum_of(void* data, double list) {
    const IntegerList& entries = list_of(data, list);
    return std::accumulate(entries.begin(), entries.end(), 0.0, [](double sum, std::int64_t entry) { return sum + static_cast<double>(entry); });
}

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool takes_list(std::string_view function) { return function == "at" || function == "size" || function == "sum"; }

void define_functions(mu::Parser& parser, Evaluator::Functions* functions) {
    parser.ClearFun();
    parser.ClearConst();
    parser.EnableOptimizer(false);  // a folded division by zero would not be seen when the value is asked for
    parser.DefineFun("min", least);
    parser.DefineFun("max", greatest);
    parser.DefineFun("ceil", ceil_of);
    parser.DefineFun("floor", floor_of);
    parser.DefineFun("round", round_of);
    parser.DefineFun("abs", abs_of);
    parser.DefineFun("sqrt", sqrt_of);
    parser.DefineFun("log2", log2_of);
    parser.DefineFun("exp", exp_of);
    parser.DefineFun("pow", pow_of);
    parser.DefineFun("ceil_div", ceil_quotient);
    parser.DefineFun("mod", remainder_of);
    parser.DefineFun("bytes", bytes_of);
    parser.DefineFunUserData("l2_miss", l2_miss_of, functions, false);
    parser.DefineFunUserData("l2_cyclic_miss", l2_cyclic_miss_of, functions, false);
    parser.DefineFunUserData("at", entry_of, functions, false);
    parser.DefineFunUserData("size", size_of, functions, false);
    parser.DefineFunUserData("sum", sum_of, functions, false);
}

// Splits a text into words and checks what the parser does not: names in scope, lists only where a list is taken, no assignment.
class Lexer {
public:
    Lexer(std::string_view text, const ExpressionScope& scope) : text_(text), scope_(scope) {}

    Result<Expression> run() {
        Expression expression{.text = std::string(text_)};
        while (at_ < text_.size()) {
            const char c = text_[at_];
            std::optional<Error> wrong;
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                ++at_;
                continue;
            }
            if (is_letter(c)) {
                wrong = word(expression);
            } else if (is_digit(c) || c == '.') {
                number();
            } else {
                wrong = symbol(c);
            }
            if (wrong) return tl::unexpected(*wrong);
        }
        return expression;
    }

private:
    static Error error(std::string message) { return {std::move(message)}; }

    std::optional<Error> word(Expression& expression) {
        const std::size_t start = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        std::size_t next = at_;
        while (next < text_.size() && text_[next] == ' ') ++next;
        const bool call = next < text_.size() && text_[next] == '(';
        const bool in_list_place = !open_function_.empty() && takes_list(open_function_);
        open_function_ = {};
        if (call) {
            if (std::ranges::find(expression_functions(), name, &ExpressionFunction::name) == expression_functions().end()) return unknown_function(name);
            before_ = name;
            return in_list_place ? std::optional(error("a list parameter is needed here, at(list, i), size(list) and sum(list) take one")) : std::nullopt;
        }
        before_ = {};
        const auto list = scope_.lists.find(name);
        if ((list != scope_.lists.end()) != in_list_place) {
            return in_list_place ? error(fmt::format("\"{}\" is no list parameter", name.substr(0, 40)))
                                 : error(fmt::format("\"{}\" is a list: use at({}, i), size({}) or sum({})", name, name, name, name));
        }
        const auto value = scope_.values.find(name);
        if (value == scope_.values.end() && list == scope_.lists.end()) {
            if (scope_.constants.contains(name)) return {};
            return unknown_name(name);
        }
        const std::pair<std::string, std::size_t> use{name, value != scope_.values.end() ? value->second : list->second};
        if (std::ranges::find(expression.uses, use) == expression.uses.end()) expression.uses.push_back(use);
        return {};
    }

    Error unknown_function(std::string_view name) const {
        std::vector<std::string> known;
        for (const ExpressionFunction& function : expression_functions()) known.emplace_back(function.name);
        return error(fmt::format("unknown function \"{}\"{}", name.substr(0, 40), did_you_mean(name.substr(0, 40), known)));
    }

    Error unknown_name(std::string_view name) const {
        if (const auto later = scope_.later.find(name); later != scope_.later.end()) {
            return error(fmt::format("\"{}\" is used before it is defined (line {}); a definition can use earlier ones only", name, later->second));
        }
        std::vector<std::string> known;
        for (const auto& [value, slot] : scope_.values) known.push_back(value);
        for (const auto& [list, slot] : scope_.lists) known.push_back(list);
        for (const auto& [constant, number] : scope_.constants) known.push_back(constant);
        return error(fmt::format("unknown name \"{}\"{}", name.substr(0, 40), did_you_mean(name.substr(0, 40), known)));
    }

    void number() {
        while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
            while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        }
        before_ = {};
        open_function_ = {};
    }

    std::optional<Error> symbol(char c) {
        if (open_function_ == "at" || open_function_ == "size" || open_function_ == "sum") {
            return error(fmt::format("{}() takes the name of a list parameter first", open_function_));
        }
        open_function_ = c == '(' ? before_ : std::string_view{};
        before_ = {};
        const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        const bool pair = (after == '=' && (c == '=' || c == '!' || c == '<' || c == '>')) || (c == after && (c == '&' || c == '|'));
        if (pair) {
            at_ += 2;
            return {};
        }
        if (c == '=') return error("'=' is no comparison, write ==");
        if (c == '%') return error("'%' is no operator here, write mod(a, b)");
        if (std::string_view("+-*/^(),<>?:").find(c) == std::string_view::npos) {
            return error(fmt::format("\"{}\" can not stand in an expression", shown(text_.substr(at_, 1))));
        }
        if (c == '(' && ++depth_ > kDeepest) return error(fmt::format("more than {} parentheses inside one another", kDeepest));
        if (c == ')') --depth_;
        ++at_;
        return {};
    }

    static constexpr int kDeepest = 64;
    std::string_view text_;
    const ExpressionScope& scope_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::string_view before_;         // the function whose '(' comes next
    std::string_view open_function_;  // the function whose first argument comes next
};

// The parser's sentence as the end of ours.
std::string reworded(const mu::ParserError& error) {
    std::string text = shown(error.GetMsg());
    if (!text.empty()) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
    return text;
}

constexpr int kWatched = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;

}  // namespace

const std::vector<ExpressionFunction>& expression_functions() {
    static const std::vector<ExpressionFunction> kFunctions{
        {"min", "min(a, b, ...)"}, {"max", "max(a, b, ...)"}, {"ceil", "ceil(x)"}, {"floor", "floor(x)"}, {"round", "round(x)"},
        {"abs", "abs(x)"}, {"sqrt", "sqrt(x)"}, {"log2", "log2(x)"}, {"exp", "exp(x)"}, {"pow", "pow(x, y)"},
        {"ceil_div", "ceil_div(a, b)"}, {"mod", "mod(a, b)"}, {"bytes", "bytes(format)"}, {"l2_miss", "l2_miss(bytes)"},
        {"l2_cyclic_miss", "l2_cyclic_miss(bytes)"},
        {"at", "at(list, i)"}, {"size", "size(list)"}, {"sum", "sum(list)"}};
    return kFunctions;
}

bool is_expression_name(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    return !text.empty() && text.size() <= kLongest && is_letter(text.front()) && text.front() != '_' &&
           std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

Result<Expression> check_expression(std::string_view text, const ExpressionScope& scope) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return failure("an empty expression");
    if (text.size() > kMaxExpressionLength) {
        return failure(fmt::format("an expression of {} characters, at most {} are read: use \"let\" for its parts", text.size(), kMaxExpressionLength));
    }
    auto expression = Lexer(text, scope).run();
    if (!expression) return expression;
    Evaluator::Functions functions;
    mu::Parser parser;
    define_functions(parser, &functions);
    double anything = 1;
    try {
        for (const auto& [name, slot] : expression->uses) parser.DefineVar(name, &anything);
        for (const auto& [name, number] : scope.constants) parser.DefineConst(name, number);
        parser.SetExpr(expression->text);
        int results = 0;
        parser.Eval(results);
        if (results != 1) return failure(fmt::format("\"{}\" gives {} values, one is needed", shown(text), results));
    } catch (const NoValue&) {  // the values here are made up; whether the real ones fit is seen when they are known
    } catch (const mu::ParserError& error) {
        return failure(fmt::format("\"{}\" can not be read: {}", shown(text), reworded(error)));
    }
    return expression;
}

Evaluator::Evaluator(const std::vector<Expression>& texts, std::size_t slots, const std::map<std::string, double, std::less<>>& constants,
                     const Calibration& calibration)
    : values_(slots, 0.0), functions_(std::make_unique<Functions>()), parsers_(std::make_unique<Parsers>()) {
    functions_->calibration = &calibration;
    mu::Parser model;
    define_functions(model, functions_.get());
    for (const auto& [name, number] : constants) model.DefineConst(name, number);
    parsers_->of.reserve(texts.size());
    for (const Expression& expression : texts) {
        auto parser = std::make_unique<mu::Parser>(model);
        parser->EnableOptimizer(false);
        for (const auto& [name, slot] : expression.uses) parser->DefineVar(name, &values_[slot]);
        parser->SetExpr(expression.text);
        // Compiled here and not in the first call, whose floating-point flags are watched; the value is of no use yet.
        try {
            (void)parser->Eval();
        } catch (const NoValue&) {
        } catch (const mu::ParserError&) {
        }
        parsers_->of.push_back(std::move(parser));
    }
}

Evaluator::~Evaluator() = default;

void Evaluator::begin(const GpuSpec& gpu) {
    functions_->gpu = &gpu;
    functions_->lists.clear();
    error_ = {};
    std::feclearexcept(kWatched);
}

void Evaluator::set_list(std::size_t slot, const IntegerList& list) {
    values_[slot] = static_cast<double>(functions_->lists.size());
    functions_->lists.push_back(&list);
}

bool Evaluator::evaluate(const Expression& expression, double& value) {
    if (expression.text.empty()) {
        value = expression.number;
        return true;
    }
    std::string message;
    try {
        value = parsers_->of[expression.index]->Eval();
        const int raised = std::fetestexcept(kWatched);
        if (raised == 0 && std::isfinite(value)) return true;
        std::feclearexcept(kWatched);
        if ((raised & FE_DIVBYZERO) != 0) {
            message = expression.text.find("log2") == std::string::npos ? "division by zero" : "division by zero, or the logarithm of zero,";
        } else if ((raised & FE_INVALID) != 0) {
            message = "no value: 0 / 0, or the root or logarithm of a negative number,";
        } else {
            message = "a value beyond all numbers";
        }
    } catch (const NoValue& none) {
        message = none.message + ',';
    } catch (const mu::ParserError& error) {
        message = reworded(error);
    }
    fail(expression, fmt::format("{} in \"{}\"{}", message, shown(expression.text), used_values(expression)));
    return false;
}

void Evaluator::fail(const Expression& at, std::string message) {
    error_.message = std::move(message);
    error_.field = at.field;
    error_.line = at.line;
}

std::string Evaluator::used_values(const Expression& expression) const {
    constexpr std::size_t kMost = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, expression.uses.size()); ++i) {
        const auto& [name, slot] = expression.uses[i];
        text += fmt::format("{}{} = {}", i == 0 ? " with " : ", ", name, values_[slot]);
    }
    return text;
}

}  // namespace synperf
