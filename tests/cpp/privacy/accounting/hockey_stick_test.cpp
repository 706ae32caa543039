#include "southwell/privacy/accounting/hockey_stick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/accounting/normal_tail.hpp"
#include "southwell/privacy/accounting/pld.hpp"
#include "southwell/privacy/accounting/rdp.hpp"

namespace southwell::privacy {
namespace {

using Kind = Cost::Kind;
using Real = long double;
/// What is still to come, by the likelihood ratio times e^epsilon so far.
using Value = std::function<Real(Real)>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kUnit = std::uint64_t{1} << 21;

Real tail(Real s) { return 0.5L * std::erfc(s / std::sqrt(2.0L)); }

/// The profile of Gaussian noise, in long doubles.
Real gaussian_profile(Real x, Real mu) {
  return tail(x / mu - mu / 2) - std::exp(x) * tail(x / mu + mu / 2);
}

Real gaussian_epsilon(Real mu, Real delta) {
  if (gaussian_profile(0, mu) <= delta) return 0;
  Real low = 0;
  Real high = 100;
  for (int i = 0; i < 200; ++i) {
    const Real middle = (low + high) / 2;
    (gaussian_profile(middle, mu) > delta ? low : high) = middle;
  }
  return high;
}

Real one_selection(Real y, Real range) {
  const Real far = std::exp(range);
  if (y >= far) return 0;
  if (y * far <= 1) return 1 - y;
  return std::pow(std::sqrt(far) - std::sqrt(y), 2.0L) / (far - 1);
}

/// The worst selection before `next`, by trying pairs of ends: never above the true worst.
Real worst_selection(const Value& next, Real y, Real range, int tries) {
  const Real far = std::exp(range);
  Real worst = 0;
  for (int i = 1; i <= tries; ++i) {
    const Real u = y * std::exp(-range * i / tries);
    const Real chance = (u * far - y) / (u * far - u);
    worst = std::max(worst, chance * next(u) + (1 - chance) * next(u * far));
  }
  return worst;
}

/// Gaussian noise before `next`, by Simpson's rule over 12 standard deviations.
CurveKnots exactly(int cells) { return {.fewest = cells, .most = cells, .visits = 1e10}; }

Real gaussian_before(const Value& next, Real y, Real mu, int cells) {
  Real sum = 0;
  for (int i = 0; i <= cells; ++i) {
    const Real t = -12 + 24.0L * i / cells;
    const Real weight = i == 0 || i == cells ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(-t * t / 2) * next(y * std::exp(-(mu * mu / 2 + mu * t)));
  }
  return sum * 24 / cells / 3 / std::sqrt(2 * std::acos(-1.0L));
}

Cost range_of(double range) {
  return {Kind::bounded_range, kUnit,
          static_cast<std::uint64_t>(std::ceil(static_cast<double>(kUnit) / range))};
}
Cost noise_of(double mu) {
  return {Kind::discrete_gaussian, kUnit,
          static_cast<std::uint64_t>(std::ceil(static_cast<double>(kUnit) / mu))};
}
Real exact(const Cost& cost) {
  return static_cast<Real>(cost.shift) / static_cast<Real>(cost.scale);
}

Composition composed(const std::vector<Composition::Event>& events) {
  Composition all;
  for (const auto& [cost, count] : events) all.add(cost, count);
  return all;
}

TEST(NormalTail, HoldsTheExactTail) {
  for (double s = -40.0; s < 40.0; s += 0.00137) {
    const NormalTail found = normal_tail(s);
    const Real exactly = tail(s);
    ASSERT_LE(found.low, exactly) << s;
    ASSERT_GE(found.high, exactly) << s;
    if (s < 37.0) {
      ASSERT_GE(found.low, exactly * (1 - 0x1p-36L)) << s;
      ASSERT_LE(found.high, exactly * (1 + 0x1p-36L)) << s;
      // The error itself is far within what the ends allow.
      ASSERT_NEAR(static_cast<double>((found.low + found.high) / (2 * exactly)), 1.0, 0x1p-39) << s;
    }
  }
}

TEST(HockeyStick, OfGaussianNoiseAloneIsTheAnalyticCurve) {
  // Balle and Wang 2018: sigma 3.7306 at (1, 1e-5).
  EXPECT_NEAR(HockeyStick(composed({{noise_of(1 / 3.730631634816464), 1}})).epsilon(1e-5), 1.0,
              1e-6);
  for (const double mu : {1e-3, 0.02, 0.2, 1.0, 4.0}) {
    for (const std::uint64_t count : {1u, 7u, 1000u}) {
      const Cost cost = noise_of(mu / std::sqrt(count));
      const HockeyStick found(composed({{cost, count}}));
      const Real total = exact(cost) * std::sqrt(static_cast<Real>(count));
      for (const double delta : {1e-3, 1e-6, 1e-12}) {
        const Real expected = gaussian_epsilon(total, delta);
        EXPECT_GE(found.epsilon(delta), expected) << mu << " " << count << " " << delta;
        EXPECT_LE(found.epsilon(delta), expected * (1 + 1e-6L) + 1e-9L) << mu << " " << delta;
      }
    }
  }
}

TEST(HockeyStick, OfGaussianNoiseAloneAgreesWithTheLossDistribution) {
  const Composition both = composed({{noise_of(0.05), 9}, {noise_of(0.1), 4}});
  for (const double epsilon : {0.1, 0.5, 1.0, 2.0}) {
    EXPECT_NEAR(HockeyStick(both).delta(epsilon) / pld_delta(both, epsilon), 1.0, 1e-4);
  }
}

TEST(HockeyStick, ChargesNoiseOnWholeNumbersForItsLattice) {
  for (const int sigma : {3, 4, 9}) {
    for (const int shift : {1, 2, 5}) {
      const HockeyStick found(
          composed({{{Kind::discrete_gaussian, static_cast<std::uint64_t>(shift),
                      static_cast<std::uint64_t>(sigma)},
                     1}}));
      const auto law = [&](int x) { return std::exp(-0.5L * x * x / (sigma * sigma)); };
      Real total = 0;
      for (int x = -200; x <= 200; ++x) total += law(x);
      for (double epsilon = 0.01; epsilon < 4.0; epsilon += 0.01) {
        Real delta = 0;
        for (int x = -200; x <= 200; ++x) {
          delta += std::max(0.0L, law(x) - std::exp(static_cast<Real>(epsilon)) * law(x + shift));
        }
        EXPECT_GE(found.delta(epsilon), delta / total) << sigma << " " << shift << " " << epsilon;
      }
    }
  }
}

TEST(HockeyStick, OfOneSelectionIsTheKnownCurve) {
  for (const double range : {0.01, 0.3, 1.0, 5.0}) {
    const Cost cost = range_of(range);
    const HockeyStick found(composed({{cost, 1}}));
    // At the knots it is exact, between them it is not below.
    for (int i = 0; i < 64; ++i) {
      const Real x = exact(cost) * i / 64;
      const Real expected = one_selection(std::exp(x), exact(cost));
      const double delta = found.delta(static_cast<double>(x));
      EXPECT_GE(delta, expected) << range << " " << i;
      if (i % 4 == 0) {
        EXPECT_LE(delta, expected * (1 + 1e-8L) + 1e-11L) << range << " " << i;
      }
    }
    EXPECT_LE(found.epsilon(1e-9), basic_epsilon(composed({{cost, 1}})) * (1 + 1e-9));
  }
}

TEST(HockeyStick, OfTwoSelectionsIsTheWorstOfAllPairsForEachOutcome) {
  for (const double range : {0.2, 1.5}) {
    const Cost cost = range_of(range);
    const Composition both = composed({{cost, 2}});
    const HockeyStick coarse(both);
    const HockeyStick fine(both, exactly(128));
    const Value last = [](Real y) { return std::max(1 - y, 0.0L); };
    const Value second = [&](Real y) { return worst_selection(last, y, exact(cost), 800); };
    for (const double part : {0.1, 0.5, 0.9, 1.3, 1.7}) {
      const Real brute = worst_selection(second, std::exp(exact(cost) * part), exact(cost), 800);
      const auto epsilon = static_cast<double>(exact(cost) * part);
      EXPECT_GE(coarse.delta(epsilon), brute * (1 - 1e-12L)) << range << " " << part;
      EXPECT_GE(fine.delta(epsilon), brute * (1 - 1e-12L)) << range << " " << part;
      EXPECT_LE(fine.delta(epsilon), brute * (1 + 1e-3L)) << range << " " << part;
    }
  }
}

TEST(HockeyStick, OfGaussianNoiseAndSelectionsBoundsEveryOrder) {
  const Cost select = range_of(0.4);
  const Cost noise = noise_of(0.25);
  const Real range = exact(select);
  const Real mu = exact(noise);
  const Composition all = composed({{select, 2}, {noise, 1}});
  const HockeyStick coarse(all);
  const HockeyStick fine(all, exactly(128));
  const Value stick = [](Real y) { return std::max(1 - y, 0.0L); };
  const Value once = [&](Real y) { return one_selection(y, range); };
  const Value twice = [&](Real y) { return worst_selection(once, y, range, 400); };
  const Value noisy = [&](Real y) { return gaussian_profile(std::log(y), mu); };
  const Value once_noisy = [&](Real y) { return worst_selection(noisy, y, range, 200); };
  const Value noisy_once = [&](Real y) { return gaussian_before(once, y, mu, 300); };
  for (const double epsilon : {0.3, 0.8, 1.2}) {
    const Real y = std::exp(static_cast<Real>(epsilon));
    const Real first = gaussian_before(twice, y, mu, 2000);
    EXPECT_GE(coarse.delta(epsilon), first * (1 - 1e-6L)) << epsilon;
    EXPECT_GE(fine.delta(epsilon), first * (1 - 1e-6L)) << epsilon;
    EXPECT_LE(fine.delta(epsilon), first * (1 + 1e-3L)) << epsilon;
    // Noise last, and noise between the selections.
    EXPECT_GE(fine.delta(epsilon), worst_selection(once_noisy, y, range, 200)) << epsilon;
    EXPECT_GE(fine.delta(epsilon), worst_selection(noisy_once, y, range, 200)) << epsilon;
  }
}

TEST(HockeyStick, OfTwoRangesBoundsBothOrders) {
  const Cost wide = range_of(2.0);
  const Cost narrow = range_of(0.7);
  const Composition all = composed({{wide, 1}, {narrow, 1}});
  const HockeyStick fine(all, exactly(128));
  const Value one_wide = [&](Real y) { return one_selection(y, exact(wide)); };
  const Value one_narrow = [&](Real y) { return one_selection(y, exact(narrow)); };
  for (const double epsilon : {0.1, 0.5, 1.0, 1.5, 2.0, 2.4}) {
    const Real y = std::exp(static_cast<Real>(epsilon));
    const Real narrow_first = worst_selection(one_wide, y, exact(narrow), 4000);
    const Real wide_first = worst_selection(one_narrow, y, exact(wide), 4000);
    for (const int cells : {4, 16, 128}) {
      const double delta = HockeyStick(all, exactly(cells)).delta(epsilon);
      EXPECT_GE(delta, narrow_first * (1 - 1e-12L)) << cells << " " << epsilon;
      EXPECT_GE(delta, wide_first * (1 - 1e-12L)) << cells << " " << epsilon;
    }
    EXPECT_LE(fine.delta(epsilon), std::max(narrow_first, wide_first) * 1.01L) << epsilon;
  }
}

TEST(HockeyStick, OfManyRangesLiesBetweenFewerAndTheWidest) {
  const std::vector<Composition::Event> three{
      {range_of(0.3), 2}, {range_of(0.2), 3}, {range_of(0.05), 4}};
  const double all = HockeyStick(composed(three)).epsilon(1e-6);
  EXPECT_GT(all, HockeyStick(composed({three[0], three[1]})).epsilon(1e-6));
  EXPECT_LT(all, HockeyStick(composed({{range_of(0.3), 9}})).epsilon(1e-6));
  // Those of 0.05 are rounded up to 0.2.
  EXPECT_LT(all, 1.001 * HockeyStick(composed({three[0], {range_of(0.2), 7}})).epsilon(1e-6));
  // A use of a range far below or near the others.
  for (const double other : {0.001, 0.29, 0.3000001}) {
    const double with = HockeyStick(composed({three[0], {range_of(other), 1}})).epsilon(1e-6);
    EXPECT_GE(with, HockeyStick(composed({three[0]})).epsilon(1e-6) * (1 - 2e-2))
        << other;  // a finer grid
    EXPECT_LE(with, 1.01 * HockeyStick(composed({{range_of(0.3), 3}})).epsilon(1e-6)) << other;
  }
}

TEST(HockeyStick, LosesLittleByItsGrid) {
  for (const std::uint64_t uses : {1u, 3u, 20u}) {
    for (const double mu : {0.0, 0.1}) {
      std::vector<Composition::Event> events{{range_of(0.4 / std::sqrt(uses)), uses}};
      if (mu > 0.0) events.push_back({noise_of(mu), 1});
      const double fine = HockeyStick(composed(events), exactly(128)).epsilon(1e-6);
      const double usual = HockeyStick(composed(events)).epsilon(1e-6);
      EXPECT_LE(fine, usual * (1 + 1e-9)) << uses << " " << mu;
      EXPECT_LE(usual, 1.01 * fine) << uses << " " << mu;
    }
  }
}

TEST(HockeyStick, IsABoundWhereverItsKnotsEnd) {
  const auto with_window = [](double left, double right) {
    CurveKnots cells = exactly(16);
    cells.left = left;
    cells.right = right;
    return cells;
  };
  for (const double mu : {0.0, 0.4}) {
    std::vector<Composition::Event> events{{range_of(0.3), 12}, {range_of(0.2), 3}};
    if (mu > 0.0) events.push_back({noise_of(mu), 1});
    const Composition all = composed(events);
    const HockeyStick whole(all, with_window(1e3, 1e3));
    for (const auto& [left, right] : {std::pair{0.1, 1e3}, {1e3, 0.1}, {0.1, 0.1}, {1.0, 2.0}}) {
      const HockeyStick narrow(all, with_window(left, right));
      bool differs = false;
      for (double epsilon = 0.0; epsilon < 4.5; epsilon += 0.05) {
        const double exact = whole.delta(epsilon);
        EXPECT_GE(narrow.delta(epsilon), exact * (1.0 - 1e-9)) << mu << " " << left << " " << right;
        differs = differs || narrow.delta(epsilon) > 1.0001 * exact;
      }
      EXPECT_TRUE(differs) << mu << " " << left << " " << right;
    }
  }
}

TEST(HockeyStick, GrowsWithTheRangeHoweverFewItsKnots) {
  for (const int cells : {2, 3, 6}) {
    double last = 0.0;
    for (double range = 0.05; range < 0.06; range *= 1.0005) {
      const double epsilon =
          HockeyStick(composed({{range_of(range), 30}}), exactly(cells)).epsilon(1e-6);
      EXPECT_GT(epsilon, last) << cells << " " << range;
      last = epsilon;
    }
  }
}

TEST(HockeyStick, LosesNothingWhereItsKnotsEnd) {
  for (const std::uint64_t uses : {50u, 400u}) {
    for (const double mu : {0.0, 0.2}) {
      std::vector<Composition::Event> events{{range_of(2.0 / std::sqrt(uses)), uses}};
      if (mu > 0.0) events.push_back({noise_of(mu), 1});
      CurveKnots wide = exactly(4);
      wide.left = wide.right = 1e3;
      const HockeyStick whole(composed(events), wide);
      const HockeyStick usual(composed(events), exactly(4));
      for (const double delta : {1e-3, 1e-6, 1e-12, 1e-18}) {
        const double exact = whole.epsilon(delta);
        EXPECT_NEAR(usual.epsilon(delta), exact, 1e-8 * exact) << uses << " " << mu << " " << delta;
      }
    }
  }
}

TEST(HockeyStick, IsNeverAboveTheOthersInWhatIsSpent) {
  for (const std::uint64_t uses : {1u, 4u, 30u, 200u}) {
    for (const double range : {0.01, 0.2, 2.0}) {
      for (const double mu : {0.0, 0.05, 1.0}) {
        std::vector<Composition::Event> events{{range_of(range), uses}};
        if (mu > 0.0) events.push_back({noise_of(mu), 2});
        const Composition all = composed(events);
        const Spent won = spent(all, 1e-6);
        EXPECT_LE(won.epsilon, basic_epsilon(all));
        EXPECT_LE(won.epsilon, renyi_epsilon(all, 1e-6).epsilon);
        EXPECT_LE(won.epsilon, hockey_stick_epsilon(all, 1e-6));
        EXPECT_EQ(won.epsilon, epsilon_by(won.accountant, all, 1e-6));
      }
    }
  }
}

TEST(HockeyStick, HasNoBoundWhereItSaysSo) {
  const auto none = [](const std::vector<Composition::Event>& events) {
    const HockeyStick found(composed(events));
    EXPECT_EQ(found.delta(1.0), 1.0);
    EXPECT_EQ(found.epsilon(1e-6), kInfinity);
    return !found.applies();
  };
  EXPECT_TRUE(none({{range_of(1e-4), 10'000'000}}));
  EXPECT_TRUE(none({{range_of(0.1), 10'000}}));
  EXPECT_TRUE(none({{range_of(0.1), std::numeric_limits<std::uint64_t>::max()}}));
  EXPECT_TRUE(none({{range_of(13.0), 1}}));
  EXPECT_TRUE(none({{{Kind::discrete_gaussian, 1, 2}, 1}}));
  EXPECT_TRUE(none({{range_of(0.1), 1}, {{Kind::discrete_laplace, 1, 100}, 1}}));
  EXPECT_TRUE(none({{{Kind::pure, 1, 100}, 1}}));
  EXPECT_TRUE(none({{{Kind::sampled_gaussian_replace, 1, 100, 1u << 31}, 1}}));
  EXPECT_EQ(hockey_stick_epsilon(composed({{range_of(0.1), 2}}), 0.0), kInfinity);
  EXPECT_EQ(hockey_stick_epsilon({}, 1e-6), 0.0);
  const HockeyStick many(composed({{noise_of(1e-5), 1'000'000'000}}));
  EXPECT_TRUE(many.applies());
  EXPECT_LT(many.epsilon(1e-6),
            renyi_epsilon(composed({{noise_of(1e-5), 1'000'000'000}}), 1e-6).epsilon);
}

TEST(HockeyStick, LeavesNoBudgetUnspentBesideAnotherRange) {
  // As of a fit that finds the scale of its target first.
  const Composition beside = composed({{range_of(0.19), 1}});
  for (const std::uint64_t selections : {1u, 7u, 20u, 38u, 47u, 51u, 60u, 100u, 200u, 241u}) {
    const std::vector<RoundsScheduleOptions::Releases> releases{{30, 0.4}};
    const Schedule plan =
        rounds_schedule({.selections = selections, .share = 0.6, .releases = releases});
    const Calibrated found = calibrate(plan, {1.0, 1e-6}, beside);
    EXPECT_LE(found.spent.epsilon, 1.0) << selections;
    EXPECT_GE(found.spent.epsilon, 0.985) << selections;
  }
}

TEST(HockeyStick, SavesNoiseOverRenyiComposition) {
  const Budget budget{1.0, 1e-6};
  for (const std::uint64_t selections : {0u, 2u, 6u, 10u, 20u}) {
    const std::vector<RoundsScheduleOptions::Releases> releases{{10, selections > 0 ? 0.5 : 1.0}};
    const Schedule plan =
        rounds_schedule({.selections = selections, .share = 0.5, .releases = releases});
    const Calibrated found = calibrate(plan, budget);
    EXPECT_EQ(found.spent.accountant, Accountant::hockey_stick);
    EXPECT_LE(found.spent.epsilon, 1.0);
    EXPECT_GT(found.spent.epsilon, 1.0 - 1e-6);
    const Calibrated renyi = calibrate_by(Accountant::rdp, plan, budget, found);
    const double saved =
        1.0 - static_cast<double>(found.costs[0].scale) / static_cast<double>(renyi.costs[0].scale);
    EXPECT_GT(saved, selections == 0 ? 0.06 : 0.02) << selections;
    EXPECT_LT(saved, 0.08) << selections;
  }
}

}  // namespace
}  // namespace southwell::privacy
