#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "southwell/fit/algorithm.hpp"
#include "southwell/solvers/rounds/descent.hpp"

namespace southwell::fit {

/// DP-SGD refined (docs/research/rules.md): averaged gradient descent on all records, by many small
/// releases of the whole gradient, after a first descent for the intercept alone.
class Descent {
 public:
  static constexpr std::string_view kSolver = "sgd";
  static constexpr std::string_view kHelp = "averaged gradient descent on all records";
  static constexpr std::string_view kInThePaper = "the paper takes one uniform record per step";
  static constexpr bool kIsRefined = true;

  void read(Draft& draft);
  Defaults automatic(const PublicFacts& of);
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic);
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const;
  /// Every coordinate moves; there is no path.
  Extent extent(const problem::Coordinates& all, std::uint64_t) const {
    return {.moved = all.size(), .steps = 0, .together = rule_.whitens ? all.size() : 0};
  }
  Solved solve(const Work& work) const;

 private:
  /// Of one descent: the sd of the noise in the mean of its releases, as a part of the clip.
  double mean_noise(const privacy::Cost& cost, std::uint64_t releases) const;

  bool measures_mapped() const { return rule_.mapped_moments_part > 0.0; }

  bool tracks_ = true;
  bool corrects_margins_ = false;
  bool centers_ = false;  ///< a first descent for the intercept alone
  solvers::ClipRule clip_rule_;
  RefinedDescentRule rule_;
  bool slopes_are_limited_ = false;
  double clip_per_slope_ = 1.0;  ///< the plan's clip, in units of a typical slope
  double records_ = 1.0;
  double record_limit_ = 1.0;
  std::uint64_t iterations_ = 0;
  privacy::Cost cost_{};
  privacy::Cost center_cost_{};
  privacy::Cost moments_cost_{};
  privacy::Cost mapped_cost_{};  ///< of the moments of mapped records
  bool recenters_ = false;       ///< and a last one
  privacy::Cost last_cost_{};
};
static_assert(Algorithm<Descent>);

}  // namespace southwell::fit
