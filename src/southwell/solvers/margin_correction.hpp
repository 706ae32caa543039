#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/solvers/margin_law.hpp"

namespace southwell::solvers {

/// What a descent on the logistic loss does about its own margins (margin_law.hpp): it takes a
/// Newton step in the one direction in which the loss gets flat, that of the coefficients, and puts
/// back what the limit on slopes took from it. From releases and coefficients alone.
class MarginCorrection {
 public:
  /// `attenuation`: of the gradients that it corrects.
  MarginCorrection(double slope_limit, double clip, std::size_t coordinates, double attenuation)
      : law_(slope_limit, clip, coordinates), attenuation_(attenuation) {}

  /// The gradient that was released at the problem's coefficients.
  template <class Problem, class Mechanism>
  void see(const Problem& problem, const Mechanism& mechanism) {
    const problem::Coordinates& all = problem.coordinates();
    along_.assign(all.heads(), {});
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (all.is_intercept(c)) continue;
      const double w = problem.coef()[c];
      const double margin = all.feature_scale(c) * w;
      Along& along = along_[all.head(c)];
      along.margin += margin * margin;
      along.curved += all.smoothness(c) * w * w;
      along.quadratic += all.l2(c) * w * w;
      along.slope += problem.slope_along(c, mechanism.gradient(problem, c));
    }
    for (Along& along : along_) settle(along);
  }

  /// What the gradient of a coordinate has to be increased by.
  template <class Problem>
  double of(const Problem& problem, std::size_t c) const {
    const problem::Coordinates& all = problem.coordinates();
    if (all.is_intercept(c)) return 0.0;
    const double scale = all.feature_scale(c);
    const Along& along = along_[all.head(c)];
    return (along.missing * scale * scale + along.push * all.smoothness(c)) * problem.coef()[c];
  }
  /// How much more noise a coordinate has for it.
  template <class Problem>
  double noise_growth(const Problem& problem, std::size_t c) const {
    const problem::Coordinates& all = problem.coordinates();
    const Along& along = along_[all.head(c)];
    if (all.is_intercept(c) || !(along.curved > 0.0)) return 1.0;
    const double w = problem.coef()[c];
    const double toward = std::min(1.0, all.smoothness(c) * w * w / along.curved);
    return std::sqrt(1.0 + (along.newton * along.newton - 1.0) * toward);
  }

 private:
  /// Of the coefficients of a head.
  struct Along {
    double margin = 0.0;     ///< their squared length in units of the features' scales
    double curved = 0.0;     ///< the same by M_j: the curvature along them, if that of the loss is
    double quadratic = 0.0;  ///< its largest; and the penalty's part of it
    double slope = 0.0;      ///< of the objective
    double missing = 0.0;
    double newton = 1.0;  ///< how much longer a step is along them
    double push = 0.0;
  };
  void settle(Along& along) const;

  SlopeLimitLaw law_;
  double attenuation_;
  std::vector<Along> along_;
};

}  // namespace southwell::solvers
