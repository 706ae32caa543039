#pragma once

#include <optional>
#include <string_view>

#include "southwell/fit/defaults.hpp"
#include "southwell/fit/refined_gcd.hpp"
#include "southwell/fit/solver_fit.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/problem/grid_score.hpp"

namespace southwell::fit {

/// DP-GCD's part of a fit (solver_fit.hpp): `rule`, `selection`, `release` and `share` are its own.
class GcdFit {
 public:
  static constexpr std::string_view kName = "gcd";

  void read(Planning& planning);
  Defaults automatic(const DefaultsOf& of) {
    of_ = of;
    return refined_ ? refined_->automatic(of) : gcd_defaults(of);
  }
  void calibrate(Planning& planning, std::uint64_t iterations, const Defaults& automatic);
  double step_length(const problem::Coordinates& coordinates, std::size_t c, double step) const {
    return step / coordinates.smoothness(c) * (refined_ ? refined_->settled(coordinates) : 1.0);
  }
  double gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const;
  /// What clipping is taken to leave of the gradients that selections see.
  double selection_attenuation() const {
    return refined_ ? refined_->selection_attenuation() : 1.0;
  }
  /// Of a loss that classifies: the clip of the first selections is one of features, times this.
  double slope_of_clip() const { return refined_ ? refined_->selection_slope() : of_.slopes.first; }
  /// An intercept is in every round of a refined fit, and chosen in none.
  std::size_t coordinates_to_choose(const problem::Coordinates& all) const {
    return refined_ ? all.heads() * all.features() : all.size();
  }
  Extent extent(const problem::Coordinates& all, std::uint64_t iterations) const {
    return refined_ ? refined_->extent(all) : extent_along(all, iterations);
  }
  Solved solve(const SolverWork& work) const;

 private:
  /// The noise of a fit as printed with these releases and this share of its selections.
  privacy::Calibrated calibrated(const Planning& planning, std::uint64_t iterations,
                                 privacy::Release release, double share) const;
  privacy::Release automatic_release(const Planning& planning, std::uint64_t iterations) const;
  double automatic_share(privacy::Release release, std::uint64_t iterations) const;
  double pure_part() const;

  DefaultsOf of_;
  problem::GreedyRule rule_{};
  std::optional<RefinedGcd> refined_;  ///< absent: the algorithm as printed
  privacy::Selection selection_{};
  privacy::Release release_{};
  std::optional<privacy::Calibrated> certified_;  ///< absent in paper mode
  double paper_noise_ = 0.0;                      ///< in units of C_j / n; paper mode only
};

}  // namespace southwell::fit
