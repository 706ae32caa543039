#pragma once

#include <cstddef>
#include <map>
#include <span>

namespace southwell::solvers {

/// How large features are against their declared scales, learned from released second moments:
/// post-processing, one number a feature that believes a release as far as its noise allows. A
/// feature that few records have, or that is smaller than it was said to be, needs a narrower clip
/// and longer steps than its declared scale gives it.
class FeatureMoments {
 public:
  /// The squares of a record are clipped at this norm, times sqrt(features).
  static constexpr double kClip = 1.0;

  /// A release said that the mean squares of these features, clipped as above and in units of their
  /// declared scales, are so large, up to noise of sd `noise`.
  void observe(std::span<const std::size_t> features, std::span<const double> mean_squares,
               double noise);
  /// The scale of a feature as a part of its declared one: above 1 only where that is beyond doubt.
  double scale(std::size_t feature) const;

 private:
  struct Known {
    double mean = 1.0;  ///< as declared
    double variance = 1.0;
  };
  std::map<std::size_t, Known> known_;  ///< of features that a release spoke of
};

}  // namespace southwell::solvers
