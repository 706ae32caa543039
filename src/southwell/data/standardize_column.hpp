#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace southwell::data {

/// Mean 0 and variance 1 (divisor n), in place. Missing and infinite values stay as they are and do
/// not count. Summed in record order, so that the result is the same everywhere; the mean is taken
/// twice, to center exactly. A column whose deviation is no more than the rounding of its mean is
/// constant, and becomes 0.
inline void standardize_column(std::span<double> column) {
  double n = 0.0;
  double largest = 0.0;
  for (const double x : column) {
    if (!std::isfinite(x)) continue;
    n += 1.0;
    largest = std::fmax(largest, std::fabs(x));
  }
  if (largest > 1e100) {  // its sums could overflow; a power of two changes no digit
    for (double& x : column) x = std::ldexp(x, -700);
  }
  const auto center = [&] {
    double sum = 0.0;
    for (const double x : column) {
      if (std::isfinite(x)) sum += x;
    }
    const double mean = sum / n;
    for (double& x : column) x -= mean;
    return mean;
  };
  if (n == 0.0) return;
  const double mean = center();
  center();
  double squares = 0.0;
  for (const double x : column) {
    if (std::isfinite(x)) squares += x * x;
  }
  const double deviation = std::sqrt(squares / n);
  const double rounding = n * std::numeric_limits<double>::epsilon() * std::fabs(mean);
  for (double& x : column) {
    if (std::isfinite(x)) x = deviation > rounding ? x / deviation : 0.0;
  }
}

}  // namespace southwell::data
