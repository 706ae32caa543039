#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace southwell::problem {

/// What a record adds to a coordinate's gradient sum: a whole number of size at most kBound, a
/// function of this record and of what is public, whatever the numbers in the record are
/// (clipped_gradient.md). Another law of contribution is another policy with another proof.
template <class C>
concept Contribution = requires(const C& contribution, double x, double slope) {
  { C::kBound } -> std::convertible_to<std::int64_t>;
  { contribution.of(x, slope) } -> std::same_as<std::int64_t>;
};

/// clamp(rint(x r K / clip), -K, K): the clip is on the product of feature and loss derivative.
class ProductClip {
 public:
  static constexpr std::int64_t kBound = std::int64_t{1} << 20;  ///< K
  /// Adding it rounds to a whole number, ties to even, and there bit patterns count by ones.
  static constexpr double kRound = 0x1.8p52;

  explicit ProductClip(double clip) : scale_(static_cast<double>(kBound) / clip) {}

  std::int64_t of(double x, double slope) const {
    constexpr auto kMost = static_cast<double>(kBound);
    double share = x * slope * scale_;
    share = share == share ? share : 0.0;  // NaN, of which 0 inf is one: as an entry not stored
    share = share < kMost ? share : kMost;
    share = share > -kMost ? share : -kMost;
    // K is whole, so rounding after the clamp is the clamp after rounding.
    return std::bit_cast<std::int64_t>(share + kRound) - std::bit_cast<std::int64_t>(kRound);
  }
  double scale() const { return scale_; }  ///< K / clip

 private:
  double scale_;
};
static_assert(Contribution<ProductClip>);

}  // namespace southwell::problem
