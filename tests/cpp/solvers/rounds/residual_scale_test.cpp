#include "southwell/solvers/rounds/residual_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "southwell/solvers/rounds/clip_law.hpp"

namespace southwell::solvers {
namespace {

TEST(ResidualScale, FindsTheScaleThatRoomsSpeakOf) {
  for (const double truth : {0.3, 1.0, 1.3}) {
    ResidualScale scale(1.0, 0.22);
    for (int t = 0; t < 200; ++t)
      scale.observe(mean_room(0.5 * scale.value() / truth, 5), 0.01, 0.5, 5);
    EXPECT_NEAR(scale.value(), truth, 0.02 * truth);
  }
}

TEST(ResidualScale, DoesNotFollowADescentThatGoesAstray) {
  ResidualScale scale(1.0, 0.22);
  for (int t = 0; t < 200; ++t) scale.observe(0.0, 0.001, 0.5, 5);  // no record leaves any room
  EXPECT_NEAR(scale.value(), std::exp(1.5 * 0.22), 1e-12);
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

}  // namespace
}  // namespace southwell::solvers
