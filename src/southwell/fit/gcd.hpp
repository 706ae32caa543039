#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "southwell/fit/algorithm.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/problem/grid_score.hpp"

namespace southwell::fit {

/// DP-GCD as printed (Alg. 1 and 2): a selection and a release an iteration.
class Gcd {
 public:
  static constexpr std::string_view kSolver = "gcd";
  static constexpr std::string_view kHelp = "greedy coordinate descent";
  static constexpr std::string_view kInThePaper =
      "the paper has one noisy max and one Laplace release";
  static constexpr bool kIsRefined = false;

  void read(Draft& draft);
  Defaults automatic(const PublicFacts& of) {
    of_ = of;
    return gcd_defaults(of);
  }
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic);
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const;
  Extent extent(const problem::Coordinates& all, std::uint64_t iterations) const {
    return extent_along(all, iterations);
  }
  Solved solve(const Work& work) const;

  // What a plan asks to say which effects a selection finds.
  /// What clipping is taken to leave of the gradients that selections see.
  double selection_attenuation() const { return 1.0; }
  /// Of a loss that classifies: the clip of the first selections is one of features, times this.
  double slope_of_clip() const { return of_.slopes.first; }
  std::size_t coordinates_to_choose(const problem::Coordinates& all) const { return all.size(); }

 private:
  /// The noise with these releases and this share of its selections.
  privacy::Calibrated calibrated(const Draft& draft, std::uint64_t iterations,
                                 privacy::Release release, double share) const;
  privacy::Release automatic_release(const Draft& draft, std::uint64_t iterations) const;
  double automatic_share(privacy::Release release, std::uint64_t iterations) const;
  double pure_part() const;

  PublicFacts of_;
  problem::GreedyRule rule_{};
  privacy::Selection selection_{};
  privacy::Release release_{};
  std::optional<privacy::Calibrated> certified_;  ///< absent in paper mode
  double paper_noise_ = 0.0;                      ///< in units of C_j / n; paper mode only
};
static_assert(Algorithm<Gcd>);

}  // namespace southwell::fit
