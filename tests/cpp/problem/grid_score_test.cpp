#include "southwell/problem/grid_score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "southwell/problem/rule.hpp"

namespace southwell::problem {
namespace {

constexpr std::array kRules{GreedyRule::gs_s, GreedyRule::gs_r, GreedyRule::gs_q};

std::int64_t root(std::int64_t x) {
  auto r = static_cast<std::int64_t>(std::sqrt(static_cast<double>(x)));
  while (r * r > x) --r;
  while ((r + 1) * (r + 1) <= x) ++r;
  return r;
}

std::vector<GridPenalty> penalties() {
  return {{},
          {.threshold = 7},
          {.threshold = 0, .lower = -9, .upper = 12},
          {.threshold = 0, .lower = 0},
          {.threshold = 0, .upper = 5},
          {.threshold = 4, .lower = 0},
          {.threshold = 4, .lower = -9, .upper = 12},
          {.threshold = 4, .lower = 3, .upper = 12}};
}

TEST(GridScore, MovesByAtMostOneWhenItsGradientMovesByOne) {
  for (const GreedyRule rule : kRules) {
    for (const GridPenalty& penalty : penalties()) {
      for (int w = -15; w <= 15; ++w) {
        if (w < penalty.lower || w > penalty.upper) continue;
        for (int g = -70; g < 70; ++g) {
          const std::int64_t here = grid_score(rule, penalty, w, g);
          const std::int64_t there = grid_score(rule, penalty, w, g + 1);
          EXPECT_LE(std::abs(there - here), 1) << name_of(rule) << " w " << w << " g " << g;
        }
      }
    }
  }
}

TEST(GridScore, MovesByAtMostAsMuchAsItsGradientAtTheLimits) {
  std::mt19937_64 random(7);
  constexpr std::int64_t kLimit = (std::int64_t{1} << 61) + (std::int64_t{1} << 59);
  constexpr std::int64_t kPublic = std::int64_t{1} << 59;
  const auto draw = [&](std::int64_t limit) {
    // Every order of magnitude, the limits among them.
    const int bits = static_cast<int>(random() % 63);
    const auto size = static_cast<std::int64_t>(random() >> (63 - bits));
    return (random() % 2 != 0 ? 1 : -1) * std::min(size, limit);
  };
  for (int round = 0; round < 200000; ++round) {
    GridPenalty penalty{.threshold = std::abs(draw(kPublic))};
    if (round % 3 == 0)
      penalty = {
          .threshold = 0, .lower = -std::abs(draw(kPublic)), .upper = std::abs(draw(kPublic))};
    if (round % 5 == 0) penalty.lower = -std::abs(draw(kPublic));  // with whatever threshold
    const Int128 w = std::clamp<Int128>(draw(kPublic), penalty.lower, penalty.upper);
    const std::int64_t g = draw(kLimit);
    const std::int64_t step = std::abs(draw(std::int64_t{1} << 21));
    const std::int64_t to = std::min(kLimit, g + step);
    for (const GreedyRule rule : kRules) {
      const std::int64_t here = grid_score(rule, penalty, w, g);
      const std::int64_t there = grid_score(rule, penalty, w, to);
      ASSERT_LE(std::abs(there - here), to - g) << name_of(rule) << " g " << g << " to " << to;
    }
  }
}

TEST(GridScore, OfAnL1PenaltyAtZeroKeepsItsSign) {
  const GridPenalty penalty{.threshold = 10};
  for (const GreedyRule rule : kRules) {
    for (int g = -40; g <= 40; ++g) {
      EXPECT_EQ(grid_score(rule, penalty, 0, g), std::abs(g) - 10) << name_of(rule) << " " << g;
    }
  }
}

TEST(GridScores, OfFeaturesHaveNoIntercept) {
  const Coordinates coordinates({.features = 2, .heads = 3, .intercept = Intercept::free});
  const std::vector<std::int64_t> sums{10, 11, 99, 20, 21, 99, 30, 31, 99};
  const std::vector<double> coef(9);
  const GridScores scores(GreedyRule::gs_s, None{}, coordinates, Candidates::features);
  ASSERT_EQ(scores.size(), 6u);
  std::vector<std::int64_t> out(scores.size());
  scores.write(sums, coef, 0, out);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_FALSE(coordinates.is_intercept(scores.coordinate(k))) << k;
    EXPECT_EQ(coordinates.head(scores.coordinate(k)), k / 2) << k;
    EXPECT_EQ(coordinates.feature(scores.coordinate(k)), k % 2) << k;
    EXPECT_EQ(std::abs(out[k]), sums[scores.coordinate(k)]) << k;
  }
}

TEST(GridScore, OfAnL1PenaltyAboveZeroHasItsClosedForms) {
  const int tau = 6;
  const GridPenalty penalty{.threshold = tau};
  for (int w = 1; w <= 20; ++w) {
    for (int g = -60; g <= 60; ++g) {
      EXPECT_EQ(grid_score(GreedyRule::gs_s, penalty, w, g), std::abs(g + tau));
      std::int64_t expected = 0;
      if (g < w - tau) {
        expected = std::abs(g + tau);
      } else if (std::abs(g - w) <= tau) {
        expected = root(2 * w * (g + tau) - w * w);
      } else {
        expected = root((g - tau) * (g - tau) + 4 * tau * w);
      }
      EXPECT_EQ(grid_score(GreedyRule::gs_q, penalty, w, g), expected) << w << " " << g;
      EXPECT_EQ(grid_score(GreedyRule::gs_q, penalty, -w, -g), expected) << "mirrored";
    }
  }
}

TEST(GridScore, OfABoxHasItsClosedForms) {
  const int lower = -8;
  const int upper = 11;
  const GridPenalty penalty{.threshold = 0, .lower = lower, .upper = upper};
  for (int w = lower; w <= upper; ++w) {
    const int a = w - lower;
    const int b = upper - w;
    for (int g = -50; g <= 50; ++g) {
      const std::int64_t size = std::abs(g);
      std::int64_t slope = size;
      std::int64_t length = g >= 0 ? std::min(g, a) : std::min(-g, b);
      std::int64_t decrease = size;
      if (g > a) decrease = root(a * (2 * g - a));
      if (-g > b) decrease = root(b * (2 * size - b));
      if (w == lower) slope = -g;
      if (w == upper) slope = g;
      if ((w == lower && g >= 0) || (w == upper && g <= 0)) length = decrease = slope;
      EXPECT_EQ(grid_score(GreedyRule::gs_s, penalty, w, g), slope) << w << " " << g;
      EXPECT_EQ(grid_score(GreedyRule::gs_r, penalty, w, g), length) << w << " " << g;
      EXPECT_EQ(grid_score(GreedyRule::gs_q, penalty, w, g), decrease) << w << " " << g;
    }
  }
}

TEST(GridScore, IsTheRuleOfTheLabInWholeUnits) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int round = 0; round < 20000; ++round) {
    const double unit = 1e-9;
    const double gradient = uniform(random);
    const double w = round % 4 == 0 ? 0.0 : uniform(random);
    const L1 l1(0.3);
    const auto whole = [&](double v) { return static_cast<Int128>(std::rint(v / unit)); };
    const GridPenalty penalty{.threshold = whole(0.3)};
    const auto expect_near = [&](GreedyRule rule, double expected) {
      const auto score = grid_score(rule, penalty, whole(w), whole(gradient));
      EXPECT_NEAR(static_cast<double>(score) * unit, expected, 1e-4) << name_of(rule);
    };
    expect_near(GreedyRule::gs_s, GsS{}.score(l1, w, gradient, 1.0));
    expect_near(GreedyRule::gs_r, GsR{}.score(l1, w, gradient, 1.0));
    expect_near(GreedyRule::gs_q, GsQ{}.score(l1, w, gradient, 1.0));
  }
}

TEST(GridScore, OfAnExcludedFeatureIsTheLeast) {
  const Coordinates coordinates({.features = 2, .heads = 3, .intercept = Intercept::free});
  GridScores scores(GreedyRule::gs_s, L1(0.5), coordinates);
  scores.exclude(1);
  scores.exclude(2);  // the intercept
  for (const std::int64_t sum :
       {std::int64_t{0}, std::int64_t{1} << 61, -(std::int64_t{1} << 61)}) {
    std::vector<std::int64_t> out(9);
    scores.write(std::vector<std::int64_t>(9, sum), std::vector<double>(9, 0.25), 0, out);
    for (std::size_t c = 0; c < 9; ++c) {
      EXPECT_EQ(out[c] == -(std::int64_t{1} << 61), c % 3 != 0) << c;
    }
  }
}

TEST(GridScores, PutThePublicPartOfTheGradientIntoTheSameUnits) {
  // Scores of l2 at w: |G + l2 w / (sqrt(M) unit)|, whatever the scale of the feature.
  const Coordinates coordinates({.features = 2,
                                 .intercept = Intercept::free,
                                 .curvature = 0.25,
                                 .l2 = 0.5,
                                 .clip = 2.0,
                                 .records = 100.0,
                                 .feature_scale = {1.0, 3.0}});
  const GridScores scores(GreedyRule::gs_s, L2(0.5), coordinates);
  const std::vector<std::int64_t> sums{1000, -2000, 30};
  const std::vector<double> coef{0.0, 0.01, 5.0};
  std::vector<std::int64_t> out(3);
  scores.write(sums, coef, 0, out);
  const double unit = coordinates.score_unit();
  const double offset = 0.5 * 0.01 / std::sqrt(0.25 * 9.0 + 0.5) / unit;
  EXPECT_EQ(out[0], 1000);
  EXPECT_EQ(out[1], std::llabs(-2000 + std::llrint(offset)));
  EXPECT_EQ(out[2], 30);  // an intercept is not penalised
}

}  // namespace
}  // namespace southwell::problem
