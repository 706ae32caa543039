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
#include "southwell/core/number_text.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/hockey_stick.hpp"
#include "southwell/privacy/accounting/pld.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {
namespace {

void refuse(const char* name, const std::string& given, const char* accepted) {
  throw InvalidArgument(std::string(name) + ": given is " + given + ", accepted are " + accepted);
}

std::vector<Cost> costs_at(const Schedule& schedule, double level) {
  std::vector<Cost> costs;
  costs.reserve(schedule.size());
  for (const ScheduledUse& use : schedule) costs.push_back(use.at(level));
  return costs;
}

Composition composed(const Schedule& schedule, const std::vector<Cost>& costs) {
  Composition composition;
  for (std::size_t i = 0; i < schedule.size(); ++i) composition.add(costs[i], schedule[i].count);
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

  Search(const Schedule& schedule, const Excess& excess) : schedule_(schedule), excess_(excess) {}

  double operator()(double log_level) {
    Point at{log_level, 0.0, costs_at(schedule_, std::exp(log_level))};
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
    const double excess = excess_(composed(schedule_, costs));
    return std::isnan(excess) ? kFar : excess;
  }

  const Schedule& schedule_;
  const Excess& excess_;
  Point kept_;
  Point beyond_;
  double hair_ = 0.0;
};

/// Levels, as logarithms, from where a scale would exceed its limit to where all are 1.
std::pair<double, double> range_of_levels(const Schedule& schedule) {
  double bottom = -std::numeric_limits<double>::infinity();
  double top = bottom;
  for (const ScheduledUse& use : schedule) {
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
Found search(const Schedule& schedule, const Excess& excess, const Start& start) {
  const auto [lowest, top] = range_of_levels(schedule);
  const double bottom = std::clamp(start.least, lowest, top);
  Search at(schedule, excess);
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

void check(const Schedule& schedule, const Budget& budget) {
  budget.check();
  if (schedule.empty())
    throw InvalidArgument("schedule: given is an empty one, accepted are uses >= 1");
  for (const ScheduledUse& use : schedule) {
    if (use.shift == 0 || use.largest == 0 || use.count == 0 || !(use.weight > 0.0) ||
        std::isinf(use.weight)) {
      refuse("schedule", "a use without shift, scale, count or weight", "positive finite numbers");
    }
  }
}

[[noreturn]] void impossible(const Schedule& schedule, const Budget& budget, const Excess& excess) {
  std::uint64_t uses = 0;
  for (const ScheduledUse& use : schedule) uses += use.count;
  const double most_noise = std::exp(range_of_levels(schedule).first);
  const bool has_bound = std::isfinite(excess(composed(schedule, costs_at(schedule, most_noise))));
  throw CalibrationError(
      "calibration: epsilon " + core::rounded_text(budget.epsilon) + ", delta " +
      core::rounded_text(budget.delta) + " over " + std::to_string(uses) + " uses of mechanisms: " +
      (has_bound ? "even the largest noise the mechanisms take costs more; ask for fewer "
                   "iterations, a larger epsilon or a larger delta"
                 : "there is no bound for them; Gaussian noise needs a positive delta"));
}

/// Whether each kind is one that the hockey stick has a bound for.
bool hockey_stick_covers(const Schedule& schedule, const Composition& beside) {
  return std::all_of(schedule.begin(), schedule.end(),
                     [](const ScheduledUse& use) { return HockeyStick::covers(use.kind); }) &&
         std::all_of(beside.events().begin(), beside.events().end(),
                     [](const auto& event) { return HockeyStick::covers(event.cost.kind); });
}

/// Decided by the comparison itself; the logarithm only steers.
double excess_of(double found, double allowed) {
  const double excess = std::log(found / allowed);
  if (found <= allowed) return std::min(excess, 0.0);
  return std::max(excess, std::numeric_limits<double>::min());
}

Calibrated finish(const Schedule& schedule, std::vector<Cost> costs, const Composition& beside,
                  double delta) {
  Calibrated result;
  result.composition = beside + composed(schedule, costs);
  result.costs = std::move(costs);
  result.spent = spent(result.composition, delta);
  return result;
}

/// A level at which the first use has this cost.
double level_of(const Schedule& schedule, const std::vector<Cost>& costs) {
  return std::log(static_cast<double>(costs.front().shift) /
                  (static_cast<double>(costs.front().scale) * schedule.front().weight));
}

/// The least noise that the hockey stick allows, nothing where that is more than `quick`, what the
/// cheap bounds allow (nothing if they allow none).
std::vector<Cost> by_hockey_stick(const Schedule& schedule, const Budget& budget,
                                  const Composition& beside, const Found& quick, Start start) {
  // delta at one epsilon is cheaper than epsilon at delta, which is found within a part 1e-10.
  const double epsilon = budget.epsilon * (1.0 - 1e-9);
  const auto excess_with = [&](const CurveKnots& cells) -> Excess {
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
  const Found rough = search(schedule, excess_with({.most = 3, .visits = 3e6}), start);
  if (!rough.costs.empty()) start.guess = rough.level;
  start.slope = rough.slope;
  start.tolerance = 1e-7;
  return search(schedule, excess_with({}), start).costs;
}

}  // namespace

Calibrated calibrate(const Schedule& schedule, const Budget& budget, const Composition& beside) {
  check(schedule, budget);
  const auto quick = [&](const Composition& composition) {
    return excess_of(quickly_spent(beside + composition, budget.delta).epsilon, budget.epsilon);
  };
  // The level at which the weights alone would add up to epsilon: basic composition.
  double total = 0.0;
  for (const ScheduledUse& use : schedule) total += static_cast<double>(use.count) * use.weight;
  const Start start{std::log(budget.epsilon / total)};
  Found found = search(schedule, quick, start);
  if (budget.delta > 0.0 && hockey_stick_covers(schedule, beside)) {
    std::vector<Cost> less = by_hockey_stick(schedule, budget, beside, found, start);
    if (!less.empty()) {
      Calibrated result = finish(schedule, std::move(less), beside, budget.delta);
      if (result.spent.epsilon <= budget.epsilon) return result;
    }
  }
  if (found.costs.empty()) impossible(schedule, budget, quick);
  return finish(schedule, std::move(found.costs), beside, budget.delta);
}

Calibrated calibrate_by(Accountant accountant, const Schedule& schedule, const Budget& budget,
                        const Calibrated& certified) {
  check(schedule, budget);
  const auto excess = [&](const Composition& composition) {
    if (accountant == Accountant::pld && budget.delta > 0.0) {  // delta is cheaper than epsilon
      return std::log(std::max(pld_delta(composition, budget.epsilon), 1e-300) / budget.delta);
    }
    return excess_of(epsilon_by(accountant, composition, budget.delta), budget.epsilon);
  };
  std::vector<Cost> costs = search(schedule, excess, {level_of(schedule, certified.costs)}).costs;
  if (costs.empty()) impossible(schedule, budget, excess);
  Calibrated result;
  result.composition = composed(schedule, costs);
  result.costs = std::move(costs);
  // The search saw the budget kept. What pld_epsilon then finds may lie above it by its tolerance.
  const double epsilon = epsilon_by(accountant, result.composition, budget.delta);
  result.spent = {std::min(epsilon, budget.epsilon), budget.delta, accountant,
                  std::numeric_limits<double>::infinity()};
  return result;
}

}  // namespace southwell::privacy
