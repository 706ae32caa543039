#include "southwell/privacy/accounting/calibrate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "privacy/accounting/level.hpp"
#include "southwell/core/error.hpp"
#include "southwell/privacy/accounting/sampled_gaussian.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

namespace southwell::privacy {
namespace {

using testing::level;

using Figures = std::map<std::uint64_t, double>;

void expect_figures(const Budget& budget, const Figures& figures, Accountant accountant) {
  for (const auto& [iterations, figure] : figures) {
    const Schedule plan = gcd_schedule({.iterations = iterations, .share = 0.8});
    const Calibrated certified = calibrate(plan, budget);
    const Calibrated found = accountant == Accountant::rdp
                                 ? certified
                                 : calibrate_by(accountant, plan, budget, certified);
    // the figures are rounded down to their last digit
    EXPECT_GT(level(found.costs[0]), figure * (1 - 1e-4)) << iterations;
    EXPECT_LT(level(found.costs[0]), (figure + 1e-5) * (1 + 1e-4)) << iterations;
    EXPECT_NEAR(level(found.costs[1]), level(found.costs[0]) / 4, 1e-5 * level(found.costs[0]));
    if (accountant == Accountant::rdp) {
      EXPECT_LE(found.spent.epsilon, budget.epsilon);
    }
  }
}

TEST(Calibration, HasTheCheckFigures) {
  expect_figures({1.0, 1e-6},
                 {{1, .80168},
                  {2, .40921},
                  {3, .28672},
                  {4, .23060},
                  {7, .16144},
                  {10, .13164},
                  {15, .10550},
                  {20, .09056},
                  {30, .07331},
                  {50, .05640},
                  {100, .03968},
                  {200, .02799}},
                 Accountant::rdp);
  expect_figures({0.5, 1e-8},
                 {{1, .40013},
                  {2, .20132},
                  {3, .13717},
                  {4, .10701},
                  {7, .07196},
                  {10, .05806},
                  {15, .04622},
                  {20, .03956},
                  {30, .03193},
                  {50, .02452},
                  {100, .01722},
                  {200, .01214}},
                 Accountant::rdp);
  expect_figures({1.0, 1e-6}, {{1, .8}, {3, .26666}, {7, .11428}, {200, .004}}, Accountant::basic);
  expect_figures(
      {1.0, 1e-6},
      {{1, .39609}, {3, .22837}, {10, .12498}, {15, .10203}, {30, .07212}, {200, .02792}},
      Accountant::zcdp);
  expect_figures(
      {1.0, 1e-6},
      {{1, .80168}, {3, .28530}, {10, .12754}, {15, .10163}, {30, .07022}, {200, .02669}},
      Accountant::pld);
}

struct Drawn {
  Budget budget;
  Schedule plan;
  std::string where;
};

/// A random point of the whole box, logarithmic in all but the share: gcd three times in five, else
/// cd or sgd.
Drawn draw(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const double solver = uniform(random);
  const bool sgd = solver > 0.8;
  const double epsilon = std::pow(10.0, 5.0 * uniform(random) - 3.0);
  const double delta =
      !sgd && uniform(random) < 0.2 ? 0.0 : std::pow(10.0, -15.0 + 13.0 * uniform(random));
  const auto iterations = static_cast<std::uint64_t>(std::pow(10.0, 6.0 * uniform(random)));
  const auto relation = uniform(random) < 0.5 ? Relation::replace_one : Relation::add_or_remove_one;
  const auto release = delta > 0.0 && uniform(random) < 0.5 ? Release::gaussian : Release::laplace;
  const double pick = uniform(random);
  const auto selection = pick < 0.6   ? Selection::exponential
                         : pick < 0.8 ? Selection::permute_and_flip
                                      : Selection::noisy_max;
  const double share = 0.05 + 0.9 * uniform(random);
  const double rate = std::pow(10.0, -5.0 * uniform(random));
  const std::string where = (solver < 0.6 ? "gcd, share " + std::to_string(share)
                             : sgd        ? "sgd, rate " + std::to_string(rate)
                                          : "cd") +
                            " epsilon " + std::to_string(epsilon) + " log10 delta " +
                            std::to_string(std::log10(delta)) + " T " + std::to_string(iterations);
  if (solver < 0.6) {
    return {
        {epsilon, delta}, gcd_schedule({iterations, relation, selection, release, share}), where};
  }
  if (!sgd) return {{epsilon, delta}, cd_schedule({iterations, relation, release}), where};
  const auto sampled = static_cast<std::uint64_t>(std::ceil(rate * 0x1p32));
  return {{epsilon, delta}, sgd_schedule({iterations, sampled, relation}), where};
}

Composition composed(const Schedule& plan, const std::vector<Cost>& costs) {
  Composition all;
  for (std::size_t k = 0; k < plan.size(); ++k) all.add(costs[k], plan[k].count);
  return all;
}

/// Right if and only if the largest noise does not do.
void expect_impossible(const Drawn& drawn) {
  Composition quietest;
  double bottom = 0.0;
  for (const ScheduledUse& use : drawn.plan) {
    bottom = std::max(bottom, level({use.kind, use.shift, use.largest}) / use.weight);
  }
  for (const ScheduledUse& use : drawn.plan) quietest.add(use.at(bottom * (1 + 1e-8)), use.count);
  EXPECT_GT(spent(quietest, drawn.budget.delta).epsilon, drawn.budget.epsilon * 0.999)
      << drawn.where;
}

TEST(Calibration, LeavesNothingBesideAnEventThatHoldsMostOfTheBudget) {
  for (const Budget budget : {Budget{1.0, 1e-6}, Budget{0.1, 1e-3}}) {
    const Cost alone =
        calibrate(cd_schedule({.iterations = 1, .release = Release::gaussian}), budget).costs.at(0);
    for (const double part : {0.9, 0.99, 0.999}) {
      Composition beside;
      Cost most = alone;
      most.scale = static_cast<std::uint64_t>(static_cast<double>(alone.scale) / part);
      beside.add(most, 1);
      const Schedule plan = gcd_schedule({.iterations = 10, .release = Release::gaussian});
      const Calibrated found = calibrate(plan, budget, beside);
      EXPECT_LE(found.spent.epsilon, budget.epsilon);
      std::vector<Cost> quieter = found.costs;
      for (Cost& cost : quieter) {
        cost.scale = static_cast<std::uint64_t>(static_cast<double>(cost.scale) * (1.0 - 2e-5));
      }
      EXPECT_GT(spent(beside + composed(plan, quieter), budget.delta).epsilon, budget.epsilon)
          << budget.epsilon << " " << part;
    }
  }
}

TEST(Calibration, HasNoMoreNoiseThanTheCheapBoundsAllowHoweverCoarseTheScales) {
  for (const double epsilon : {5.0, 10.998, 20.0, 50.0}) {
    for (const std::uint64_t iterations : {1u, 4u, 9u}) {
      const Budget budget{epsilon, 1e-9};
      const Schedule plan = gcd_schedule(
          {.iterations = iterations, .release = Release::gaussian, .share = 0.83, .bound = 1});
      const Calibrated found = calibrate(plan, budget);
      for (std::size_t k = 0; k < found.costs.size(); ++k) {
        std::vector<Cost> quieter = found.costs;
        if (--quieter[k].scale == 0) continue;
        // The next level at which this scale is less: no cheap bound takes it.
        const double level = (1.0 + 1e-12) * static_cast<double>(quieter[k].shift) /
                             (static_cast<double>(quieter[k].scale) * plan[k].weight);
        for (std::size_t j = 0; j < quieter.size(); ++j) quieter[j] = plan[j].at(level);
        EXPECT_GT(quickly_spent(composed(plan, quieter), budget.delta).epsilon, budget.epsilon)
            << epsilon << " " << iterations << " " << k;
      }
    }
  }
}

TEST(Calibration, NeverOvershootsAndWastesNothingOverTheWholeBox) {
  std::mt19937_64 random(20240607);
  int possible = 0;
  int coarse = 0;
  for (int i = 0; i < 500; ++i) {
    const Drawn drawn = draw(random);
    Calibrated found;
    try {
      found = calibrate(drawn.plan, drawn.budget);
    } catch (const CalibrationError&) {
      expect_impossible(drawn);
      continue;
    }
    ++possible;
    EXPECT_LE(found.spent.epsilon, drawn.budget.epsilon) << drawn.where;
    if (found.spent.epsilon < 0.999 * drawn.budget.epsilon) {
      // Only where a single unit less noise would cost more than was asked for.
      ASSERT_TRUE(SampledGaussian::is(found.costs[0])) << drawn.where;
      std::vector<Cost> quieter = found.costs;
      --quieter[0].scale;
      EXPECT_GT(spent(composed(drawn.plan, quieter), drawn.budget.delta).epsilon,
                drawn.budget.epsilon)
          << drawn.where << " spent " << found.spent.epsilon;
      ++coarse;
    }
    EXPECT_EQ(spent(composed(drawn.plan, found.costs), drawn.budget.delta).epsilon,
              found.spent.epsilon)
        << drawn.where;
  }
  EXPECT_GT(possible, 400);
  EXPECT_LE(coarse, 3);
}

TEST(Calibration, SaysClearlyWhereItIsImpossible) {
  const auto message = [](const Schedule& plan, const Budget& budget) -> std::string {
    try {
      calibrate(plan, budget);
    } catch (const CalibrationError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(gcd_schedule({.iterations = 1000000}), {1e-3, 0.0}).find("largest noise"),
            std::string::npos);
  EXPECT_NE(message(gcd_schedule({.iterations = 1000000}), {1e-3, 1e-15}).find("delta 1e-15"),
            std::string::npos);
  EXPECT_NE(message(gcd_schedule({.iterations = 5, .release = Release::gaussian}), {1.0, 0.0})
                .find("positive delta"),
            std::string::npos);
  EXPECT_NE(message(cd_schedule({.iterations = 100000000}), {1e-3, 1e-15}).find("largest noise"),
            std::string::npos);
}

TEST(Calibration, RefusesBadPlansAndBudgets) {
  EXPECT_THROW(gcd_schedule({.iterations = 0}), InvalidArgument);
  EXPECT_THROW(cd_schedule({.iterations = 0}), InvalidArgument);
  for (const double share : {0.0, 1.0, -0.5, std::nan("")}) {
    EXPECT_THROW(gcd_schedule({.iterations = 1, .share = share}), InvalidArgument);
  }
  const std::vector<double> short_one{1.0};
  EXPECT_THROW(gcd_schedule({.iterations = 2, .factors = short_one}), InvalidArgument);
  const std::vector<double> zero{1.0, 0.0};
  EXPECT_THROW(cd_schedule({.iterations = 2, .factors = zero}), InvalidArgument);
  EXPECT_THROW(sgd_schedule({.iterations = 1, .sampled = 0}), InvalidArgument);
  EXPECT_THROW(sgd_schedule({.iterations = 1, .sampled = (1ull << 32) + 1}), InvalidArgument);
  EXPECT_THROW(calibrate(Schedule{}, {1.0, 0.0}), InvalidArgument);
  EXPECT_THROW(calibrate(cd_schedule({.iterations = 1}), {0.0, 0.0}), InvalidArgument);
  EXPECT_THROW(calibrate(cd_schedule({.iterations = 1}), {1.0, 1.0}), InvalidArgument);
}

TEST(Calibration, StaysWithinTheMechanismsLimits) {
  const Calibrated found = calibrate(gcd_schedule({.iterations = 1000, .share = 0.5}), {1e-3, 0.0});
  EXPECT_NO_THROW(ExponentialMechanism(found.costs[0].shift / 2, found.costs[0].scale));
  EXPECT_EQ(ExponentialMechanism(found.costs[0].shift / 2, found.costs[0].scale).cost(),
            found.costs[0]);
  EXPECT_EQ(found.spent.accountant, Accountant::basic);
}

TEST(Calibration, PaysForWhatHappensBesideThePlan) {
  Composition beside;
  beside.add({Cost::Kind::bounded_range, 4, 40});
  const Budget budget{1.0, 1e-6};
  for (const Schedule& plan :
       {gcd_schedule({.iterations = 3}), cd_schedule({.iterations = 50}),
        sgd_schedule({.iterations = 20, .sampled = std::uint64_t{1} << 28})}) {
    const Calibrated with = calibrate(plan, budget, beside);
    const Calibrated without = calibrate(plan, budget);
    Composition both = beside;
    for (std::size_t i = 0; i < plan.size(); ++i) both.add(with.costs[i], plan[i].count);
    EXPECT_EQ(with.composition, both);
    EXPECT_EQ(spent(both, budget.delta).epsilon, with.spent.epsilon);
    EXPECT_LE(with.spent.epsilon, 1.0);
    EXPECT_GE(with.spent.epsilon, 0.999);
    EXPECT_GT(with.costs[0].scale, without.costs[0].scale);
  }
  beside.add({Cost::Kind::bounded_range, 4, 3});
  EXPECT_THROW(calibrate(cd_schedule({.iterations = 1}), budget, beside), CalibrationError);
}

}  // namespace
}  // namespace southwell::privacy
