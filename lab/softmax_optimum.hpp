#pragma once

#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/problem/objective.hpp"
#include "southwell/solvers/reference/reference.hpp"

namespace southwell::lab {

struct SoftmaxOptions {
  std::vector<double> classes;  ///< at least three, in the order of the heads
  double alpha = 1.0;           ///< of the penalty l2, above 0
  problem::Intercept intercept = problem::Intercept::free;
  double gap = 1e-10;  ///< relative, to reach
  int passes = 2000;   ///< gradients at most
};

/// The non-private optimum of mean softmax loss + (alpha / 2) |w|^2 over all heads, by limited
/// memory BFGS, with the lower bound of Fenchel duality. A label that is none of the classes counts
/// as the first. `at.coef` has the heads one after the other, each with its intercept last.
solvers::Optimum softmax_optimum(const data::Dataset& dataset, const SoftmaxOptions& options,
                                 core::ThreadPool& pool);

}  // namespace southwell::lab
