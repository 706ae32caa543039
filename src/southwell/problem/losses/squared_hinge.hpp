#pragma once

#include <limits>
#include <string_view>

#include "southwell/problem/losses/loss.hpp"

namespace southwell::problem {

/// ell(z, y) = (1 - y z)_+^2 / 2 for a target y in {-1, +1}.
struct SquaredHinge {
  static constexpr std::string_view kName = "squared_hinge";
  static constexpr std::string_view kTargets = "-1 and 1";
  static constexpr double kCurvature = 1.0;
  static constexpr bool kClassifies = true;
  static constexpr SlopeLimits kSlopeLimits{.first = 1.0, .limit = 1.2, .later = 0.5};
  static constexpr bool kSlopesAreResiduals = false;
  static constexpr bool kHasMarginLaw = false;

  bool accepts(double target) const { return target == 1.0 || target == -1.0; }
  double value(double margin, double target) const {
    const double short_by = 1.0 - target * margin;
    return short_by > 0.0 ? 0.5 * short_by * short_by : 0.0;
  }
  double derivative(double margin, double target) const {
    const double short_by = 1.0 - target * margin;
    return short_by > 0.0 ? -target * short_by : 0.0;
  }
  double curvature(double margin, double target) const { return target * margin < 1.0 ? 1.0 : 0.0; }
  double derivative_bound() const { return std::numeric_limits<double>::infinity(); }
  double typical_slope(double /*typical_size*/) const { return 1.0; }
  double typical_cap(double /*typical_size*/) const { return 1.0; }
  double conjugate(double slope, double target) const {
    const double t = -target * slope;
    return t >= 0.0 ? t * (0.5 * t - 1.0) : std::numeric_limits<double>::infinity();
  }
};
static_assert(Loss<SquaredHinge>);

}  // namespace southwell::problem
