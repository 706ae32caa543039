#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/random/noise.hpp"

namespace southwell::privacy {

/// Releases whole numbers with exact discrete Laplace noise; statement and proof in
/// discrete_laplace_release.md. Neighbours move the values by at most `sensitivity` in l1 norm:
/// pure (sensitivity / scale)-DP.
class DiscreteLaplaceRelease {
 public:
  /// 1 <= sensitivity <= 2^61, 1 <= scale <= 2^44, both in grid units; others throw
  /// InvalidArgument.
  DiscreteLaplaceRelease(std::uint64_t sensitivity, std::uint64_t scale);

  Cost cost() const { return {Cost::Kind::discrete_laplace, sensitivity_, scale_}; }
  /// The noise of one release of `size` values. Call it before the first record is used.
  Noise draw(RandomBits& bits, std::size_t size = 1) const;
  /// value + noise, saturated to 64 bits.
  std::int64_t release(const Sensitive<std::int64_t>& value, Noise&& noise) const;
  /// One release of a whole vector: `sensitivity` bounds the move of all its entries together.
  std::vector<std::int64_t> release(const Sensitive<std::vector<std::int64_t>>& values,
                                    Noise&& noise) const;

 private:
  std::uint64_t sensitivity_;
  std::uint64_t scale_;
};

}  // namespace southwell::privacy
