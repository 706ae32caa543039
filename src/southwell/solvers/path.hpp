#pragma once

#include <cstddef>

namespace southwell::solvers {

/// One iteration of a solver of single coordinates, as everybody may see it.
struct PathStep {
  std::size_t coordinate;
  double gradient;  ///< as released, with the penalty's quadratic part
  double value;     ///< of the coefficient, after the step
};

/// Coordinate j moves by gamma / M_j along the released gradient g, then the prox.
template <class Problem>
PathStep take_step(Problem& problem, std::size_t j, double g, double gamma) {
  const double step = gamma / problem.smoothness(j);
  problem.move(j, problem.prox(j, problem.coef()[j] - step * g, step));
  return {j, g, problem.coef()[j]};
}

}  // namespace southwell::solvers
