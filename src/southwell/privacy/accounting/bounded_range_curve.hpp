#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace southwell::privacy {

/// `uses` mechanisms of bounded range at most `range`.
struct BoundedRangeUses {
  double range;
  std::uint64_t uses;
};

/// The worst that mechanisms of bounded range do to the hockey stick: a function W of the
/// likelihood ratio y so far, as values at the knots e^(i step), i >= -left. W is not above the
/// lines between them, nor above the line from W(0) = 1 to the first knot, nor above the last value
/// from the last knot on. Statement and proof in hockey_stick.md.
struct BoundedRangeCurve {
  double step = 1.0;
  std::ptrdiff_t left = 0;
  std::vector<double> values{0.0};  ///< of the knots from -left on
};

/// Where knots are: more of them cost time and gain tightness. Any choice is a bound.
struct CurveKnots {
  int fewest = 1;  ///< within one range
  int most = 16;
  /// How far from y = 1, in roots of the sum of all squared ranges. The logarithm of the ratio goes
  /// s of them with a probability of at most e^(-2 s^2) (Hoeffding). On the right what is left out
  /// adds to delta; on the left it counts for ratios alone that fall that far.
  double left = 4.0;
  double right = 5.7;
  /// What a curve may take, in visits of cells, 0.5 to 1 ns each: a calibration takes some six, and
  /// as many with fewer knots.
  double visits = 6.5e6;
};
/// Beyond this, e^range is too large for the rounding to be worth anything.
inline constexpr double kLargestRange = 12.0;
/// Below this, e^range - 1 is; every selection is charged more (Cost::kRangeSlack).
inline constexpr double kLeastRange = 1e-13;

/// For any order of the uses, also one chosen by their outcomes. False where it would take too
/// long or a range is beyond the largest: there is no bound then.
bool bounded_range_curve(std::vector<BoundedRangeUses> classes, const CurveKnots& cells,
                         BoundedRangeCurve& curve);

}  // namespace southwell::privacy
