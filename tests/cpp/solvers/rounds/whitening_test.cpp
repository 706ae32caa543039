#include "southwell/solvers/rounds/whitening.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "southwell/problem/mapped_records.hpp"
#include "southwell/solvers/rounds/feature_map.hpp"

namespace southwell::solvers {
namespace {

const std::vector<std::size_t> kBoth{0, 1};

/// Two features with correlation .9 whose second is 10 times its scale, and an intercept.
struct Sample {
  static constexpr std::size_t kRecords = 4000;
  data::DenseDesign<double> design = made();
  problem::Coordinates coordinates{problem::Coordinates::Options{
      .features = 2, .intercept = problem::Intercept::free, .feature_scale = {1.0, 0.5}}};

  static data::DenseDesign<double> made() {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    auto values = std::make_shared<double[]>(2 * kRecords);
    for (std::size_t i = 0; i < kRecords; ++i) {
      const double a = normal(random);
      values.get()[i] = a + 2.0;
      values.get()[kRecords + i] = 5.0 * (0.9 * a + std::sqrt(0.19) * normal(random));
    }
    return {std::shared_ptr<const double[]>(values), kRecords, 2};
  }
  /// In units of the scales.
  ReleasedMoments moments(double noise_sd) const {
    ReleasedMoments out{.dims = 3,
                        .values = std::vector<double>(9),
                        .noise_sd = noise_sd,
                        .norm = 1e-3};  // no floor to speak of
    const auto block = design.block({0, 2});
    for (std::size_t i = 0; i < kRecords; ++i) {
      const double x[3] = {block.column(0).values()[i], block.column(1).values()[i] / 0.5, 1.0};
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 3; ++b) out.values[3 * a + b] += x[a] * x[b] / kRecords;
      }
    }
    return out;
  }
};

TEST(Whitening, MakesFeaturesUncorrelatedAndOfSizeOne) {
  const Sample sample;
  const Whitening whitening(sample.moments(1e-9));
  core::ThreadPool pool(2);
  const auto mapped = problem::mapped_records(sample.design, problem::RecordFactors(),
                                              {kBoth, sample.coordinates, whitening.map()}, pool);
  EXPECT_NEAR(whitening.effective_dims(), 3.0, 1e-5);
  const auto block = mapped.block({0, 3});
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < Sample::kRecords; ++i) {
        sum += block.column(a).values()[i] * block.column(b).values()[i] / Sample::kRecords;
      }
      EXPECT_NEAR(sum, a == b ? 1.0 : 0.0, 1e-5);
    }
  }
}

TEST(Whitening, BelievesNothingThatNoiseCovers) {
  const Sample sample;
  const Whitening whitening(sample.moments(1e4));
  const auto metric = whitening.metric();
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      if (a != b) {
        EXPECT_NEAR(metric[3 * a + b] / metric[3 * a + a], 0.0, 1e-9);
      }
    }
    EXPECT_NEAR(metric[3 * a + a], metric[0], 1e-6 * metric[0]);
  }
  EXPECT_LT(whitening.effective_dims(), 0.3);
}

/// Features that are alike, measured with noise as large as they are.
TEST(Whitening, SeesNoDirectionInNoiseThatIsAsLargeAsFeatures) {
  constexpr std::size_t kDims = 8;
  constexpr double kNoise = 0.35;  // of a spectral norm of 1.4
  std::normal_distribution<double> normal;
  int alike = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    ReleasedMoments moments{.dims = kDims,
                            .values = std::vector<double>(kDims * kDims),
                            .noise_sd = kNoise,
                            .norm = std::sqrt(double{kDims})};
    for (std::size_t a = 0; a < kDims; ++a) {
      moments.values[a * kDims + a] = 0.8 + kNoise * normal(random);
      for (std::size_t b = 0; b < a; ++b) {
        const double noise = kNoise / std::sqrt(2.0) * normal(random);
        moments.values[a * kDims + b] = moments.values[b * kDims + a] = noise;
      }
    }
    const Whitening whitening(moments);
    const auto metric = whitening.metric();
    alike += std::fabs(metric[1] / metric[0]) < 1e-9 ? 1 : 0;
    // Nor do they seem fewer than they are.
    EXPECT_GT(whitening.effective_dims(), 0.8 * kDims * 0.8 / (0.8 + 0.3 * 1.4)) << seed;
  }
  EXPECT_GE(alike, 16);
}

TEST(Whitening, TakesWhateverANoisyReleaseSays) {
  for (const double value : {-1e18, -1.0, 0.0, 1e18}) {
    const Whitening whitening({.dims = 2,
                               .values = {value, -value, -value, 0.5 * value},
                               .noise_sd = 1.0,
                               .norm = std::sqrt(2.0)});
    EXPECT_GE(whitening.effective_dims(), 0.0);
    for (const double entry : whitening.metric()) EXPECT_TRUE(std::isfinite(entry));
    for (const double each : whitening.to_features(std::vector{1.0, 1.0})) {
      EXPECT_TRUE(std::isfinite(each));
    }
  }
}

TEST(FeatureMap, ComesBackFromWhereItWent) {
  const Sample sample;
  const Whitening whitening(sample.moments(0.1));
  const problem::AnyPenalty none = problem::None{};
  const FeatureMap map(whitening, sample.coordinates, none);
  const std::vector<double> coef{1.5, -0.3, 4.0};
  const Descended back = map.back({.coef = map.there(coef),
                                   .gradient = std::vector<double>(3),
                                   .noise_sd = std::vector<double>(3, 1.0),
                                   .response = {}});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(back.coef[c], coef[c], 1e-9);
  // Margins are the same on both sides.
  core::ThreadPool pool(1);
  const auto mapped = problem::mapped_records(sample.design, problem::RecordFactors(),
                                              {kBoth, sample.coordinates, whitening.map()}, pool);
  const std::vector<double> there = map.there(coef);
  for (const std::size_t i : {std::size_t{0}, std::size_t{17}}) {
    double margin = coef[2];
    double mapped_margin = 0.0;
    for (std::size_t j = 0; j < 2; ++j) {
      margin += coef[j] * sample.design.block({j, j + 1}).column(0).values()[i];
    }
    for (std::size_t j = 0; j < 3; ++j) {
      mapped_margin += there[j] * mapped.block({j, j + 1}).column(0).values()[i];
    }
    EXPECT_NEAR(mapped_margin, margin, 1e-9);
  }
}

}  // namespace
}  // namespace southwell::solvers
