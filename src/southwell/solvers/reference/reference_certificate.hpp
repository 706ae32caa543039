#pragma once

#include <span>
#include <string>

#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "southwell/solvers/reference/reference_columns.hpp"

namespace southwell::solvers {

/// The lower bound behind the reference optimum. By Fenchel's inequality, for any slopes u (with
/// sum 0 if there is an intercept) and any scale s in [0, 1],
///   min F >= -mean_i ell*(s u_i, y_i) - sum_j psi*(-s g_j),   g = X'u / n.
class Certificate {
 public:
  /// Where psi* is infinite around 0 (no penalty, a box with an infinite end) no s makes the bound
  /// finite; then the bound is for coefficients within `reach` / scale of 0, a box that is finite.
  Certificate(const problem::AnyPenalty& penalty, double reach, std::span<const Shape> shapes);

  /// The bound of s as large as the dual domain allows or, where that is not positive, the better
  /// of it and s = 0. `gradient` is g divided by the columns' scales.
  double lower_bound(const problem::AnyLoss& loss, std::span<const double> slopes,
                     std::span<const double> target, std::span<const double> gradient) const;
  const std::string& name() const { return name_; }

 private:
  /// psi*, or that of its restriction to the reach.
  template <class P>
  double conjugate(const P& penalty, std::size_t j, double slope) const;

  problem::AnyPenalty penalty_;
  bool bounded_ = false;  // to the reach
  double reach_;
  std::span<const Shape> shapes_;
  std::string name_ = "duality gap";
};

/// Makes the slopes sum to 0 within the domain of the loss's conjugate. Near the optimum as a
/// Newton step of the intercept would, by the curvatures: the change is then of second order in the
/// bound. Where that leaves the domain, by shrinking the positive or the negative ones.
void balance(const problem::AnyLoss& loss, std::span<const double> curvatures,
             std::span<const double> target, std::span<double> slopes);

}  // namespace southwell::solvers
