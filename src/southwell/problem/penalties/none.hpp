#pragma once

#include <limits>
#include <string_view>

#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// psi = 0.
struct None {
  static constexpr std::string_view kName = "none";

  double value(double) const { return 0.0; }
  double prox(double w, double) const { return w; }
  Interval subdifferential(double) const { return {0.0, 0.0}; }
  double conjugate(double slope) const {
    return slope == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain() const { return {0.0, 0.0}; }
  Interval piece(double) const {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  double curvature() const { return 0.0; }
  None kinked() const { return {}; }
};
static_assert(Penalty<None> && KinkedPenalty<None>);

}  // namespace southwell::problem
