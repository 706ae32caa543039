#include "southwell/fit/automatic_alpha.hpp"

#include <cmath>
#include <utility>

namespace southwell::fit {
namespace {

/// Of the universal threshold, which is made for noise as large as the slopes: where features
/// explain most of a target, the whole of it would shrink what they do.
constexpr double kPartOfThreshold = 0.125;

/// Of the slopes before any coefficient has moved.
double slope_at_zero(const problem::AnyLoss& loss, double target_scale) {
  return problem::classifies(loss) ? problem::slope_limits(loss).first
                                   : problem::typical_slope(loss, target_scale);
}

/// The penalty at an alpha of 1.
problem::AnyPenalty unit_penalty(problem::ObjectiveSpec asked) {
  asked.alpha = 1.0;
  return problem::penalty_of(asked);
}

}  // namespace

AutomaticAlpha::AutomaticAlpha(problem::ObjectiveSpec asked, const Facts& facts)
    : asked_(std::move(asked)),
      facts_(facts),
      l1_share_(problem::kinked_part(unit_penalty(asked_)).l1),
      l2_share_(problem::curvature(unit_penalty(asked_))) {}

bool AutomaticAlpha::follows_target_scale(const problem::AnyLoss& loss) const {
  return l1_share_ > 0.0 && !problem::classifies(loss);
}

double AutomaticAlpha::l1_part(const problem::AnyLoss& loss, double target_scale) const {
  const double chance =
      std::sqrt(2.0 * std::log(2.0 * static_cast<double>(facts_.features)) / facts_.records);
  return l1_share_ * kPartOfThreshold * slope_at_zero(loss, target_scale) * facts_.feature_scale *
         chance;
}

double AutomaticAlpha::l2_part() const { return l2_share_ / facts_.records; }

problem::ObjectiveSpec AutomaticAlpha::settled(const problem::AnyLoss& loss,
                                               double target_scale) const {
  problem::ObjectiveSpec out = asked_;
  const double l1 = l1_part(loss, target_scale);
  out.alpha = l1 + l2_part();
  if (out.l1_ratio) out.l1_ratio = l1 / *out.alpha;
  return out;
}

}  // namespace southwell::fit
