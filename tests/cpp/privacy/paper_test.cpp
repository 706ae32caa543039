#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "privacy/laws.hpp"
#include "southwell/core/error.hpp"
#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_laplace_release.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_noisy_max.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"

namespace southwell::privacy::paper {
namespace {

using Gradient = Sensitive<std::vector<double>>;

/// The word whose noise is closest to `noise` scales, 0 < |noise|.
std::uint64_t word_for(double noise) {
  const auto uniform = static_cast<std::uint64_t>(std::exp(-std::fabs(noise)) * 0x1p53) - 1;
  return (uniform << 11) | (noise < 0 ? 1u : 0u);
}

double best_change(const Coordinate& at, double gradient) {  // (GS-q) by search over the move
  double best = 0.0;
  for (int i = -40000; i <= 40000; ++i) {
    const double move = std::clamp(at.coef + i * 1e-4, at.lower, at.upper) - at.coef;
    best = std::min(best, gradient * move + at.smoothness / 2 * move * move +
                              at.l1 * (std::fabs(at.coef + move) - std::fabs(at.coef)));
  }
  return best;
}

TEST(PaperRules, AreThePublishedFormulas) {
  const Coordinate smooth{.smoothness = 4.0};
  for (const Rule rule : {Rule::gs_s, Rule::gs_r}) {
    EXPECT_DOUBLE_EQ(rule_score(rule, smooth, -3.0), 1.5) << "Alg. 1: |gradient| / sqrt(M)";
  }
  const Coordinate zero{.smoothness = 4.0, .l1 = 1.0};
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_s, zero, 0.7), 0.0);
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_s, zero, -3.0), 1.0);
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_r, zero, -3.0), 1.0);
  const Coordinate positive{.smoothness = 1.0, .coef = 0.5, .l1 = 1.0};
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_s, positive, -3.0), 2.0);
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_s, positive, 3.0), 4.0);
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_r, positive, 0.2), 0.5) << "to zero and not beyond";
  const Coordinate at_end{.coef = 1.0, .upper = 1.0};
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_s, at_end, -3.0), 0.0) << "cannot move up";
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_s, at_end, 3.0), 3.0);
  EXPECT_DOUBLE_EQ(rule_score(Rule::gs_r, at_end, -3.0), 0.0);
}

TEST(PaperRules, GsQIsTheDecreaseOfTheModel) {
  for (const double coef : {-0.6, 0.0, 0.3}) {
    for (const double l1 : {0.0, 0.4}) {
      for (const double upper : {0.5, 10.0}) {
        const Coordinate at{
            .smoothness = 2.0, .coef = coef, .l1 = l1, .lower = -1.0, .upper = upper};
        for (const double gradient : {-3.0, -0.3, 0.0, 0.5, 2.0}) {
          EXPECT_NEAR(rule_score(Rule::gs_q, at, gradient), -best_change(at, gradient), 1e-7);
        }
      }
    }
  }
}

TEST(UnsoundNoisyMax, TakesTheLargestScoreOfEveryRule) {
  SeededRandomBits bits(71);
  std::vector<Coordinate> coordinates(3);
  for (auto& coordinate : coordinates) coordinate.scale = 1e-9;
  for (const Rule rule : {Rule::gs_s, Rule::gs_r, Rule::gs_q}) {
    const UnsoundNoisyMax choose(rule);
    EXPECT_EQ(choose.release(Gradient({1.0, -5.0, 2.0}), coordinates, bits), 1u);
    EXPECT_EQ(choose.release(Gradient({1.0, -1.0, 2.0}), coordinates, bits), 2u);
  }
}

TEST(UnsoundNoisyMax, PutsItsNoiseInsideTheThreshold) {
  const std::vector<Coordinate> coordinates(2, Coordinate{.l1 = 1.0});
  for (const Rule rule : {Rule::gs_s, Rule::gs_r, Rule::gs_q}) {
    // Inside: 0.9 - 0.9 is within the dead zone, 0 - 3 lies 2 outside. Outside it would be -0.9 >
    // -3.
    ScriptedRandomBits bits({word_for(-0.9), word_for(-3.0)});
    EXPECT_EQ(UnsoundNoisyMax(rule).release(Gradient({0.9, 0.0}), coordinates, bits), 1u);
  }
}

TEST(UnsoundNoisyMax, RefusesGradientsOfAnotherLength) {
  SeededRandomBits bits(72);
  const std::vector<Coordinate> coordinates(2);
  EXPECT_THROW(UnsoundNoisyMax(Rule::gs_s).release(Gradient({1.0}), coordinates, bits),
               InvalidArgument);
}

std::uint64_t times_first(const std::vector<double>& gradient, const Coordinate& each,
                          std::uint64_t samples, RandomBits& bits) {
  const Gradient sensitive(gradient);
  const std::vector<Coordinate> coordinates(gradient.size(), each);
  const UnsoundNoisyMax choose(Rule::gs_s);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    count += choose.release(sensitive, coordinates, bits) == 0 ? 1u : 0u;
  }
  return count;
}

// privacy_model.md, first counterexample: n = 10, sums (4, 6) -> (2, 8), sensitivity 0.2, claimed
// epsilon' = 1. 30 000 samples a side; the excess is 20 standard deviations (power 1).
TEST(UnsoundNoisyMax, SpendsMoreThanThePaperCharges) {
  SeededRandomBits bits(73);
  constexpr std::uint64_t kSamples = 30000;
  const Coordinate paper{.scale = 0.2};
  const std::uint64_t near = times_first({0.4, 0.6}, paper, kSamples, bits);
  const std::uint64_t far = times_first({0.2, 0.8}, paper, kSamples, bits);
  EXPECT_TRUE(testing::shows_more_than(1.0L, near, far, kSamples));
  EXPECT_NEAR(static_cast<double>(near) / kSamples, 0.27759, 5 * 0.0026);
  EXPECT_NEAR(static_cast<double>(far) / kSamples, 0.06729, 5 * 0.0015);
  const Coordinate corrected{.scale = 0.4};
  EXPECT_FALSE(testing::shows_more_than(1.0L, times_first({0.4, 0.6}, corrected, kSamples, bits),
                                        times_first({0.2, 0.8}, corrected, kSamples, bits),
                                        kSamples));
}

// GS-s at w = 0 with 50 competitors in the dead zone: a competitor leaves it with probability .05
// on one dataset and .136 on its neighbour, so "nobody left it" (the first index then wins the tie)
// has probability .077 against .0007: log-ratio 4.7 at a claimed epsilon' = 1. 100 000 samples.
TEST(UnsoundNoisyMax, SpendsMoreWithEveryCompetitorInTheDeadZone) {
  SeededRandomBits bits(74);
  constexpr std::uint64_t kSamples = 100000;
  constexpr double kGap = 2.302585;  // exp(-kGap) / 2 = .05
  const Coordinate paper{.l1 = 1000.0};
  std::vector<double> low(51, 1000.0 - kGap);
  std::vector<double> high(51, 1000.0 - kGap + 1.0);
  low[0] = high[0] = 0.0;
  const std::uint64_t often = times_first(low, paper, kSamples, bits);
  const std::uint64_t seldom = times_first(high, paper, kSamples, bits);
  EXPECT_TRUE(testing::shows_more_than(2.0L, often, seldom, kSamples)) << often << " " << seldom;

  // The certified score keeps its sign and gets its noise outside: sensitivity 1000 grid units.
  const auto certified = [&](std::int64_t competitors) {
    Scores scores(51, competitors);
    scores[0] = -1000000;
    const Sensitive<Scores> sensitive(scores);
    const NoisyMax choose(1000, scale_for(2000, 1.0, NoisyMax::kMaxScale));
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < kSamples / 10; ++i)
      count += choose.release(sensitive, bits) == 0 ? 1u : 0u;
    return count;
  };
  EXPECT_FALSE(testing::shows_more_than(1.0L, certified(-2303), certified(-1303), kSamples / 10));
}

TEST(UnsoundLaplaceRelease, AddsLaplaceNoiseInDoubles) {
  SeededRandomBits bits(75);
  const UnsoundLaplaceRelease measure(2.0);
  double sum = 0;
  double size = 0;
  for (int i = 0; i < 35000; ++i) {
    const double noise = measure.release(Sensitive(10.0), bits) - 10.0;
    sum += noise;
    size += std::fabs(noise);
  }
  EXPECT_NEAR(size / 35000, 2.0, 2 * 4.9 / std::sqrt(35000.0));
  EXPECT_NEAR(sum / 35000, 0.0, 2 * std::sqrt(2.0) * 4.9 / std::sqrt(35000.0));
}

// Neighbours 0 and 1024 at scale 1024: claimed epsilon 1. Near 0 the second can only give multiples
// of 2^-43, because its noise is large there; the first gives others all the time.
TEST(UnsoundLaplaceRelease, GivesItsInputAwayInTheLastBits) {
  SeededRandomBits bits(76);
  const UnsoundLaplaceRelease measure(1024.0);
  const auto fine = [&](double value) {
    std::uint64_t count = 0;
    for (int i = 0; i < 20000; ++i) {
      const double out = measure.release(Sensitive(value), bits);
      const double grid = out * 0x1p43;
      count += out >= 1.0 && out < 64.0 && grid != std::floor(grid) ? 1u : 0u;
    }
    return count;
  };
  EXPECT_GT(fine(0.0), 300u);
  EXPECT_EQ(fine(1024.0), 0u);
}

TEST(UnsoundLaplaceRelease, RefusesAScaleThatIsNone) {
  for (const double scale : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(UnsoundLaplaceRelease{scale}, InvalidArgument);
  }
}

// 40 000 draws: the mean has a standard deviation of 0.005 sigma, the variance of 0.0071 sigma^2.
TEST(UnsoundGaussianRelease, AddsGaussianNoiseInDoubles) {
  SeededRandomBits bits(64);
  UnsoundGaussianRelease mechanism;
  const Sensitive<double> one(3.0);
  const Sensitive<std::vector<double>> many(std::vector<double>{3.0, 3.0, 3.0});
  const std::vector<double> sigma{2.0, 2.0, 20.0};
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  std::vector<double> out(3);
  constexpr int kDraws = 40000;
  for (int k = 0; k < kDraws; k += 4) {
    mechanism.release(many, sigma, bits, out);
    out[2] = 3.0 + (out[2] - 3.0) / 10.0;
    const double alone = mechanism.release(one, 2.0, bits);
    for (const double released : {out[0], out[1], out[2], alone}) {
      const double noise = (released - 3.0) / 2.0;
      sum += noise;
      squares += noise * noise;
      fourth += noise * noise * noise * noise;
    }
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.025);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.036);
  EXPECT_NEAR(fourth / kDraws, 3.0, 0.26) << "a normal law's";
}

TEST(UnsoundGaussianRelease, RefusesASigmaThatIsNone) {
  SeededRandomBits bits(65);
  UnsoundGaussianRelease mechanism;
  for (const double sigma : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(mechanism.release(Sensitive<double>(1.0), sigma, bits), InvalidArgument);
  }
}

TEST(PaperAccounting, OfGaussianReleasesIsTheClassicalConversion) {
  // epsilon = T / (2 m^2) + sqrt(2 T log(1/delta)) / m at the best order.
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    for (const std::uint64_t iterations : {1u, 100u}) {
      const double m = paper_gaussian_multiplier(epsilon, 1e-6, iterations);
      const double steps = static_cast<double>(iterations);
      EXPECT_NEAR(steps / (2.0 * m * m) + std::sqrt(2.0 * steps * std::log(1e6)) / m, epsilon,
                  1e-9 * epsilon);
    }
  }
  EXPECT_THROW(paper_gaussian_multiplier(1.0, 0.0, 1), InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy::paper
