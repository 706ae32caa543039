// The public arithmetic of refinements: what clipping takes away, what rooms tell, how steps
// shorten.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "southwell/solvers/rounds/clip_law.hpp"
#include "southwell/solvers/rounds/feature_moments.hpp"
#include "southwell/solvers/rounds/margin_correction.hpp"
#include "southwell/solvers/rounds/residual_scale.hpp"
#include "southwell/solvers/rounds/rounds.hpp"
#include "southwell/solvers/rounds/step_schedule.hpp"

namespace southwell::solvers {
namespace {

/// Means over gradients of normal features and residuals, by brute force.
struct Drawn {
  double product = 0.0;   ///< E[x_1^2; |x_1 r| < clip]
  double products = 0.0;  ///< E min(|x_1 r|, clip)^2
  double feature = 0.0;   ///< E min(|x_1|, clip)^2
  double norm = 0.0;      ///< the slope of the clipped gradient in the coefficient
  double features = 0.0;  ///< E[x_1^2 min(1, clip sqrt(k) / |x|)]
  double room = 0.0;
};
Drawn drawn(double clip, std::size_t dims) {
  constexpr int kDraws = 200'000;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const double bound = clip * std::sqrt(static_cast<double>(dims));
  Drawn out;
  for (int i = 0; i < kDraws; ++i) {
    const double x = normal(random);
    const double r = normal(random);
    double squares = x * x;
    for (std::size_t k = 1; k < dims; ++k) squares += std::pow(normal(random), 2);
    const double length = std::sqrt(squares);
    out.product += x * x * (std::fabs(x * r) < clip ? 1.0 : 0.0);
    out.products += std::pow(std::min(std::fabs(x * r), clip), 2);
    out.feature += std::pow(std::min(std::fabs(x), clip), 2);
    out.norm += x * x * (length * std::fabs(r) < bound ? 1.0 : 0.0);
    out.features += x * x * std::min(1.0, bound / length);
    const double part = std::min(1.0, length * std::fabs(r) / bound);
    out.room += std::sqrt(1.0 - part * part);
  }
  for (double* const sum :
       {&out.product, &out.products, &out.feature, &out.norm, &out.features, &out.room}) {
    *sum /= kDraws;
  }
  return out;
}

// 200 000 draws: the sd of a mean is at most .004.
TEST(ClipLaw, IsWhatNormalGradientsGive) {
  for (const double clip : {0.2, 0.5, 1.0, 2.5}) {
    for (const std::size_t dims : {1u, 2u, 8u, 60u}) {
      const Drawn expected = drawn(clip, dims);
      EXPECT_NEAR(product_attenuation(clip), expected.product, 0.02) << clip;
      EXPECT_NEAR(product_sd(clip), std::sqrt(expected.products), 0.01) << clip;
      EXPECT_NEAR(feature_sd(clip), std::sqrt(expected.feature), 0.01) << clip;
      EXPECT_NEAR(norm_attenuation(clip, dims), expected.norm, 0.02) << clip << " " << dims;
      EXPECT_NEAR(feature_attenuation(clip, dims), expected.features, 0.02) << clip << " " << dims;
      EXPECT_NEAR(mean_room(clip, dims), expected.room, 0.02) << clip << " " << dims;
    }
  }
}

TEST(ClipLaw, OfOneFeatureIsTheErrorFunction) {
  for (const double clip : {0.1, 0.3, 1.0, 3.0}) {
    EXPECT_NEAR(feature_attenuation(clip, 1), std::erf(clip / std::sqrt(2.0)), 5e-3);
  }
}

TEST(ClipLaw, LeavesEverythingWhereNothingIsClipped) {
  EXPECT_NEAR(product_attenuation(1e3), 1.0, 2e-3);
  EXPECT_NEAR(norm_attenuation(1e3, 10), 1.0, 1e-6);
  EXPECT_NEAR(feature_attenuation(1e3, 10), 1.0, 1e-6);
  EXPECT_NEAR(mean_room(1e3, 10), 1.0, 1e-4);
}

TEST(MarginLaw, HasTheCurvatureOfTheLossAlongLongCoefficients) {
  EXPECT_NEAR(curvature_along({0.0, 0.0}), 1.0, 1e-3);
  for (const Margins& margins : {Margins{0.5, 0.0}, Margins{2.0, -3.0}, Margins{6.0, 1.0}}) {
    // The gradient along w of labels that do not depend on it, E z s(m), grows by it.
    const auto gradient = [&](double length) {
      double sum = 0.0;
      double weights = 0.0;
      for (double z = -8.0; z <= 8.0; z += 1e-3) {
        const double weight = std::exp(-0.5 * z * z);
        sum += weight * z / (1.0 + std::exp(-margins.middle - length * z));
        weights += weight;
      }
      return sum / weights;
    };
    const double slope = (gradient(margins.sd + 1e-3) - gradient(margins.sd - 1e-3)) / 2e-3;
    EXPECT_NEAR(curvature_along(margins), 4.0 * slope, 1e-3);
  }
}

/// Two heads of three features and an intercept; the third feature of the first is at a bound.
struct HeadsProblem {
  problem::Coordinates all{{.features = 3,
                            .heads = 2,
                            .intercept = problem::Intercept::free,
                            .curvature = 0.25,
                            .l2 = 0.5,
                            .feature_scale = {1.0, 2.0, 1.0}}};
  std::vector<double> w{3.0, -1.0, 0.5, 0.3, 0.0, 0.0, 0.0, 5.0};
  const problem::Coordinates& coordinates() const { return all; }
  const std::vector<double>& coef() const { return w; }
  double penalty_along(std::size_t c) const { return all.l2(c) * w[c] * w[c]; }
  bool is_held(std::size_t c) const { return c == 2; }
};
struct HeadsMechanism {
  double first = -0.4;
  double gradient(const HeadsProblem&, std::size_t c) const { return c == 0 ? first : 0.1; }
};

TEST(MarginCorrection, IsANewtonStepAlongTheCoefficientsOfAHeadAndNoOtherWay) {
  const HeadsProblem problem;
  MarginCorrection margins(2);
  margins.observe(problem, HeadsMechanism{});
  const double flat = curvature_along({std::sqrt(9.0 + 4.0 + 0.25), 0.3});
  const double curved = 0.75 * 9.0 + 1.5 * 1.0;  // of the two that are free
  const double quadratic = 0.5 * 10.0;
  const double slope = -0.4 * 3.0 - 0.1 + quadratic;
  const double newton = curved / (flat * (curved - quadratic) + quadratic);
  ASSERT_GT(newton, 1.2);
  for (const std::size_t c : {0u, 1u}) {
    EXPECT_NEAR(margins.of(problem, c),
                (newton - 1.0) * slope / curved * problem.w[c] * problem.all.smoothness(c), 1e-12);
  }
  EXPECT_EQ(margins.of(problem, 2), 0.0) << "at a bound";
  EXPECT_EQ(margins.of(problem, 3), 0.0) << "an intercept is no direction";
  for (const std::size_t c : {4u, 5u, 6u, 7u}) {
    EXPECT_EQ(margins.of(problem, c), 0.0) << "a head that is 0";
    EXPECT_EQ(margins.noise_growth(problem, c), 1.0);
  }
  EXPECT_EQ(margins.noise_growth(problem, 2), 1.0) << "at a bound";
  const double toward = 0.75 * 9.0 / curved;
  EXPECT_NEAR(margins.noise_growth(problem, 0), std::sqrt(1.0 + (newton * newton - 1.0) * toward),
              1e-12);
}

TEST(MarginCorrection, TakesWhateverANoisyReleaseSays) {
  HeadsProblem problem;
  for (const double length : {1e-300, 2e-162, 1e-155, 1e-12, 1e3, 1e150, 1e200}) {
    for (const double released : {0.0, -0.4, 1e-300, 1e200, -1e300}) {
      problem.w = {length, -length, 0.0, length, 0.0, length, 0.0, 0.0};
      MarginCorrection margins(2);
      margins.observe(problem, HeadsMechanism{released});
      for (std::size_t c = 0; c < 8; ++c) {
        EXPECT_TRUE(std::isfinite(margins.of(problem, c))) << length << " " << released;
        EXPECT_TRUE(std::isfinite(margins.noise_growth(problem, c))) << length;
      }
    }
  }
}

/// The mean of what is released of the squares of normal features of this scale.
std::vector<double> clipped_squares(double scale, std::size_t features) {
  constexpr int kDraws = 50'000;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.0, scale);
  const double bound = FeatureMoments::kClip * std::sqrt(static_cast<double>(features));
  std::vector<double> squares(features);
  std::vector<double> mean(features);
  for (int i = 0; i < kDraws; ++i) {
    double norm = 0.0;
    for (double& square : squares) {
      square = std::pow(normal(random), 2);
      norm += square * square;
    }
    const double shrink = std::min(1.0, bound / std::sqrt(norm));
    for (std::size_t k = 0; k < features; ++k) mean[k] += shrink * squares[k] / kDraws;
  }
  return mean;
}

TEST(FeatureMoments, FindTheScaleOfFeatures) {
  for (const std::size_t features : {1u, 3u, 20u}) {
    std::vector<std::size_t> which(features);
    for (std::size_t k = 0; k < features; ++k) which[k] = 7 * k;
    FeatureMoments as_declared;
    as_declared.observe(which, clipped_squares(1.0, features), 0.005);
    FeatureMoments small;
    small.observe(which, clipped_squares(0.3, features), 0.005);
    for (const std::size_t feature : which) {
      EXPECT_NEAR(as_declared.scale(feature), 1.0, 0.05) << features;
      // Nothing of them is clipped, and the law is that of features as declared.
      EXPECT_NEAR(small.scale(feature), 0.3 / std::sqrt(0.55), 0.04) << features;
    }
  }
}

TEST(FeatureMoments, LeaveTheDeclaredScaleWhereNothingIsKnown) {
  FeatureMoments moments;
  EXPECT_EQ(moments.scale(3), 1.0);
  const std::vector<std::size_t> which{3, 5};
  moments.observe(which, std::vector{-40.0, 60.0}, 100.0);
  EXPECT_NEAR(moments.scale(3), 1.0, 0.01);
  EXPECT_NEAR(moments.scale(5), 1.0, 0.01);
  EXPECT_EQ(moments.scale(4), 1.0);
}

TEST(FeatureMoments, BelieveTwoReleasesMoreThanOne) {
  const std::vector<std::size_t> which{0};
  FeatureMoments once;
  once.observe(which, std::vector{0.055}, 0.3);
  FeatureMoments twice = once;
  twice.observe(which, std::vector{0.055}, 0.3);
  EXPECT_LT(twice.scale(0), once.scale(0));
}

TEST(FeatureMoments, TakeWhateverANoisyReleaseSays) {
  const std::vector<std::size_t> which{0, 1};
  for (const double said : {-1e300, -1.0, 0.0, 1.0, 1e300}) {
    for (const double noise : {0.0, 1e-300, 1.0, 1e300}) {
      FeatureMoments moments;
      for (int t = 0; t < 100; ++t) moments.observe(which, std::vector{said, -said}, noise);
      for (const std::size_t feature : which) {
        EXPECT_GE(moments.scale(feature), 0.1) << said << " " << noise;
        EXPECT_LE(moments.scale(feature), 1.0) << said << " " << noise;
      }
    }
  }
}

TEST(ResidualScale, FindsTheScaleThatRoomsSpeakOf) {
  for (const double truth : {0.3, 1.0, 2.0}) {
    ResidualScale scale(1.0, 0.22);
    for (int t = 0; t < 200; ++t)
      scale.observe(mean_room(0.5 * scale.value() / truth, 5), 0.01, 0.5, 5);
    EXPECT_NEAR(scale.value(), truth, 0.02 * truth);
  }
}

TEST(ResidualScale, DoesNotFollowNoise) {
  ResidualScale scale(1.0, 0.22);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int t = 0; t < 20; ++t)
    scale.observe(mean_room(0.5, 5) + 30.0 * normal(random), 30.0, 0.5, 5);
  EXPECT_NEAR(scale.value(), 1.0, 0.2);
}

TEST(ResidualScale, TakesWhateverANoisyReleaseSays) {
  for (const double room : {-1e300, -1.0, 2.0, 1e300}) {
    ResidualScale scale(1.0, 0.4);
    for (int t = 0; t < 2000; ++t) scale.observe(room, 1e-3, 0.5, 3);
    EXPECT_TRUE(std::isfinite(scale.value()) && scale.value() > 0.0) << room;
  }
}

struct PlainProblem {
  double clip = 0.0;
  void set_clip(double to) { clip = to; }
  double smoothness(std::size_t c) const { return c == 0 ? 1.0 : 4.0; }
  double room_of(std::int64_t released) const { return static_cast<double>(released); }
  double room_of_noise(double sd) const { return sd; }
};
struct PlainMechanism {
  std::vector<std::int64_t> numbers;
  const std::vector<std::int64_t>& released() const { return numbers; }
  double noise_sd() const { return 10.0; }
};

TEST(StepSchedule, GetsShorterWhereGradientsTurnAroundAndOnlyThere) {
  PlainProblem problem;
  StepSchedule schedule({.clip = 2.0, .scale = 3.0, .releases = 10, .longest = 5.0}, 4, nullptr);
  schedule.prepare(problem);
  EXPECT_DOUBLE_EQ(problem.clip, 2.0 * 3.0 * 2.0);
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.5);
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 1), 0.125);
  schedule.learn(problem, PlainMechanism{{100, 0, 0, 0}});
  schedule.learn(problem, PlainMechanism{{100, 0, 0, 0}});
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.5);
  schedule.learn(problem, PlainMechanism{{-5, 0, 0, 0}});  // within noise: -5, and the limit is -6
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.5);
  schedule.learn(problem, PlainMechanism{{0, 0, 0, 0}});
  schedule.learn(problem, PlainMechanism{{900, 0, 0, 0}});
  schedule.learn(problem, PlainMechanism{{-900, 0, 0, 0}});
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.3);
}

TEST(StepSchedule, TakesLessTimeWhereThereIsMoreNoise) {
  PlainProblem problem;
  double before = 1e9;
  for (const double noise : {0.0, 0.02, 0.1, 1.0}) {
    const StepSchedule schedule({.releases = 1, .longest = 10.0, .time = 0.7, .noise = noise}, 4,
                                nullptr);
    EXPECT_LT(schedule.step_of(problem, 0), before);
    before = schedule.step_of(problem, 0);
  }
}

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
  void run(const DescentOptions&, const Support&, NotedProblem&, std::vector<PathStep>&) {}
  void run_on_remaining(const DescentOptions&, const Pruning&, Support&, NotedProblem&,
                        std::vector<PathStep>&) {}
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
