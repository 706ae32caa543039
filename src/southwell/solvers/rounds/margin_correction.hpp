#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/solvers/rounds/margin_law.hpp"

namespace southwell::solvers {

/// What a descent on the logistic loss does about its own margins (margin_law.hpp): it takes a
/// Newton step in the one direction in which the loss gets flat, that of the coefficients. From
/// releases and coefficients alone.
class MarginCorrection {
 public:
  explicit MarginCorrection(std::size_t heads) : along_(heads) {}

  /// The gradient that was released at the problem's coefficients.
  template <class Problem, class Mechanism>
  void observe(const Problem& problem, const Mechanism& mechanism) {
    const problem::Coordinates& all = problem.coordinates();
    std::fill(along_.begin(), along_.end(), Along{});
    for (std::size_t c = 0; c < all.size(); ++c) {
      const double w = problem.coef()[c];
      Along& along = along_[all.head(c)];
      if (all.is_intercept(c)) {
        along.middle = w;
        continue;
      }
      const double curved = all.smoothness(c) * w * w;
      const double quadratic = all.l2(c) * w * w;
      along.margin += (curved - quadratic) / all.options().curvature;
      if (problem.is_held(c)) continue;
      along.curved += curved;
      along.quadratic += quadratic;
      along.slope += mechanism.gradient(problem, c) * w + problem.penalty_along(c);
    }
    for (Along& along : along_) settle(along);
  }

  /// What the gradient of a coordinate has to be increased by.
  template <class Problem>
  double of(const Problem& problem, std::size_t c) const {
    const problem::Coordinates& all = problem.coordinates();
    if (all.is_intercept(c) || problem.is_held(c)) return 0.0;
    return along_[all.head(c)].push * all.smoothness(c) * problem.coef()[c];
  }
  /// How much more noise a step of a coordinate has for it, by the last release.
  template <class Problem>
  double noise_growth(const Problem& problem, std::size_t c) const {
    const problem::Coordinates& all = problem.coordinates();
    const Along& along = along_[all.head(c)];
    if (all.is_intercept(c) || problem.is_held(c) || along.newton == 1.0) return 1.0;
    const double w = problem.coef()[c];
    const double toward = std::min(1.0, all.smoothness(c) * w * w / along.curved);
    return std::sqrt(1.0 + (along.newton * along.newton - 1.0) * toward);
  }

 private:
  /// Of the coefficients w of a head. Those that a bound holds away from 0 do not move: they are in
  /// the margins and in no direction.
  struct Along {
    double middle = 0.0;
    double margin = 0.0;     ///< squared length in units of the features' scales
    double slope = 0.0;      ///< w times that of the objective
    double curved = 0.0;     ///< sum of M_j w_j^2: the largest curvature along w
    double quadratic = 0.0;  ///< the penalty's part of it
    // What follows from these.
    double newton = 1.0;  ///< how much longer a step is along w
    double push = 0.0;
  };
  static void settle(Along& along);

  std::vector<Along> along_;
};

}  // namespace southwell::solvers
