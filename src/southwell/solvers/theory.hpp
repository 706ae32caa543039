#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace southwell::solvers {

// The paper's utility bounds of DP-GCD (Alg. 1: Laplace noise in the rule and in the step, gamma_j
// = 1 / M_j, noise of thm:greedy-cd-privacy) as functions of public constants. What is computed
// here is what the proofs give when done again; where a printed statement differs, paper_map.md
// says how. They speak about the published algorithm: paper mode, not the certified mechanisms.

struct TheoryProblem {
  double records;         ///< n
  double features;        ///< p
  double epsilon;         ///< in (0, 1]
  double delta;           ///< in (0, 1)
  double lipschitz_max;   ///< L_max of the loss, per coordinate
  double smoothness_min;  ///< M_min
  double smoothness_max;  ///< M_max
  double initial_gap;     ///< f(w^0) - f*
  double failure;         ///< zeta in (0, 1]: the bound holds with probability 1 - zeta
};

struct UtilityValue {
  std::uint64_t iterations;  ///< T
  double noise_scale;        ///< lambda_max at this T
  double step_noise;         ///< beta: no step adds more than this, with probability 1 - zeta
  double gap;                ///< f(w^T) - f* is at most this, with probability 1 - zeta
};

/// A number, or the precondition that failed.
struct UtilityBound {
  std::optional<UtilityValue> value;
  std::string failed;
  bool applies() const { return value.has_value(); }
};

/// thm:greedy-cd-utility, convex: 8 R^2 / T + sqrt(32 R^2 beta). `radius` is R, the largest
/// distance in the M-weighted l1 norm from a point no worse than w^0 to the nearest minimiser.
UtilityBound convex_bound(const TheoryProblem& problem, double radius, std::uint64_t iterations);
/// The same at the T that balances the two terms.
UtilityBound convex_bound(const TheoryProblem& problem, double radius);

/// thm:greedy-cd-utility, strongly convex with mu w.r.t. the M-weighted l1 norm:
/// (1 - mu/4)^T gap_0 + (4 / mu) beta.
UtilityBound strongly_convex_bound(const TheoryProblem& problem, double mu,
                                   std::uint64_t iterations);
UtilityBound strongly_convex_bound(const TheoryProblem& problem, double mu);

/// gcd:fast-initial-convergence: from w^0 = 0, iterates at most `sparsity`-sparse, all but `tau`
/// entries of the solution at most `alpha` in modulus, mu w.r.t. the M-weighted l2 norm.
struct QuasiSparse {
  double mu;
  std::uint64_t sparsity;  ///< s; T always holds, since a step changes one coordinate
  std::uint64_t tau;
  double alpha;
  /// f(w) - f* <= joint / 2 ||w - w*||_M^2 for all w; needed where alpha > 0. The paper's M are
  /// such constants of f as a whole: joint = 1. Where M_j bounds the curvature along coordinate j
  /// alone, it may be as large as p. Not given (0): no bound.
  double joint = 0.0;
};
UtilityBound quasi_sparse_bound(const TheoryProblem& problem, const QuasiSparse& solution,
                                std::uint64_t iterations);
UtilityBound quasi_sparse_bound(const TheoryProblem& problem, const QuasiSparse& solution);

// The lemmas behind them.

/// dp-gcd:techical-lemma-chernoff: P(sum of `count` squared Laplace variables >= threshold) is at
/// most 2^count exp(-sqrt(threshold) / (2 scale)), `scale` the largest of theirs.
double laplace_square_tail(int count, double threshold, double scale);

/// One step of Alg. 1 (gcd-utility-proof:descent-lemma): what it saw and what it drew.
struct NoisyStep {
  double largest_score;         ///< max_j |grad_j| / sqrt(M_j)
  double smoothness;            ///< M_j of the coordinate that moved
  double smoothness_best;       ///< M_j of the coordinate with the largest score
  double step_noise;            ///< eta_j
  double selection_noise;       ///< chi_j
  double selection_noise_best;  ///< chi of the coordinate with the largest score
};
/// The most by which f can grow in this step (negative: it falls).
double descent_bound(const NoisyStep& step);

/// gcd-utility-proof:technical-lemma: for xi_{t+1} <= xi_t - xi_t^2 / c + beta with beta <= c and
/// xi_0 >= 2 sqrt(beta c), xi_t <= c / t + 2 sqrt(beta c). t >= 1.
double key_lemma_bound(double c, double beta, std::uint64_t t);

}  // namespace southwell::solvers
