#include "southwell/problem/rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "southwell/problem/penalties/box.hpp"
#include "southwell/problem/penalties/l1.hpp"
#include "southwell/problem/penalties/none.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class F>
void for_each_rule(F&& f) {
  f(GsS{});
  f(GsR{});
  f(GsQ{});
}

TEST(Rule, WithoutAPenaltyAllThreeAreTheSlopeOverTheRootOfM) {
  for_each_rule([](auto rule) {
    for (const double g : {-3.0, -0.5, 0.0, 1.0, 7.0}) {
      EXPECT_NEAR(rule.score(None{}, 0.7, g, 4.0), std::fabs(g) / 2.0, 1e-14) << rule.kName;
    }
  });
}

TEST(Rule, ASteepNegativeSlopeWins) {
  for_each_rule([](auto rule) {
    EXPECT_GT(rule.score(None{}, 0.0, -5.0, 1.0), rule.score(None{}, 0.0, 4.0, 1.0)) << rule.kName;
    EXPECT_GT(rule.score(L1(1.0), 0.0, -5.0, 1.0), rule.score(L1(1.0), 0.0, 4.0, 1.0));
    for (const double w : {-1.0, 0.0, 2.5}) {
      for (const double g : {-3.0, -0.5, 0.25, 8.0}) {
        EXPECT_EQ(rule.score(L1(0.7), w, g, 2.0), rule.score(L1(0.7), -w, -g, 2.0)) << rule.kName;
        EXPECT_EQ(rule.score(Box(-4.0, 4.0), w, g, 2.0), rule.score(Box(-4.0, 4.0), -w, -g, 2.0));
      }
    }
  });
}

TEST(Rule, AtZeroUnderL1AllThreeAreTheSignedDistanceToTheThreshold) {
  for_each_rule([](auto rule) {
    for (const double g : {-3.0, -0.9, -0.1, 0.0, 0.4, 2.0}) {
      EXPECT_NEAR(rule.score(L1(0.8), 0.0, g, 4.0), (std::fabs(g) - 0.8) / 2.0, 1e-14)
          << rule.kName << " " << g;
    }
  });
}

TEST(Rule, GsQOfL1MatchesItsClosedForm) {
  const double w = 1.5;  // M = 1; at w > 0, by where the step ends
  const double tau = 0.8;
  const auto closed = [&](double g) {
    if (g < w - tau) return std::fabs(g + tau);
    if (std::fabs(g - w) <= tau) return std::sqrt(2.0 * w * (g + tau) - w * w);
    return std::sqrt((g - tau) * (g - tau) + 4.0 * tau * w);
  };
  for (double g = -6.0; g < 6.0; g += 0.11) {
    EXPECT_NEAR(GsQ{}.score(L1(tau), w, g, 1.0), closed(g), 1e-12) << g;
  }
}

TEST(Rule, AtABoundOnlyThePullInwardsCounts) {
  const Box box(0.0, 2.0);
  for_each_rule([&](auto rule) {
    EXPECT_GT(rule.score(box, 0.0, -1.0, 1.0), 0.0) << rule.kName;
    EXPECT_LT(rule.score(box, 0.0, 1.0, 1.0), 0.0) << rule.kName;
    EXPECT_GT(rule.score(box, 2.0, 1.0, 1.0), 0.0) << rule.kName;
    EXPECT_LT(rule.score(box, 2.0, -1.0, 1.0), 0.0) << rule.kName;
    EXPECT_EQ(rule.score(Box(1.0, 1.0), 1.0, 5.0, 1.0), -kInfinity) << "it cannot move";
  });
  EXPECT_NEAR(GsR{}.score(box, 0.5, 3.0, 1.0), 0.5, 1e-15);  // the room to the bound
  EXPECT_NEAR(GsQ{}.score(box, 0.5, 3.0, 1.0), std::sqrt(0.5 * 5.5), 1e-14);  // a (2g - a)
}

TEST(Rule, ScoresHaveSlopeAtMostOneInTheScaledGradient) {
  const double m = 2.3;
  const auto check = [&](const auto& penalty, double w) {
    for_each_rule([&](auto rule) {
      double before = rule.score(penalty, w, -8.0, m);
      for (double g = -8.0 + 0.01; g < 8.0; g += 0.01) {
        const double now = rule.score(penalty, w, g, m);
        EXPECT_LE(std::fabs(now - before), 0.01 / std::sqrt(m) + 1e-12)
            << rule.kName << " " << penalty.kName << " at " << w << ", " << g;
        before = now;
      }
    });
  };
  for (const double w : {-1.7, 0.0, 0.2, 3.0}) check(L1(1.1), w);
  for (const double w : {-1.0, -0.9, 0.0, 1.5}) check(Box(-1.0, 1.5), w);
  check(None{}, 0.4);
}

}  // namespace
}  // namespace southwell::problem
