#include "southwell/privacy/accounting/calibrate.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/accounting/hockey_stick.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"
#include "southwell/privacy/accounting/pld.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"

namespace southwell::privacy {
namespace {

void refuse(const char* name, const std::string& given, const char* accepted) {
  throw InvalidArgument(std::string(name) + ": given is " + given + ", accepted are " + accepted);
}

void check_schedule(std::uint64_t iterations, std::span<const double> schedule) {
  if (iterations == 0) refuse("iterations", "0", "whole numbers >= 1");
  if (schedule.empty()) return;
  if (schedule.size() != iterations) {
    refuse("schedule", std::to_string(schedule.size()) + " numbers", "one per iteration");
  }
  for (const double factor : schedule) {
    if (!(factor > 0.0) || std::isinf(factor)) {
      refuse("schedule", text_of(factor), "positive finite numbers");
    }
  }
}

/// Adds the uses of one iteration for each step of the schedule, or once for all of them.
void repeat(Plan& plan, const Plan& iteration, std::uint64_t times,
            std::span<const double> factors) {
  check_schedule(times, factors);
  const std::size_t blocks = factors.empty() ? 1 : factors.size();
  for (std::size_t i = 0; i < blocks; ++i) {
    for (PlannedUse use : iteration) {
      use.weight *= factors.empty() ? 1.0 : factors[i];
      use.count *= factors.empty() ? times : 1;
      plan.push_back(use);
    }
  }
}

PlannedUse release_use(Release release, std::uint64_t sensitivity, double weight) {
  const auto kind =
      release == Release::laplace ? Cost::Kind::discrete_laplace : Cost::Kind::discrete_gaussian;
  return {kind, sensitivity, kMaxScale, weight, 1};
}

PlannedUse selection_use(Selection selection, std::uint64_t sensitivity) {
  switch (selection) {
    case Selection::exponential:
      return {Cost::Kind::bounded_range, 2 * sensitivity, ExponentialMechanism::kMaxScale, 1.0, 1};
    case Selection::permute_and_flip:
      return {Cost::Kind::pure, 2 * sensitivity, PermuteAndFlip::kMaxScale, 1.0, 1};
    case Selection::noisy_max:
      return {Cost::Kind::pure, 2 * sensitivity, NoisyMax::kMaxScale, 1.0, 1};
  }
  throw InvalidArgument("selection: not one of exponential, permute_and_flip, noisy_max");
}

std::vector<Cost> costs_at(const Plan& plan, double level) {
  std::vector<Cost> costs;
  costs.reserve(plan.size());
  for (const PlannedUse& use : plan) costs.push_back(use.at(level));
  return costs;
}

Composition composed(const Plan& plan, const std::vector<Cost>& costs) {
  Composition composition;
  for (std::size_t i = 0; i < plan.size(); ++i) composition.add(costs[i], plan[i].count);
  return composition;
}

/// log of what a composition spends over what is allowed; at most 0 where the budget is kept.
using Excess = std::function<double(const Composition&)>;

/// Evaluates levels, as logarithms, and remembers the largest seen that keeps the budget and the
/// smallest beyond it that does not.
class Search {
 public:
  struct Point {
    double level = std::numeric_limits<double>::quiet_NaN();
    double excess = 0.0;
    std::vector<Cost> costs{};
  };

  Search(const Plan& plan, const Excess& excess) : plan_(plan), excess_(excess) {}

  double operator()(double log_level) {
    Point at{log_level, 0.0, costs_at(plan_, std::exp(log_level))};
    at.excess = excess_at(at.costs);
    const bool keeps =
        fault(Fault::calibration_takes_the_unsafe_end) ? at.excess < 0.01 : at.excess <= 0.0;
    // Never 0: a root would end the search on either side of the budget.
    const double steers = std::clamp(at.excess + hair_, -kFar, kFar) + (keeps ? -1e-15 : 1e-15);
    if (keeps && !(log_level <= kept_.level)) {
      kept_ = std::move(at);
    } else if (!keeps && !(log_level >= beyond_.level)) {
      beyond_ = std::move(at);
    }
    return steers;
  }

  const Point& kept() const { return kept_; }
  /// Whether the line through both points, if they are close enough for one, says that less than
  /// `tolerance` is left of the level.
  bool within(double tolerance) const {
    const double apart = beyond_.level - kept_.level;
    const double straight = std::max(0.01, 100.0 * tolerance);
    return apart < straight && -kept_.excess * apart <= tolerance * (beyond_.excess - kept_.excess);
  }
  /// From here on excesses have this added, so that their root is a level that keeps the budget.
  void aim_before_the_root(double hair) { hair_ = hair; }

 private:
  static constexpr double kFar = 30.0;

  /// Whole scales are coarse where they are small: many levels have the same.
  double excess_at(const std::vector<Cost>& costs) const {
    if (costs == kept_.costs) return kept_.excess;
    if (costs == beyond_.costs) return beyond_.excess;
    const double excess = excess_(composed(plan_, costs));
    return std::isnan(excess) ? kFar : excess;
  }

  const Plan& plan_;
  const Excess& excess_;
  Point kept_;
  Point beyond_;
  double hair_ = 0.0;
};

/// Levels, as logarithms, from where a scale would exceed its limit to where all are 1.
std::pair<double, double> range_of_levels(const Plan& plan) {
  double bottom = -std::numeric_limits<double>::infinity();
  double top = bottom;
  for (const PlannedUse& use : plan) {
    const double whole = std::log(static_cast<double>(use.shift) / use.weight);
    bottom = std::max(bottom, whole - std::log(static_cast<double>(use.largest)));
    top = std::max(top, whole);
  }
  return {bottom + 1e-9, top};  // away from the limit itself, whatever the rounding
}

/// Where to begin and when to end. Levels are logarithms.
struct Start {
  double guess;
  double step = 0.5;        ///< how far from the guess to look first
  double tolerance = 1e-8;  ///< how far below the largest level to end
  double slope = 0.0;       ///< of the excess by the level, if known: then it tells the first step
  double least = -std::numeric_limits<double>::infinity();  ///< lower levels are of no use
};

struct Found {
  std::vector<Cost> costs;  ///< nothing where no level keeps the budget
  double level = 0.0;       ///< that they were found at
  double slope = 0.0;       ///< as in Start
};

/// The largest level seen that keeps the budget. Starts near the guess and widens.
Found search(const Plan& plan, const Excess& excess, const Start& start) {
  const auto [lowest, top] = range_of_levels(plan);
  const double bottom = std::clamp(start.least, lowest, top);
  Search at(plan, excess);
  double low = std::clamp(start.guess, bottom, top);
  double high = low;
  double at_low = at(low);
  double at_high = at_low;
  const bool aims = start.slope > 0.0 && std::abs(at_low) < 1.0;
  const double first = aims ? 1.05 * std::abs(at_low) / start.slope + 1e-8 : start.step;
  for (double step = first; at_low > 0.0 && low > bottom; step *= 2.0) {
    high = low;
    at_high = at_low;
    low = std::max(low - step, bottom);
    at_low = at(low);
  }
  for (double step = first; at_high <= 0.0 && high < top; step *= 2.0) {
    low = high;
    at_low = at_high;
    high = std::min(high + step, top);
    at_high = at(high);
  }
  double slope = 0.0;
  if (at_low <= 0.0 && at_high > 0.0) {
    slope = (at_high - at_low) / (high - low);
    const double hair = std::min(0.5 * start.tolerance * slope, -0.5 * at_low);
    at.aim_before_the_root(hair);
    std::uintmax_t steps = 100;
    boost::math::tools::toms748_solve(
        std::ref(at), low, high, at_low + hair, at_high + hair,
        [&](double a, double b) { return at.within(start.tolerance) || std::abs(b - a) < 1e-8; },
        steps);
  }
  return {at.kept().costs, at.kept().level, slope};
}

void check(const Plan& plan, const Budget& budget) {
  budget.check();
  if (plan.empty()) throw InvalidArgument("plan: given is an empty one, accepted are uses >= 1");
  for (const PlannedUse& use : plan) {
    if (use.shift == 0 || use.largest == 0 || use.count == 0 || !(use.weight > 0.0) ||
        std::isinf(use.weight)) {
      refuse("plan", "a use without shift, scale, count or weight", "positive finite numbers");
    }
  }
}

[[noreturn]] void impossible(const Plan& plan, const Budget& budget, const Excess& excess) {
  std::uint64_t uses = 0;
  for (const PlannedUse& use : plan) uses += use.count;
  const double most_noise = std::exp(range_of_levels(plan).first);
  const bool has_bound = std::isfinite(excess(composed(plan, costs_at(plan, most_noise))));
  throw CalibrationError(
      "calibration: epsilon " + text_of(budget.epsilon) + ", delta " + text_of(budget.delta) +
      " over " + std::to_string(uses) + " uses of mechanisms: " +
      (has_bound ? "even the largest noise the mechanisms take costs more; ask for fewer "
                   "iterations, a larger epsilon or a larger delta"
                 : "there is no bound for them; Gaussian noise needs a positive delta"));
}

/// Whether each kind is one that the hockey stick has a bound for.
bool hockey_stick_covers(const Plan& plan, const Composition& beside) {
  return std::all_of(plan.begin(), plan.end(),
                     [](const PlannedUse& use) { return HockeyStick::covers(use.kind); }) &&
         std::all_of(beside.events().begin(), beside.events().end(),
                     [](const auto& event) { return HockeyStick::covers(event.cost.kind); });
}

/// Decided by the comparison itself; the logarithm only steers.
double excess_of(double found, double allowed) {
  const double excess = std::log(found / allowed);
  if (found <= allowed) return std::min(excess, 0.0);
  return std::max(excess, std::numeric_limits<double>::min());
}

Calibrated finish(const Plan& plan, std::vector<Cost> costs, const Composition& beside,
                  double delta) {
  Calibrated result;
  result.composition = beside + composed(plan, costs);
  result.costs = std::move(costs);
  result.spent = spent(result.composition, delta);
  return result;
}

/// A level at which the first use has this cost.
double level_of(const Plan& plan, const std::vector<Cost>& costs) {
  return std::log(static_cast<double>(costs.front().shift) /
                  (static_cast<double>(costs.front().scale) * plan.front().weight));
}

/// The least noise that the hockey stick allows, nothing where that is more than `quick`, what the
/// cheap bounds allow (nothing if they allow none).
std::vector<Cost> by_hockey_stick(const Plan& plan, const Budget& budget, const Composition& beside,
                                  const Found& quick, Start start) {
  // delta at one epsilon is cheaper than epsilon at delta, which is found within a part 1e-10.
  const double epsilon = budget.epsilon * (1.0 - 1e-9);
  const auto excess_with = [&](const RangeCells& cells) -> Excess {
    return [&, cells](const Composition& composition) {
      return excess_of(HockeyStick(beside + composition, cells).delta(epsilon), budget.delta);
    };
  };
  if (!quick.costs.empty()) {
    start.guess = start.least = quick.level;
    start.step = 0.04;
  }
  // Curves with few knots are bounds as well, in a small part of the time: where to begin.
  start.tolerance = 1e-3;
  const Found rough = search(plan, excess_with({.most = 3, .visits = 3e6}), start);
  if (!rough.costs.empty()) start.guess = rough.level;
  start.slope = rough.slope;
  start.tolerance = 1e-7;
  return search(plan, excess_with({}), start).costs;
}

}  // namespace

Cost PlannedUse::at(double level) const {
  return {kind, shift, scale_for(shift, level * weight, largest), sampled};
}

Plan plan_gcd(const GcdPlan& options) {
  if (!(options.share > 0.0) || !(options.share < 1.0)) {
    refuse("share", text_of(options.share), "numbers between 0 and 1");
  }
  const std::uint64_t sensitivity = sum_sensitivity(options.relation, options.bound);
  const double rest = (1.0 - options.share) / options.share;
  // rho of a selection is range^2 / 8 (pure: range^2 / 2), of a Gaussian release (shift/sigma)^2
  // / 2.
  const double by_rho = std::sqrt(rest) * (options.selection == Selection::exponential ? 0.5 : 1.0);
  Plan plan;
  repeat(plan,
         {selection_use(options.selection, sensitivity),
          release_use(options.release, sensitivity,
                      options.release == Release::laplace ? rest : by_rho)},
         options.iterations, options.schedule);
  return plan;
}

Plan plan_rounds(const RoundsPlan& options) {
  const std::uint64_t sensitivity = sum_sensitivity(options.relation, options.bound);
  // rho is about eta^2 / 8 for a selection and (sensitivity / sigma)^2 / 2 for a release.
  Plan plan;
  if (options.selections > 0) {
    if (!(options.share > 0.0 && options.share < 1.0)) {
      refuse("share", text_of(options.share), "numbers between 0 and 1");
    }
    PlannedUse select = selection_use(Selection::exponential, sensitivity);
    select.count = options.selections;
    select.weight = std::sqrt(8.0 * options.share / static_cast<double>(options.selections));
    plan.push_back(select);
  }
  for (const RoundsPlan::Releases& each : options.releases) {
    check_schedule(each.count, {});
    PlannedUse use = release_use(Release::gaussian, sensitivity,
                                 std::sqrt(2.0 * each.part / static_cast<double>(each.count)));
    use.count = each.count;
    plan.push_back(use);
  }
  return plan;
}

Plan plan_cd(const CdPlan& options) {
  Plan plan;
  repeat(plan,
         {release_use(options.release, sum_sensitivity(options.relation, options.bound), 1.0)},
         options.iterations, options.schedule);
  return plan;
}

Plan plan_sgd(const SgdPlan& options) {
  if (options.sampled == 0 || options.sampled > std::uint64_t{1} << 32) {
    refuse("sampled", std::to_string(options.sampled), "whole numbers from 1 to 2^32");
  }
  const auto kind = options.relation == Relation::replace_one
                        ? Cost::Kind::sampled_gaussian_replace
                        : Cost::Kind::sampled_gaussian_add_or_remove;
  Plan plan;
  repeat(plan, {{kind, options.bound, kMaxScale, 1.0, 1, options.sampled}}, options.iterations,
         options.schedule);
  return plan;
}

Calibrated calibrate(const Plan& plan, const Budget& budget, const Composition& beside) {
  check(plan, budget);
  const auto quick = [&](const Composition& composition) {
    return excess_of(quickly_spent(beside + composition, budget.delta).epsilon, budget.epsilon);
  };
  // The level at which the weights alone would add up to epsilon: basic composition.
  double total = 0.0;
  for (const PlannedUse& use : plan) total += static_cast<double>(use.count) * use.weight;
  const Start start{std::log(budget.epsilon / total)};
  Found found = search(plan, quick, start);
  if (budget.delta > 0.0 && hockey_stick_covers(plan, beside)) {
    std::vector<Cost> less = by_hockey_stick(plan, budget, beside, found, start);
    if (!less.empty()) {
      Calibrated result = finish(plan, std::move(less), beside, budget.delta);
      if (result.spent.epsilon <= budget.epsilon) return result;
    }
  }
  if (found.costs.empty()) impossible(plan, budget, quick);
  return finish(plan, std::move(found.costs), beside, budget.delta);
}

Calibrated calibrate_by(Accountant accountant, const Plan& plan, const Budget& budget,
                        const Calibrated& certified) {
  check(plan, budget);
  const auto excess = [&](const Composition& composition) {
    if (accountant == Accountant::pld && budget.delta > 0.0) {  // delta is cheaper than epsilon
      return std::log(std::max(pld_delta(composition, budget.epsilon), 1e-300) / budget.delta);
    }
    return excess_of(epsilon_by(accountant, composition, budget.delta), budget.epsilon);
  };
  std::vector<Cost> costs = search(plan, excess, {level_of(plan, certified.costs)}).costs;
  if (costs.empty()) impossible(plan, budget, excess);
  Calibrated result;
  result.composition = composed(plan, costs);
  result.costs = std::move(costs);
  // The search saw the budget kept. What pld_epsilon then finds may lie above it by its tolerance.
  const double epsilon = epsilon_by(accountant, result.composition, budget.delta);
  result.spent = {std::min(epsilon, budget.epsilon), budget.delta, accountant,
                  std::numeric_limits<double>::infinity()};
  return result;
}

}  // namespace southwell::privacy
