#pragma once

#include <limits>
#include <string_view>

#include "southwell/problem/penalties/alpha.hpp"
#include "southwell/problem/penalties/none.hpp"
#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// psi(w) = alpha/2 w^2.
class L2 {
 public:
  static constexpr std::string_view kName = "l2";

  explicit L2(double alpha) : alpha_(checked_alpha(alpha)) {}
  double alpha() const { return alpha_; }

  double value(double w) const { return 0.5 * alpha_ * w * w; }
  double prox(double w, double step) const { return w / (1.0 + step * alpha_); }
  Interval subdifferential(double w) const { return {alpha_ * w, alpha_ * w}; }
  double conjugate(double slope) const { return 0.5 * slope * slope / alpha_; }
  Interval dual_domain() const {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  double curvature() const { return alpha_; }
  None kinked() const { return {}; }

 private:
  double alpha_;
};
static_assert(Penalty<L2>);

}  // namespace southwell::problem
