// What fits of units do, seen through the tap: all records of one unit together have the
// sensitivity of one record.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "fit/tapped_sensitivity.hpp"
#include "fit/unit_data.hpp"
#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::fit {
namespace {

constexpr std::int64_t kBound = problem::ProductClip::kBound;
constexpr std::size_t kFeatures = 2;

/// Units of one to three records, and two records without an id.
Table base_table() {
  return {
      {"a", {0.5, -1.25, 1.0}},        {"b", {-2.0, 0.25, -1.0}}, {"c", {1.0, 1.0, 3.0}},
      {std::nullopt, {3.0, 4.0, 5.0}}, {"c", {-0.5, 2.0, 1.0}},   {"a", {1.0, 0.0, -1.0}},
      {"d", {0.25, 0.5, 1.0}},         {"c", {0.0, 0.0, -1.0}},   {std::nullopt, {-1.0, 1.0, 1.0}}};
}

/// What a unit may be replaced by: one to three records of the value table, and more of the same.
std::vector<std::vector<Record>> all_lists() {
  std::vector<std::vector<Record>> lists;
  for (const double x : kValues) {
    for (const double y : kValues) lists.push_back({{x, 1.0, y}});
  }
  std::vector<Record> few;
  for (const double x : {-kInfinity, -1.0, 0.0, 1e308, std::nan("")}) {
    for (const double y : {-1e308, -1.0, 1.0, kInfinity}) few.push_back({x, -x, y});
  }
  for (std::size_t a = 0; a < few.size(); ++a) {
    for (std::size_t b = a; b < few.size(); ++b) {
      lists.push_back({few[a], few[b]});
      if ((a + b) % 3 == 0) lists.push_back({few[a], few[b], few[a]});
    }
  }
  for (const std::size_t size : {5u, 6u, 7u, 11u}) {
    // All at their bounds, and both sides of the bound of K / 6 rounded to the nearest.
    for (const double x : {-1e3, 1e3}) lists.push_back(std::vector<Record>(size, {x, x, 1e3}));
  }
  return lists;
}

const std::vector<Case> kCases{{"squared", "none", ""},
                               {"squared", "l1", ""},
                               {"logistic", "l1", ""},
                               {"huber", "box", ""},
                               {"squared_hinge", "l2", ""}};

bool classifies(const std::string& loss) { return loss == "logistic" || loss == "squared_hinge"; }

void expect_its_sensitivity_on_every_replaced_unit(const std::string& solver) {
  const Table base = base_table();
  const std::vector<std::vector<Record>> lists = all_lists();
  for (const Case& each : kCases) {
    FitSpec spec = unit_spec(solver, each.loss, each.penalty);
    spec.intercept = each.penalty == "l1";
    if (classifies(each.loss)) spec.class_weight = {1.0, 0.3};
    // A unit at one side of its bounds, so that the other side is as far as it gets.
    const Table from = with_unit(base, "b", std::vector<Record>(6, {-1e3, -1e3, 1e3}));
    const FitPlan plan = plan_for(spec, base, kFeatures);
    EXPECT_EQ(plan->statement.records, 4.0);
    for (std::size_t k = 0; k < lists.size(); ++k) {
      const Stored stored = kStorages[k % 3];
      const Table to = with_unit(base, "b", lists[k]);
      if (k % 16 == 0) {
        EXPECT_EQ(to_json(plan->statement), to_json(plan_for(spec, to, kFeatures)->statement));
      }
      for (const Table& here : {k % 2 == 0 ? base : from, from}) {
        expect_neighbour_within_sensitivity(
            dataset_of(here, kFeatures, stored), dataset_of(to, kFeatures, stored), plan, {17, 17},
            1 + k % 3, solver + " " + each.loss + " " + each.penalty + " " + std::to_string(k));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(TappedUnits, OfGcdHaveTheSensitivityOfARecord) {
  expect_its_sensitivity_on_every_replaced_unit("gcd");
}
TEST(TappedUnits, OfCdHaveTheSensitivityOfARecord) {
  expect_its_sensitivity_on_every_replaced_unit("cd");
}
TEST(TappedUnits, OfSgdHaveTheL2SensitivityOfARecord) {
  expect_its_sensitivity_on_every_replaced_unit("sgd");
}
TEST(TappedUnits, OfRefinedGcdHaveTheSensitivityOfARecord) {
  expect_its_sensitivity_on_every_replaced_unit("refined gcd");
}
TEST(TappedUnits, OfRefinedSgdHaveTheL2SensitivityOfARecord) {
  expect_its_sensitivity_on_every_replaced_unit("refined sgd");
}

TEST(TappedUnits, HaveHalfTheSensitivityWhenOneIsAddedDownToNone) {
  const std::vector<std::vector<Record>> lists = all_lists();
  for (const std::string& solver : kUnitSolvers) {
    for (const Case& each : kCases) {
      FitSpec spec = unit_spec(solver, each.loss, each.penalty);
      spec.relation = "add_or_remove_one";
      spec.records = 4;
      const FitPlan plan = plan_for(spec, Table{}, kFeatures);
      for (std::size_t k = 0; k < lists.size(); ++k) {
        const Table base = k % 4 == 0 ? Table{} : base_table();
        const Table more = with_unit(base, "e", lists[k]);
        if (k % 16 == 0) {  // whatever the number of units, the plan is the same to the last word
          EXPECT_EQ(to_json(plan->statement), to_json(plan_for(spec, more, kFeatures)->statement));
        }
        const Stored stored = kStorages[k % 3];
        expect_neighbour_within_sensitivity(dataset_of(base, kFeatures, stored),
                                            dataset_of(more, kFeatures, stored), plan, {7, 7}, 1,
                                            solver + " " + each.loss + " " + std::to_string(k));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(TappedUnits, HaveTheirSensitivityInEveryTailThreadAndShard) {
  const std::size_t features = 11;  // a tail of every vector width
  for (std::size_t n = 1; n <= 33; ++n) {
    const std::vector<Record> records = random_records(n, features, n);
    Table base;
    for (std::size_t i = 0; i < n; ++i) {
      base.push_back({"person " + std::to_string(i % (1 + n / 3)), records[i]});
    }
    const Record far(features + 1, 1e3);
    const Table to = with_unit(base, "person 0", std::vector<Record>(1 + n % 5, far));
    const Table from =
        with_unit(base, "person 0", std::vector<Record>(1 + n % 7, Record(features + 1, -1e3)));
    for (const std::string& solver : kUnitSolvers) {
      for (const Case& each : kCases) {
        FitSpec spec = unit_spec(solver, each.loss, each.penalty);
        spec.threads = n % 3 == 0 ? 1 : n % 3 == 1 ? 2 : 7;
        const FitPlan plan = plan_for(spec, base, features);
        for (const Table& here : {base, from}) {
          expect_neighbour_within_sensitivity(dataset_of(here, features, kStorages[n % 3]),
                                              dataset_of(to, features, kStorages[n % 3]), plan,
                                              {n, n}, 1 + n % 4,
                                              solver + " " + each.loss + " " + std::to_string(n));
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TappedUnits, OfManyClassesHaveTheirSensitivity) {
  for (const std::string& solver : kUnitSolvers) {
    FitSpec spec = unit_spec(solver, "logistic", "l1");
    spec.classes = {0.0, 1.0, 2.0};
    spec.class_weight = {5.0, 1.0, 2.5};
    Table base = base_table();
    for (std::size_t i = 0; i < base.size(); ++i) {
      base[i].record.back() = static_cast<double>(i % 3);
    }
    const FitPlan plan = plan_for(spec, base, kFeatures);
    for (const double value : kValues) {
      for (const double label : {0.0, 1.0, 2.0, 7.0, std::nan("")}) {
        const Table to = with_unit(base, "b", {{value, 1.0, label}, {-1e3, value, 2.0}});
        for (const Stored stored : kStorages) {
          expect_neighbour_within_sensitivity(dataset_of(base, kFeatures, stored),
                                              dataset_of(to, kFeatures, stored), plan, {3, 3}, 2,
                                              solver + " " + std::to_string(value));
        }
      }
    }
  }
}

TEST(TappedUnits, ARecordWithoutAnIdHasNoShareInAnything) {
  for (const std::string& solver : kUnitSolvers) {
    for (const Case& each : kCases) {
      const FitSpec spec = unit_spec(solver, each.loss, each.penalty);
      const Table base = base_table();
      Table to;
      for (const Row& row : base) {
        if (row.id) to.push_back(row);
        to.push_back({std::nullopt, {1e308, -kInfinity, std::nan("")}});
      }
      const FitPlan plan = plan_for(spec, base, kFeatures);
      for (const Stored stored : kStorages) {
        std::vector<TapRecord> run;
        {
          Tap tap;
          fit_with(dataset_of(base, kFeatures, stored), plan, 3);
          run = tap.records();
        }
        Tap tap;
        fit_with(dataset_of(to, kFeatures, stored), plan, 3);
        ASSERT_EQ(run.size(), tap.records().size());
        for (std::size_t k = 0; k < run.size(); ++k) {
          EXPECT_EQ(run[k].input, tap.records()[k].input) << solver << " " << each.loss;
        }
      }
    }
  }
}

TEST(TappedUnits, TwiceAsManyRowsOfEachChangeNeitherNoiseNorStatement) {
  const Table base = base_table();
  Table twice;
  for (const Row& row : base) twice.insert(twice.end(), 2, row);
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    for (const std::string& solver : kUnitSolvers) {
      for (const Case& each : kCases) {
        FitSpec spec = unit_spec(solver, each.loss, each.penalty);
        spec.relation = relation;
        if (relation == "add_or_remove_one") spec.records = 9;
        spec.unit = "patient";
        const FitPlan plan = plan_for(spec, base, kFeatures);
        const FitPlan plan_of_twice = plan_for(spec, twice, kFeatures);
        EXPECT_EQ(to_json(plan->statement), to_json(plan_of_twice->statement));
        std::vector<TapRecord> run;
        {
          Tap tap;
          fit_with(dataset_of(base, kFeatures, Stored::f64), plan, 3);
          run = tap.records();
        }
        Tap tap(run);
        fit_with(dataset_of(twice, kFeatures, Stored::f64), plan_of_twice, 3);
        ASSERT_TRUE(tap.replayed_all());
        for (std::size_t k = 0; k < run.size(); ++k) {
          EXPECT_EQ(run[k].call, tap.records()[k].call);
          // The same sums, but for what is rounded in nine records and eighteen.
          EXPECT_LE(distance(run[k], tap.records()[k]), 200u) << solver << " " << each.loss;
        }
      }
    }
  }
}

TEST(TappedUnits, GiveARecordItsShareOfItsUnit) {
  // Each record at the clip: one of three adds a third of K, one of a class of weight 1/4 a
  // quarter.
  FitSpec spec = unit_spec("cd", "squared", "none");
  spec.iterations = 1;
  const auto first_sum = [](const FitSpec& of, const Table& table, Stored stored) {
    Tap tap;
    fit_with(dataset_of(table, 1, stored), plan_for(of, table, 1), 1);
    return tap.records().at(0).input.at(0);
  };
  const Table table{{"a", {1.0, -1.0}}, {"b", {0.0, 1.0}}, {"b", {1.0, -1.0}}, {"b", {0.0, 1.0}}};
  FitSpec weighted = unit_spec("cd", "squared_hinge", "none");
  weighted.iterations = 1;
  weighted.class_weight = {2.0, 8.0};
  const Table labels{{"a", {-1.0, -1.0}}, {"b", {1.0, 1.0}}, {"b", {0.0, 1.0}}, {"b", {-1.0, 7.0}}};
  for (const Stored stored : kStorages) {
    EXPECT_EQ(first_sum(spec, table, stored), kBound + kBound / 3);
    // Slopes are -1 at the first class and 1 at the second; an unknown label is of the first.
    EXPECT_EQ(first_sum(weighted, labels, stored),
              -(kBound / 4) - kBound / 3 - static_cast<std::int64_t>(kBound / 3 / 4));
  }
}

TEST(TappedUnits, FindTheTargetScaleByOneNumberOfEach) {
  const std::vector<Record> records = random_records(900, 3, 6);
  Table base;
  for (std::size_t i = 0; i < records.size(); ++i) {
    base.push_back({"person " + std::to_string(i % 450), records[i]});
    base.back().record.back() = 100.0 * records[i][0];
  }
  for (std::size_t i = 0; i < 900; ++i) base.push_back({std::nullopt, {1.0, 1.0, 1.0, 1e9}});
  for (const std::string& solver : kUnitSolvers) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      FitSpec spec = unit_spec(solver, "squared", "l1");
      spec.clip.reset();
      spec.target_scale.reset();
      spec.target_scale_private = true;
      spec.relation = relation;
      if (relation == "add_or_remove_one") spec.records = 450;
      const FitPlan plan = plan_for(spec, base, 3);
      Tap tap;
      fit_with(dataset_of(base, 3, Stored::f64), plan, 5);
      const TapRecord first = tap.records()[0];
      ASSERT_EQ(first.input.size(), 121u);
      const double found = std::ldexp(1.0, static_cast<int>(first.output[0]) - 60);
      EXPECT_TRUE(found == 32.0 || found == 64.0 || found == 128.0) << found;
      const std::string who = relation == "replace_one" ? "person 0" : "somebody else";
      for (const double value : kValues) {
        for (const std::size_t size : {1u, 2u, 40u}) {
          std::vector<Record> list(size, {value, 1.0, -value, value});
          list.front().back() = 1.0;
          expect_neighbour_within_sensitivity(
              dataset_of(base, 3, Stored::f64),
              dataset_of(with_unit(base, who, list), 3, Stored::f64), plan, {3, 3}, 1,
              solver + " " + std::to_string(value));
          if (HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace southwell::fit
