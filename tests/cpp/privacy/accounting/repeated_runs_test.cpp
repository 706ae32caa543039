#include "southwell/privacy/accounting/repeated_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
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

/// The law of the best of N runs with so many outcomes, from the worst to the best.
std::vector<double> best_of(const std::vector<double>& chances, const RunLaw& law) {
  std::vector<double> best;
  double below = 0.0;
  double last = law.chance_of_none(0.0);
  for (const double chance : chances) {
    below = std::min(below + chance, 1.0);
    const double up_to = law.chance_of_none(below);
    best.push_back(up_to - last);
    last = up_to;
  }
  best.front() += law.chance_of_none(0.0);  // no run: a fixed outcome, here the worst
  return best;
}

// Mechanisms of a few outcomes, any laws that are within e^epsilon of each other: the whole law of
// the best, summed over all numbers of runs, is never farther apart than the claim.
TEST(RepeatedRuns, OfAnySmallMechanismAreNeverBelowTheTrueLoss) {
  constexpr double kDelta = 1e-3;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  std::vector<RunLaw> laws;
  for (const double mean : {2.0, 6.0}) {
    for (std::uint32_t half = 0; half < 3; ++half) {
      laws.push_back(RunLaw::negative_binomial(half, mean));
    }
    laws.push_back(RunLaw::poisson(mean));
  }
  double tightest = 1e9;
  for (int k = 0; k < 400; ++k) {
    const std::uint64_t tenths = 1 + random() % 15;
    const double epsilon = 0.1 * static_cast<double>(tenths);
    // Each outcome at one end of what epsilon allows, or within it; scaled to add up on both sides.
    const std::size_t outcomes = 2 + random() % 4;
    std::vector<double> here;
    std::vector<double> there;
    double all_here = 0.0;
    double all_there = 0.0;
    for (std::size_t j = 0; j < outcomes; ++j) {
      const double chance = std::pow(uniform(random), 3.0) + 1e-4;
      const std::uint64_t kind = random() % 3;
      const double ratio = kind == 0 ? 0.0 : kind == 1 ? 0.5 : uniform(random) - 0.25;
      here.push_back(chance);
      there.push_back(chance * std::exp(ratio * epsilon));
      all_here += here.back();
      all_there += there.back();
    }
    for (std::size_t j = 0; j < outcomes; ++j) {
      here[j] /= all_here;
      there[j] /= all_there;
      ASSERT_LE(std::fabs(std::log(here[j] / there[j])), epsilon);
    }
    for (const RunLaw& law : laws) {
      const double claim = repeated_epsilon(one({Kind::pure, tenths, 10}), law, kDelta);
      const std::vector<double> a = best_of(here, law);
      const std::vector<double> b = best_of(there, law);
      double forth = 0.0;
      double back = 0.0;
      for (std::size_t j = 0; j < outcomes; ++j) {
        forth += std::max(0.0, a[j] - std::exp(claim) * b[j]);
        back += std::max(0.0, b[j] - std::exp(claim) * a[j]);
        tightest = std::min(tightest, claim - std::fabs(std::log(a[j] / b[j])));
      }
      ASSERT_LE(std::max(forth, back), kDelta) << k;
    }
  }
  EXPECT_LT(tightest, 1.5) << "laws that are hardly apart test nothing";
}

TEST(RepeatedRuns, TakeTheLargestAtEveryOrder) {
  const Cost pure{Kind::pure, 1, 1};
  const Cost gauss{Kind::discrete_gaussian, 1000, 4600};
  const RunLaw law = RunLaw::negative_binomial(2, 10.0);
  std::vector<Composition> both = one(pure);
  both.push_back(one(gauss)[0]);
  const double together = repeated_epsilon(both, law, 1e-6);
  // Their curves cross: neither alone is all of it.
  EXPECT_GT(together, 1.0001 * repeated_epsilon(one(pure), law, 1e-6));
  EXPECT_GT(together, 1.0001 * repeated_epsilon(one(gauss), law, 1e-6));
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
