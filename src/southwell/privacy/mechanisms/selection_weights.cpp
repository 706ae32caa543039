#include "southwell/privacy/mechanisms/selection_weights.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/privacy/mechanisms/selection_weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "southwell/core/exp.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::privacy::HWY_NAMESPACE {

// Plain loops without branches, compiled once per instruction set and vectorised by the compiler.
// IEEE + and * only, never fused, and integer sums: the same bits on every instruction set.

std::int64_t largest_of(const std::int64_t* scores, std::size_t size) {
  std::int64_t largest = scores[0];
  for (std::size_t i = 1; i < size; ++i) largest = scores[i] > largest ? scores[i] : largest;
  return largest;
}

/// A whole number in [0, 2^52) as a double, exactly, in operations every vector unit has.
inline double to_double(std::int64_t whole) {
  return std::bit_cast<double>(whole | std::bit_cast<std::int64_t>(0x1p52)) - 0x1p52;
}

void weigh_block(const std::int64_t* scores, std::size_t size, std::int64_t largest,
                 std::int64_t farthest, double inverse, double* weights) {
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t away = largest - clamped_score(scores[i]);
    const std::int64_t near = away < farthest ? away : farthest;
    weights[i] = core::exp(-(to_double(near) * inverse));
  }
}

/// The sums of h and l in w 2^104 = h 2^52 + l, with h the nearest whole number to w 2^52 and so
/// |l| <= 2^51. Every operation is exact.
void sum_block(const double* weights, std::size_t size, std::int64_t* high, std::int64_t* low) {
  constexpr double kWhole = 0x1p52;     // adding it to [0, 2^52] rounds to a whole number
  constexpr double kSigned = 0x1.8p52;  // the same for [-2^51, 2^51]
  std::int64_t h = 0;
  std::int64_t l = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double scaled = weights[i] * 0x1p52;
    const double shifted = scaled + kWhole;
    const double rest = (scaled - (shifted - kWhole)) * 0x1p52 + kSigned;
    h += std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(kWhole);
    l += std::bit_cast<std::int64_t>(rest) - std::bit_cast<std::int64_t>(kSigned);
  }
  *high = h;
  *low = l;
}

}  // namespace southwell::privacy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <array>
#include <iterator>

#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"

namespace southwell::privacy {
HWY_EXPORT(largest_of);
HWY_EXPORT(weigh_block);
HWY_EXPORT(sum_block);

namespace {

/// w 2^104 for w in [2^-52, 1]: the 53 bits of the mantissa, shifted by 0 to 52 places.
Uint128 units(double weight) {
  const auto bits = std::bit_cast<std::uint64_t>(weight);
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
  return static_cast<Uint128>(mantissa) << ((bits >> 52) - (1023 - 52));
}

/// Adds up `size` sums and counts how many of the running sums are at most `target`, without
/// branches and to the end; `*before` is the last of those.
template <class Term>
std::size_t count_up_to(Uint128 target, std::size_t size, Uint128* before, Term&& term) {
  std::size_t count = 0;
  Uint128 sum = 0;
  Uint128 reached = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += term(i);
    const bool passed = fault(Fault::exponential_cell_is_off_by_one) ? sum < target : sum <= target;
    const Uint128 mask = -static_cast<Uint128>(passed);
    count += static_cast<std::size_t>(passed);
    reached = (sum & mask) | (reached & ~mask);
  }
  *before = reached;
  return count;
}

}  // namespace

SelectionWeights::SelectionWeights(std::span<const std::int64_t> scores, std::uint64_t scale)
    : scores_(scores),
      largest_(clamped_score(HWY_DYNAMIC_DISPATCH(largest_of)(scores.data(), scores.size()))),
      farthest_(static_cast<std::int64_t>((fault(Fault::exponential_floor_is_too_high) ? 18 : 36) *
                                          scale)),
      inverse_(fault(Fault::exponential_in_callers_environment) ? 1.0 / static_cast<double>(scale)
                                                                : 0.0) {
  const core::StandardFloatEnvironment standard;
  if (inverse_ == 0.0) inverse_ = 1.0 / standard.pinned(static_cast<double>(scale));
  std::array<double, kBlock> weights;
  std::size_t last = blocks();
  if (fault(Fault::exponential_skips_the_tail) && last > 1) block_sums_[--last] = 0;
  for (std::size_t i = 0; i < last; ++i) {
    const std::span<const std::int64_t> part = block(i);
    weigh(part, weights);
    std::int64_t high = 0;
    std::int64_t low = 0;
    HWY_DYNAMIC_DISPATCH(sum_block)(weights.data(), part.size(), &high, &low);
    if (fault(Fault::exponential_drops_the_low_half)) low = 0;
    // low may be negative: its conversion wraps, and so does the addition, to the right sum.
    block_sums_[i] = (static_cast<Uint128>(high) << 52) + static_cast<Uint128>(low);
    total_ += block_sums_[i];
  }
}

std::span<const std::int64_t> SelectionWeights::block(std::size_t i) const {
  const std::size_t first = i * kBlock;
  return scores_.subspan(first, std::min(kBlock, scores_.size() - first));
}

void SelectionWeights::weigh(std::span<const std::int64_t> scores,
                             std::span<double> weights) const {
  HWY_DYNAMIC_DISPATCH(weigh_block)
  (scores.data(), scores.size(), largest_, farthest_, inverse_, weights.data());
}

std::size_t SelectionWeights::cell(Uint128 target) const {
  const core::StandardFloatEnvironment standard;
  Uint128 before = 0;
  const std::size_t i =
      count_up_to(target, blocks(), &before, [&](std::size_t k) { return block_sums_[k]; });
  std::array<double, kBlock> weights;
  const std::span<const std::int64_t> part = block(i);
  weigh(part, weights);
  Uint128 unused = 0;
  const std::size_t j = count_up_to(target - before, part.size(), &unused,
                                    [&](std::size_t k) { return units(weights[k]); });
  return i * kBlock + j;
}

std::vector<Uint128> SelectionWeights::all() const {
  const core::StandardFloatEnvironment standard;
  std::vector<Uint128> every;
  std::array<double, kBlock> weights;
  for (std::size_t i = 0; i < blocks(); ++i) {
    const std::span<const std::int64_t> part = block(i);
    weigh(part, weights);
    std::transform(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(part.size()),
                   std::back_inserter(every), units);
  }
  return every;
}

}  // namespace southwell::privacy
#endif
