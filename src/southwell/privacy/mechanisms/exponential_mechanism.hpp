#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// Selects candidate j with probability proportional to exp(score_j / scale); statement and proof
/// in exponential_mechanism.md. Neighbours move each score by at most `sensitivity`, up or down.
/// Differs from the paper: the randomness goes to the score, not inside |.|, and has one scale for
/// all coordinates. Its time depends on the number of candidates alone.
class ExponentialMechanism {
 public:
  static constexpr std::uint64_t kMaxScale = std::uint64_t{1} << 46;

  /// 1 <= sensitivity <= 2^61, 1 <= scale <= kMaxScale, both in grid units; others throw
  /// InvalidArgument. For a range r the scale is scale_for(2 sensitivity, r, kMaxScale).
  ExponentialMechanism(std::uint64_t sensitivity, std::uint64_t scale);

  Cost cost() const { return {Cost::Kind::bounded_range, 2 * sensitivity_, scale_}; }
  /// 1 to 2^23 candidates.
  std::size_t release(const Sensitive<Scores>& scores, RandomBits& bits) const;

 private:
  std::uint64_t sensitivity_;
  std::uint64_t scale_;
};

}  // namespace southwell::privacy
