#pragma once

#include <algorithm>
#include <cstddef>
#include <variant>

#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::problem {

/// The prox of the penalty's kinked part for one coefficient; an intercept has none.
inline double coordinate_prox(const AnyPenalty& penalty, const Coordinates& coordinates,
                              std::size_t c, double w, double step) {
  // Far outside every problem, so that no margin becomes infinite by a feature that is 0.
  const double finite = std::clamp(w, -0x1p500, 0x1p500);
  if (coordinates.is_intercept(c)) return finite;
  return std::visit([&](const auto& each) { return each.kinked().prox(finite, step); }, penalty);
}

}  // namespace southwell::problem
