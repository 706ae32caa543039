#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::problem {

/// The w that minimises (w - at)' Q (w - at) / (2 step) + the penalty of w, by coordinate descent:
/// a step whose length is measured by a matrix Q (row after row, positive definite) has no prox of
/// each coordinate for itself. `coordinates` says which coordinate is an intercept, and how strong
/// the penalty's quadratic part is. Of public numbers.
std::vector<double> metric_prox(const AnyPenalty& penalty, const Coordinates& coordinates,
                                std::span<const double> metric, std::vector<double> at,
                                double step);

}  // namespace southwell::problem
