#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// psi(w) = 0 for lower <= w <= upper, infinite elsewhere. An end may be infinite.
class Box {
 public:
  static constexpr std::string_view kName = "box";

  Box(double lower, double upper) : lower_(lower), upper_(upper) {
    if (!(lower <= upper) || lower == kInfinity || upper == -kInfinity) {
      throw InvalidArgument("lower, upper: given " + core::number_text(lower) + ", " +
                            core::number_text(upper) +
                            ", accepted are numbers with lower <= upper");
    }
  }
  double lower() const { return lower_; }
  double upper() const { return upper_; }

  double value(double w) const { return w >= lower_ && w <= upper_ ? 0.0 : kInfinity; }
  double prox(double w, double) const { return std::min(std::max(w, lower_), upper_); }
  Interval subdifferential(double w) const {
    return {w <= lower_ ? -kInfinity : 0.0, w >= upper_ ? kInfinity : 0.0};
  }
  double conjugate(double slope) const {
    if (slope == 0.0) return 0.0;
    return slope > 0.0 ? slope * upper_ : slope * lower_;
  }
  Interval dual_domain() const {
    return {lower_ == -kInfinity ? 0.0 : -kInfinity, upper_ == kInfinity ? 0.0 : kInfinity};
  }
  Interval piece(double w) const {
    return w > lower_ && w < upper_ ? Interval{lower_, upper_} : Interval{w, w};
  }
  double curvature() const { return 0.0; }
  Box kinked() const { return *this; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double lower_;
  double upper_;
};
static_assert(Penalty<Box> && KinkedPenalty<Box>);

}  // namespace southwell::problem
