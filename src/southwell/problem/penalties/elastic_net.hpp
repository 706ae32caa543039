#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/problem/penalties/l1.hpp"
#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// psi(w) = alpha (l1_ratio |w| + (1 - l1_ratio)/2 w^2), 0 < l1_ratio < 1: at the ends it is the
/// penalty l2 or l1, which go by their own names.
class ElasticNet {
 public:
  static constexpr std::string_view kName = "elastic_net";

  ElasticNet(double alpha, double l1_ratio)
      : l1_(checked_alpha(alpha) * checked_ratio(l1_ratio)), l2_(alpha * (1.0 - l1_ratio)) {}

  double value(double w) const { return l1_.value(w) + 0.5 * l2_ * w * w; }
  double prox(double w, double step) const { return l1_.prox(w, step) / (1.0 + step * l2_); }
  Interval subdifferential(double w) const {
    const Interval kink = l1_.subdifferential(w);
    return {kink.lo + l2_ * w, kink.hi + l2_ * w};
  }
  double conjugate(double slope) const {
    const double beyond = std::fabs(slope) - l1_.alpha();
    return beyond > 0.0 ? 0.5 * beyond * beyond / l2_ : 0.0;
  }
  Interval dual_domain() const {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  double curvature() const { return l2_; }
  L1 kinked() const { return l1_; }
  ElasticNet stronger(double times) const { return {l1_.stronger(times), l2_ * times}; }

 private:
  ElasticNet(const L1& l1, double l2) : l1_(l1), l2_(l2) {}
  static double checked_ratio(double l1_ratio) {
    if (!(l1_ratio > 0.0 && l1_ratio < 1.0)) {
      // make_penalty has taken the ends for what they are.
      throw InvalidArgument("l1_ratio: given " + core::number_text(l1_ratio) +
                            ", accepted is a number from 0 to 1");
    }
    return l1_ratio;
  }

  L1 l1_;
  double l2_;
};
static_assert(Penalty<ElasticNet>);

}  // namespace southwell::problem
