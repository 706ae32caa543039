#include "southwell/problem/magnitude_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Magnitude, IsTheBinaryExponentWithinSixty) {
  EXPECT_EQ(magnitude(1.0), 1);
  EXPECT_EQ(magnitude(-0.75), 0);
  EXPECT_EQ(magnitude(200.0), 8);
  EXPECT_EQ(magnitude(0x1p59), 60);
  for (const double y : {5e-324, -1e-300, 0x1p-61}) EXPECT_EQ(magnitude(y), -60) << y;
  for (const double y : {1e300, kInfinity, -kInfinity}) EXPECT_EQ(magnitude(y), 60) << y;
}

TEST(Magnitude, IsNoneOfZeroAndNan) {
  for (const double y : {0.0, -0.0, kNan, -kNan}) EXPECT_EQ(magnitude(y), std::nullopt) << y;
}

TEST(MagnitudeScores, AreZeroAtTheMedianAndFallAwayFromIt) {
  // With no noise to speak of the mechanism takes the largest score: the median's.
  privacy::SeededRandomBits bits(4);
  const privacy::ExponentialMechanism sharp(1, 1);
  const auto found = [&](std::vector<double> target) {
    std::vector<double> many;  // so that every score is far from the next
    for (int k = 0; k < 200; ++k) many.insert(many.end(), target.begin(), target.end());
    return static_cast<int>(sharp.release(magnitude_scores(many), bits)) + kLeastMagnitude;
  };
  EXPECT_EQ(found({100.0}), 7);
  EXPECT_EQ(found({1.0, 100.0, 1000.0}), 7);
  EXPECT_EQ(found({0.0, 0.0, 0.0, 5.0}), 3);
  EXPECT_EQ(found({0.0, 0.0, kNan, kNan, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-300}), -60);
  EXPECT_EQ(found({0.0, 0.0, 0.0, 1.0, 5.0, 6.0}), 3);
  EXPECT_EQ(found({0.0, 0.0, 0.0, 5.0, 5.0}), 3);
  EXPECT_EQ(found({-3.0, kInfinity, kInfinity}), 60);
}

TEST(MagnitudeScores, OfNothingAreTheWeightsWhichFallAwayFromOne) {
  // Where no target has a size, candidates are drawn by the weights alone: e^(-|k|/16) each.
  privacy::SeededRandomBits bits(4);
  constexpr std::int64_t kScale = 1000;
  const privacy::ExponentialMechanism mechanism(2, kScale);
  const std::vector<double> nothing(50, 0.0);
  constexpr int kDraws = 20'000;
  std::vector<int> counts(kMagnitudes);
  for (int draw = 0; draw < kDraws; ++draw) {
    ++counts[mechanism.release(magnitude_scores(nothing, std::nullopt, kScale), bits)];
  }
  double all = 0.0;
  for (int k = -60; k <= 60; ++k) all += std::exp(-std::abs(k) / 16.0);
  for (int k = -60; k <= 60; ++k) {
    const double expected = kDraws * std::exp(-std::abs(k) / 16.0) / all;
    EXPECT_NEAR(counts[static_cast<std::size_t>(k + 60)], expected, 5.0 * std::sqrt(expected)) << k;
  }
}

}  // namespace
}  // namespace southwell::problem
