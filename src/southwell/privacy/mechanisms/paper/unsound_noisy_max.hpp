#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy::paper {

/// UNSOUND: the paper's report-noisy-max to the letter, for reproducing its figures. It does not
/// have the privacy that thm:greedy-cd-privacy claims (unsound_noisy_max.md), so it states no cost:
/// a fit that uses it says `guarantee: none (paper mode)`.
enum class Rule {
  gs_s,  ///< without a penalty this is Alg. 1, line 3
  gs_r,
  gs_q,
};

/// What is public about coordinate j: psi_j(w) = l1 |w| on [lower, upper]. A quadratic penalty
/// belongs to f, as in the paper.
struct Coordinate {
  double smoothness = 1.0;  ///< M_j
  double scale = 1.0;       ///< lambda'_j of the noise
  double coef = 0.0;        ///< w_j
  double l1 = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// The score of one rule at a gradient entry, the larger the better: sup-proximal-gcd, (GS-s),
/// (GS-r), (GS-q). Differs from the paper: GS-q is printed with an argmax of the model's (negative)
/// change; the best decrease is its argmin, so its score is the decrease.
double rule_score(Rule rule, const Coordinate& at, double gradient);

/// UNSOUND, see above. Laplace noise in doubles on each gradient entry, inside |.|, inside the
/// distance to the subdifferential or inside the prox; then the first largest score.
/// Differs from the paper: GS-q is printed without noise; here it has the same noise as the others.
class UnsoundNoisyMax {
 public:
  explicit UnsoundNoisyMax(Rule rule) : rule_(rule) {}
  std::size_t release(const Sensitive<std::vector<double>>& gradient,
                      std::span<const Coordinate> coordinates, RandomBits& bits) const;

 private:
  Rule rule_;
};

}  // namespace southwell::privacy::paper
