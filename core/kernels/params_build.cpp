#include "kernels/params_build.h"

#include <utility>

namespace synperf {

namespace {

ParamSchema named(std::string name, std::string help, std::string group, ParamKind kind) {
    ParamSchema schema;
    schema.label = name;
    schema.name = std::move(name);
    schema.help = std::move(help);
    schema.group = std::move(group);
    schema.kind = kind;
    return schema;
}

}  // namespace

ParamSchema integer_param(std::string name, std::string unit, std::string help, std::string group, double minimum, double maximum,
                          std::int64_t initial, bool zero_is_automatic) {
    ParamSchema schema = named(std::move(name), std::move(help), std::move(group), ParamKind::integer);
    schema.unit = std::move(unit);
    schema.minimum = minimum;
    schema.maximum = maximum;
    schema.initial = initial;
    schema.zero_is_automatic = zero_is_automatic;
    return schema;
}

ParamSchema real_param(std::string name, std::string unit, std::string help, std::string group, double minimum, double maximum, double initial) {
    ParamSchema schema = named(std::move(name), std::move(help), std::move(group), ParamKind::real);
    schema.unit = std::move(unit);
    schema.minimum = minimum;
    schema.maximum = maximum;
    schema.initial = initial;
    return schema;
}

ParamSchema choice_param(std::string name, std::string help, std::string group, std::vector<std::string> choices) {
    ParamSchema schema = named(std::move(name), std::move(help), std::move(group), ParamKind::choice);
    schema.initial = choices.front();
    schema.choices = std::move(choices);
    return schema;
}

ParamSchema boolean_param(std::string name, std::string help, std::string group, bool initial) {
    ParamSchema schema = named(std::move(name), std::move(help), std::move(group), ParamKind::boolean);
    schema.initial = initial;
    return schema;
}

ParamSchema list_param(std::string name, std::string unit, std::string help, std::string group, double minimum, double maximum,
                       std::size_t longest) {
    ParamSchema schema = named(std::move(name), std::move(help), std::move(group), ParamKind::integer_list);
    schema.unit = std::move(unit);
    schema.minimum = minimum;
    schema.maximum = maximum;
    schema.initial = IntegerList{};
    schema.longest = longest;
    return schema;
}

}  // namespace synperf
