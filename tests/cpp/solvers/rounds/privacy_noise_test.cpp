#include "southwell/solvers/rounds/privacy_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace southwell::solvers {
namespace {

const ImpulseResponse kLong({200, {0.2, 1.0}}, 0.5, 100);
const ImpulseResponse kShort({200, {0.0005, 1.0}}, 0.0, 100);

problem::Coordinates features(std::size_t count) {
  return problem::Coordinates({.features = count, .feature_scale = {1.0}});
}

PrivacyNoise none_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t c = 0; c < count; ++c) all[c] = c;
  return PrivacyNoise{}.at(all);
}

TEST(PrivacyNoise, IsStatedOnlyWhereItIsTheSameWhateverTheCurvature) {
  const PrivacyNoise start = none_of(2);
  const PrivacyNoise brief = noise_of_each({features(2), start, kShort}, {});
  EXPECT_NEAR(brief.sd(0) / std::sqrt(kShort.along({}).variance), 1.0, 0.1);
  EXPECT_TRUE(std::isnan(noise_of_each({features(2), start, kLong}, {}).sd(0)));
  // Of a known curvature it is stated after any time.
  EXPECT_FALSE(std::isnan(noise_of_each({features(2), start, kLong}, {.least = 1.0}).sd(0)));
}

TEST(PrivacyNoise, OfWhitenedFeaturesIsThatOfTheirCovariance) {
  // Variances 4 and 1/4, correlation .8, known exactly; no floor to speak of.
  const ReleasedMoments moments{
      .dims = 2, .values = {4.0, 0.8, 0.8, 0.25}, .noise_sd = 1e-9, .norm = 100.0};
  const Whitening whitening({.dims = 2, .values = moments.values, .noise_sd = 1e-9, .norm = 3.0});
  const PrivacyNoise start = none_of(2);
  const PrivacyNoise found = noise_of_whitened({features(2), start, kLong}, whitening, {});
  // By pushing noise of size 1 along each mapped coordinate through the map.
  for (std::size_t c = 0; c < 2; ++c) EXPECT_FALSE(std::isnan(found.sd(c)));
  EXPECT_LT(found.covariance[1], 0.0);  // what one takes the other gives
  EXPECT_NEAR(found.covariance[0 * 2 + 1], found.covariance[1 * 2 + 0], 1e-12);
  EXPECT_NEAR(found.covariance[0], found.variance[0], 1e-15);
}

TEST(PrivacyNoise, OfDirectionsBelowTheNoiseOfTheReleaseIsNotDetermined) {
  // Two features that are almost one, and one of its own; a release that sees no more than that.
  const ReleasedMoments moments{.dims = 3,
                                .values = {1.0, 0.999, 0.0, 0.999, 1.0, 0.0, 0.0, 0.0, 1.0},
                                .noise_sd = 0.02,
                                .norm = std::sqrt(3.0)};
  const Whitening whitening(moments);
  const PrivacyNoise start = none_of(3);
  const PrivacyNoise found = noise_of_whitened({features(3), start, kLong}, whitening, {});
  EXPECT_TRUE(std::isnan(found.sd(0)));
  EXPECT_TRUE(std::isnan(found.sd(1)));
  EXPECT_FALSE(std::isnan(found.sd(2)));
}

TEST(PrivacyNoise, IsDeterminedWhereAReleaseOfMappedRecordsTellsDirectionsApart) {
  // As above; noise of that size says more of mapped records, in which the two differ by more.
  const double apart = 0.01;
  Whitening whitening({.dims = 3,
                       .values = {1.0, 1.0 - apart, 0.0, 1.0 - apart, 1.0, 0.0, 0.0, 0.0, 1.0},
                       .noise_sd = 0.02,
                       .norm = std::sqrt(3.0)});
  const PrivacyNoise start = none_of(3);
  ASSERT_TRUE(std::isnan(noise_of_whitened({features(3), start, kLong}, whitening, {}).sd(0)));
  const auto map = [&](std::size_t a, std::size_t b) { return whitening.map()[a * 3 + b]; };
  const double true_moments[3][3] = {
      {1.0, 1.0 - apart, 0.0}, {1.0 - apart, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  std::vector<double> mapped(9);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t d = 0; d < 3; ++d) {
          mapped[a * 3 + b] += map(a, c) * true_moments[c][d] * map(d, b);
        }
      }
    }
  }
  whitening.observe_mapped({.dims = 3, .values = mapped, .noise_sd = 0.02, .norm = 100.0});
  const PrivacyNoise found = noise_of_whitened({features(3), start, kLong}, whitening, {});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_FALSE(std::isnan(found.sd(c))) << c;
  EXPECT_GT(found.sd(0), found.sd(2));
  EXPECT_LT(found.covariance[1], 0.0);  // what one of the two takes the other gives
}

TEST(PrivacyNoise, KnowsWhatKeepingAPartOfAWayDoesToNoise) {
  const std::size_t dims = 6;
  std::vector<double> identity(dims * dims);
  for (std::size_t c = 0; c < dims; ++c) identity[c * dims + c] = 1.0;
  const Whitening whitening({.dims = dims, .values = identity, .noise_sd = 1e-9, .norm = 1e-3});
  const PrivacyNoise start = none_of(dims);
  const double sd = std::sqrt(kLong.along({.loss = whitening.curvatures()[0].about}).variance);
  std::vector<double> way(dims, 2.0 * sd);
  const double noise = static_cast<double>(dims) * sd * sd;
  const PrivacyNoise found =
      noise_of_whitened({features(dims), start, kLong}, whitening, {way, noise});
  // The same with noise drawn around the way, small enough for the slope.
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  double squares = 0.0;
  constexpr int kDraws = 20'000;
  constexpr double kSmall = 0.02;
  const auto kept = [&](const std::vector<double>& at) {
    double length = 0.0;
    for (const double each : at) length += each * each;
    return (1.0 - noise / length) * at[0];
  };
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> other = way;
    for (double& each : other) each += kSmall * sd * normal(random);
    squares += std::pow((kept(other) - kept(way)) / kSmall, 2) / kDraws;
  }
  EXPECT_NEAR(found.sd(0) / std::sqrt(squares), 1.0, 0.05);
}

TEST(PrivacyNoise, OfARecenteredInterceptFollowsTheFeatures) {
  PrivacyNoise noise{.coordinates = {0, 1, 2},
                     .variance = {4.0, 9.0, 1.0},
                     .covariance = {4.0, 1.0, 0.0, 1.0, 9.0, 0.0, 0.0, 0.0, 1.0},
                     .is_determined = {1, 1, 1}};
  // One step of length 1: all that was before is forgotten.
  recenter(noise, ImpulseResponse({{1.0, 0.5}}, 0.0, 0), std::vector{2.0, -1.0});
  EXPECT_NEAR(noise.variance[2], 0.25 + 4.0 * 4.0 + 9.0 - 2.0 * 2.0 * 1.0, 1e-12);
  EXPECT_NEAR(noise.covariance[2], -(2.0 * 4.0 - 1.0), 1e-12);
  EXPECT_FALSE(std::isnan(noise.sd(2)));
  noise.is_determined[1] = 0;
  recenter(noise, ImpulseResponse({{1.0, 0.5}}, 0.0, 0), std::vector{2.0, -1.0});
  EXPECT_TRUE(std::isnan(noise.sd(2)));
}

TEST(PrivacyNoise, OfOtherCoordinatesIsNoneWhereTheyHadNone) {
  const PrivacyNoise noise{.coordinates = {7, 3},
                           .variance = {4.0, 9.0},
                           .covariance = {4.0, 1.0, 1.0, 9.0},
                           .is_determined = {1, 0}};
  const PrivacyNoise other = noise.at({3, 5, 7});
  EXPECT_EQ(other.variance, (std::vector<double>{9.0, 0.0, 4.0}));
  EXPECT_EQ(other.covariance, (std::vector<double>{9.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0}));
  EXPECT_TRUE(std::isnan(other.sd(0)));
}

}  // namespace
}  // namespace southwell::solvers
