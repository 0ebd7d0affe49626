#include "hardware/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace synperf {

namespace {

// Digits after the point that leave `digits` significant ones.
int decimals_for(double value, int digits) {
    if (value == 0.0 || !std::isfinite(value)) return 0;
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return std::max(0, digits - magnitude);
}

}  // namespace

std::string format_number(double value, int digits) {
    if (std::abs(value) >= 1e6) return fmt::format("{:.{}e}", value, digits - 1);
    return fmt::format("{:.{}f}", value, decimals_for(value, digits));
}

double rounded(double value, int digits) {
    if (!std::isfinite(value)) return 0;
    const std::string text = fmt::format("{:.{}g}", value, digits);
    double result = 0;  // not std::stod, which reads a comma where the user's language writes one
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
}

std::string format_duration(Seconds duration) {
    const double us = to_microseconds(duration);
    const double size = std::abs(us);
    if (size > 0 && size < 0.99995) return fmt::format("{} ns", format_number(us * 1e3));
    if (size < 9999.5) return fmt::format("{} µs", format_number(us));
    if (size < 9999.5e3) return fmt::format("{} ms", format_number(us * 1e-3));
    return fmt::format("{} s", format_number(us * 1e-6));
}

std::string format_bytes(Bytes bytes) {
    static constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = bytes.value;
    std::size_t unit = 0;
    while (std::abs(value) >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1024.0;
        ++unit;
    }
    return fmt::format("{} {}", unit == 0 ? fmt::format("{:.0f}", value) : format_number(value, 3), kUnits[unit]);
}

}  // namespace synperf
