#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/solvers/path.hpp"
#include "southwell/solvers/rounds/descent.hpp"
#include "southwell/solvers/rounds/pruning.hpp"
#include "southwell/solvers/rounds/residual_scale.hpp"
#include "southwell/solvers/rounds/rounds_progress.hpp"
#include "southwell/solvers/rounds/second_moments.hpp"
#include "southwell/solvers/rounds/support_descent.hpp"

namespace southwell::solvers {

/// One round, fixed before a record is used.
struct Round {
  std::uint64_t selections = 0;
  bool on_what_pruning_leaves = false;  ///< it descends on the remaining features alone
  bool on_the_intercept = false;        ///< the last one of a regression: that alone, once more
  std::optional<MomentsRelease> moments{};
  std::optional<MomentsRelease> mapped_moments{};  ///< after these, of the records they map
  DescentOptions descent;
};

inline std::uint64_t events_of(const std::vector<Round>& rounds) {
  std::uint64_t events = 0;
  for (const Round& round : rounds) {
    events += round.selections + (round.moments ? 1 : 0) + (round.mapped_moments ? 1 : 0) +
              round.descent.schedule.releases;
  }
  return events;
}

struct RoundsOptions {
  std::vector<Round> rounds;
  double clip = 1.0;  ///< of selections, in units of the residuals' scale
  ClipRule clip_rule{};
  double first_slope_limit = 0.0;  ///< of selections at coefficients that are all 0; 0: none
  double later_slope_limit = 0.0;  ///< of selections once a feature has moved; 0: none
  bool excludes_visited = true;
  Pruning pruning{};
  core::Progress progress{};
};

/// DP-GCD in rounds, the default: several choices from one gradient (line 3), then averaged descent
/// on what was chosen (line 4). Where it starts, all features have the coefficient 0. Candidates
/// are features: an intercept is in every round. So whatever is chosen, and however few candidates
/// still differ (a box narrower than a unit of scores, no feature left to visit), the first choice
/// is a feature, and no descent after it is without one.
template <class Problem, class Mechanisms, class Descent>
std::vector<PathStep> gcd_rounds(Problem& problem, Mechanisms& mechanisms, Descent& descent,
                                 const ResidualScale* scale, const RoundsOptions& options) {
  std::vector<PathStep> path;
  Support support;
  bool at_zero =
      std::all_of(problem.coef().begin(), problem.coef().end(), [](double w) { return w == 0.0; });
  RoundsProgress progress(options.progress, events_of(options.rounds));
  for (const Round& round : options.rounds) {  // line 2: number and cost of everything is fixed
    if (round.selections > 0) {
      const double limit = at_zero              ? options.first_slope_limit
                           : support.size() > 0 ? options.later_slope_limit
                                                : options.clip_rule.slope_limit;
      const double unit = limit > 0.0        ? limit
                          : scale != nullptr ? scale->value()
                                             : round.descent.schedule.scale;
      problem.set_clip(options.clip * unit, limit);
      problem.refresh_gradient();  //   integer sums, unreadable here
    }
    for (std::uint64_t b = 0; b < round.selections; ++b) {
      const std::size_t c = problem.coordinate(mechanisms.choose(problem));  // line 3
      const std::size_t feature = problem.coordinates().feature(c);
      if (options.excludes_visited) problem.exclude(feature);
      support.add(feature);
      progress.advance();
    }
    if (round.moments) {
      descent.measure(*round.moments, support);
      progress.advance();
    }
    if (round.mapped_moments) {
      descent.measure_mapped(*round.mapped_moments, support);
      progress.advance();
    }
    const DescentOptions watched = progress.watched(round.descent);
    if (round.on_what_pruning_leaves) {
      descent.run_on_remaining(watched, options.pruning, support, problem, path);
    } else if (round.on_the_intercept) {
      descent.recenter(watched, problem, path);
    } else {
      descent.run(watched, support, problem, path);  // line 4
    }
    at_zero = false;
  }
  return path;  // line 5: w^T is problem.coef()
}

}  // namespace southwell::solvers
