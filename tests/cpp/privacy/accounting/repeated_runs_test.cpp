#include "southwell/privacy/accounting/repeated_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::privacy {
namespace {

using Kind = Cost::Kind;

std::vector<Composition> one(const Cost& cost) {
  Composition composition;
  composition.add(cost);
  return {composition};
}

// sigma 5, delta 1e-6; means 2, 10, 50 and 200.
TEST(RepeatedRuns, HaveTheCheckFigures) {
  const std::vector<Composition> met = one({Kind::discrete_gaussian, 1000, 5000});
  const double means[] = {2.0, 10.0, 50.0, 200.0};
  const double published[4][4] = {{1.2266, 1.5133, 1.7089, 1.8507},
                                  {1.3001, 1.6718, 1.9273, 2.1115},
                                  {1.3606, 1.8136, 2.1357, 2.3696},
                                  {1.1274, 1.9804, 5.1697, 9.0481}};
  for (std::uint32_t law = 0; law < 4; ++law) {
    for (std::size_t k = 0; k < 4; ++k) {
      const RunLaw runs =
          law < 3 ? RunLaw::negative_binomial(law, means[k]) : RunLaw::poisson(means[k]);
      EXPECT_NEAR(repeated_epsilon(met, runs, 1e-6), published[law][k], 1e-3) << law << " " << k;
    }
  }
}

// Randomised response with a score: two outcomes, the second one better. The law of the best over
// all numbers of runs, and pure epsilon from it.
TEST(RepeatedRuns, AreNeverBelowTheTrueLossByEnumeration) {
  constexpr double kEpsilon = 0.5;
  const double p = 1.0 / (1.0 + std::exp(-kEpsilon));
  for (const double mean : {2.0, 5.0}) {
    for (std::uint32_t half = 0; half < 3; ++half) {
      const RunLaw law = RunLaw::negative_binomial(half, mean);
      // No run had the better outcome: E[(1 - chance)^N].
      const double here = law.chance_of_none(p);
      const double there = law.chance_of_none(1.0 - p);
      const double claim = repeated_epsilon(one({Kind::pure, 5, 10}), law, 1e-6);
      const auto delta = [&](double a, double b) {
        return std::max(0.0, a - std::exp(claim) * b) +
               std::max(0.0, (1.0 - a) - std::exp(claim) * (1.0 - b));
      };
      EXPECT_LE(delta(here, there), 1e-6);
      EXPECT_LE(delta(there, here), 1e-6);
      EXPECT_LT(claim, 3.0);
      EXPECT_GT(claim, std::log((1.0 - there) / (1.0 - here)) - 1e-9);
    }
  }
}

TEST(RepeatedRuns, TakeTheLargestAtEveryOrder) {
  const Cost pure{Kind::pure, 1, 1};
  const Cost gauss{Kind::discrete_gaussian, 1000, 4600};
  const RunLaw law = RunLaw::negative_binomial(2, 10.0);
  std::vector<Composition> both = one(pure);
  both.push_back(one(gauss)[0]);
  const double together = repeated_epsilon(both, law, 1e-6);
  EXPECT_GE(together, repeated_epsilon(one(pure), law, 1e-6));
  EXPECT_GE(together, repeated_epsilon(one(gauss), law, 1e-6));
  EXPECT_TRUE(std::isinf(repeated_epsilon(both, law, 0.0)));
}

// At every order, not as an epsilon more: less than the sum, and more than either.
TEST(RepeatedRuns, AddWhatWasDoneBesideThem) {
  const std::vector<Composition> run = one({Kind::discrete_gaussian, 1000, 8000});
  const Composition beside = one({Kind::discrete_gaussian, 1000, 9000})[0];
  for (const RunLaw& law : {RunLaw::negative_binomial(0, 10.0), RunLaw::poisson(10.0)}) {
    const double alone = repeated_epsilon(run, law, 1e-6);
    const double both = repeated_epsilon(run, law, 1e-6, beside);
    const double once = spent(beside, 1e-6).epsilon;
    EXPECT_GT(both, std::max(alone, once));
    EXPECT_LT(both, alone + once);
    EXPECT_EQ(repeated_epsilon(run, law, 1e-6, Composition{}), alone);
  }
}

struct Drawn {
  double mean = 0.0;
  double ones = 0.0;
  double none_at = 0.0;  ///< mean of 0.9^N
};
Drawn drawn(const RunLaw& law, int times) {
  SeededRandomBits bits(7);
  Drawn out;
  for (int k = 0; k < times; ++k) {
    const auto runs = static_cast<double>(law.draw(bits));
    out.mean += runs / times;
    out.ones += runs == 1.0 ? 1.0 / times : 0.0;
    out.none_at += std::pow(0.9, runs) / times;
  }
  return out;
}

// 40 000 draws; limits are 5 standard deviations.
TEST(RunLaw, IsDrawnAsItSays) {
  for (std::uint32_t half = 0; half < 3; ++half) {
    const RunLaw law = RunLaw::negative_binomial(half, 10.0);
    EXPECT_LE(law.mean(), 10.0 + 1e-6);
    EXPECT_GT(law.mean(), 9.99);
    const Drawn found = drawn(law, 40'000);
    EXPECT_NEAR(found.mean, 10.0, 5.0 * 17.0 / 200.0);
    EXPECT_NEAR(found.none_at, law.chance_of_none(0.9), 5.0 * 0.35 / 200.0);
  }
}

TEST(RunLaw, OfPoissonIsDrawnAsItSays) {
  const Drawn four = drawn(RunLaw::poisson(4.0), 40'000);
  EXPECT_NEAR(four.mean, 4.0, 5.0 * 2.0 / 200.0);
  EXPECT_NEAR(four.ones, 4.0 * std::exp(-4.0), 5.0 * 0.27 / 200.0);
  EXPECT_NEAR(four.none_at, std::exp(-0.4), 5.0 * 0.15 / 200.0);
}

TEST(RunLaw, RefusesMeansBelowOne) {
  EXPECT_THROW(RunLaw::poisson(0.5), InvalidArgument);
  EXPECT_THROW(RunLaw::poisson(0.0), InvalidArgument);
  EXPECT_THROW(RunLaw::poisson(2.5), InvalidArgument);
  EXPECT_THROW(RunLaw::with_left(1, 0), InvalidArgument);
  EXPECT_THROW(RunLaw::with_left(3, 1u << 31), InvalidArgument);
  EXPECT_EQ(RunLaw::with_left(1, 1u << 31).left(), 1u << 31);
  EXPECT_THROW(RunLaw::negative_binomial(1, 1.0), InvalidArgument);
  EXPECT_THROW(RunLaw::negative_binomial(3, 2.0), InvalidArgument);
  EXPECT_THROW(RunLaw::negative_binomial(1, std::nan("")), InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy
