#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/int128.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"

namespace southwell::privacy {

/// The weights of the exponential mechanism as exact integers: E(min(m - s_j, 36 b) / b) in units
/// of 2^-104, with m the largest score and E = core::exp(-x); their sum, and the cell of a number
/// below the sum (exponential_mechanism.md). Only sums of blocks are kept; a block's weights are
/// computed again when they are needed. Takes the same time for all scores. Internal.
class SelectionWeights {
 public:
  /// 1 <= scores <= 2^23, 1 <= scale <= 2^46; keeps a reference to the scores.
  SelectionWeights(std::span<const std::int64_t> scores, std::uint64_t scale);

  Uint128 total() const { return total_; }  ///< at most 2^127
  /// The j with w_0 + .. + w_{j-1} <= target < w_0 + .. + w_j, for target < total().
  std::size_t cell(Uint128 target) const;
  /// All weights, for tests.
  std::vector<Uint128> all() const;

 private:
  /// Blocks of 512: sums of the two halves of the weights, at most 2^52 each, fit 64 bits.
  static constexpr std::size_t kBlock = 512;
  std::size_t blocks() const { return (scores_.size() + kBlock - 1) / kBlock; }
  std::span<const std::int64_t> block(std::size_t i) const;
  void weigh(std::span<const std::int64_t> scores, std::span<double> weights) const;

  std::span<const std::int64_t> scores_;
  std::int64_t largest_;
  std::int64_t farthest_;  ///< 36 scale < 2^52: exact in double
  double inverse_;         ///< 1 / scale
  /// Room for 2^23 scores (256 KiB), so that a selection allocates nothing.
  std::array<Uint128, kMaxCandidates / kBlock> block_sums_;
  Uint128 total_ = 0;
};

}  // namespace southwell::privacy
