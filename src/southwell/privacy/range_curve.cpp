#include "southwell/privacy/range_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "southwell/core/fault.hpp"
#include "southwell/core/round_up.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;
using Index = std::ptrdiff_t;

double square(double x) { return x * x; }

/// At most two classes, each of whole steps.
struct Grid {
  double step = 0.0;
  Index cells[2] = {0, 0};
  Index uses[2] = {0, 0};
};

/// Whole steps that are not below the range.
Index steps_over(double range, double step) {
  auto steps = static_cast<Index>(std::ceil(range / step));
  while ((Enclosure(step) * static_cast<double>(steps)).low < range) ++steps;
  return steps;
}

double visits_of(const Grid& grid) {
  const auto cells = [&](int c) { return static_cast<double>(grid.cells[c]); };
  const auto uses = [&](int c) { return static_cast<double>(grid.uses[c]); };
  const double curves = (uses(0) + 1.0) * (uses(1) + 1.0);
  const double knots = uses(0) * cells(0) + uses(1) * cells(1);  // twice the mean reach
  return curves * knots * (cells(0) + cells(1));
}

/// Ranges in at most two classes: each is rounded up to the largest, or to the largest of the
/// rest, whichever split adds least to the sum of squares.
std::vector<RangeClass> two_classes(std::vector<RangeClass> classes) {
  std::sort(classes.begin(), classes.end(),
            [](const RangeClass& a, const RangeClass& b) { return a.range > b.range; });
  std::vector<RangeClass> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t split = 1; split <= classes.size(); ++split) {
    std::vector<RangeClass> two;
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

Grid grid_at(const std::vector<RangeClass>& classes, double step) {
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
  return grid;
}

/// The step that loses least of those that do not take too long, if there is one. Any is valid.
std::optional<Grid> best_grid(const std::vector<RangeClass>& classes, const RangeCells& cells) {
  std::optional<Grid> best;
  double least = std::numeric_limits<double>::infinity();
  const int most = classes.size() == 1 ? cells.most : 2 * cells.most;
  for (const RangeClass& each : classes) {
    for (int n = cells.fewest; n <= most; ++n) {
      const Grid grid = grid_at(classes, core::step_up(each.range / n));
      if (visits_of(grid) > cells.visits) continue;
      // A use adds range^2 / 8 to the variance, and the lines between knots step^2 / 12.
      double loss = 0.0;
      double uses = 0.0;
      for (int c = 0; c < 2; ++c) {
        loss +=
            static_cast<double>(grid.uses[c]) * square(static_cast<double>(grid.cells[c])) / 8.0;
        uses += static_cast<double>(grid.uses[c]);
      }
      loss = (loss + uses / 12.0) * square(grid.step) * (1.0 + 1e-10 * visits_of(grid));
      if (loss < least) {
        least = loss;
        best = grid;
      }
    }
  }
  return best;
}

/// B of one range over the grid: the largest chord through (y, .) with ends u and u e^range.
class ChordStep {
 public:
  ChordStep(double step, Index cells) : cells_(cells) {
    const Enclosure h(step);
    const Enclosure range = h * static_cast<double>(cells);
    for (Index j = 0; j <= cells; ++j) {
      const Enclosure at = h * static_cast<double>(j);
      const Enclosure rest = h * static_cast<double>(cells - j);
      left_.push_back(j == cells ? 0.0 : (expm1(rest) * exp(at) / expm1(range)).high);
      right_.push_back(j == 0 ? 0.0 : (expm1(at) / expm1(range)).high);
      root_.push_back(std::sqrt(exp(at).high));
    }
    growth_ = core::exp(step);
    grown_ = core::expm1(step);
    shrunk_ = -core::expm1(-step);
    far_ = core::exp(range.high);
    per_cell_ = 1.0 / grown_;
    per_range_ = 1.0 / core::expm1(range.high);
    pad_ = 0x1p-44 * far_ * (1.0 + far_) * growth_ * per_range_;
  }

  /// `old` has `cells` knots more on the left of what is asked for, and as many on the right;
  /// out[i] is raised to B old at old's knot i + cells.
  void raise(const std::vector<double>& old, std::vector<double>& out) {
    const auto knots = static_cast<Index>(out.size());
    prepare(old, knots + cells_);
    for (Index j = 1; j <= cells_; ++j) {
      // The chord from u = y e^(-j step): knot i + cells - j of old.
      const Index shift = cells_ - j;
      const double* from = old.data() + shift;
      const double* to = from + cells_;
      const double* rise = rise_.data() + shift;
      const double* fall = fall_.data() + shift;
      const double* limit = limit_.data() + shift;
      const double* cost = cost_.data() + shift;
      const double* slope = slope_.data() + shift;
      const double left = left_[static_cast<std::size_t>(j)] + pad_;
      const double right = right_[static_cast<std::size_t>(j)];
      const double root = root_[static_cast<std::size_t>(j)];
      const double shrink = root * root * shrunk_;
      double* best = out.data();
      for (Index i = 0; i < knots; ++i) {
        const double z = root * rise[i];
        const double inside = (z - fall[i]) * (z - fall[i]);
        const double end = shrink * slope[i] - cost[i];
        const double gain = z <= fall[i] ? 0.0 : (z < limit[i] ? inside : (end < 0.0 ? 0.0 : end));
        const double chord = from[i] * left + to[i] * right + gain;
        best[i] = best[i] < chord ? chord : best[i];
      }
    }
  }

 private:
  /// Inside a cell the chord exceeds that from its left end by alpha (1 - 1/x) - gamma (x - 1) at
  /// u = x e^(k step); alpha y / u at the left end is (root rise)^2, gamma is fall^2.
  void prepare(const std::vector<double>& old, Index knots) {
    const auto size = static_cast<std::size_t>(knots);
    for (auto* each : {&slope_, &rise_, &fall_, &limit_, &cost_}) each->resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t far = k + static_cast<std::size_t>(cells_);
      const double near_drop = old[k] - old[k + 1];
      const double far_drop = old[far] - old[far + 1];
      const double alpha = (old[k] - old[far] + (near_drop - far_drop) * per_cell_) * per_range_;
      const double gamma = (far_ * near_drop - far_drop) * per_cell_ * per_range_;
      slope_[k] = alpha;
      rise_[k] = std::sqrt(std::max(alpha, 0.0));
      // Below 0 by rounding alone: then the right end is the best.
      fall_[k] = gamma < 0.0 ? -1.0 : std::sqrt(gamma);
      limit_[k] = fall_[k] * growth_;
      cost_[k] = gamma * grown_;
      if (fault(Fault::chord_ends_at_knots)) rise_[k] = 0.0;
    }
  }

  Index cells_;
  double growth_, grown_, shrunk_, far_, per_cell_, per_range_, pad_;
  std::vector<double> left_, right_, root_;
  std::vector<double> slope_, rise_, fall_, limit_, cost_;
};

/// All knots of the grid, and the operators on it.
class Curves {
 public:
  explicit Curves(const Grid& grid) : grid_(grid) {
    for (int c = 0; c < 2; ++c) {
      if (grid.uses[c] > 0) steps_.emplace_back(grid.step, grid.cells[c]);
    }
    const Index most = grid.uses[0] * grid.cells[0] + grid.uses[1] * grid.cells[1] +
                       2 * std::max(grid.cells[0], grid.cells[1]);
    for (Index i = 0; i <= most; ++i) {
      start_.push_back((-expm1(-(Enclosure(grid.step) * static_cast<double>(i)))).high);
    }
  }

  /// The largest over all orders: W(i, j) = max(B1 W(i - 1, j), B2 W(i, j - 1)).
  std::vector<double> all_orders() {
    const auto columns = static_cast<std::size_t>(grid_.uses[1] + 1);
    std::vector<std::vector<double>> row(columns);
    for (Index i = 0; i <= grid_.uses[0]; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (i == 0 && j == 0) {
          row[0] = {0.0};
          continue;
        }
        const Index reach = i * grid_.cells[0] + static_cast<Index>(j) * grid_.cells[1];
        std::vector<double> next(static_cast<std::size_t>(2 * reach + 1), 0.0);
        if (i > 0) apply(0, row[j], next);
        const bool skips = fault(Fault::ranges_keep_one_order) && i > 0;
        if (j > 0 && !skips) apply(1, row[j - 1], next);
        settle(next);
        row[j] = std::move(next);
      }
    }
    return std::move(row.back());
  }

 private:
  void apply(int c, const std::vector<double>& old, std::vector<double>& next) {
    const Index cells = grid_.cells[c];
    const auto reach = static_cast<Index>(old.size() / 2);
    // 1 - y on the left, 0 on the right.
    padded_.clear();
    for (Index i = reach + 2 * cells; i > reach; --i) {
      padded_.push_back(start_[static_cast<std::size_t>(i)]);
    }
    padded_.insert(padded_.end(), old.begin(), old.end());
    padded_.resize(padded_.size() + static_cast<std::size_t>(2 * cells + 1), 0.0);
    settle(padded_);
    steps_[static_cast<std::size_t>(c)].raise(padded_, next);
  }

  /// Falls, and is at most 1, as the exact one; what this raises was too low by rounding alone.
  static void settle(std::vector<double>& values) {
    double last = 0.0;
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
      last = std::min(std::max(last, *value), 1.0);
      *value = last;
    }
  }

  Grid grid_;
  std::vector<ChordStep> steps_;
  std::vector<double> start_;
  std::vector<double> padded_;
};

}  // namespace

bool range_curve(std::vector<RangeClass> classes, const RangeCells& cells, RangeCurve& curve) {
  curve = {};
  if (classes.empty()) return true;
  double uses = 0.0;
  for (const RangeClass& each : classes) {
    uses += static_cast<double>(each.uses);
    if (!(each.range <= kLargestRange && each.range >= kLeastRange)) return false;
  }
  if (uses * uses > cells.visits) return false;
  const std::optional<Grid> grid = best_grid(two_classes(std::move(classes)), cells);
  if (!grid) return false;
  curve.values = Curves(*grid).all_orders();
  curve.step = grid->step;
  curve.reach = static_cast<Index>(curve.values.size() / 2);
  return true;
}

}  // namespace southwell::privacy
