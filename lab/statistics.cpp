#include "lab/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace southwell::lab {

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Interval95 interval95(std::span<const double> values) {
  Interval95 out{mean_of(values), std::numeric_limits<double>::infinity()};
  if (values.size() < 2) return out;
  const auto count = static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  const boost::math::students_t law(count - 1.0);
  out.half_width = boost::math::quantile(law, 0.975) * std::sqrt(squares / (count - 1.0) / count);
  return out;
}

double least_squares_slope(std::span<const std::pair<double, double>> points) {
  const auto count = static_cast<double>(points.size());
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (const auto& [x, y] : points) {
    mean_x += x / count;
    mean_y += y / count;
  }
  double xy = 0.0;
  double xx = 0.0;
  for (const auto& [x, y] : points) {
    xy += (x - mean_x) * (y - mean_y);
    xx += (x - mean_x) * (x - mean_x);
  }
  return xy / xx;
}

}  // namespace southwell::lab
