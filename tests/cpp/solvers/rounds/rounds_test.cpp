#include "southwell/solvers/rounds/rounds.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "southwell/solvers/rounds/residual_scale.hpp"

namespace southwell::solvers {
namespace {

/// Notes how the gradient of each round that chooses is clipped; every round chooses in turn.
struct NotedProblem {
  problem::Coordinates all{{.features = 6, .intercept = problem::Intercept::free}};
  std::vector<double> values = std::vector<double>(7);
  std::vector<std::pair<double, double>> clips;  ///< and slope limits

  const problem::Coordinates& coordinates() const { return all; }
  const std::vector<double>& coef() const { return values; }
  void exclude(std::size_t) {}
  void set_clip(double clip, double slope_limit) { clips.emplace_back(clip, slope_limit); }
  void refresh_gradient() {}
  static std::size_t coordinate(std::size_t candidate) { return candidate; }
  static int sign(std::size_t) { return 0; }
};
struct InTurn {
  std::size_t next = 0;
  std::size_t choose(NotedProblem&) { return next++; }
};
struct NoDescent {
  void measure(const MomentsRelease&, const Support&) {}
  void measure_mapped(const MomentsRelease&, const Support&) {}
  void run(const DescentOptions&, const Support&, NotedProblem&, std::vector<PathStep>&) {}
  void run_on_remaining(const DescentOptions&, const Pruning&, Support&, NotedProblem&,
                        std::vector<PathStep>&) {}
  void recenter(const DescentOptions&, NotedProblem&, std::vector<PathStep>&) {}
};

using Clips = std::vector<std::pair<double, double>>;

Clips clips_of_rounds(std::span<const std::uint64_t> selections, RoundsOptions options,
                      const ResidualScale* scale = nullptr) {
  for (const std::uint64_t count : selections) {
    options.rounds.push_back(
        {.selections = count, .descent = {.release = {2, 10}, .schedule = {}}});
  }
  NotedProblem problem;
  InTurn choice;
  NoDescent descent;
  gcd_rounds(problem, choice, descent, scale, options);
  return problem.clips;
}

TEST(GcdRounds, ClipSlopesOfSelectionsByHowFarTheyMayHaveFallen) {
  const RoundsOptions classifier{.rounds = {},
                                 .clip = 2.0,
                                 .clip_rule = {.slope_limit = 0.75},
                                 .first_slope_limit = 0.5,
                                 .later_slope_limit = 0.25};
  const std::vector<std::uint64_t> at_zero{2, 2, 1};
  const std::vector<std::uint64_t> with_center{0, 2, 2};
  EXPECT_EQ(clips_of_rounds(at_zero, classifier), (Clips{{1.0, 0.5}, {0.5, 0.25}, {0.5, 0.25}}));
  EXPECT_EQ(clips_of_rounds(with_center, classifier), (Clips{{1.5, 0.75}, {0.5, 0.25}}));
}

TEST(GcdRounds, OfRegressionsClipByTheScaleOfResiduals) {
  const std::vector<std::uint64_t> rounds{2, 2};
  const ResidualScale scale(8.0, 0.1);
  const double clip = 2.0 * scale.value();
  EXPECT_EQ(clips_of_rounds(rounds, {.rounds = {}, .clip = 2.0}, &scale),
            (Clips{{clip, 0.0}, {clip, 0.0}}));
}

}  // namespace
}  // namespace southwell::solvers
