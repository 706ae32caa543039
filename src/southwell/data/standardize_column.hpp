#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace southwell::data {

/// Mean 0 and variance 1 (divisor n), in place. Summed in record order, so that the result is the
/// same everywhere; the mean is taken twice, to centre exactly. A column whose deviation is no more
/// than the rounding of its mean is constant, and becomes 0.
inline void standardize_column(std::span<double> column) {
  const auto n = static_cast<double>(column.size());
  const auto centre = [&] {
    double sum = 0.0;
    for (const double x : column) sum += x;
    const double mean = sum / n;
    for (double& x : column) x -= mean;
    return mean;
  };
  const double mean = centre();
  centre();
  double squares = 0.0;
  for (const double x : column) squares += x * x;
  const double deviation = std::sqrt(squares / n);
  const double rounding = n * std::numeric_limits<double>::epsilon() * std::fabs(mean);
  for (double& x : column) x = deviation > rounding ? x / deviation : 0.0;
}

}  // namespace southwell::data
