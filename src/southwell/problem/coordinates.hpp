#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/objective.hpp"

namespace southwell::problem {

/// The coordinates of a fit and their scales, all public: for each head (one, or one per class) the
/// features in order, then the intercept if there is one. An intercept is a feature that is 1 in
/// every record, never penalised.
class Coordinates {
 public:
  struct Options {
    std::size_t features = 0;
    std::size_t heads = 1;
    Intercept intercept = Intercept::none;
    double curvature = 1.0;                  ///< beta of the loss
    double l2 = 0.0;                         ///< strength of the penalty's quadratic part
    double clip = 1.0;                       ///< c: C_j = c sqrt(M_j / beta)
    double slope_limit = 0.0;                ///< rho of ProductClip; 0: none
    double attenuation = 1.0;                ///< what clipping leaves of a gradient, in the middle
    double records = 1.0;                    ///< the public divisor n
    std::vector<double> feature_scale{1.0};  ///< s_j of every feature, or one for all
    std::vector<double> smoothness_from_data{};  ///< M_j instead; a leak. Usually empty
  };

  explicit Coordinates(Options options) : options_(std::move(options)) {}

  std::size_t features() const { return options_.features; }
  std::size_t heads() const { return options_.heads; }
  Intercept intercept() const { return options_.intercept; }
  /// Coordinates of one head.
  std::size_t width() const {
    return features() + (intercept() == Intercept::free ? std::size_t{1} : std::size_t{0});
  }
  std::size_t size() const { return heads() * width(); }
  std::size_t head(std::size_t c) const { return c / width(); }
  std::size_t feature(std::size_t c) const { return c % width(); }
  bool is_intercept(std::size_t c) const { return feature(c) == features(); }

  /// s_j as it was declared.
  double feature_scale(std::size_t c) const {
    if (is_intercept(c)) return 1.0;
    return options_.feature_scale.size() == 1 ? options_.feature_scale[0]
                                              : options_.feature_scale[feature(c)];
  }
  /// M_j = beta s_j^2 + l2.
  double smoothness(std::size_t c) const {
    if (is_intercept(c)) return options_.curvature;
    if (!options_.smoothness_from_data.empty()) return options_.smoothness_from_data[feature(c)];
    const double scale = feature_scale(c);
    return options_.curvature * scale * scale + options_.l2;
  }
  /// sqrt((M_j - l2) / beta): s_j as M_j has it, wherever that came from.
  double unit(std::size_t c) const {
    if (is_intercept(c)) return 1.0;
    if (options_.smoothness_from_data.empty()) return feature_scale(c);
    return std::sqrt(std::max(smoothness(c) - options_.l2, 1e-200) / options_.curvature);
  }
  double l2(std::size_t c) const { return is_intercept(c) ? 0.0 : options_.l2; }
  double clip() const { return options_.clip; }  ///< c
  /// What follows is clipped like this.
  void set_clip(double clip, double slope_limit) {
    options_.clip = clip;
    options_.slope_limit = slope_limit;
  }
  /// C_j.
  double clip(std::size_t c) const {
    return options_.clip * std::sqrt(smoothness(c) / options_.curvature);
  }
  /// The gradient that one unit of an integer sum stands for.
  double gradient_unit(std::size_t c) const {
    return clip(c) /
           (static_cast<double>(ProductClip::kBound) * options_.records * options_.attenuation);
  }
  ProductClip contribution(std::size_t c) const {
    return ProductClip(clip(c), options_.slope_limit);
  }
  /// The same divided by sqrt(M_j), in which all coordinates are alike: the unit of scores.
  double score_unit() const {
    return options_.clip /
           (std::sqrt(options_.curvature) * static_cast<double>(ProductClip::kBound) *
            options_.records * options_.attenuation);
  }
  const Options& options() const { return options_; }
  /// The chosen features alone, in this order.
  Coordinates of_features(std::span<const std::size_t> features) const {
    Options chosen = options_;
    chosen.features = features.size();
    chosen.feature_scale.clear();
    chosen.smoothness_from_data.clear();
    for (const std::size_t j : features) {
      chosen.feature_scale.push_back(feature_scale(j));
      if (!options_.smoothness_from_data.empty()) {
        chosen.smoothness_from_data.push_back(smoothness(j));
      }
    }
    return Coordinates(std::move(chosen));
  }
  /// The same with the scale of feature j times factors[j].
  Coordinates scaled(std::span<const double> factors) const {
    Options other = options_;
    other.feature_scale.resize(features());
    for (std::size_t j = 0; j < features(); ++j) {
      other.feature_scale[j] = feature_scale(j) * factors[j];
      if (other.smoothness_from_data.empty()) continue;
      const double data =
          (options_.smoothness_from_data[j] - options_.l2) * factors[j] * factors[j];
      other.smoothness_from_data[j] = data + options_.l2;
    }
    return Coordinates(std::move(other));
  }

 private:
  Options options_;
};

}  // namespace southwell::problem
