#pragma once

#include <cstdint>
#include <optional>

#include "southwell/solvers/theory.hpp"

namespace southwell::lab {

using solvers::TheoryProblem;
using solvers::UtilityValue;

/// What is known of the objective: one of them.
struct Convexity {
  std::optional<double> radius{};  ///< convex: R in the M-weighted l1 norm
  std::optional<double> mu{};      ///< strongly convex with respect to that norm
  std::optional<solvers::QuasiSparse> quasi_sparse{};  ///< with respect to the l2 norm
};

/// The paper's bound (solvers/theory.hpp) at these iterations, or at those that balance its terms.
/// Throws InvalidArgument where a precondition of the theorem fails.
UtilityValue utility_bound(const TheoryProblem& problem, const Convexity& convexity,
                           std::optional<std::uint64_t> iterations);

}  // namespace southwell::lab
