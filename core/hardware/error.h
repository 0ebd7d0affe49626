// The one error type of the engine: what is wrong, where, and what would be right.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace synperf {

/// A failed operation. `to_string()` is the one clear line that users see.
struct Error {
    std::string message;  ///< what is wrong and what would be right, one sentence without a full stop
    std::string field{};  ///< parameter, JSON key or column, empty when none
    std::string file{};   ///< file it came from, empty when none
    int line = 0;         ///< 1-based line in `file`, 0 when unknown

    [[nodiscard]] std::string to_string() const;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> failure(std::string message, std::string field = {}) {
    return tl::unexpected<Error>(Error{std::move(message), std::move(field)});
}

}  // namespace synperf
