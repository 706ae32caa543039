#pragma once

namespace southwell::solvers {

// What the logistic loss does to gradients where features are standard normal: margins are then
// normal. As the laws of clip_law.hpp it is public, and wrong features cost utility, never privacy.

/// Those of coefficients w and an intercept: middle + sd z, with a standard normal z.
struct Margins {
  double sd = 0.0;  ///< |w|, in units of the features' scales
  double middle = 0.0;
};

/// The curvature of the loss in the direction of w, as a part of its largest: E 4 s'(m) z^2, with
/// the sigmoid s. Falls with the third power of a long w, in all other directions with the first.
double curvature_along(const Margins& margins);

/// The same where the intercept is one of the features that make w: E 4 s'(m) m^2 / E m^2.
double curvature_of_length(const Margins& margins);

/// The same in the directions that add nothing to margins: E 4 s'(m).
double curvature_beside(const Margins& margins);

}  // namespace southwell::solvers
