#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "southwell/problem/penalties/alpha.hpp"
#include "southwell/problem/penalties/box.hpp"
#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// psi(w) = threshold |w| in a box, infinite elsewhere; threshold >= 0.
class BoundedL1 {
 public:
  static constexpr std::string_view kName = "bounded_l1";

  BoundedL1(double threshold, const Box& box) : threshold_(threshold), box_(box) {}
  double threshold() const { return threshold_; }
  const Box& box() const { return box_; }

  double value(double w) const { return box_.value(w) + threshold_ * std::fabs(w); }
  /// Of a convex function on an interval the minimum is nearest to the free one.
  double prox(double w, double step) const {
    const double by = step * threshold_;
    return box_.prox(w > by ? w - by : (w < -by ? w + by : 0.0), step);
  }
  Interval subdifferential(double w) const {
    const Interval end = box_.subdifferential(w);
    return {end.lo + (w > 0.0 ? threshold_ : -threshold_),
            end.hi + (w < 0.0 ? -threshold_ : threshold_)};
  }
  double conjugate(double slope) const {
    if (slope > threshold_) return along(slope, box_.upper());
    if (slope < -threshold_) return along(slope, box_.lower());
    return along(slope, box_.prox(0.0, 1.0));
  }
  Interval dual_domain() const {
    const Interval of_box = box_.dual_domain();
    return {of_box.lo - threshold_, of_box.hi + threshold_};
  }
  Interval piece(double w) const {
    const Interval in_box = box_.piece(w);
    if (threshold_ == 0.0 || in_box.lo == in_box.hi) return in_box;
    return {w < 0.0 ? in_box.lo : std::max(in_box.lo, 0.0),
            w > 0.0 ? in_box.hi : std::min(in_box.hi, 0.0)};
  }

 private:
  /// slope w - threshold |w|, also at an end that is infinite.
  double along(double slope, double w) const {
    return w == 0.0 ? 0.0 : (w > 0.0 ? slope - threshold_ : slope + threshold_) * w;
  }

  double threshold_;
  Box box_;
};
static_assert(KinkedPenalty<BoundedL1>);

/// psi(w) = l1 |w| + l2/2 w^2 in a box, infinite elsewhere; l1, l2 >= 0, not both 0. The box alone
/// goes by its own name.
class Bounded {
 public:
  static constexpr std::string_view kName = "bounded";

  Bounded(double l1, double l2, const Box& box) : kinked_(l1, box), l2_(l2) {
    checked_alpha(l1 + l2);
  }

  double value(double w) const { return kinked_.value(w) + 0.5 * l2_ * w * w; }
  double prox(double w, double step) const {
    // (x - w)^2 / 2 + step l2/2 x^2 is (1 + step l2) times (x - w / (1 + step l2))^2 / 2.
    const double bend = 1.0 + step * l2_;
    return kinked_.prox(w / bend, step / bend);
  }
  Interval subdifferential(double w) const {
    const Interval kink = kinked_.subdifferential(w);
    return {kink.lo + l2_ * w, kink.hi + l2_ * w};
  }
  double conjugate(double slope) const {
    if (l2_ == 0.0) return kinked_.conjugate(slope);
    const double at = kinked_.prox(slope / l2_, 1.0 / l2_);  // where the supremum is
    return slope * at - value(at);
  }
  Interval dual_domain() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return l2_ == 0.0 ? kinked_.dual_domain() : Interval{-kInfinity, kInfinity};
  }
  double curvature() const { return l2_; }
  BoundedL1 kinked() const { return kinked_; }
  Bounded stronger(double times) const {
    return {kinked_.threshold() * times, l2_ * times, kinked_.box()};
  }

 private:
  BoundedL1 kinked_;
  double l2_;
};
static_assert(Penalty<Bounded>);

}  // namespace southwell::problem
