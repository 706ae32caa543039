#pragma once

#include <array>
#include <cstddef>

namespace southwell::solvers {

// What the logistic loss does to gradients where features are standard normal: margins are then
// normal. As the laws of clip_law.hpp these are public, and wrong features cost utility, never
// privacy.

/// Those of coefficients w and an intercept: middle + sd z, with a standard normal z.
struct Margins {
  double sd = 0.0;  ///< |w|, in units of the features' scales
  double middle = 0.0;
};

/// The curvature of the loss in the direction of w, as a part of its largest: E 4 s'(m) z^2, with
/// the sigmoid s. Falls with the third power of a long w, in all other directions with the first.
double curvature_along(const Margins& margins);

/// What a limit on slopes takes away from the mean gradient. At a margin m > 0 the likely label has
/// the slope s(m) - 1, below the limit, and the unlikely one s(m), which is cut; what is missing
/// makes coefficients too long.
class SlopeLimitLaw {
 public:
  /// Slopes are limited at `limit`, at least 1/2, and features at norm clip sqrt(dims).
  SlopeLimitLaw(double limit, double clip, std::size_t dims);

  struct Missing {
    double along = 0.0;  ///< in the direction of w
    double intercept = 0.0;
  };
  /// Where labels follow margins that are `longer` times these.
  Missing missing(const Margins& margins, double longer) const;

 private:
  static constexpr std::size_t kMargins = 48;
  static constexpr std::size_t kNorms = 8;

  /// The part that is cut of a slope of this size, above the limit.
  double cut(std::size_t k, double slope) const;

  double limit_;
  /// Norms of features over their clip, by |z| and by eight values as likely as each other.
  std::array<std::array<double, kNorms>, kMargins> norms_{};
};

}  // namespace southwell::solvers
