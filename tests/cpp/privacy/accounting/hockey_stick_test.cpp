#include "southwell/privacy/accounting/hockey_stick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "privacy/accounting/exact_curves.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/accounting/pld.hpp"
#include "southwell/privacy/accounting/rdp.hpp"

namespace southwell::privacy {
namespace {

using namespace testing;

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
