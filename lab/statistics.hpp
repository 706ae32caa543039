#pragma once

#include <span>
#include <utility>

namespace southwell::lab {

/// mean +- half_width holds the true mean with 95 % (Student's t); infinite for fewer than two.
struct Interval95 {
  double mean = 0.0;
  double half_width = 0.0;
};
Interval95 interval95(std::span<const double> values);

double mean_of(std::span<const double> values);

/// Of the line through points (x, y).
double least_squares_slope(std::span<const std::pair<double, double>> points);

}  // namespace southwell::lab
