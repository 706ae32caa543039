#pragma once

#include <concepts>
#include <string_view>

namespace southwell::problem {

/// Where a rule limits the slopes |ell'| of a loss that classifies; a regression's are not limited.
struct SlopeLimits {
  double first = 0.0;  ///< at coefficients that are 0: the same for both labels
  double limit = 0.0;  ///< in all later gradients but these:
  double later = 0.0;  ///< of selections once a feature has moved, when most slopes have fallen

  constexpr bool are_limited() const { return first > 0.0; }
};

/// ell(z, y): what a record with target y costs at the margin z = x'w (+ intercept). Convex and
/// differentiable in z, with 0 <= ell'' <= kCurvature (at a corner of ell', any slope beside it)
/// and infimum 0. A problem's loss is the mean over records.
template <class L>
concept Loss = std::copyable<L> && requires(const L& loss, double margin, double target) {
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kTargets } -> std::convertible_to<std::string_view>;  // what is accepted, in words
  { L::kCurvature } -> std::convertible_to<double>;          // beta: M_j = beta mean_i x_ij^2
  { loss.accepts(target) } -> std::same_as<bool>;
  { loss.value(margin, target) } -> std::same_as<double>;
  { loss.derivative(margin, target) } -> std::same_as<double>;
  { loss.curvature(margin, target) } -> std::same_as<double>;  // ell''
  { loss.derivative_bound() } -> std::same_as<double>;         // sup |ell'|, may be infinite
  // sup_z slope z - ell(z, target), infinite where no z has that slope
  { loss.conjugate(margin, target) } -> std::same_as<double>;
  // What rules ask of it. Whether targets are labels, and then where their slopes are limited:
  { L::kClassifies } -> std::convertible_to<bool>;
  { L::kSlopeLimits } -> std::convertible_to<SlopeLimits>;
  // how large |ell'| is at margins of 0 where targets are of this typical size,
  { loss.typical_slope(target) } -> std::same_as<double>;
  // where a choice between models clips a record's loss: above what most records cost at 0,
  { loss.typical_cap(target) } -> std::same_as<double>;
  // whether residuals tell how large slopes are, and whether margins have a law (margin_law.hpp).
  { L::kSlopesAreResiduals } -> std::convertible_to<bool>;
  { L::kHasMarginLaw } -> std::convertible_to<bool>;
  requires L::kClassifies == SlopeLimits(L::kSlopeLimits).are_limited();
};

}  // namespace southwell::problem
