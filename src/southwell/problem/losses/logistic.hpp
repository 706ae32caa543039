#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "southwell/core/exp.hpp"
#include "southwell/core/expm1.hpp"
#include "southwell/problem/losses/loss.hpp"

namespace southwell::problem {

/// ell(z, y) = log(1 + exp(-y z)) for a target y in {-1, +1}.
struct Logistic {
  static constexpr std::string_view kName = "logistic";
  static constexpr std::string_view kTargets = "-1 and 1";
  static constexpr double kCurvature = 0.25;  ///< ell'' <= 1/4, so M_j <= scale_j^2 / 4
  static constexpr bool kClassifies = true;
  static constexpr SlopeLimits kSlopeLimits{.first = 0.5, .limit = 0.6, .later = 0.25};
  static constexpr bool kSlopesAreResiduals = false;
  static constexpr bool kHasMarginLaw = true;

  bool accepts(double target) const { return target == 1.0 || target == -1.0; }
  double value(double margin, double target) const {
    const double a = -target * margin;
    return a > 0.0 ? a + core::log1p(core::exp(-a)) : core::log1p(core::exp(a));  // no overflow
  }
  double derivative(double margin, double target) const {
    return -target / (1.0 + core::exp(target * margin));  // core::exp: the same bits on every CPU
  }
  double curvature(double margin, double) const {
    const double e = core::exp(-std::fabs(margin));
    return e / ((1.0 + e) * (1.0 + e));
  }
  double derivative_bound() const { return 1.0; }
  double typical_slope(double /*typical_size*/) const { return 1.0; }
  double typical_cap(double /*typical_size*/) const { return 1.2; }
  double conjugate(double slope, double target) const {
    const double t = -target * slope;  // the probability of being wrong
    if (!(t >= 0.0 && t <= 1.0)) return std::numeric_limits<double>::infinity();
    const double a = t > 0.0 ? t * std::log(t) : 0.0;
    return t < 1.0 ? a + (1.0 - t) * std::log1p(-t) : a;
  }
};
static_assert(Loss<Logistic>);

}  // namespace southwell::problem
