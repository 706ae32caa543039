#include "southwell/solvers/rounds/feature_moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace southwell::solvers {
namespace {

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

TEST(FeatureMoments, GoAboveTheDeclarationWhereThatIsBeyondDoubt) {
  const std::vector<std::size_t> which{0, 1};
  FeatureMoments moments;
  moments.observe(which, std::vector{2.2, 0.6}, 0.01);
  EXPECT_NEAR(moments.scale(0), 2.0, 0.05);
  EXPECT_NEAR(moments.scale(1), 1.0, 0.05);
  FeatureMoments noisy;
  noisy.observe(which, std::vector{2.2, 0.6}, 1.0);
  EXPECT_EQ(noisy.scale(0), 1.0);
}

TEST(FeatureMoments, TakeWhateverANoisyReleaseSays) {
  const std::vector<std::size_t> which{0, 1};
  for (const double said : {-1e300, -1.0, 0.0, 1.0, 1e300}) {
    for (const double noise : {0.0, 1e-300, 1.0, 1e300}) {
      FeatureMoments moments;
      for (int t = 0; t < 100; ++t) moments.observe(which, std::vector{said, -said}, noise);
      for (const std::size_t feature : which) {
        EXPECT_GE(moments.scale(feature), 0.1) << said << " " << noise;
        EXPECT_LE(moments.scale(feature), 1e3) << said << " " << noise;
      }
    }
  }
}

}  // namespace
}  // namespace southwell::solvers
