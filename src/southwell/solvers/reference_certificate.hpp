#pragma once

#include <span>
#include <string>

#include "southwell/problem/any_loss.hpp"
#include "southwell/problem/any_penalty.hpp"

namespace southwell::solvers {

/// The lower bound behind the reference optimum. By Fenchel's inequality, for any slopes u (with
/// sum 0 if there is an intercept) and any scale s in [0, 1],
///   min F >= -mean_i ell*(s u_i, y_i) - sum_j psi*(-s g_j),   g = X'u / n.
class Certificate {
 public:
  /// Where psi* is infinite around 0 (no penalty, a box with an infinite end) no s makes the bound
  /// finite; then the bound is for coefficients within `reach` of 0, a box that is finite.
  Certificate(const problem::AnyPenalty& penalty, double reach);

  /// The better bound of s as large as the dual domain allows and s = 0.
  double lower_bound(const problem::AnyLoss& loss, std::span<const double> slopes,
                     std::span<const double> target, std::span<const double> gradient) const;
  const std::string& name() const { return name_; }

 private:
  problem::AnyPenalty penalty_;
  std::string name_ = "duality gap";
};

/// Shrinks the positive or the negative slopes so that they sum to 0: this keeps each in the domain
/// of its loss's conjugate, which a shift would not.
void balance(std::span<double> slopes);

}  // namespace southwell::solvers
