#include "southwell/privacy/accounting/bounded_range_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "privacy/accounting/exact_curves.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/hockey_stick.hpp"

namespace southwell::privacy {
namespace {

using namespace testing;

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

}  // namespace
}  // namespace southwell::privacy
