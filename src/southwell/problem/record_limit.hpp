#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace southwell::problem {

/// How long a record may be where it enters a model, public: features x are multiplied by
/// min(1, norm / |x|), |x| being the l2 norm of (x_j / unit_j)_j, in the fit and in predictions.
struct RecordLimit {
  double norm = 0.0;               ///< 0: none
  std::vector<double> units{1.0};  ///< of every feature, or one for all

  bool is_set() const { return norm > 0.0; }
  double unit(std::size_t j) const { return units.size() == 1 ? units[0] : units[j]; }

  /// What a feature adds to the square of a record's norm; what is no number, nothing.
  double square(std::size_t j, double x) const { return squared(x, 1.0 / unit(j)); }
  static double squared(double x, double per_unit) {
    const double in_units = x * per_unit;
    return in_units == in_units ? in_units * in_units : 0.0;
  }
  /// What a record with this square of its norm is multiplied by; 0, as if all its features were,
  /// where the norm is beyond all numbers.
  double factor(double squares) const {
    const double length = std::sqrt(squares);
    if (length <= norm) return 1.0;
    return std::isfinite(length) ? norm / length : 0.0;
  }
  /// A feature, or a sum of features times coefficients, of a record with this factor: 0 where the
  /// factor is, whatever it was.
  static double limited(double factor, double value) { return factor > 0.0 ? factor * value : 0.0; }
};

}  // namespace southwell::problem
