// What tuning reads of records, seen through the tap.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assess/assessed.hpp"
#include "fit/tapped.hpp"
#include "fit/unit_data.hpp"
#include "southwell/assess/loss_scores.hpp"
#include "southwell/assess/tuning.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

namespace southwell::assess {
namespace {

using fit::FitSpec;
using fit::kInfinity;
using fit::Table;
using privacy::Tap;
using privacy::TapRecord;

constexpr std::uint64_t kBound = std::uint64_t{1} << 20;
const std::vector<double> kOdd{-kInfinity, -1e308, -1.0,  -0.0,      0.0,
                               0.3,        1.0,    1e308, kInfinity, std::nan("")};

/// What a mechanism is given for the choice among models.
std::vector<std::int64_t> scores_of(const std::vector<model::LinearModel>& candidates,
                                    const data::Dataset& dataset) {
  Tap tap;
  privacy::SeededRandomBits bits(3);
  privacy::ExponentialMechanism(kBound, 1000).release(loss_scores(candidates, dataset, 2.0), bits);
  return tap.records().at(0).input;
}

void expect_within_the_bound(const std::vector<std::int64_t>& here,
                             const std::vector<std::int64_t>& there, const std::string& what) {
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t k = 0; k < here.size(); ++k) {
    ASSERT_LE(std::abs(here[k] - there[k]), static_cast<std::int64_t>(kBound)) << what;
  }
}

TEST(TappedTuning, ScoresHaveTheSensitivityOfOneRecord) {
  const std::vector<std::vector<double>> of_classes{{0.0, 1.0}, {0.0, 1.0, 2.0}, {}};
  for (const std::vector<double>& classes : of_classes) {
    std::vector<model::LinearModel> candidates(
        2, small_model(classes.empty() ? "squared" : "logistic", classes));
    candidates[1].heads[0].coef[0].value = -40.0;
    const std::vector<Record> base = drawn_records(candidates[0], 5, 4);
    for (const Stored stored : fit::kStorages) {
      const auto here = scores_of(candidates, fit::dataset_of(base, 1, stored));
      for (const double x : kOdd) {
        for (const double y : kOdd) {
          std::vector<Record> changed = base;
          changed[2] = {x, y};
          const auto there = scores_of(candidates, fit::dataset_of(changed, 1, stored));
          expect_within_the_bound(here, there, std::to_string(x) + " " + std::to_string(y));
          changed = base;
          changed.push_back({x, y});
          expect_within_the_bound(here, scores_of(candidates, fit::dataset_of(changed, 1, stored)),
                                  "added");
        }
      }
    }
    const Table units{{"a", base[0]}, {"b", base[1]}, {"b", base[2]}, {"c", base[3]}};
    const auto here = scores_of(candidates, fit::dataset_of(units, 1, Stored::f64));
    for (const double x : kOdd) {
      for (const std::size_t count : {1u, 3u, 6u}) {
        const Table to = fit::with_unit(units, "b", std::vector<Record>(count, Record{x, x}));
        expect_within_the_bound(here, scores_of(candidates, fit::dataset_of(to, 1, Stored::f64)),
                                "unit");
      }
    }
  }
}

TuningSpec spec_of(const std::string& solver, const std::string& relation) {
  TuningSpec spec{.settings = {}, .names = {}, .epsilon = 1.0, .delta = 1e-6, .test_share = 0.4};
  for (const double alpha : {0.01, 0.3}) {
    FitSpec one = fit::unit_spec(solver, "logistic", "l2");
    one.objective.alpha = alpha;
    one.relation = relation;
    if (relation == "add_or_remove_one") one.records = 9;
    spec.settings.push_back(one);
    spec.names.push_back(std::to_string(alpha));
  }
  return spec;
}

struct Observed {
  std::vector<TapRecord> calls;
  std::string model;
};

Observed run_of(const Tuning& tuning, const data::Dataset& dataset, const std::vector<bool>& split,
                const std::vector<TapRecord>* replayed = nullptr) {
  privacy::SeededRandomBits bits(5);
  if (replayed == nullptr) {
    Tap tap;
    const std::string text = to_json(tuning.find_on_parts(dataset, split, {}, bits));
    return {tap.records(), text};
  }
  Tap tap(*replayed);
  const std::string text = to_json(tuning.find_on_parts(dataset, split, {}, bits));
  EXPECT_TRUE(tap.replayed_all());
  return {tap.records(), text};
}

TEST(TappedTuning, ChangesOnePartWithOneUnit) {
  const std::vector<Record> base = fit::random_records(10, 2, 3);
  std::vector<bool> split(10);
  for (const std::size_t i : {1u, 4u, 7u, 9u}) split[i] = true;
  for (const std::string& solver : fit::kUnitSolvers) {
    const data::Dataset dataset = fit::dataset_of(base, 2, Stored::f64);
    const Tuning tuning(spec_of(solver, "replace_one"), fit::DataShape::of(dataset));
    const Observed run = run_of(tuning, dataset, split);
    for (const std::size_t at : {0u, 4u}) {
      for (const double value : {-1e308, 5.0, kInfinity, std::nan("")}) {
        std::vector<Record> changed = base;
        changed[at] = {value, 1.0, -value};
        const Observed other =
            run_of(tuning, fit::dataset_of(changed, 2, Stored::f64), split, &run.calls);
        ASSERT_EQ(run.calls.size(), other.calls.size());
        for (std::size_t k = 0; k < run.calls.size(); ++k) {
          ASSERT_EQ(run.calls[k].call, other.calls[k].call);
          const std::uint64_t apart = fit::distance(run.calls[k], other.calls[k]);
          ASSERT_LE(apart, run.calls[k].call.sensitivity) << solver << " call " << k;
          const bool is_choice = k + 1 == run.calls.size();
          if (is_choice != split[at]) {
            ASSERT_EQ(apart, 0u) << solver << " call " << k;
          }
        }
        EXPECT_EQ(run.model, other.model);
      }
    }
  }
}

TEST(TappedTuning, DoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = fit::random_records(20, 2, 8);
  const data::Dataset dataset = fit::dataset_of(base, 2, Stored::f64);
  std::vector<bool> split(20);
  for (std::size_t i = 0; i < 8; ++i) split[i] = true;
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    const Tuning tuning(spec_of("gcd", relation), fit::DataShape::of(dataset));
    privacy::SeededRandomBits bits(5);
    Tap tap;
    const model::LinearModel model = tuning.find_on_parts(dataset, split, {}, bits);
    const std::vector<TapRecord>& calls = tap.records();
    ASSERT_EQ(calls.size(), 2u * 6u + 1u) << "two fits of three iterations, and the choice";
    std::uint64_t charged = 0;
    double shares = 0.0;  // what ran, and what is charged, as sums of shift / scale
    double stated = 0.0;
    for (std::size_t k = 0; k < 12; ++k) {
      const double both = fit::is_selection(calls[k]) ? 2.0 : 1.0;
      shares += both * static_cast<double>(calls[k].call.sensitivity) /
                static_cast<double>(calls[k].call.scale);
    }
    for (const model::MechanismUse& use : model.privacy.mechanisms) {
      if (use.part != model::kFitPart) continue;
      charged += use.count;
      stated += static_cast<double>(use.count) * static_cast<double>(use.cost.shift) /
                static_cast<double>(use.cost.scale);
    }
    EXPECT_EQ(charged, 12u);
    EXPECT_NEAR(shares, stated, 1e-9 * stated);
    const std::vector<privacy::Composition> met = model.privacy.met_by_one_unit();
    ASSERT_EQ(met.size(), 2u);
    privacy::Composition choice;
    choice.add(
        {privacy::Cost::Kind::bounded_range, 2 * calls[12].call.sensitivity, calls[12].call.scale});
    EXPECT_EQ(met[1], choice);
    EXPECT_EQ(calls[12].call.sensitivity, kBound);
    EXPECT_LE(model.privacy.epsilon_spent, 1.0);
    EXPECT_FALSE(model.privacy.is_private) << "the bits were a script's";
  }
}

}  // namespace
}  // namespace southwell::assess
