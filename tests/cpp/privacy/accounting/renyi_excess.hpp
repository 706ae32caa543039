#pragma once

#include <cmath>

namespace southwell::privacy::testing {

/// t^alpha - 1 - alpha (t - 1) at t = e^r, without cancellation: its mean under Q at t = P/Q is the
/// moment minus 1, and it is never negative.
inline long double renyi_excess(long double alpha, long double r) {
  if (std::abs(alpha * r) > 0.01L) return std::expm1(alpha * r) - alpha * std::expm1(r);
  long double sum = 0.0L;
  long double power = r;
  long double alpha_power = alpha;
  for (int k = 2; k < 12; ++k) {
    power *= r / k;
    alpha_power *= alpha;
    sum += (alpha_power - alpha) * power;
  }
  return sum;
}

}  // namespace southwell::privacy::testing
