#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// Visits the candidates in random order and takes the first whose coin of probability
/// exp((score_j - largest) / scale) shows heads (McKenna and Sheldon 2020); statement and proof in
/// permute_and_flip.md. Neighbours move each score by at most `sensitivity`, up or down.
/// Pure DP only: its log-ratios span up to twice 2 sensitivity / scale, so it is not bounded range.
/// Its time depends on the scores; time is not covered by the guarantee.
class PermuteAndFlip {
 public:
  static constexpr std::uint64_t kMaxScale = std::uint64_t{1} << 46;

  /// 1 <= sensitivity <= 2^61, 1 <= scale <= kMaxScale, both in grid units; others throw
  /// InvalidArgument. For epsilon the scale is scale_for(2 sensitivity, epsilon, kMaxScale).
  PermuteAndFlip(std::uint64_t sensitivity, std::uint64_t scale);

  Cost cost() const;
  /// 1 to 2^23 candidates.
  std::size_t release(const Sensitive<Scores>& scores, RandomBits& bits) const;

 private:
  std::uint64_t sensitivity_;
  std::uint64_t scale_;
};

}  // namespace southwell::privacy
