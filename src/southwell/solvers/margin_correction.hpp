#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/solvers/margin_law.hpp"

namespace southwell::solvers {

/// What a descent on the logistic loss does about its own margins (margin_law.hpp): it takes a
/// Newton step in the one direction in which the loss gets flat, that of the coefficients, and puts
/// back what the limit on slopes took from the gradient. From releases and coefficients alone.
class MarginCorrection {
 public:
  /// Of gradients in so many coordinates, those of all heads, that are clipped and attenuated so.
  /// Of a record's slopes in several heads one is taken to be most of them.
  MarginCorrection(double slope_limit, double clip, std::size_t coordinates, std::size_t heads,
                   double attenuation)
      : law_(slope_limit, clip * std::sqrt(static_cast<double>(heads)), coordinates / heads),
        attenuation_(attenuation),
        along_(heads) {}

  /// The gradient that was released at the problem's coefficients.
  template <class Problem, class Mechanism>
  void see(const Problem& problem, const Mechanism& mechanism) {
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
      along.penalty += problem.penalty_along(c);
      if (problem.is_held(c)) continue;
      along.curved += curved;
      along.quadratic += quadratic;
      along.slope += mechanism.gradient(problem, c) * w + problem.penalty_along(c);
    }
    for (Along& along : along_) settle(along, all.options().curvature);
  }

  /// What the gradient of a coordinate has to be increased by.
  template <class Problem>
  double of(const Problem& problem, std::size_t c) const {
    const problem::Coordinates& all = problem.coordinates();
    const Along& along = along_[all.head(c)];
    if (all.is_intercept(c)) return along.missing_intercept;
    const double data = (all.smoothness(c) - all.l2(c)) / all.options().curvature;
    const double push = problem.is_held(c) ? 0.0 : along.push * all.smoothness(c);
    return (along.missing * data + push) * problem.coef()[c];
  }
  /// How much more noise a step of a coordinate has for it.
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
    double penalty = 0.0;    ///< w times the slope of the penalty
    double slope = 0.0;      ///< w times that of the objective
    double curved = 0.0;     ///< sum of M_j w_j^2: the largest curvature along w
    double quadratic = 0.0;  ///< the penalty's part of it
    // What follows from these.
    double missing = 0.0;
    double missing_intercept = 0.0;
    double newton = 1.0;  ///< how much longer a step is along w
    double push = 0.0;
  };
  void settle(Along& along, double curvature) const;

  SlopeLimitLaw law_;
  double attenuation_;
  std::vector<Along> along_;
};

}  // namespace southwell::solvers
