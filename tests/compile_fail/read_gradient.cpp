// A solver carries the gradient sums to a mechanism; it cannot use them itself.
// expect: conver

#include "southwell/problem/greedy_problem.hpp"

using Problem = southwell::problem::GreedyProblem<southwell::data::SparseDesign>;

std::int64_t peek(Problem& problem) {
#ifdef BROKEN
  return problem.gradient_sum(0);
#else
  (void)problem.gradient_sum(0);
  return 0;
#endif
}
