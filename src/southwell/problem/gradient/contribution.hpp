#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace southwell::problem {

/// What a record adds to a coordinate's gradient sum: a whole number of size at most `bound`, which
/// is whole and at most kBound, a function of this record, of its bound and of what is public,
/// whatever the numbers in the record are (clipped_gradient.md). Another law of contribution is
/// another policy with another proof.
template <class C>
concept Contribution = requires(const C& contribution, double x, double slope, double bound) {
  { C::kBound } -> std::convertible_to<std::int64_t>;
  { contribution.of(x, slope, bound) } -> std::same_as<std::int64_t>;
};

/// clamp(rint(x r K / clip), -B, B): the clip is on the product of feature and loss derivative r,
/// which comes with the weight of its record. B is K, or the bound of a record that weighs less
/// (RecordWeights). With a slope limit rho the bound of a record with K |r| / rho < B is that
/// instead: feature and derivative are clipped apart, at clip / rho and rho, so that a clipped
/// record still shows how its derivative falls.
class ProductClip {
 public:
  static constexpr std::int64_t kBound = std::int64_t{1} << 20;  ///< K
  /// Adding it rounds to a whole number, ties to even, and there bit patterns count by ones.
  static constexpr double kRound = 0x1.8p52;

  explicit ProductClip(double clip, double slope_limit = 0.0)
      : scale_(static_cast<double>(kBound) / clip),
        per_slope_(slope_limit > 0.0 ? static_cast<double>(kBound) / slope_limit : 0.0) {}

  std::int64_t of(double x, double slope, double bound = static_cast<double>(kBound)) const {
    const double most = this->most(slope, bound);
    double share = x * slope * scale_;
    share = share == share ? share : 0.0;  // NaN, of which 0 inf is one: as an entry not stored
    share = share < most ? share : most;
    share = share > -most ? share : -most;
    // |share| <= B, and B is whole, so rounding does not leave [-B, B].
    return std::bit_cast<std::int64_t>(share + kRound) - std::bit_cast<std::int64_t>(kRound);
  }
  double scale() const { return scale_; }  ///< K / clip
  bool is_limited() const { return per_slope_ > 0.0; }
  double per_slope() const { return per_slope_; }  ///< K / rho, where there is a slope limit
  /// The bound of a share: with a slope limit min(bound, |slope| K / rho), and `bound` for a slope
  /// that is no number.
  double most(double slope, double bound) const {
    if (!is_limited()) return bound;
    const double limit = std::fabs(slope) * per_slope_;
    return limit < bound ? limit : bound;
  }

 private:
  double scale_;
  double per_slope_;  ///< 0: no limit
};
static_assert(Contribution<ProductClip>);

}  // namespace southwell::problem
