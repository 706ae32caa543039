#include "southwell/solvers/rounds/clip_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

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

}  // namespace
}  // namespace southwell::solvers
