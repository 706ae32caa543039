#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "southwell/fit/defaults.hpp"
#include "southwell/fit/solver_fit.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/problem/grid_score.hpp"
#include "southwell/solvers/rounds/descent.hpp"

namespace southwell::fit {

/// DP-GCD with its refinements (docs/defaults.md): rounds of several selections from one gradient,
/// each followed by averaged descent on the chosen features. What a round does, and how often, is
/// fixed here before a record is used.
class RefinedGcd {
 public:
  /// Reads the inputs of refinements and notes them.
  explicit RefinedGcd(Planning& planning);

  Defaults automatic(const DefaultsOf& of);
  void calibrate(Planning& planning, std::uint64_t iterations, const Defaults& automatic);
  /// The sd of the noise in a gradient of the last round, as it was planned.
  double gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const;
  /// How far the last descent settles: its noise in a coefficient, against that of a Newton step.
  double settled(const problem::Coordinates& coordinates) const;
  /// What clipping is taken to leave of the gradients that selections see.
  double selection_attenuation() const;
  /// What the first selections' clip is a multiple of, besides a residual's scale.
  double selection_slope() const;
  /// A round has a step for every coordinate of what was chosen so far.
  Extent extent(const problem::Coordinates& all) const;
  Solved solve(const SolverWork& work, problem::GreedyRule rule) const;

 private:
  /// The descents: how many releases each has, and its part of the budget.
  struct Descent {
    std::uint64_t selections = 0;
    std::uint64_t releases = 0;
    double part = 0.0;
    bool on_what_pruning_leaves = false;  ///< its result is weighed with that of the one before
    privacy::Cost cost{};
    privacy::Cost moments_cost{};
  };
  /// Whether it begins with the second moments of what was chosen.
  bool measures(const Descent& descent) const { return measures_ && descent.selections > 0; }
  /// `together` selections a round, and a first round for the intercept.
  void plan_descents(std::uint64_t iterations, std::uint64_t together);
  /// Of the last round.
  std::size_t planned_coordinates(const problem::Coordinates& all) const;
  solvers::PaceOptions last_pace() const;  ///< with its planned noise
  /// The sd of the noise in the mean of a descent's releases, as a part of the clip.
  double mean_noise(const Descent& descent) const;

  bool centres_ = false;  ///< a first round for the intercept alone
  bool tracks_ = true;
  bool corrects_margins_ = false;
  bool is_regression_ = false;
  bool polishes_ = true;
  bool excludes_ = true;
  bool prunes_ = false;
  bool measures_ = false;
  Slopes slopes_;
  solvers::ClipRule clip_rule_;
  RefinedRule rule_;
  double selection_clip_ = 1.0;  ///< in units of a residual's scale or a slope limit
  double records_ = 1.0;
  privacy::Cost selection_{};
  std::vector<Descent> descents_;
};

}  // namespace southwell::fit
