#pragma once

#include <array>
#include <cstddef>

namespace southwell::solvers {

// What the logistic loss does to gradients where features are standard normal: the margins of
// coefficients w are then normal, with the sd |w| in units of the features' scales. As the laws of
// clip_law.hpp these are public, and wrong features cost utility, never privacy.

/// The curvature of the loss in the direction of w, as a part of that at w = 0: E 4 s'(m) z^2, with
/// margins m = margin_sd z and the sigmoid s. Falls with the third power of a long w; in all other
/// directions with the first.
double curvature_along(double margin_sd);

/// What a limit on slopes takes away from the mean gradient in the direction of w, if w is the
/// truth. At a margin m > 0 the likely label has the slope s(m) - 1, below the limit, and the
/// unlikely one s(m), which is cut; what is missing makes coefficients too long.
class SlopeLimitLaw {
 public:
  /// Slopes are limited at `limit`, at least 1/2, and features at norm clip sqrt(dims).
  SlopeLimitLaw(double limit, double clip, std::size_t dims);

  double missing(double margin_sd) const;

 private:
  static constexpr std::size_t kMargins = 48;
  static constexpr std::size_t kNorms = 8;

  double limit_;
  /// Norms of features over their clip, by z and by eight values as likely as each other.
  std::array<std::array<double, kNorms>, kMargins> norms_{};
};

}  // namespace southwell::solvers
