#pragma once

#include <cstddef>
#include <vector>

#include "southwell/problem/objective.hpp"

namespace southwell::solvers {

/// The first and second derivatives of the loss by record, and its mean.
struct Slopes {
  std::vector<double> slopes;
  std::vector<double> curvatures;
  double loss = 0.0;
};

/// At margins of more than double precision: where targets are large, a slope is the small
/// difference of two large numbers.
template <data::Design D>
Slopes slopes_at(const problem::Objective<D>& objective, const problem::Coefficients& at) {
  std::vector<long double> precise(objective.records(), at.intercept);
  for (std::size_t j = 0; j < objective.features(); ++j) {
    if (at.coef[j] == 0.0) continue;
    const long double w = at.coef[j];
    objective.visit_column(j, [&](const auto& column) {
      column.for_each([&](std::size_t i, double x) { precise[i] += w * x; });
    });
  }
  const std::vector<double> margins(precise.begin(), precise.end());
  Slopes out{std::vector<double>(margins.size()), std::vector<double>(margins.size()), 0.0};
  problem::derivatives(objective.loss(), margins, objective.target(), out.slopes);
  problem::curvatures(objective.loss(), margins, objective.target(), out.curvatures);
  long double by_rounding = 0.0L;  // to second order
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const auto rest = static_cast<double>(precise[i] - margins[i]);
    by_rounding += rest * (out.slopes[i] + 0.5 * out.curvatures[i] * rest);
    out.slopes[i] += out.curvatures[i] * rest;
  }
  out.loss = objective.loss_value(margins) +
             static_cast<double>(by_rounding / static_cast<long double>(margins.size()));
  return out;
}

}  // namespace southwell::solvers
