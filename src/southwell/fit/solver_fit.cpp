#include "southwell/fit/solver_fit.hpp"

#include "southwell/core/fault.hpp"
#include "southwell/fit/input_check.hpp"

namespace southwell::fit {

void Planning::refuse_stranger(const char* name, const std::string& given, const ValidWith& with) {
  refuse_as_foreign(name, given, with.what, with.because);
}

std::uint64_t Planning::charged(std::uint64_t iterations) {
  return fault(Fault::fit_counts_half_its_iterations) ? (iterations + 1) / 2 : iterations;
}

Solved solved_along(std::vector<double> coef, std::vector<solvers::PathStep> path) {
  std::vector<bool> moved(coef.size());
  for (const solvers::PathStep& step : path) moved[step.coordinate] = true;
  return {std::move(coef), std::move(path), std::move(moved)};
}

}  // namespace southwell::fit
