#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "southwell/problem/penalties/interval.hpp"
#include "southwell/problem/penalties/penalty.hpp"

namespace southwell::problem {

/// How far -gradient is from the subdifferential, negative inside it: max(g + lo, -g - hi). An
/// infinite end drops out; -inf where the coefficient cannot move at all.
inline double signed_distance(double gradient, Interval subdifferential) {
  return std::max(gradient + subdifferential.lo, -gradient - subdifferential.hi);
}

// The greedy rules of the paper's proximal appendix: the coordinate with the largest score is
// updated. `gradient` and `smoothness` (M_j) are those of the smooth part, l2 term included;
// `penalty` is the kinked part. All three scores have slope at most 1 in gradient/sqrt(M_j), and
// where no step is possible all three are the (negative) signed distance, so that a coordinate just
// below its threshold ranks above one far below.

/// Steepest slope: the distance from 0 to the subdifferential of the objective.
struct GsS {
  static constexpr std::string_view kName = "gs_s";
  template <KinkedPenalty P>
  double score(const P& penalty, double coef, double gradient, double smoothness) const {
    return signed_distance(gradient, penalty.subdifferential(coef)) / std::sqrt(smoothness);
  }
};

/// Longest step.
struct GsR {
  static constexpr std::string_view kName = "gs_r";
  template <KinkedPenalty P>
  double score(const P& penalty, double coef, double gradient, double smoothness) const {
    const double root = std::sqrt(smoothness);
    const double move = penalty.prox(coef - gradient / smoothness, 1.0 / smoothness) - coef;
    const double slope = signed_distance(gradient, penalty.subdifferential(coef));
    return root * std::fabs(move) + std::min(0.0, slope / root);
  }
};

/// Largest decrease of the quadratic upper bound, as the root of twice that decrease.
/// Differs from the paper: it prints an argmax of the (non-positive) minimum, where the argmin is
/// meant.
struct GsQ {
  static constexpr std::string_view kName = "gs_q";
  template <KinkedPenalty P>
  double score(const P& penalty, double coef, double gradient, double smoothness) const {
    const double to = penalty.prox(coef - gradient / smoothness, 1.0 / smoothness);
    const double move = to - coef;
    const double change = move == 0.0 ? 0.0
                                      : move * (gradient + 0.5 * smoothness * move) +
                                            penalty.value(to) - penalty.value(coef);
    const double slope = signed_distance(gradient, penalty.subdifferential(coef));
    return std::sqrt(2.0 * std::max(0.0, -change)) + std::min(0.0, slope / std::sqrt(smoothness));
  }
};

}  // namespace southwell::problem
