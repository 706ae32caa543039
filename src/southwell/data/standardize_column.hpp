#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace southwell::data {

/// Mean 0 and variance 1 (divisor n), in place; a constant column becomes 0. Summed in record
/// order, twice for the mean, so that the result is the same everywhere and exactly centred.
inline void standardize_column(std::span<double> column) {
  if (column.empty()) return;
  const auto n = static_cast<double>(column.size());
  for (int pass = 0; pass < 2; ++pass) {
    double sum = 0.0;
    for (const double x : column) sum += x;
    const double mean = sum / n;
    for (double& x : column) x -= mean;
  }
  double squares = 0.0;
  for (const double x : column) squares += x * x;
  const double deviation = std::sqrt(squares / n);
  const double scale = deviation > 0.0 ? 1.0 / deviation : 0.0;
  for (double& x : column) x *= scale;
}

}  // namespace southwell::data
