#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/problem/losses/loss.hpp"

namespace southwell::problem {

/// Squared up to `width`, linear beyond: with d = z - y, d^2/2 if |d| <= width, else
/// width |d| - width^2/2. Real targets.
class Huber {
 public:
  static constexpr std::string_view kName = "huber";
  static constexpr std::string_view kTargets = "finite numbers";
  static constexpr double kCurvature = 1.0;
  static constexpr bool kClassifies = false;
  static constexpr SlopeLimits kSlopeLimits{};
  static constexpr bool kSlopesAreResiduals = false;
  static constexpr bool kHasMarginLaw = false;

  explicit Huber(double width) : width_(width) {
    if (!(width > 0.0) || !std::isfinite(width)) {
      throw InvalidArgument("huber_width: given " + core::number_text(width) +
                            ", accepted is a finite number > 0");
    }
  }
  double width() const { return width_; }

  bool accepts(double target) const { return std::isfinite(target); }
  double value(double margin, double target) const {
    const double d = std::fabs(margin - target);
    return d <= width_ ? 0.5 * d * d : width_ * (d - 0.5 * width_);
  }
  double derivative(double margin, double target) const {
    const double d = margin - target;
    return d > width_ ? width_ : (d < -width_ ? -width_ : d);
  }
  double curvature(double margin, double target) const {
    return std::fabs(margin - target) <= width_ ? 1.0 : 0.0;
  }
  double derivative_bound() const { return width_; }
  double typical_slope(double typical_size) const { return std::fmin(width_, typical_size); }
  double typical_cap(double typical_size) const { return value(2.0 * typical_size, 0.0); }
  double conjugate(double slope, double target) const {
    return std::fabs(slope) <= width_ ? slope * (0.5 * slope + target)
                                      : std::numeric_limits<double>::infinity();
  }

 private:
  double width_;
};
static_assert(Loss<Huber>);

}  // namespace southwell::problem
