#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "southwell/fit/algorithm.hpp"
#include "southwell/fit/margin_factor.hpp"
#include "southwell/fit/norm_rules.hpp"
#include "southwell/solvers/rounds/residual_scale.hpp"

namespace southwell::fit {

/// DP-SGD refined, for the logistic loss and for regressions on records whose norm is small
/// (docs/research/rules.md): averaged gradient descent on all records, whose noise, clip and time
/// follow the norm of a record and not the number of features. The intercept is a feature of a
/// quarter of that norm, or more where time is short; more than two classes are one softmax. A
/// regression's clip follows the residuals, and its intercept is found by releases before all
/// others.
class NormDescent {
 public:
  static constexpr std::string_view kSolver = "sgd";
  static constexpr std::string_view kHelp = "averaged gradient descent on all records";
  static constexpr std::string_view kInThePaper = "the paper takes one uniform record per step";
  static constexpr bool kIsRefined = true;
  /// Fits that are for it; those of other algorithms of the solver are the others.
  static bool takes(const Draft& draft) { return draft.by_norm; }

  void read(Draft& draft);
  Defaults automatic(const PublicFacts& of);
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic);
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const;
  /// Every coordinate moves; there is no path.
  Extent extent(const problem::Coordinates& all, std::uint64_t) const {
    return {.moved = all.size(), .steps = 0, .together = whitening_.whitens ? all.size() : 0};
  }
  Solved solve(const Work& work) const;
  /// Whether a factor for all margins is fitted at the end.
  bool calibrates() const { return calibrates_.value_or(false); }
  /// The clip at this norm of a record.
  double clip_at(double record_norm) const { return rule_at(record_norm).clip; }

 private:
  /// What is followed at this norm, whitened features being as many as they can be.
  NormDescentRule rule_at(double record_norm) const;
  /// Whether features are whitened where the norm is found to be this.
  bool whitens_at(double record_norm) const {
    return whitening_.whitens && can_be_whitened(facts_, record_norm);
  }
  /// A descent in the features themselves, as its releases were clipped.
  struct Descended;
  template <class Design>
  Descended descend(const problem::GradientParts<Design>& parts, const Work& work) const;
  Solved solve_unmapped(const Work& work) const;
  /// Moves the intercept alone.
  template <class Design>
  void center(const problem::GradientParts<Design>& parts, const Work& work,
              solvers::ResidualScale* scale, std::vector<double>& coef) const;
  /// The sd of the noise in one release's mean gradient, of a coordinate of unit 1.
  double release_noise(double clip) const;
  /// What releases are divided by in units of features and of the intercept.
  double unit(const problem::Coordinates& all, const NormDescentRule& rule, std::size_t c) const;
  NoiseSd noise_at(const NormDescentRule& rule, const problem::Coordinates& all,
                   std::size_t c) const;

  /// Not a number where it depends on what features records have. `noise` is that of each release.
  std::vector<double> stated_noise(const NormDescentRule& rule, const problem::Coordinates& all,
                                   const std::vector<double>& noise) const;

  PublicFacts facts_;
  problem::RecordLimit limit_;  ///< its units
  std::uint64_t iterations_ = 0;
  WhiteningChoice whitening_;
  privacy::Cost moments_cost_{};
  privacy::Cost cost_{};
  bool tracks_ = false;   ///< the clip follows the residuals
  bool centers_ = false;  ///< a regression's intercept is found first
  CenterRule center_;
  privacy::Cost center_cost_{};
  std::optional<bool> calibrates_;  ///< as given, then as decided
  MarginFactor factor_;
};
static_assert(Algorithm<NormDescent>);

}  // namespace southwell::fit
