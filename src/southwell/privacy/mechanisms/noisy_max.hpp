#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// Selects the largest score + discrete Laplace noise, ties to the lowest index; statement and
/// proof in noisy_max.md. Neighbours move each score by at most `sensitivity`, up or down. Differs
/// from the paper: scores may move in opposite directions, so (epsilon)-DP needs the scale 2
/// sensitivity / epsilon, twice the paper's, and the noise is outside |.|.
class NoisyMax {
 public:
  static constexpr std::uint64_t kMaxScale = std::uint64_t{1} << 44;

  /// 1 <= sensitivity <= 2^61, 1 <= scale <= kMaxScale, both in grid units; others throw
  /// InvalidArgument. For epsilon the scale is scale_for(2 sensitivity, epsilon, kMaxScale).
  NoisyMax(std::uint64_t sensitivity, std::uint64_t scale);

  Cost cost() const { return {Cost::Kind::pure, 2 * sensitivity_, scale_}; }
  /// 1 to 2^23 candidates; one exact draw for each.
  std::size_t release(const Sensitive<Scores>& scores, RandomBits& bits) const;

 private:
  std::uint64_t sensitivity_;
  std::uint64_t scale_;
};

}  // namespace southwell::privacy
