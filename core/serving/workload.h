// Requests: how many tokens come in and go out, and when.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"

namespace synperf {

struct Request {
    std::int64_t prompt = 0;   ///< tokens
    std::int64_t output = 0;   ///< tokens to generate, the first one included
    double arrival = 0;        ///< seconds from the start

    friend bool operator==(const Request&, const Request&) = default;
};

using Workload = std::vector<Request>;

/// Equal requests.
struct RequestShape {
    std::int64_t batch = 1, prompt = 0, output = 0;

    friend bool operator==(const RequestShape&, const RequestShape&) = default;
};

inline constexpr std::size_t kMostRequests = 1'000'000;
inline constexpr std::int64_t kLongestRequest = 16'777'216;

/// Columns prompt_tokens, output_tokens and, optionally, arrival_s. A wrong cell is an error with its line.
[[nodiscard]] Result<Workload> parse_requests(std::string_view text, const std::string& file);
[[nodiscard]] Result<Workload> read_requests(const std::filesystem::path& file);
/// `batch` equal requests.
[[nodiscard]] Result<Workload> equal_requests(std::int64_t batch, std::int64_t prompt, std::int64_t output);
/// A model's context holds every request; `longest` 0 is any length.
[[nodiscard]] Result<void> check_lengths(const Workload& workload, std::int64_t longest);

}  // namespace synperf
