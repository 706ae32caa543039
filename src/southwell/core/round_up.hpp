#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "southwell/core/expm1.hpp"

namespace southwell::core {

// Arithmetic that errs to a known side. IEEE + - * / are rounded to nearest, so one step to the
// neighbouring double covers them. core::exp and core::log are within 1 ulp, expm1 and log1p within
// 5; an ulp is at most two steps (one downwards from a power of two is half of one), and the steps
// taken here are more than that.

inline constexpr int kExpSteps = 3;     ///< exp and log
inline constexpr int kExpm1Steps = 12;  ///< expm1 and log1p

/// The double `steps` above x. Infinities: inf stays, -inf becomes finite.
inline double step_up(double x, int steps = 1) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(x < kInfinity)) return x;
  // The bits of a double, with those of negative numbers turned around, count the doubles in order.
  const auto bits = std::bit_cast<std::int64_t>(x);
  constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min();
  const std::int64_t rank = (bits < 0 ? kLow - bits : bits) + steps;
  const std::int64_t top = std::bit_cast<std::int64_t>(kInfinity);
  if (rank >= top) return kInfinity;
  return std::bit_cast<double>(rank < 0 ? kLow - rank : rank);
}
inline double step_down(double x, int steps = 1) { return -step_up(-x, steps); }

/// A set of real numbers [low, high] that holds the exact result of the operations that made it. An
/// end that cannot be known is infinite.
struct Enclosure {
  double low = 0.0;
  double high = 0.0;

  Enclosure() = default;
  /// Exactly this number.
  Enclosure(double number) : low(number), high(number) {}  // NOLINT(google-explicit-constructor)
  Enclosure(double from, double to) : low(from), high(to) {}
  /// A whole number, which a double may not hold exactly.
  static Enclosure whole(std::uint64_t number) {
    const auto near = static_cast<double>(number);
    if (number <= std::uint64_t{1} << 53) return near;
    return {step_down(near), step_up(near)};
  }
};

/// Ends that are not numbers (inf - inf, 0 * inf) become infinite: nothing is known.
inline Enclosure enclose(double low, double high, int steps) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {std::isnan(low) ? -kInfinity : step_down(low, steps),
          std::isnan(high) ? kInfinity : step_up(high, steps)};
}
inline Enclosure operator-(Enclosure a) { return {-a.high, -a.low}; }
inline Enclosure operator+(Enclosure a, Enclosure b) {
  return enclose(a.low + b.low, a.high + b.high, 1);
}
inline Enclosure operator-(Enclosure a, Enclosure b) { return a + -b; }
inline Enclosure hull(double w, double x, double y, double z) {
  if (std::isnan(w) || std::isnan(x) || std::isnan(y) || std::isnan(z)) {
    return enclose(std::nan(""), std::nan(""), 1);
  }
  return enclose(std::min({w, x, y, z}), std::max({w, x, y, z}), 1);
}
inline Enclosure operator*(Enclosure a, Enclosure b) {
  return hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}
/// The divisor must not hold 0, else nothing is known of the quotient.
inline Enclosure operator/(Enclosure a, Enclosure b) {
  if (b.low <= 0.0 && b.high >= 0.0) return enclose(std::nan(""), std::nan(""), 1);
  return hull(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}
inline Enclosure exp(Enclosure a) {
  const Enclosure e = enclose(exp(a.low), exp(a.high), kExpSteps);
  return {std::max(e.low, 0.0), e.high};
}
inline Enclosure log(Enclosure a) { return enclose(log(a.low), log(a.high), kExpSteps); }
inline Enclosure expm1(Enclosure a) { return enclose(expm1(a.low), expm1(a.high), kExpm1Steps); }
inline Enclosure log1p(Enclosure a) { return enclose(log1p(a.low), log1p(a.high), kExpm1Steps); }
inline Enclosure sqrt(Enclosure a) {
  return enclose(std::sqrt(std::max(a.low, 0.0)), std::sqrt(a.high), 1);
}

}  // namespace southwell::core
