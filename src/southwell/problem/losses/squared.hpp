#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "southwell/problem/losses/loss.hpp"

namespace southwell::problem {

/// ell(z, y) = (z - y)^2 / 2 for a real target.
struct Squared {
  static constexpr std::string_view kName = "squared";
  static constexpr std::string_view kTargets = "finite numbers";
  static constexpr double kCurvature = 1.0;
  static constexpr bool kClassifies = false;
  static constexpr SlopeLimits kSlopeLimits{};
  static constexpr bool kSlopesAreResiduals = true;
  static constexpr bool kHasMarginLaw = false;

  bool accepts(double target) const { return std::isfinite(target); }
  double value(double margin, double target) const {
    return 0.5 * (margin - target) * (margin - target);
  }
  double derivative(double margin, double target) const { return margin - target; }
  double curvature(double, double) const { return 1.0; }
  double derivative_bound() const { return std::numeric_limits<double>::infinity(); }
  double typical_slope(double typical_size) const { return typical_size; }
  double typical_cap(double typical_size) const { return value(2.0 * typical_size, 0.0); }
  double conjugate(double slope, double target) const { return slope * (0.5 * slope + target); }
};
static_assert(Loss<Squared>);

}  // namespace southwell::problem
