#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace southwell::core {

/// exp(x) from IEEE additions and multiplications alone, so that it has the same bits on every
/// compiler, CPU and vector width (libm's exp has not). Error below 1 ulp (the largest met is
/// 0.89); overflow gives inf, underflow 0, NaN stays NaN. Branch-free: a loop over it vectorises.
///
/// Where y below is in [0.7, 1), whose ulp is u: the last addition errs by 0.5 u, that to r (at
/// most 0.35) by 0.25 u, and r^2 P (at most 0.07) by less than 0.2 u with all its roundings.
inline double exp(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42feep-1;  // 32 leading bits: k * kLn2High is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr double kRound = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits

  x = x < -746.0 ? -746.0 : x;  // exp(-746) is 0 and exp(710) inf after rounding; NaN passes
  x = x > 710.0 ? 710.0 : x;
  const double shifted = x * kLog2E + kRound;
  const double k = shifted - kRound;

  // x = k ln 2 + r + c with |r| <= 0.347; c holds what r lost in rounding.
  const double high = x - k * kLn2High;
  const double low = k * kLn2Low;
  const double r = high - low;
  const double c = (high - r) - low;

  // exp(r + c) = 1 + (r + (c + r c + r^2 P(r))): Taylor to r^13; what is left is below 5e-18. P is
  // summed in pairs (Estrin), so that the steps need not wait for each other.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double p01 = 0.5 + r * (1.0 / 6.0);
  const double p23 = 1.0 / 24.0 + r * (1.0 / 120.0);
  const double p45 = 1.0 / 720.0 + r * (1.0 / 5040.0);
  const double p67 = 1.0 / 40320.0 + r * (1.0 / 362880.0);
  const double p89 = 1.0 / 3628800.0 + r * (1.0 / 39916800.0);
  const double p1011 = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0);
  const double p = (p01 + r2 * p23) + r4 * ((p45 + r2 * p67) + r4 * (p89 + r2 * p1011));
  const double y = 1.0 + (r + (r2 * p + (c + c * r)));

  // y 2^k in two exact powers of two: only the last multiplication can round (or over/underflow).
  const std::uint64_t biased = std::bit_cast<std::uint64_t>(shifted) -
                               std::bit_cast<std::uint64_t>(kRound) + 2048u;  // k + 2048 > 0
  const std::uint64_t half = biased >> 1;
  const double first = std::bit_cast<double>((half - 1024u + 1023u) << 52);
  const double second = std::bit_cast<double>((biased - half - 1024u + 1023u) << 52);
  return y * first * second;
}

/// out[i] = exp(in[i]), at the widest vectors of this CPU; the same bits as one at a time.
void exp(std::span<const double> in, std::span<double> out);

}  // namespace southwell::core
