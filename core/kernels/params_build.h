// Short makers of schema entries, so that a family's schema reads as a table.
#pragma once

#include <string>
#include <vector>

#include "kernels/params.h"

namespace synperf {

/// A whole number; a minimum of 0 makes 0 mean "chosen automatically" where `zero_is_automatic`.
[[nodiscard]] ParamSchema integer_param(std::string name, std::string unit, std::string help, std::string group, double minimum, double maximum,
                                        std::int64_t initial, bool zero_is_automatic = false);
[[nodiscard]] ParamSchema real_param(std::string name, std::string unit, std::string help, std::string group, double minimum, double maximum, double initial);
[[nodiscard]] ParamSchema choice_param(std::string name, std::string help, std::string group, std::vector<std::string> choices);
[[nodiscard]] ParamSchema boolean_param(std::string name, std::string help, std::string group, bool initial);
[[nodiscard]] ParamSchema list_param(std::string name, std::string unit, std::string help, std::string group, double minimum, double maximum,
                                     std::size_t longest);

}  // namespace synperf
