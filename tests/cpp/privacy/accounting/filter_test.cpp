#include "southwell/privacy/accounting/filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "privacy/accounting/filter_game.hpp"
#include "southwell/core/error.hpp"
#include "southwell/privacy/accounting/rdp.hpp"

namespace southwell::privacy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Composition uses_of(const Menu& menu, const Counts& counts) {
  Composition composition;
  for (std::size_t k = 0; k < menu.size(); ++k) {
    composition.add({.kind = Cost::Kind::pure, .shift = menu[k], .scale = 1000},
                    static_cast<std::uint64_t>(counts[k]));
  }
  return composition;
}

/// Whether a filter admits so many of both, one after the other.
Admits by_filter(const Budget& budget, const Menu& menu) {
  const FilterTerms terms = FilterTerms::of(budget);
  std::array<Spend, 2> spends{};
  for (std::size_t k = 0; k < menu.size(); ++k) {
    const std::vector<Composition> one{uses_of(menu, {k == 0 ? 1 : 0, k == 1 ? 1 : 0})};
    spends[k] = spend_of(one, terms.order);
  }
  return [=](const Counts& counts) {
    RenyiFilter filter(terms);
    for (std::size_t k = 0; k < menu.size(); ++k) {
      for (int n = 0; n < counts[k]; ++n) {
        if (!filter.admits(spends[k])) return false;
        filter.admit(spends[k]);
      }
    }
    return true;
  };
}

/// The exact delta at epsilon of so many of both that were fixed beforehand.
double profile(double epsilon, const Menu& menu, const Counts& counts) {
  const auto chance = [](int n, int k, double p) {
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                    k * std::log(p) + (n - k) * std::log1p(-p));
  };
  std::array<double, 2> truth{};
  for (std::size_t k = 0; k < 2; ++k) truth[k] = 1.0 / (1.0 + std::exp(-epsilon_of(menu[k])));
  double delta = 0.0;
  for (int i = 0; i <= counts[0]; ++i) {
    for (int j = 0; j <= counts[1]; ++j) {
      const double p = chance(counts[0], i, truth[0]) * chance(counts[1], j, truth[1]);
      const double q = chance(counts[0], i, 1.0 - truth[0]) * chance(counts[1], j, 1.0 - truth[1]);
      delta += std::max(0.0, p - std::exp(epsilon) * q);
    }
  }
  return delta;
}

TEST(RenyiFilter, KeepsItsPromiseAgainstEveryAdversaryByEnumeration) {
  double closest = 0.0;
  for (const Case& each : kGames) {
    Game game(each.budget.epsilon, each.menu, by_filter(each.budget, each.menu));
    const double delta = game.largest_delta();
    EXPECT_LE(delta, each.budget.delta) << each.budget.epsilon << " " << each.budget.delta;
    closest = std::max(closest, delta / each.budget.delta);
  }
  EXPECT_GT(closest, 0.5) << "the games say nothing: nobody came near to the promise";
}

// Adding up whole profiles is no filter: who chooses by what came out gets more than each of the
// compositions has, the kind of counterexample that is published.
TEST(RenyiFilter, IsNotReplacedByAddingUpProfiles) {
  const Case& each = kGames[1];
  Game game(each.budget.epsilon, each.menu, [&](const Counts& counts) {
    return profile(each.budget.epsilon, each.menu, counts) <= each.budget.delta;
  });
  EXPECT_GT(game.largest_delta(), 1.02 * each.budget.delta);
}

TEST(FilterTerms, HaveTheCheckFigures) {
  const FilterTerms terms = FilterTerms::of({1.0, 1e-6});
  EXPECT_NEAR(terms.order, 21.98, 0.005);
  EXPECT_NEAR(terms.renyi_bound(), 0.5354, 1e-4);
}

TEST(FilterTerms, HaveTheOrderWithTheLargestBoundPerUnit) {
  for (const Budget& budget : {Budget{1.0, 1e-6}, {0.1, 1e-9}, {8.0, 1e-5}, {3.0, 1e-3}}) {
    const FilterTerms best = FilterTerms::of(budget);
    for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
      const FilterTerms other{budget, 1.0 + (best.order - 1.0) * factor};
      EXPECT_LE(other.renyi_bound() / other.order, best.renyi_bound() / best.order * (1 + 1e-9));
    }
  }
}

// A bound of B converts to the budget exactly: no less was left, and delta is given out once.
TEST(FilterTerms, HaveABoundThatConvertsToTheBudget) {
  for (const Budget& budget : {Budget{1.0, 1e-6}, {0.2, 1e-8}, {4.0, 1e-4}}) {
    const FilterTerms terms = FilterTerms::of(budget);
    const double alpha = terms.order;
    const double epsilon = terms.renyi_bound() + std::log1p(-1.0 / alpha) -
                           std::log(budget.delta * alpha) / (alpha - 1.0);
    EXPECT_NEAR(epsilon, budget.epsilon, 1e-9);
    EXPECT_LE(terms.renyi_bound(), budget.epsilon - std::log1p(-1.0 / alpha) +
                                       std::log(budget.delta * alpha) / (alpha - 1.0) + 1e-12);
  }
}

TEST(FilterTerms, LeaveNothingToRenyiDivergencesWithoutDelta) {
  EXPECT_EQ(FilterTerms::of({1.0, 0.0}).renyi_bound(), -kInfinity);
  RenyiFilter filter(FilterTerms::of({1.0, 0.0}));
  EXPECT_TRUE(filter.admits({1.0, 0.1}));
  EXPECT_FALSE(filter.admits({kInfinity, 1e-9}));
}

TEST(FilterTerms, RefuseWhatIsNoBudget) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const Budget& budget : {Budget{0.0, 1e-6},
                               {-1.0, 1e-6},
                               {kNaN, 1e-6},
                               {kInfinity, 1e-6},
                               {1e300, 1e-6},
                               {1.0, 1.0},
                               {1.0, kNaN},
                               {1.0, -1e-6},
                               {5e-324, 1e-6},
                               {1.0, 5e-324}}) {
    EXPECT_THROW(FilterTerms::of(budget), InvalidArgument) << budget.epsilon << budget.delta;
  }
  EXPECT_THROW(FilterTerms::of({1.0, 1e-6}, 1e-6), InvalidArgument);
  EXPECT_THROW((RenyiFilter({{1.0, 1e-6}, 1.0})), InvalidArgument);
  EXPECT_THROW((RenyiFilter({{1.0, 1e-6}, kNaN})), InvalidArgument);
}

TEST(RenyiFilter, RefusesWhatNoMechanismCosts) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const RenyiFilter filter(FilterTerms::of({1.0, 1e-6}));
  for (const double cost : {kNaN, 0.0, -0.1, 5e-324, 1e-310, 1e300, -kInfinity}) {
    EXPECT_THROW(filter.admits({cost, 0.1}), InvalidArgument) << cost;
    EXPECT_THROW(filter.admits({0.1, cost}), InvalidArgument) << cost;
  }
  for (const double delta : {kNaN, -1e-9, 5e-324, 1.0, kInfinity}) {
    EXPECT_THROW(filter.admits({0.1, 0.1, delta}), InvalidArgument) << delta;
  }
}

TEST(RenyiFilter, AdmitsByEitherSum) {
  RenyiFilter filter(FilterTerms::of({1.0, 1e-6}));
  EXPECT_TRUE(filter.admits({1.0, 0.7}));
  EXPECT_TRUE(filter.admits({kInfinity, 0.5353}));
  EXPECT_FALSE(filter.admits({1.0000001, 0.5355}));
  filter.admit({0.9, 0.4});
  EXPECT_TRUE(filter.admits({0.05, 0.4}));
  EXPECT_TRUE(filter.admits({5.0, 0.1}));
  EXPECT_FALSE(filter.admits({0.2, 0.2}));
  EXPECT_THROW(filter.admit({0.2, 0.2}), BudgetError);
  EXPECT_EQ(filter.spent().pure, 0.9) << "what was refused costs nothing";
}

TEST(RenyiFilter, AdmitsAnAdditiveDeltaInItsPartAlone) {
  RenyiFilter filter(FilterTerms::of({1.0, 1e-6}, 2e-7));
  EXPECT_LT(filter.renyi_bound(), FilterTerms::of({1.0, 1e-6}).renyi_bound());
  EXPECT_TRUE(filter.admits({0.1, 0.1, 1e-7}));
  EXPECT_FALSE(filter.admits({0.1, 0.1, 3e-7}));
  filter.admit({0.1, 0.1, 1.5e-7});
  EXPECT_FALSE(filter.admits({0.1, 0.1, 1.5e-7}));
  EXPECT_FALSE(filter.admits({0.1, 0.5, 0.0})) << "by pure epsilon nothing may fail at all";
}

// In doubles 0.1 + 0.2 is above 0.3, and ten times 0.1 below 1; the exact sums of these doubles are
// what counts, and no sum here is below them.
TEST(RenyiFilter, RoundsItsSumsUp) {
  RenyiFilter filter(FilterTerms::of({1.0, 1e-6}));
  long double exact = 0.0L;
  for (int k = 1; k <= 9; ++k) {
    const double each = 0.1 + 1e-17 * k;
    filter.admit({each, 0.01 / 3.0});
    exact += each;
    EXPECT_GE(static_cast<long double>(filter.spent().pure), exact) << k;
  }
  EXPECT_LT(filter.spent().pure, 0.9 + 1e-14);
  // The smallest that can be charged is not lost beside the largest.
  const double before = filter.spent().pure;
  filter.admit({1e-300, 1e-300});
  EXPECT_GT(filter.spent().pure, before);
}

TEST(SpendOf, IsTheLargestOverWhatAUnitCanMeet) {
  Composition one;
  one.add({.kind = Cost::Kind::discrete_laplace, .shift = 1, .scale = 10}, 3);
  Composition other;
  other.add({.kind = Cost::Kind::discrete_gaussian, .shift = 1, .scale = 4}, 2);
  const double omega = 20.98;
  const double of_one = 3.0 * renyi_log_moment(one.events()[0].cost, omega) / omega;
  const double of_other = 2.0 * renyi_log_moment(other.events()[0].cost, omega) / omega;
  const Spend both = spend_of(std::vector{one, other}, 21.98);
  EXPECT_NEAR(both.renyi, std::max(of_one, of_other), 1e-9);
  EXPECT_EQ(both.pure, kInfinity);
  EXPECT_EQ(both.added_delta, 0.0);
  const Spend alone = spend_of(std::vector{one}, 21.98);
  EXPECT_NEAR(alone.renyi, of_one, 1e-9);
  EXPECT_NEAR(alone.pure, 0.3, 1e-9);
  EXPECT_GE(alone.renyi, of_one);
}

TEST(SpendOf, RefusesNoMechanismAtAll) {
  EXPECT_THROW(spend_of(std::vector{Composition{}}, 10.0), InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy
