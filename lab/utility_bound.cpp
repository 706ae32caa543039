#include "lab/utility_bound.hpp"

#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

solvers::UtilityBound bound(const TheoryProblem& problem, const Convexity& convexity,
                            std::optional<std::uint64_t> iterations) {
  if (convexity.radius) {
    return iterations ? solvers::convex_bound(problem, *convexity.radius, *iterations)
                      : solvers::convex_bound(problem, *convexity.radius);
  }
  if (convexity.quasi_sparse) {
    return iterations ? solvers::quasi_sparse_bound(problem, *convexity.quasi_sparse, *iterations)
                      : solvers::quasi_sparse_bound(problem, *convexity.quasi_sparse);
  }
  return iterations ? solvers::strongly_convex_bound(problem, *convexity.mu, *iterations)
                    : solvers::strongly_convex_bound(problem, *convexity.mu);
}

}  // namespace

UtilityValue utility_bound(const TheoryProblem& problem, const Convexity& convexity,
                           std::optional<std::uint64_t> iterations) {
  const int given = int{convexity.radius.has_value()} + int{convexity.mu.has_value()} +
                    int{convexity.quasi_sparse.has_value()};
  if (given != 1) {
    throw InvalidArgument("radius, mu: given both or none, accepted is one of them");
  }
  const solvers::UtilityBound found = bound(problem, convexity, iterations);
  if (!found.applies()) throw InvalidArgument("utility_bound: " + found.failed);
  return *found.value;
}

}  // namespace southwell::lab
