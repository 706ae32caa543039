#pragma once

#include <cstddef>

#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/objective_spec.hpp"

namespace southwell::fit {

/// The strength of a penalty whose alpha was not given, from public numbers alone
/// (docs/settings.md). That of l2 is 1/n, which is what the defaults of scikit-learn mean for a
/// mean over records. That of l1 is a part of the universal threshold s sqrt(2 log(2p) / n): what
/// the largest of p gradients would be by chance if slopes of size s had nothing to do with the
/// features. An elastic net has `l1_ratio` of the one and the rest of the other.
class AutomaticAlpha {
 public:
  struct Facts {
    double records = 1.0;        ///< the public divisor
    std::size_t features = 1;    ///< to choose from
    double feature_scale = 1.0;  ///< the smallest that was declared: no feature is shut out by it
  };

  /// `asked`: the objective without an alpha.
  AutomaticAlpha(problem::ObjectiveSpec asked, const Facts& facts);

  /// Whether it depends on how large targets are.
  bool follows_target_scale(const problem::AnyLoss& loss) const;
  /// The objective with its alpha. A model states the `l1_ratio` that both parts together amount
  /// to.
  problem::ObjectiveSpec settled(const problem::AnyLoss& loss, double target_scale) const;

  double l1_part(const problem::AnyLoss& loss, double target_scale) const;
  double l2_part() const;

 private:
  problem::ObjectiveSpec asked_;
  Facts facts_;
  double l1_share_;
  double l2_share_;
};

/// What a statement calls the parts of an elastic net whose alpha was not given.
inline constexpr const char* kL1Strength = "l1_strength";
inline constexpr const char* kL2Strength = "l2_strength";

}  // namespace southwell::fit
