#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "southwell/fit/algorithm.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/problem/grid_score.hpp"
#include "southwell/solvers/rounds/rounds.hpp"

namespace southwell::fit {

/// DP-GCD refined, the default (docs/research/rules.md): rounds of several selections from one
/// gradient, each followed by averaged descent on the chosen features. What a round does, and how
/// often, is fixed here before a record is used.
class GcdRounds {
 public:
  static constexpr std::string_view kSolver = "gcd";
  static constexpr std::string_view kHelp = "greedy coordinate descent in rounds";
  static constexpr std::string_view kInThePaper =
      "the paper has one noisy max and one Laplace release";
  static constexpr bool kIsRefined = true;

  void read(Draft& draft);
  Defaults automatic(const PublicFacts& of);
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic);
  /// Of the last round, as it was planned.
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const;
  /// A round has a step for every coordinate of what was chosen so far.
  Extent extent(const problem::Coordinates& all, std::uint64_t iterations) const;
  Solved solve(const Work& work) const;

  // What a plan asks to say which effects a selection finds.
  /// What clipping is taken to leave of the gradients that selections see.
  double selection_attenuation() const;
  /// What the first selections' clip is a multiple of, besides a residual's scale.
  double slope_of_clip() const;
  /// An intercept is in every round, and chosen in none.
  std::size_t coordinates_to_choose(const problem::Coordinates& all) const {
    return all.heads() * all.features();
  }

 private:
  /// What a round descends on: the intercept alone, before all others; all that was chosen; what
  /// pruning leaves of it; the intercept of a regression once more.
  enum class On { intercept_first, chosen, remaining, intercept_last };
  /// The descents: how many releases each has, and its part of the budget.
  struct Stage {
    On on = On::chosen;
    std::uint64_t selections = 0;
    std::uint64_t releases = 0;
    double part = 0.0;
    privacy::Cost cost{};
    privacy::Cost moments_cost{};
    bool is_stated = false;  ///< where the model ends: the noise of its descent is stated
    privacy::Cost mapped_cost{};
  };
  static bool is_on_features(const Stage& stage) {
    return stage.on == On::chosen || stage.on == On::remaining;
  }
  /// Whether it begins with the second moments of what was chosen.
  bool measures(const Stage& stage) const {
    return measures_ && stage.selections > 0 && refined_.moments_part > 0.0;
  }
  /// Whether these go on with those of the records that they map.
  bool measures_mapped(const Stage& stage) const {
    return refined_.mapped_moments_part > 0.0 && measures(stage) && stage.is_stated;
  }
  /// `together` selections a round, and a first round for the intercept.
  void plan_stages(std::uint64_t iterations, std::uint64_t together);
  double parts_of_stages() const;  ///< all together
  /// Of the last round.
  std::size_t planned_coordinates(const problem::Coordinates& all) const;
  /// The rounds as the solver takes them.
  std::vector<solvers::Round> rounds(const Work& work) const;
  solvers::StepScheduleOptions schedule_of(const Stage& stage, double scale, double step) const;
  /// The sd of the noise in the mean of a descent's releases, as a part of the clip.
  double mean_noise(const Stage& stage) const;

  problem::GreedyRule rule_{};
  bool centers_ = false;  ///< a first round for the intercept alone
  bool tracks_ = true;
  bool corrects_margins_ = false;
  bool polishes_ = true;
  bool excludes_ = true;
  bool prunes_ = false;
  bool measures_ = false;
  problem::SlopeLimits slopes_;
  solvers::ClipRule clip_rule_;
  RefinedRule refined_;
  double selection_clip_ = 1.0;  ///< in units of a residual's scale or a slope limit
  double records_ = 1.0;
  double record_limit_ = 1.0;
  privacy::Cost selection_{};
  std::vector<Stage> stages_;
};
static_assert(Algorithm<GcdRounds>);

}  // namespace southwell::fit
