#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "southwell/problem/penalties/alpha.hpp"
#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// psi(w) = alpha |w|.
class L1 {
 public:
  static constexpr std::string_view kName = "l1";

  explicit L1(double alpha) : alpha_(checked_alpha(alpha)) {}
  double alpha() const { return alpha_; }

  double value(double w) const { return alpha_ * std::fabs(w); }
  double prox(double w, double step) const {
    const double threshold = step * alpha_;
    return w > threshold ? w - threshold : (w < -threshold ? w + threshold : 0.0);
  }
  Interval subdifferential(double w) const {
    return {w > 0.0 ? alpha_ : -alpha_, w < 0.0 ? -alpha_ : alpha_};
  }
  double conjugate(double slope) const {
    return std::fabs(slope) <= alpha_ ? 0.0 : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain() const { return {-alpha_, alpha_}; }
  Interval piece(double w) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {w < 0.0 ? -kInfinity : 0.0, w > 0.0 ? kInfinity : 0.0};
  }
  double curvature() const { return 0.0; }
  L1 kinked() const { return *this; }
  L1 stronger(double times) const { return L1(alpha_ * times); }

 private:
  double alpha_;
};
static_assert(Penalty<L1> && KinkedPenalty<L1>);

}  // namespace southwell::problem
