#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace southwell::solvers {

/// The second moments of some features as a release gave them, an intercept's last, in units of
/// the declared scales.
struct ReleasedMoments {
  std::size_t dims = 0;
  std::vector<double> values;  ///< symmetric, row after row
  double noise_sd = 0.0;       ///< of an entry on the diagonal; beside it sqrt(1/2) of it
  double norm = 1.0;           ///< at which records were clipped
  double declared = 1.0;       ///< what a moment on the diagonal is by declaration
};

/// What a release says of the curvature along a direction of whitened features: about what part of
/// a whole it is, and between which parts it may well lie.
struct WhitenedCurvature {
  double about = 1.0;
  double least = 1.0;
  double most = 1.0;
  double counted = 1.0;  ///< for rules: with what noise may have hidden, up to what was declared
};

/// A public map of records z = A x, A = (H + ridge)^(-1/2), in which features are uncorrelated and
/// of size 1 as far as released second moments H tell: records are clipped there, so that noise is
/// the same in all directions of prediction, and descent takes as long in all of them. With a
/// column of ones among the features it also centres. Post-processing of the release.
class Whitening {
 public:
  explicit Whitening(const ReleasedMoments& moments);

  /// The second moments of mapped records, by a release of their own: they tell the curvature of a
  /// descent there, along directions of their own, if their noise is less than what the first
  /// release leaves there. The map stays, and what rules count.
  void observe_mapped(const ReleasedMoments& moments);

  std::size_t dims() const { return dims_; }
  /// How many of the directions the ridge leaves: the expected square of a mapped record's norm.
  double effective_dims() const { return effective_; }
  /// H + ridge: what A^-2 is, the metric of a step.
  std::span<const double> metric() const { return metric_; }

  /// Coefficients of mapped records as those of records in units of their scales, and back.
  std::vector<double> to_features(std::span<const double> mapped) const {
    return times(map_, mapped);
  }
  std::vector<double> to_mapped(std::span<const double> coef) const {
    return times(inverse_, coef);
  }
  /// The sd of the noise in each of those coefficients, where mapped ones have noise of these sds.
  std::vector<double> noise_sd(std::span<const double> mapped_sd) const;

  /// The directions of a mapped space along which the curvature of a squared loss is known, one
  /// after the other, and what it is along each: those in which A is diagonal, or those of what was
  /// released of mapped records.
  std::span<const double> directions() const { return directions_; }
  const std::vector<WhitenedCurvature>& curvatures() const { return curvatures_; }

  /// The moments of every feature with the last, which are means where that is an intercept.
  std::span<const double> means() const { return means_; }

  /// A, row after row: what every record is multiplied by (problem/mapped_records.hpp).
  std::span<const double> map() const { return map_; }
  std::span<const double> inverse() const { return inverse_; }

 private:
  std::vector<double> times(const std::vector<double>& matrix, std::span<const double> by) const;

  std::size_t dims_;
  double effective_ = 0.0;
  double mapped_noise_ = 0.0;  ///< of the release in a mapped moment, where the map stretches most
  std::vector<double> map_;    ///< A, symmetric
  std::vector<double> inverse_;  ///< A^-1
  std::vector<double> metric_;   ///< A^-2
  std::vector<double> means_;
  std::vector<double> directions_;
  std::vector<WhitenedCurvature> curvatures_;
};

}  // namespace southwell::solvers
