#include "southwell/privacy/accounting/bounded_range_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "southwell/core/fault.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/largest_chord.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;
using Index = std::ptrdiff_t;

double square(double x) { return x * x; }

/// At most two classes, each of whole steps, and how many knots are kept at most on either side of
/// y = 1.
struct Grid {
  double step = 0.0;
  Index cells[2] = {0, 0};
  Index uses[2] = {0, 0};
  Index left = 0;
  Index right = 0;
  /// Of cells, with what knots cost besides; by counts alone, so that it does not jump as ranges
  /// grow.
  double visits = 0.0;
};

/// Whole steps that are not below the range.
Index steps_over(double range, double step) {
  auto steps = static_cast<Index>(std::ceil(range / step));
  while ((Enclosure(step) * static_cast<double>(steps)).low < range) ++steps;
  return steps;
}

/// Ranges in at most two classes: each is rounded up to the largest, or to the largest of the
/// rest, whichever split adds least to the sum of squares.
std::vector<BoundedRangeUses> two_classes(std::vector<BoundedRangeUses> classes) {
  std::sort(classes.begin(), classes.end(),
            [](const BoundedRangeUses& a, const BoundedRangeUses& b) { return a.range > b.range; });
  std::vector<BoundedRangeUses> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t split = 1; split <= classes.size(); ++split) {
    std::vector<BoundedRangeUses> two;
    double total = 0.0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (i == 0 || i == split) two.push_back({classes[i].range, 0});
      two.back().uses += classes[i].uses;
      total += static_cast<double>(classes[i].uses) * square(two.back().range);
    }
    if (total < least) {
      least = total;
      best = std::move(two);
    }
  }
  return best;
}

Grid grid_at(const std::vector<BoundedRangeUses>& classes, double step, const CurveKnots& cells) {
  Grid grid;
  grid.step = step;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    grid.cells[c] = steps_over(classes[c].range, step);
    grid.uses[c] = static_cast<Index>(classes[c].uses);
    if (fault(Fault::chord_curve_forgets_a_use)) grid.uses[c] -= 1;
  }
  if (grid.cells[0] == grid.cells[1]) {
    grid.uses[0] += grid.uses[1];
    grid.cells[1] = grid.uses[1] = 0;
  }
  double squares = 0.0;
  double reach = 0.0;
  double curves = 1.0;
  for (int c = 0; c < 2; ++c) {
    const auto uses = static_cast<double>(grid.uses[c]);
    const auto width = static_cast<double>(grid.cells[c]);
    squares += uses * width * width;
    reach += uses * width;
    curves *= uses + 1.0;
  }
  const double left = cells.left * std::sqrt(squares);
  const double right = cells.right * std::sqrt(squares);
  const double mean = squares * step / 8.0;
  constexpr double kMost = 1e15;  // such a grid takes too long anyway
  grid.left = static_cast<Index>(std::ceil(std::min({reach, mean + left, kMost})));
  grid.right = static_cast<Index>(std::ceil(std::min({reach, mean + right, kMost})));
  const double knots = std::min(reach / 2.0, left) + std::min(reach / 2.0, right);
  grid.visits = curves * knots * static_cast<double>(grid.cells[0] + grid.cells[1] + 8);
  return grid;
}

/// The step that loses least of those that do not take too long, if there is one. Any is valid.
std::optional<Grid> best_grid(const std::vector<BoundedRangeUses>& classes,
                              const CurveKnots& cells) {
  std::optional<Grid> best;
  double least = std::numeric_limits<double>::infinity();
  const int most = classes.size() == 1 ? cells.most : 2 * cells.most;
  for (const BoundedRangeUses& each : classes) {
    for (int n = cells.fewest; n <= most; ++n) {
      // Steps enough for n of them to be the range, whatever the rounding.
      const Grid grid = grid_at(classes, core::step_up(each.range / n, 4), cells);
      if (grid.visits > cells.visits) continue;
      // A use adds range^2 / 8 to the variance, and the lines between knots step^2 / 12.
      double loss = 0.0;
      double uses = 0.0;
      for (int c = 0; c < 2; ++c) {
        loss +=
            static_cast<double>(grid.uses[c]) * square(static_cast<double>(grid.cells[c])) / 8.0;
        uses += static_cast<double>(grid.uses[c]);
      }
      loss = (loss + uses / 12.0) * square(grid.step) * (1.0 + 1e-10 * grid.visits);
      if (loss < least) {
        least = loss;
        best = grid;
      }
    }
  }
  return best;
}

/// Values at the knots from -left on; see BoundedRangeCurve.
struct Window {
  Index left = 0;
  std::vector<double> values{0.0};

  Index right() const { return static_cast<Index>(values.size()) - 1 - left; }
};

/// The operators on the grid.
class Curves {
 public:
  explicit Curves(const Grid& grid) : grid_(grid) {
    for (const Index each : grid.cells) steps_.emplace_back(grid.step, std::max<Index>(each, 1));
    for (Index i = 0; i <= 2 * std::max(grid.cells[0], grid.cells[1]); ++i) {
      const Enclosure at = -(Enclosure(grid.step) * static_cast<double>(i));
      near_.push_back(exp(at).high);
      far_.push_back((-expm1(at)).high);
    }
  }

  /// The largest over all orders: W(i, j) = max(B1 W(i - 1, j), B2 W(i, j - 1)).
  Window all_orders() {
    const auto columns = static_cast<std::size_t>(grid_.uses[1] + 1);
    std::vector<Window> row(columns);
    for (Index i = 0; i <= grid_.uses[0]; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (i == 0 && j == 0) continue;
        const Index reach = i * grid_.cells[0] + static_cast<Index>(j) * grid_.cells[1];
        Window next;
        next.left = std::min(reach, grid_.left);
        const Index right = std::min(reach, grid_.right);
        next.values.assign(static_cast<std::size_t>(next.left + right + 1), 0.0);
        if (i > 0) apply(0, row[j], next);
        const bool skips = fault(Fault::ranges_keep_one_order) && i > 0;
        if (j > 0 && !skips) apply(1, row[j - 1], next);
        settle(next.values);
        row[j] = std::move(next);
      }
    }
    return std::move(row.back());
  }

 private:
  void apply(int c, const Window& old, Window& next) {
    const Index cells = grid_.cells[c];
    // The line from (0, 1) on the left, the last value on the right.
    const auto before = static_cast<std::size_t>(next.left + cells - old.left);
    const auto beyond = static_cast<std::size_t>(next.right() + cells + 1 - old.right());
    const double first = old.values.front();
    double last = first;
    padded_.resize(before);
    for (std::size_t i = 1; i <= before; ++i) {
      const double line = core::step_up(far_[i] + core::step_up(near_[i] * first));
      last = settled(fault(Fault::curve_begins_flat) ? first : line, last);
      padded_[before - i] = last;
    }
    padded_.insert(padded_.end(), old.values.begin(), old.values.end());
    padded_.resize(padded_.size() + beyond,
                   fault(Fault::curve_ends_in_nothing) ? 0.0 : old.values.back());
    steps_[static_cast<std::size_t>(c)].raise(padded_, next.values);
  }

  /// Falls, and is at most 1, as the exact one; what this raises was too low by rounding alone.
  static void settle(std::vector<double>& values) {
    double last = 0.0;
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
      *value = last = settled(*value, last);
    }
  }
  static double settled(double value, double next) { return std::min(std::max(next, value), 1.0); }

  Grid grid_;
  std::vector<LargestChord> steps_;
  std::vector<double> near_;  ///< e^(-i step)
  std::vector<double> far_;   ///< 1 - e^(-i step)
  std::vector<double> padded_;
};

}  // namespace

bool bounded_range_curve(std::vector<BoundedRangeUses> classes, const CurveKnots& cells,
                         BoundedRangeCurve& curve) {
  curve = {};
  if (classes.empty()) return true;
  double uses = 0.0;
  for (const BoundedRangeUses& each : classes) {
    uses += static_cast<double>(each.uses);
    if (!(each.range <= kLargestRange && each.range >= kLeastRange)) return false;
  }
  if (uses > cells.visits) return false;
  const std::optional<Grid> grid = best_grid(two_classes(std::move(classes)), cells);
  if (!grid) return false;
  Window window = Curves(*grid).all_orders();
  curve.step = grid->step;
  curve.left = window.left;
  curve.values = std::move(window.values);
  return true;
}

}  // namespace southwell::privacy
