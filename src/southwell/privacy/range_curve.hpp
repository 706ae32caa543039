#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace southwell::privacy {

/// `uses` mechanisms of bounded range at most `range`.
struct RangeClass {
  double range;
  std::uint64_t uses;
};

/// The worst that mechanisms of bounded range do to the hockey stick: a function W of the
/// likelihood ratio y so far, as values at the knots e^(i step), |i| <= reach. W is not above the
/// lines between them, nor above the line from W(0) = 1 to the first knot, and 0 from the last on.
/// Statement and proof in hockey_stick.md.
struct RangeCurve {
  double step = 1.0;
  std::ptrdiff_t reach = 0;
  std::vector<double> values{0.0};  ///< of the knots from -reach to reach
};

/// Knots within one range: more of them cost time and gain tightness.
struct RangeCells {
  int fewest = 1;
  int most = 16;
  /// Visits of cells that a curve may take, about 3 ns each: a calibration takes some ten curves.
  double visits = 3e6;
};
/// Beyond this, e^range is too large for the rounding to be worth anything.
inline constexpr double kLargestRange = 12.0;
/// Below this, e^range - 1 is; every selection is charged more (Cost::kRangeSlack).
inline constexpr double kLeastRange = 1e-13;

/// For any order of the uses, also one chosen by their outcomes. False where it would take too
/// long or a range is beyond the largest: there is no bound then.
bool range_curve(std::vector<RangeClass> classes, const RangeCells& cells, RangeCurve& curve);

}  // namespace southwell::privacy
