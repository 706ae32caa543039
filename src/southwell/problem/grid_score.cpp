#include "southwell/problem/grid_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Int128 kLargestScore = Int128{1} << 61;

Int128 absolute(Int128 x) { return x < 0 ? -x : x; }

/// The largest r with r^2 <= x, for x < 2^126.
Int128 integer_root(Int128 x) {
  if (x <= 0) return 0;
  auto root = static_cast<Int128>(std::sqrt(static_cast<double>(x)));  // within 2^11 of it
  // Newton's step from any start >= 1 lands at or above the root; then down to it.
  root = std::max<Int128>(root, 1);
  root = (root + x / root) / 2;
  while (root * root > x) --root;
  while ((root + 1) * (root + 1) <= x) ++root;
  return root;
}

/// A public quantity in whole units, within +-2^59.
Int128 on_grid(double value) {
  constexpr double kMost = 0x1p59;
  return static_cast<Int128>(std::rint(std::clamp(value, -kMost, kMost)));
}

}  // namespace

GreedyRule make_rule(std::string_view name) {
  if (const auto rule = core::index_of(kRuleNames, name)) return static_cast<GreedyRule>(*rule);
  throw InvalidArgument("rule: given '" + std::string(name) + "', accepted are " +
                        core::listed(kRuleNames));
}

std::string_view name_of(GreedyRule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

Int128 GridPenalty::prox(Int128 w) const {
  const Int128 shrunk = w > threshold ? w - threshold : w < -threshold ? w + threshold : 0;
  return std::clamp(shrunk, lower, upper);
}

std::int64_t grid_score(GreedyRule rule, const GridPenalty& penalty, Int128 coef, Int128 gradient) {
  const Int128 low = coef <= penalty.lower ? -GridPenalty::kInfinity
                     : coef > 0            ? penalty.threshold
                                           : -penalty.threshold;
  const Int128 high = coef >= penalty.upper ? GridPenalty::kInfinity
                      : coef < 0            ? -penalty.threshold
                                            : penalty.threshold;
  const Int128 distance = std::max(gradient + low, -gradient - high);  // negative inside
  Int128 score = fault(Fault::score_has_no_absolute_value) ? gradient + low : distance;
  if (fault(Fault::score_has_slope_two)) score *= 2;
  if (rule != GreedyRule::gs_s) {
    const Int128 to = penalty.prox(coef - gradient);
    const Int128 move = to - coef;
    score = absolute(move);
    if (rule == GreedyRule::gs_q) {
      const Int128 twice_change =
          move * (2 * gradient + move) + 2 * penalty.threshold * (absolute(to) - absolute(coef));
      score = integer_root(-twice_change);
    }
    score += std::min<Int128>(0, distance);
  }
  return static_cast<std::int64_t>(std::clamp(score, -kLargestScore, kLargestScore));
}

GridScores::GridScores(GreedyRule rule, const AnyPenalty& penalty, const Coordinates& coordinates,
                       Candidates candidates)
    : rule_(rule),
      penalty_(kinked_part(penalty)),
      coordinates_(&coordinates),
      candidates_(candidates) {}

void GridScores::exclude(std::size_t feature) {
  excluded_.resize(coordinates_->width());
  excluded_.at(feature) = true;
}

void GridScores::write(std::span<const std::int64_t> sums, std::span<const double> coef,
                       std::size_t first, std::span<std::int64_t> out) const {
  const double unit = coordinates_->score_unit();
  double smoothness = 0.0;  // of the coordinate before; most often that of all of them
  double root = 0.0;
  GridPenalty penalty;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::size_t c = coordinate(first + k);
    if (!excluded_.empty() && excluded_[coordinates_->feature(c)]) {
      out[k] = -static_cast<std::int64_t>(kLargestScore);
      continue;
    }
    if (coordinates_->is_intercept(c)) {
      out[k] = grid_score(
          rule_, {}, on_grid(coef[c] * std::sqrt(coordinates_->smoothness(c)) / unit), sums[c]);
      continue;
    }
    if (coordinates_->smoothness(c) != smoothness) {
      smoothness = coordinates_->smoothness(c);
      root = std::sqrt(smoothness);
      penalty.threshold = on_grid(penalty_.l1 / root / unit);
      if (penalty_.box.lo > -kInfinity) penalty.lower = on_grid(penalty_.box.lo * root / unit);
      if (penalty_.box.hi < kInfinity) penalty.upper = on_grid(penalty_.box.hi * root / unit);
    }
    const double at = coef[c];
    const Int128 offset = at == 0.0 ? 0 : on_grid(coordinates_->l2(c) * at / root / unit);
    out[k] =
        grid_score(rule_, penalty, at == 0.0 ? 0 : on_grid(at * root / unit), sums[c] + offset);
  }
}

}  // namespace southwell::problem
