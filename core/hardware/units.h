// Strong unit types, so that MHz can not meet kHz and bytes can not meet cycles.
#pragma once

#include <compare>
#include <string>

namespace synperf {

/// A double that carries its unit in its type. Same-unit sums, scaling and ratios are allowed; the mixed products that
/// make sense are listed below.
template <class Unit>
struct Quantity {
    double value = 0.0;

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity other) { value += other.value; return *this; }
    constexpr Quantity& operator-=(Quantity other) { value -= other.value; return *this; }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
    friend constexpr Quantity operator*(Quantity a, double b) { return {a.value * b}; }
    friend constexpr Quantity operator*(double a, Quantity b) { return {a * b.value}; }
    friend constexpr Quantity operator/(Quantity a, double b) { return {a.value / b}; }
    friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Seconds = Quantity<struct SecondsUnit>;
using Cycles = Quantity<struct CyclesUnit>;
using Hertz = Quantity<struct HertzUnit>;
using Bytes = Quantity<struct BytesUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;

constexpr Seconds operator/(Cycles a, Hertz b) { return {a.value / b.value}; }
constexpr Cycles operator*(Seconds a, Hertz b) { return {a.value * b.value}; }
constexpr Cycles operator*(Hertz a, Seconds b) { return {a.value * b.value}; }
constexpr Seconds operator/(Bytes a, BytesPerSecond b) { return {a.value / b.value}; }
constexpr Bytes operator*(BytesPerSecond a, Seconds b) { return {a.value * b.value}; }

constexpr Seconds microseconds(double us) { return {us * 1e-6}; }
constexpr double to_microseconds(Seconds s) { return s.value * 1e6; }
constexpr Hertz megahertz(double mhz) { return {mhz * 1e6}; }
constexpr BytesPerSecond gigabytes_per_second(double gbps) { return {gbps * 1e9}; }  ///< decimal GB, as datasheets state
constexpr Bytes kibibytes(double kib) { return {kib * 1024.0}; }
constexpr Bytes mebibytes(double mib) { return {mib * 1048576.0}; }

/// Duration with 4 significant digits and the unit that keeps it readable: "186.4 µs", "2.031 ms".
[[nodiscard]] std::string format_duration(Seconds duration);
/// Bytes with 3 significant digits and a binary unit: "6.30 MiB".
[[nodiscard]] std::string format_bytes(Bytes bytes);
/// A plain number with `digits` significant digits and no exponent below 1e6.
[[nodiscard]] std::string format_number(double value, int digits = 4);
/// `value` to `digits` significant digits, for files that programs read; 0 where it is not finite.
[[nodiscard]] double rounded(double value, int digits = 6);

}  // namespace synperf
