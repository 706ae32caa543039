#pragma once

#include <cstddef>
#include <vector>

#include "southwell/problem/objective.hpp"

namespace southwell::solvers {

/// The first and second derivatives of the loss by record.
struct Slopes {
  std::vector<double> slopes;
  std::vector<double> curvatures;
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
  Slopes out{std::vector<double>(margins.size()), std::vector<double>(margins.size())};
  problem::derivatives(objective.loss(), margins, objective.target(), out.slopes);
  problem::curvatures(objective.loss(), margins, objective.target(), out.curvatures);
  for (std::size_t i = 0; i < margins.size(); ++i) {
    out.slopes[i] += out.curvatures[i] * static_cast<double>(precise[i] - margins[i]);
  }
  return out;
}

}  // namespace southwell::solvers
