// The private scale of a target, seen through the tap.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fit/tapped.hpp"
#include "southwell/fit/pooled_scale.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/problem/magnitude_scores.hpp"

namespace southwell::fit {
namespace {

/// Through the only door there is: a mechanism's.
std::vector<std::int64_t> scores_of(const std::vector<double>& target,
                                    const std::optional<data::Units>& units = std::nullopt,
                                    std::int64_t weight = 0) {
  Tap tap;
  privacy::SeededRandomBits bits(1);
  const auto scores = problem::magnitude_scores(target, units, weight);
  privacy::ExponentialMechanism(1, 1).release(scores, bits);
  return tap.records().at(0).input;
}

/// How many reach magnitude k, through the same door.
std::int64_t reach_of(const std::vector<double>& target, int k,
                      const std::optional<data::Units>& units = std::nullopt) {
  Tap tap;
  privacy::SeededRandomBits bits(1);
  const privacy::DiscreteGaussianRelease release(1, 1);
  privacy::Noise noise = release.draw(bits, 1);
  static_cast<void>(release.release(problem::reach_count(target, k, units), std::move(noise)));
  return tap.records().at(0).input.at(0);
}

/// Units, each a list of targets, and nobody's targets.
struct UnitTargets {
  std::vector<double> target;
  data::Units units;
};

UnitTargets unit_targets(const std::vector<std::vector<double>>& lists,
                         const std::vector<double>& nobodys) {
  std::vector<double> target = nobodys;
  std::vector<std::optional<std::string>> ids(nobodys.size());
  std::size_t longest = 0;
  for (const std::vector<double>& list : lists) longest = std::max(longest, list.size());
  for (std::size_t k = 0; k < longest; ++k) {  // no unit's records stand side by side
    for (std::size_t u = 0; u < lists.size(); ++u) {
      if (k >= lists[u].size()) continue;
      target.push_back(lists[u][k]);
      ids.emplace_back(std::to_string(u));
    }
  }
  return {std::move(target), data::Units::of(ids)};
}

std::vector<std::int64_t> scores_of_units(const std::vector<std::vector<double>>& lists,
                                          const std::vector<double>& nobodys) {
  const UnitTargets of = unit_targets(lists, nobodys);
  return scores_of(of.target, of.units);
}

/// Lists of one to three values, all of them.
std::vector<std::vector<double>> all_lists_of(const std::vector<double>& values) {
  std::vector<std::vector<double>> lists;
  for (const double a : values) {
    lists.push_back({a});
    for (const double b : values) {
      lists.push_back({a, b});
      for (const double c : values) lists.push_back({a, b, c});
    }
  }
  return lists;
}

TEST(MagnitudeScores, MoveNoFartherThanTheirSensitivityOnAllSmallTables) {
  const std::vector<double> values{0.0, 5e-324, 1.0, 3.0, kInfinity};
  const auto farthest = [](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    std::int64_t most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
    return most;
  };
  std::int64_t by_replacing = 0;
  std::int64_t by_adding = 0;
  std::vector<std::vector<double>> tables{{}};  // all of one length, in rising order of values
  for (int length = 0; length < 7; ++length) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& table : tables) {
      const std::vector<std::int64_t> scores = scores_of(table);
      std::vector<std::vector<std::int64_t>> added;
      for (const double value : values) {
        std::vector<double> with = table;
        with.push_back(value);
        added.push_back(scores_of(with));
        by_adding = std::max(by_adding, farthest(scores, added.back()));
        for (const auto& other : added) {
          by_replacing = std::max(by_replacing, farthest(other, added.back()));
        }
        if (table.empty() || value >= table.back()) longer.push_back(with);
      }
    }
    tables = std::move(longer);
  }
  EXPECT_EQ(by_replacing, 2);
  EXPECT_EQ(by_adding, 1);
}

TEST(MagnitudeScores, OfZerosAndNanAreThoseOfNobody) {
  const std::vector<double> sized{5e-324, 1.0, 3.0, 3.0, -1e9, kInfinity};
  std::vector<double> with_nothing = sized;
  with_nothing.insert(with_nothing.begin() + 2, 40, 0.0);
  with_nothing.insert(with_nothing.end(), {-0.0, std::nan(""), -std::nan("")});
  EXPECT_EQ(scores_of(with_nothing), scores_of(sized));
  EXPECT_EQ(scores_of({0.0, std::nan("")}), std::vector<std::int64_t>(121, 0));
  EXPECT_EQ(scores_of_units({{0.0}, {3.0, 0.0, std::nan(""), 0.0}, {std::nan("")}}, {0.0, 7.0}),
            scores_of({3.0}));
}

TEST(MagnitudeScores, HaveWeightsThatDependOnNoRecord) {
  constexpr std::int64_t kWeight = 1000;
  for (const std::vector<double>& target :
       {std::vector<double>{}, {0.0}, {1.0, 3.0, 3.0}, {kInfinity, 5e-324}, {std::nan(""), 7.0}}) {
    std::vector<std::int64_t> expected = scores_of(target);
    for (std::int64_t k = -60; k <= 60; ++k) {
      expected[static_cast<std::size_t>(k + 60)] -= std::abs(k) * kWeight / 16;
    }
    EXPECT_EQ(scores_of(target, std::nullopt, kWeight), expected);
  }
}

TEST(MagnitudeScores, OfUnitsAreThoseOfTheirLowerMedians) {
  const std::vector<std::vector<double>> lists{{1.0},
                                               {4.0, 1.0},
                                               {0.0, 1e9, 8.0},
                                               {-64.0, 2.0, kInfinity, -16.0},
                                               {std::nan(""), 1.0},
                                               {0.0, std::nan(""), 0.0},
                                               {5.0, 5.0, 5.0, 0.0, 0.0}};
  const std::vector<double> medians{1.0, 1.0, 8.0, 16.0, 1.0, 5.0};
  EXPECT_EQ(scores_of_units(lists, {}), scores_of(medians));
  EXPECT_EQ(scores_of_units(lists, {1e9, 1e9, 1e9, 1e9}), scores_of(medians));
}

TEST(MagnitudeScores, OfUnitsDoNotDependOnTheOrderOfTheirRecords) {
  std::vector<double> list{0.0, 1.0, 3.0, 9.0};
  const std::vector<std::int64_t> scores = scores_of_units({list, {1.0}}, {});
  while (std::next_permutation(list.begin(), list.end())) {
    EXPECT_EQ(scores_of_units({list, {1.0}}, {}), scores);
  }
}

TEST(MagnitudeScores, OfUnitsMoveNoFartherThanTheirSensitivity) {
  const auto lists = all_lists_of({0.0, 5e-324, 1.0, 3.0, kInfinity, std::nan("")});
  const std::vector<std::vector<double>> others{{1.0, 4.0}, {0.0}, {3.0, 3.0, 0.0}};
  const std::vector<std::int64_t> without = scores_of_units(others, {7.0});
  std::vector<std::vector<std::int64_t>> with;
  for (const std::vector<double>& list : lists) {
    std::vector<std::vector<double>> all = others;
    all.push_back(list);
    with.push_back(scores_of_units(all, {7.0}));
  }
  std::int64_t most = 0;
  for (std::size_t k = 0; k < without.size(); ++k) {
    for (const auto& here : with) {
      most = std::max(most, std::abs(here[k] - without[k]));
      for (const auto& there : with) most = std::max(most, std::abs(here[k] - there[k]));
    }
  }
  EXPECT_EQ(most, 2);
}

TEST(MagnitudeScores, CountWhatReachesAMagnitudeWithinTheirSensitivity) {
  // 2^(k-1) <= y < 2^k has magnitude k, and reaches every magnitude up to k + 3.
  EXPECT_EQ(reach_of({1.0, 1.9, 2.0, 0.0, std::nan(""), -kInfinity}, 4), 4);
  EXPECT_EQ(reach_of({1.0, 1.9, 2.0, 0.0, std::nan(""), -kInfinity}, 5), 2);
  EXPECT_EQ(reach_of({1.0, 1.9, 2.0, 0.0, std::nan(""), -kInfinity}, 60), 1);
  EXPECT_EQ(reach_of({}, 0), 0);
  const std::vector<std::vector<double>> others{{1.0, 4.0}, {0.0}, {3.0, 3.0, 0.0}};
  for (const int k : {-60, 3, 4, 5, 6, 60}) {
    const auto reach = [&](const std::vector<std::vector<double>>& lists) {
      const UnitTargets of = unit_targets(lists, {7.0});
      return reach_of(of.target, k, of.units);
    };
    const std::int64_t without = reach(others);
    for (const std::vector<double>& list : all_lists_of({0.0, 1.0, 3.0, kInfinity})) {
      std::vector<std::vector<double>> all = others;
      all.push_back(list);
      const std::int64_t with = reach(all);  // 0 or 1 more: so replacing moves it by 1 as well
      EXPECT_GE(with, without);
      EXPECT_LE(with, without + static_cast<std::int64_t>(problem::kReachSensitivity));
    }
  }
}

/// What the mechanism is given of the targets of a fit.
std::vector<std::int64_t> weighted_scores_of(const std::vector<Record>& records,
                                             std::uint64_t scale) {
  std::vector<double> target;
  for (const Record& record : records) target.push_back(record.back());
  return scores_of(target, std::nullopt, static_cast<std::int64_t>(scale));
}

/// Of a refined fit: whether targets reach the scale is the second event, as it is charged.
void expect_reach_check(const std::vector<Record>& records, const std::vector<TapRecord>& calls,
                        const std::vector<MechanismUse>& charged) {
  const TapRecord& second = calls.at(1);
  EXPECT_EQ(second.call.mechanism, "discrete_gaussian_release");
  EXPECT_EQ(second.call.sensitivity, 1u);
  std::vector<double> target;
  for (const Record& record : records) target.push_back(record.back());
  const int k = static_cast<int>(calls[0].output[0]) - 60;
  EXPECT_EQ(second.input, std::vector<std::int64_t>{reach_of(target, k)});
  const MechanismUse& check = charged.at(1);
  EXPECT_EQ(check.step, "target_scale");
  EXPECT_EQ(check.name, "discrete_gaussian_release");
  EXPECT_EQ(check.cost.scale, second.call.scale);
  EXPECT_EQ(check.cost.shift, 1u);
}

TEST(TappedFit, FindsTheTargetScaleByAMechanismItCharges) {
  std::vector<Record> base = random_records(400, 3, 6);
  for (Record& record : base) record.back() = 100.0 * record[0];  // a median of about 67
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      FitSpec spec = small_spec(solver == "cd" ? "huber" : "squared", "l1");
      if (solver == "cd") spec.objective.huber_width = 1e4;
      spec.solver = solver;
      spec.clip.reset();
      spec.target_scale.reset();  // found unless declared
      spec.objective.alpha.reset();
      spec.relation = relation;
      if (relation == "add_or_remove_one") spec.records = 400;
      const FitPlan plan = plan_for(spec, base, 3);
      Tap tap;
      const LinearModel model = fit_with(dataset_of(base, 3, Stored::f64), plan, 5);
      // The first event is the selection of the scale, at the noise that is charged.
      const TapRecord& first = tap.records()[0];
      EXPECT_EQ(first.call.mechanism, "exponential_mechanism");
      EXPECT_EQ(first.input.size(), 121u);
      EXPECT_EQ(first.call.sensitivity, 2u);
      EXPECT_EQ(first.input, weighted_scores_of(base, first.call.scale));
      const MechanismUse& use = model.privacy.mechanisms[0];
      EXPECT_EQ(use.step, "target_scale");
      EXPECT_EQ(use.cost.scale, first.call.scale);
      EXPECT_EQ(use.cost.shift, 2 * first.call.sensitivity);
      const double found = std::ldexp(1.0, static_cast<int>(first.output[0]) - 60);
      EXPECT_TRUE(found == 64.0 || found == 128.0) << found;
      if (solver != "cd") expect_reach_check(base, tap.records(), model.privacy.mechanisms);
      // What follows from it says so, and all of it together keeps the budget.
      for (const PublicInput& input : model.privacy.public_inputs) {
        if (input.name == "target_scale") {
          EXPECT_EQ(std::get<double>(input.value), found);
        }
        if (input.name == "alpha") {
          EXPECT_EQ(std::get<double>(input.value), model.objective.alpha);
        }
        if (input.name == "target_scale" || input.name == "clip" || input.name == "alpha") {
          EXPECT_EQ(input.source, Source::mechanism) << input.name;
        }
      }
      EXPECT_LE(model.privacy.epsilon_spent, 1.0);
      EXPECT_GT(model.privacy.epsilon_spent, 0.999);
      // Neighbours.
      for (const double value : kValues) {
        std::vector<Record> changed = base;
        if (relation == "add_or_remove_one") changed.push_back(base[7]);
        changed.back() = {value, 1.0, -value, value};
        expect_neighbour_within_sensitivity(dataset_of(base, 3, Stored::f64),
                                            dataset_of(changed, 3, Stored::f64), plan, {3, 3}, 1,
                                            solver + " " + std::to_string(value));
      }
    }
  }
}

TEST(TappedFit, SharesTheMechanismOfItsTargetScaleWithPooledScales) {
  std::vector<double> sizes;
  for (const Record& record : random_records(400, 3, 6)) sizes.push_back(std::fabs(record[0]));
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    PooledScaleSpec spec{.epsilon = 0.5, .relation = relation};
    if (relation == "add_or_remove_one") spec.records = 400;
    const PooledScale scale(spec, {.records = sizes.size()});
    Tap tap;
    privacy::SeededRandomBits bits(5);
    const double found = scale.find(sizes, std::nullopt, bits);
    ASSERT_EQ(tap.records().size(), 1u);
    const TapRecord first = tap.records()[0];
    const MechanismUse use = scale.statement(found).mechanisms.at(0);
    EXPECT_EQ(use.cost.scale, first.call.scale);
    EXPECT_EQ(use.cost.shift, 2 * first.call.sensitivity);
    for (const double value : kValues) {
      std::vector<double> changed = sizes;
      if (relation == "add_or_remove_one") changed.push_back(0.0);
      changed.back() = value;
      privacy::SeededRandomBits others(6);
      static_cast<void>(scale.find(changed, std::nullopt, others));
      EXPECT_LE(distance(first, tap.records().back()), first.call.sensitivity) << value;
    }
  }
}

}  // namespace
}  // namespace southwell::fit
