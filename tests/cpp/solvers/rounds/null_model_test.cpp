#include "southwell/solvers/rounds/null_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace southwell::solvers {
namespace {

const problem::Coordinates kAll({.features = 3,
                                 .intercept = problem::Intercept::free,
                                 .feature_scale = {1.0}});
constexpr std::size_t kIntercept = 3;

PrivacyNoise noise_of_the_intercept(double variance) {
  return {
      .coordinates = {kIntercept}, .variance = {variance}, .covariance = {}, .is_determined = {1}};
}

TEST(NullModel, HasTheInterceptOfBeforeAFeatureMoved) {
  NullModel null;
  EXPECT_FALSE(null.is_known());
  null.note(kAll, {0.0, 0.0, 0.0, 5.0}, noise_of_the_intercept(0.25));
  ASSERT_TRUE(null.is_known());
  EXPECT_EQ(null.on(kAll), (std::vector<double>{0.0, 0.0, 0.0, 5.0}));
  const std::vector<std::size_t> second{1};
  EXPECT_EQ(null.on(kAll.of_features(second)), (std::vector<double>{0.0, 5.0}));
}

TEST(NullModel, AddsTheNoiseOfItsInterceptAsFarAsThatIsTaken) {
  NullModel null;
  null.note(kAll, {0.0, 0.0, 0.0, 5.0}, noise_of_the_intercept(0.25));
  PrivacyNoise noise{.coordinates = {1, kIntercept},
                     .variance = {2.0, 1.0},
                     .covariance = {2.0, 0.5, 0.5, 1.0},
                     .is_determined = {1, 1}};
  null.add_noise(noise, kAll, 0.5);
  EXPECT_EQ(noise.variance, (std::vector<double>{2.0, 1.0 + 0.25 * 0.25}));
  EXPECT_EQ(noise.covariance, (std::vector<double>{2.0, 0.5, 0.5, 1.0 + 0.25 * 0.25}));
  const PrivacyNoise before = noise;
  null.add_noise(noise, kAll, 1.0);
  EXPECT_EQ(noise.variance, before.variance);
}

TEST(NullModel, LeavesOpenWhatIsNotKnownOfItsIntercept) {
  PrivacyNoise unknown = noise_of_the_intercept(0.25);
  unknown.is_determined = {0};
  NullModel null;
  null.note(kAll, {0.0, 0.0, 0.0, 5.0}, unknown);
  PrivacyNoise noise{.coordinates = {1, kIntercept},
                     .variance = {2.0, 1.0},
                     .covariance = {},
                     .is_determined = {1, 1}};
  null.add_noise(noise, kAll, 1.0);
  EXPECT_FALSE(std::isnan(noise.sd(1)));
  null.add_noise(noise, kAll, 0.5);
  EXPECT_TRUE(std::isnan(noise.sd(1)));
  EXPECT_FALSE(std::isnan(noise.sd(0)));
}

}  // namespace
}  // namespace southwell::solvers
