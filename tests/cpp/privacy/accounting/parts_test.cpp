#include "southwell/privacy/accounting/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace southwell::privacy {
namespace {

using Kind = Cost::Kind;

Composition composition_of(const std::vector<Composition::Event>& events) {
  Composition out;
  for (const auto& [cost, count] : events) out.add(cost, count);
  return out;
}

const Cost kPure{Kind::pure, 1, 2};
const Cost kGauss{Kind::discrete_gaussian, 10, 50};
const Cost kRange{Kind::bounded_range, 1, 4};

TEST(Parts, CostTheLargestOfThem) {
  const std::vector<PartedUse> uses{{kPure, 1, "fit"}, {kGauss, 1, "test"}};
  const std::vector<Composition> met = met_by_one_unit(uses);
  ASSERT_EQ(met.size(), 2u);
  EXPECT_EQ(met[0], composition_of({{kPure, 1}}));
  EXPECT_EQ(met[1], composition_of({{kGauss, 1}}));
  const double most = std::max(spent(met[0], 1e-6).epsilon, spent(met[1], 1e-6).epsilon);
  EXPECT_EQ(spent(uses, 1e-6).epsilon, most);
}

TEST(Parts, OfNoSplitAreAllRecords) {
  const std::vector<PartedUse> uses{{kPure, 3, ""}, {kGauss, 2, ""}};
  ASSERT_EQ(met_by_one_unit(uses).size(), 1u);
  EXPECT_EQ(met_by_one_unit(uses)[0], composition_of({{kPure, 3}, {kGauss, 2}}));
  ASSERT_EQ(met_by_one_unit({}).size(), 1u);
}

TEST(Parts, CountWhatAllRecordsMeetInEach) {
  const std::vector<PartedUse> uses{{kRange, 2, ""}, {kPure, 1, "fit"}, {kGauss, 1, "test"}};
  const std::vector<Composition> met = met_by_one_unit(uses);
  ASSERT_EQ(met.size(), 2u);
  EXPECT_EQ(met[0], composition_of({{kRange, 2}, {kPure, 1}}));
  EXPECT_EQ(met[1], composition_of({{kRange, 2}, {kGauss, 1}}));
}

// Alone the Gaussian releases cost more; beside noise that all records have met, whose best order
// is a small one, the pure mechanism does.
TEST(Parts, AreComparedTogetherWithWhatAllMeet) {
  const Composition::Event all{{Kind::discrete_gaussian, 300, 100}, 1};
  const Composition::Event pure{{Kind::pure, 3, 1}, 1};
  const Composition::Event gauss{{Kind::discrete_gaussian, 100, 2000}, 400};
  const auto epsilon = [](const std::vector<Composition::Event>& events) {
    return spent(composition_of(events), 1e-6).epsilon;
  };
  EXPECT_LT(epsilon({pure}), epsilon({gauss}));
  EXPECT_GT(epsilon({all, pure}), epsilon({all, gauss}));
  const std::vector<PartedUse> uses{
      {all.cost, all.count, ""}, {pure.cost, pure.count, "fit"}, {gauss.cost, gauss.count, "test"}};
  EXPECT_EQ(spent(uses, 1e-6).epsilon, epsilon({all, pure}));
}

TEST(Parts, OfSeveralSplitsMeetInEveryWay) {
  const std::vector<PartedUse> uses{
      {kPure, 1, "fit"}, {kGauss, 1, "test"}, {kPure, 2, "start.fit"}, {kGauss, 2, "start.test"}};
  const std::vector<Composition> met = met_by_one_unit(uses);
  ASSERT_EQ(met.size(), 4u);
  for (const std::vector<Composition::Event>& way : {std::vector<Composition::Event>{{kPure, 3}},
                                                     {{kGauss, 3}},
                                                     {{kPure, 1}, {kGauss, 2}},
                                                     {{kGauss, 1}, {kPure, 2}}}) {
    EXPECT_NE(std::find(met.begin(), met.end(), composition_of(way)), met.end());
  }
}

TEST(Parts, OfManySplitsAreLeftTogether) {
  std::vector<PartedUse> uses;
  for (int split = 0; split < 12; ++split) {
    const std::string name(1, static_cast<char>('a' + split));
    uses.push_back({kGauss, 1, name + ".fit"});
    uses.push_back({{Kind::discrete_gaussian, 10, 51}, 1, name + ".test"});
  }
  const std::vector<Composition> met = met_by_one_unit(uses);
  EXPECT_LE(met.size(), 64u);
  // No less than what a unit can meet at most: the dearer part of each.
  EXPECT_GE(spent(uses, 1e-6).epsilon, spent(composition_of({{kGauss, 12}}), 1e-6).epsilon);
}

// Three units of one bit each, one of them held out at random. Randomised responses of a count on
// each part, and the law of both outcomes over all splits: no pair of neighbours tells more than is
// claimed, and one of them nearly as much.
TEST(Parts, AreNeverBelowTheTrueLossByEnumeration) {
  constexpr double kFit = 0.8;
  constexpr double kTest = 0.5;
  const auto chance = [](int bit, double epsilon, int said) {
    const double right = 1.0 / (1.0 + std::exp(-epsilon));
    return bit == said ? right : 1.0 - right;
  };
  const auto law = [&](const std::array<int, 3>& units) {
    std::array<double, 4> out{};
    for (std::size_t held = 0; held < 3; ++held) {
      int of_fit = 0;
      for (std::size_t i = 0; i < 3; ++i) of_fit += i == held ? 0 : units[i];
      for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
          out[static_cast<std::size_t>(2 * a + b)] +=
              chance(of_fit % 2, kFit, a) * chance(units[held], kTest, b) / 3.0;
        }
      }
    }
    return out;
  };
  const double claim = spent(std::vector<PartedUse>{{{Kind::pure, 8, 10}, 1, "fit"},
                                                    {{Kind::pure, 5, 10}, 1, "test"}},
                             0.0)
                           .epsilon;
  EXPECT_NEAR(claim, kFit, 1e-12);
  double most = 0.0;
  for (int data = 0; data < 8; ++data) {
    const std::array<int, 3> here{data & 1, data >> 1 & 1, data >> 2 & 1};
    for (std::size_t i = 0; i < 3; ++i) {
      std::array<int, 3> there = here;
      there[i] = 1 - there[i];
      const auto p = law(here);
      const auto q = law(there);
      for (std::size_t k = 0; k < p.size(); ++k) most = std::max(most, std::log(p[k] / q[k]));
    }
  }
  EXPECT_LE(most, claim);
  EXPECT_GT(most, 0.5 * claim);
}

TEST(Parts, OfPlansMeetOneOfThemAtItsShareOfDelta) {
  const std::vector<PartedUse> uses{
      {kRange, 1, "fit"}, {kPure, 1, "fit", "gcd"}, {kGauss, 2, "fit", "sgd"}, {kGauss, 1, "test"}};
  const std::vector<Composition> met = met_by_one_unit(uses);
  const std::vector<Composition> expected{composition_of({{kRange, 1}, {kPure, 1}}),
                                          composition_of({{kRange, 1}, {kGauss, 2}}),
                                          composition_of({{kGauss, 1}})};
  EXPECT_EQ(met, expected);
  const double half = delta_of_each(1e-6, 2);
  EXPECT_LE(2.0 * half, 1e-6);
  EXPECT_GT(2.0 * half, 0.999e-6);
  EXPECT_EQ(spent(uses, 1e-6).epsilon,
            std::max({spent(expected[0], half).epsilon, spent(expected[1], half).epsilon,
                      spent(expected[2], 1e-6).epsilon}))
      << "a unit of the other part meets none of the plans";
}

TEST(Parts, OfTwoDecisionsMeetEveryPairOfPlans) {
  const std::vector<PartedUse> uses{{kPure, 1, "", "gcd"},
                                    {kGauss, 1, "", "sgd"},
                                    {kPure, 2, "", "start.gcd"},
                                    {kGauss, 2, "", "start.sgd"}};
  const std::vector<Composition> met = met_by_one_unit(uses);
  ASSERT_EQ(met.size(), 4u);
  double most = 0.0;
  for (const Composition& each : met) {
    most = std::max(most, spent(each, delta_of_each(1e-6, 4)).epsilon);
  }
  EXPECT_EQ(spent(uses, 1e-6).epsilon, most);
}

/// E[(1 - y zeta)+] of the worst law of a selection of this range.
double worst_selection(double y, double range) {
  constexpr int kPlaces = 400;
  double most = 0.0;
  for (int place = 0; place <= kPlaces; ++place) {
    const double low = std::exp(-range * place / kPlaces);
    const double high = low * std::exp(range);
    const double chance = (1.0 - low) / (high - low);
    most = std::max(most, (1.0 - chance) * std::max(0.0, 1.0 - y * low) +
                              chance * std::max(0.0, 1.0 - y * high));
  }
  return most;
}

/// A number that a release may give: its chance with noise on 0, and the ratio of that on the shift
/// to it.
struct Outcome {
  double chance;
  double ratio;
};
std::vector<Outcome> outcomes_of(const Cost& cost) {
  const auto sigma = static_cast<double>(cost.scale);
  const auto shift = static_cast<double>(cost.shift);
  const auto weight = [&](double x) { return std::exp(-0.5 * x * x / (sigma * sigma)); };
  const double far = std::round(9.0 * sigma + shift);
  double all = 0.0;
  for (double x = -far; x <= far; ++x) all += weight(x);
  std::vector<Outcome> out;
  for (double x = -far; x <= far; ++x) {
    out.push_back({weight(x) / all, std::exp((shift * x - 0.5 * shift * shift) / (sigma * sigma))});
  }
  return out;
}

// A release decides between another one and a selection, each time for the one that tells more
// after what it gave: the larger of the two plans at the whole delta would be too little.
TEST(Parts, OfPlansAreNeverBelowTheTrueLossByEnumeration) {
  constexpr double kDelta = 1e-4;
  const Cost first{Kind::discrete_gaussian, 100, 333};
  const Cost release{Kind::discrete_gaussian, 100, 100};
  const Cost selection{Kind::bounded_range, 3344, 1000};
  const std::vector<PartedUse> uses{
      {first, 1, ""}, {release, 1, "", "release"}, {selection, 1, "", "selection"}};
  const double claim = spent(uses, kDelta).epsilon;
  const std::vector<Outcome> released = outcomes_of(release);
  double delta = 0.0;
  for (const Outcome& before : outcomes_of(first)) {
    const double y = std::exp(claim) * before.ratio;
    double by_release = 0.0;
    for (const Outcome& each : released) {
      by_release += each.chance * std::max(0.0, 1.0 - y * each.ratio);
    }
    delta += before.chance * std::max(by_release, worst_selection(y, 3.344));
  }
  EXPECT_LE(delta, kDelta);
  EXPECT_GT(delta, 0.55 * kDelta);  // what accountants leave
}

}  // namespace
}  // namespace southwell::privacy
