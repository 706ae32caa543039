#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace southwell::core {

/// log(x) from IEEE + - * / alone: the same bits on every compiler and CPU, as with core::exp.
/// Error below 1 ulp; log(0) = -inf, log of a negative number or NaN is NaN.
inline double log(double x) {
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();

  if (!(x > 0.0)) return x == 0.0 ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
  if (x == kInfinity) return x;
  double k = 0.0;
  if (x < std::numeric_limits<double>::min()) {  // subnormal
    x *= 0x1p54;
    k = -54.0;
  }
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)): the exponent is read off after adding what lifts
  // every mantissa from sqrt(1/2) upwards into the next binade.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t lifted = bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  const auto exponent = static_cast<std::int64_t>(lifted >> 52) - 1023;
  k += static_cast<double>(exponent);
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));

  // log m = 2 atanh(s), s = f / (2 + f), written so that the leading term f - f^2/2 is not rounded
  // twice: log m = f - (f^2/2 - s (f^2/2 + R)), R = 2 sum_{i>=1} s^{2i} / (2i + 1).
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double sum = 2.0 / 23.0;
  sum = sum * z + 2.0 / 21.0;
  sum = sum * z + 2.0 / 19.0;
  sum = sum * z + 2.0 / 17.0;
  sum = sum * z + 2.0 / 15.0;
  sum = sum * z + 2.0 / 13.0;
  sum = sum * z + 2.0 / 11.0;
  sum = sum * z + 2.0 / 9.0;
  sum = sum * z + 2.0 / 7.0;
  sum = sum * z + 2.0 / 5.0;
  sum = sum * z + 2.0 / 3.0;
  const double tail = sum * z;
  const double half_square = 0.5 * f * f;
  return k * kLn2High - ((half_square - (s * (half_square + tail) + k * kLn2Low)) - f);
}

}  // namespace southwell::core
