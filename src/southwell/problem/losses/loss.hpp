#pragma once

#include <concepts>
#include <string_view>

namespace southwell::problem {

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
};

}  // namespace southwell::problem
