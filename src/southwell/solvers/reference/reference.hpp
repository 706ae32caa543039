#pragma once

#include <string>

#include "southwell/core/parallel.hpp"
#include "southwell/problem/objective.hpp"

namespace southwell::solvers {

struct ReferenceOptions {
  double gap = 1e-10;  ///< the relative duality gap to reach
  int passes = 1000;   ///< gradients of all features at most
  double work = 1e12;  ///< multiplications at most, roughly
};

/// The non-private optimum, with a proof of how good it is.
struct Optimum {
  problem::Coefficients at;
  double objective = 0.0;
  double objective_at_zero = 0.0;  ///< infinite where a box excludes zero
  /// (objective - lower bound) / max(objective, 1e-6 mean loss of zero margins or, with an
  /// intercept and real targets, of their median if that is less). The bound is that of the slopes
  /// at the coefficients; where the rounding of coefficients to double stands in the way, of those
  /// slopes corrected by a Newton step that is not rounded.
  double gap = 0.0;
  /// Against what the lower bound holds: "duality gap" is against all coefficients, "duality gap
  /// within |coef| <= B / column scale" against those (where no bounded dual point exists). A
  /// column's scale is its root mean square to a power of two (about its mean, where there is an
  /// intercept and the mean exceeds the deviation); where all are 1 it is left out. B is 10 times
  /// the largest |coef| times scale found, at least 10 sqrt(2 objective).
  std::string certificate;
  bool reached = false;  ///< gap <= options.gap
  /// Why it ended, as a clause: "the gap was reached", "the gap fell no further in double
  /// precision", "the bound on its passes was met", "the bound on its work was met".
  std::string ended;
  int passes = 0;
  double work = 0.0;  ///< multiplications, roughly
};

/// Minimises the objective: coordinate descent and Newton steps on a working set of features, which
/// grows by the features that violate optimality most. Any loss, penalty, design and intercept.
/// Reads records without noise: not private.
template <data::Design D>
Optimum reference(const problem::Objective<D>& objective, const ReferenceOptions& options,
                  core::ThreadPool& pool);

extern template Optimum reference(const problem::Objective<data::DenseDesign<double>>&,
                                  const ReferenceOptions&, core::ThreadPool&);
extern template Optimum reference(const problem::Objective<data::DenseDesign<float>>&,
                                  const ReferenceOptions&, core::ThreadPool&);
extern template Optimum reference(const problem::Objective<data::SparseDesign>&,
                                  const ReferenceOptions&, core::ThreadPool&);

}  // namespace southwell::solvers
