#pragma once

#include <concepts>
#include <string_view>

#include "southwell/problem/penalties/interval.hpp"

namespace southwell::problem {

/// psi(w) for one coefficient, convex, the same for every coordinate.
template <class P>
concept PenaltyTerm = std::copyable<P> && requires(const P& penalty, double w, double step) {
  { P::kName } -> std::convertible_to<std::string_view>;
  { penalty.value(w) } -> std::same_as<double>;  // infinite outside its domain
  // argmin_x (x - w)^2 / 2 + step psi(x)
  { penalty.prox(w, step) } -> std::same_as<double>;
  { penalty.subdifferential(w) } -> std::same_as<Interval>;
  // sup_x w x - psi(x), and where that is finite
  { penalty.conjugate(w) } -> std::same_as<double>;
  { penalty.dual_domain() } -> std::same_as<Interval>;
};

/// A penalty of straight pieces that meet in kinks. `piece(w)` is the piece that w lies inside of,
/// or the point [w, w] where w is a kink.
template <class P>
concept KinkedPenalty = PenaltyTerm<P> && requires(const P& penalty, double w) {
  { penalty.piece(w) } -> std::same_as<Interval>;
};

/// psi(w) = curvature()/2 w^2 + kinked()(w): algorithms add the first part to the smooth loss and
/// take the prox of the second, as the paper does.
template <class P>
concept Penalty = PenaltyTerm<P> && requires(const P& penalty) {
  { penalty.curvature() } -> std::same_as<double>;
  { penalty.kinked() } -> KinkedPenalty;
};

}  // namespace southwell::problem
