#include "southwell/fit/norm_rules.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/number_text.hpp"

namespace southwell::fit {
namespace {

/// A regression's slopes are limited at half of the residuals' scale, which leaves this of them
/// (product: erf(.5 / sqrt 2)).
constexpr double kResidualLimit = 0.5;
constexpr double kResidualLeft = 0.3829249225480262;

/// The noise of a margin at the end, over .75; of a regression over 2 and in units of the
/// residuals' scale. There, what is learned beside the few directions that records share grows with
/// n mu / p only.
double margin_noise(const PublicFacts& of, double norm) {
  if (!classifies(of)) {
    const double each = strength(of) / static_cast<double>(of.features);
    return std::clamp(0.25 * std::pow(each, 0.25), 0.08, 0.4);
  }
  const double signal = strength(of) / (norm * norm * static_cast<double>(of.heads));
  return std::clamp(0.5 * std::pow(signal / 40.0, 0.25), 0.35, 1.0);
}

/// The slope limit, in units of the slopes at 0: wide only where every coordinate is measurable.
double wide_slopes(const PublicFacts& of, double features) {
  const double all = features * static_cast<double>(of.heads);
  return std::max(std::clamp(std::sqrt(strength(of) / 2000.0), 0.5, 1.0),
                  std::min(2.0, 0.5 * std::sqrt(strength(of) / (8.0 * all))));
}

constexpr double kFewest = 30.0;  ///< releases

/// The curvature 1/4 over that of the loss, as gradients are corrected.
double flatter(const PublicFacts& of) { return classifies(of) ? 1.0 : 0.25 * kResidualLeft; }

constexpr double kUsualStep = 30.0;  ///< in units of 1 / R^2, where the loss is curved by 1/4

/// How many releases there are to be. The time of a fit is that of its noise: so many numbers take
/// some seconds.
std::uint64_t releases_for(const PublicFacts& of, double time, double usual_step) {
  constexpr double kMostNumbers = 4e7;
  const double timely = kMostNumbers / static_cast<double>(of.coordinates);
  const double most = strength(of) >= 8.0 * static_cast<double>(of.features) ? 400.0 : 120.0;
  return static_cast<std::uint64_t>(
      std::clamp(std::ceil(time / usual_step), kFewest, std::max(kFewest, std::min(most, timely))));
}

/// How far releases go. The loss is curved by at most 1.07 R^2 / 4, a softmax by twice that, a
/// regression's by 4 / .383 times that where residuals are all small, and steps are shorter there;
/// heavy ball is stable up to steps of 2 (1 + m) / (1 - m) over the curvature: 34 / R^2 for a
/// softmax at m = .8, 71 / R^2 at m = .9.
struct Pace {
  double momentum;
  double longest;  ///< step, in units of 1 / R^2
};
Pace pace(const PublicFacts& of, double time, double releases) {
  const Pace usual{.momentum = 0.8, .longest = kUsualStep * flatter(of)};
  return time > usual.longest * releases && releases >= kFewest
             ? Pace{.momentum = 0.9, .longest = 60.0 * flatter(of)}
             : usual;
}

/// The l2 norm of a record's slopes where all margins are 0.
double first_slopes(const PublicFacts& of) {
  if (!classifies(of)) return 1.0;
  return of.heads > 1 ? std::sqrt(1.0 - 1.0 / static_cast<double>(of.heads)) : 0.5;
}

/// An intercept as a feature, in units of a record's norm: a quarter, which is 3 percent of the
/// noise, or so much more that a descent of this time is long enough for a rare class.
double intercept_part(const PublicFacts& of, double time) {
  constexpr double kUsual = 0.25;
  constexpr double kLeastTime = 10.0;
  return classifies(of) ? std::clamp(std::sqrt(kLeastTime / time), kUsual, 1.0) : kUsual;
}

}  // namespace

MarginFactorRule margin_factor_rule(const PublicFacts& of) {
  MarginFactorRule rule;
  const double signal = strength(of);
  rule.pays = signal >= 40.0;
  rule.part = std::clamp(20.0 / signal, 0.01, 0.08);
  if (!classifies(of)) rule.intercept_size = 0.5;
  rule.clip = 2.0 * first_slopes(of) * std::hypot(1.0, rule.intercept_size);
  // As far as the loss is curved along a factor, in steps that are stable.
  rule.longest = classifies(of) ? 50.0 : 8.0;
  constexpr double kNoise = 0.5;
  rule.noisy = kNoise * std::sqrt(rule.part) * signal / (2.0 * rule.clip);
  return rule;
}

NormDescentRule norm_descent_rule(const PublicFacts& of, double record_norm) {
  const bool corrects = !classifies(of);
  const double wide = corrects ? kResidualLimit : wide_slopes(of, static_cast<double>(of.features));
  double time = margin_noise(of, record_norm) / (corrects ? 1.0 : wide) * strength(of);
  NormDescentRule rule;
  if (corrects) rule.attenuation = kResidualLeft;
  rule.iterations = of.iterations.value_or(releases_for(of, time, kUsualStep * flatter(of)));
  const auto releases = static_cast<double>(rule.iterations);
  const Pace at = pace(of, time, releases);
  time = std::min(time, at.longest * releases);
  rule.momentum = at.momentum;
  rule.norm = record_norm;
  rule.slope_limit = wide * first_slopes(of);
  rule.intercept_size = intercept_part(of, time) * record_norm;
  rule.clip = rule.slope_limit * std::hypot(record_norm, rule.intercept_size);
  const double squared = record_norm * record_norm;
  // A strong penalty curves more than the loss does: steps are then as short as it asks.
  rule.step =
      std::min(time / releases / squared, at.longest / (squared + 4.0 * flatter(of) * of.l2));
  // It bears no penalty.
  rule.intercept_step =
      std::min(time / releases * std::pow(rule.intercept_size / record_norm, 2), 60.0 / releases);
  return rule;
}

std::uint64_t norm_descent_iterations(const PublicFacts& of) {
  const double time = strength(of) / wide_slopes(of, static_cast<double>(of.features));
  return releases_for(of, time, kUsualStep * flatter(of));
}

bool regression_follows_norm(const PublicFacts& of) {
  constexpr double kMuch = 4.0;
  const bool is_small = kMuch * of.record_norm * of.record_norm <= static_cast<double>(of.features);
  return !classifies(of) && of.norm_is_declared && is_small && of.l1 == 0.0 &&
         !refined_sgd_rule(of).whitens;
}

bool can_be_whitened(const PublicFacts& of, double record_norm) {
  constexpr double kLeast = 0.25;  // of the squared norm of features that are all as large as that
  constexpr double kNoise = 0.25;  // at most, in the released mean of what an intercept's 1 is
  const double square = record_norm * record_norm;
  const double noise = square / (strength(of) * std::sqrt(WhiteningChoice{}.moments_part));
  const bool dense = of.by_schema || square >= kLeast * static_cast<double>(of.features);
  return dense && (!of.intercept || noise <= kNoise);
}

WhiteningChoice whitening_choice(const PublicFacts& of) {
  constexpr std::size_t kMost = 128;  // the matrix is released whole, and mapped records are copies
  constexpr double kSignal = 8.0;
  const std::size_t dims = whitened_dims(of);
  if (!classifies(of) || of.heads > 1 || dims > kMost) return {};
  if (!can_be_whitened(of, of.record_norm)) return {};
  const double least = kSignal * std::pow(static_cast<double>(dims), 1.5);
  if (strength(of) < least) return {};
  return {.whitens = true,
          .why = "n mu is " + core::rounded_text(strength(of), 3) + ", at least 8 k^1.5 = " +
                 core::rounded_text(least, 3) + " for k = " + std::to_string(dims) +
                 " coordinates of dense records: enough to release their second moments"};
}

std::size_t whitened_dims(const PublicFacts& of) {
  return of.features + (of.intercept ? std::size_t{1} : std::size_t{0});
}

NormDescentRule whitened_descent_rule(const PublicFacts& of, double dims) {
  constexpr double kStep = 15.0;       // that usually, and at most twice it
  constexpr double kLongest = 4 * 30;  // 30 times what it takes where the loss is curved most
  const double wide = wide_slopes(of, dims);
  const double time =
      std::min(margin_noise(of, std::sqrt(dims)) / wide * strength(of), kLongest * dims);
  NormDescentRule rule;
  rule.iterations = of.iterations.value_or(releases_for(of, time, kStep));
  rule.norm = std::sqrt(dims);
  rule.slope_limit = wide * first_slopes(of);
  rule.intercept_size = 0.0;  // it is among the features
  rule.clip = rule.slope_limit * rule.norm;
  rule.step = std::min(time / static_cast<double>(rule.iterations), kUsualStep) / dims;
  return rule;
}

}  // namespace southwell::fit
