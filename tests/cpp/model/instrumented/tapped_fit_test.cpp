// What a fit does, seen through the tap: every select and release with its inputs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "model/small_data.hpp"
#include "southwell/privacy/accountant.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::model {
namespace {

using privacy::Tap;
using privacy::TapRecord;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kValues{-kInfinity, -1e308, -1.0,  -0.0,      0.0,
                                  5e-324,     1.0,    1e308, kInfinity, std::nan("")};
const std::vector<Stored> kStorages{Stored::f64, Stored::f32, Stored::sparse};

std::unique_ptr<privacy::RandomBits> seeded(std::uint64_t seed) {
  return std::make_unique<privacy::SeededRandomBits>(seed);
}

LinearModel fit_with(const data::Dataset& dataset, const FitPlan& plan, std::uint64_t seed,
                     std::size_t shards = 1) {
  return fit(dataset, plan, {.bits = seeded(seed), .shards = shards});
}

FitPlan plan_for(const FitSpec& spec, const std::vector<Record>& records, std::size_t features) {
  return plan_fit(spec, DataShape::of(dataset_of(records, features, Stored::f64)));
}

bool is_selection(const TapRecord& record) {
  return record.call.mechanism != "discrete_laplace_release" &&
         record.call.mechanism != "discrete_gaussian_release";
}

/// Replays on a neighbour what happened on a dataset, its outputs forced: the same calls, inputs
/// within the declared sensitivity, the same public results.
void expect_neighbour_within_sensitivity(const data::Dataset& dataset,
                                         const data::Dataset& neighbour, const FitPlan& plan,
                                         std::uint64_t seed, std::size_t shards,
                                         const std::string& what) {
  std::vector<TapRecord> run;
  LinearModel first;
  {
    Tap tap;
    first = fit_with(dataset, plan, seed);
    run = tap.records();
  }
  Tap tap(run);
  LinearModel second;
  ASSERT_NO_THROW(second = fit_with(neighbour, plan, seed + 1, shards)) << what;
  ASSERT_TRUE(tap.replayed_all()) << what;
  for (std::size_t k = 0; k < run.size(); ++k) {
    const TapRecord& here = run[k];
    const TapRecord& there = tap.records()[k];
    ASSERT_EQ(here.call, there.call) << what;
    ASSERT_EQ(here.input.size(), there.input.size()) << what;
    for (std::size_t j = 0; j < here.input.size(); ++j) {
      ASSERT_LE(std::abs(here.input[j] - there.input[j]),
                static_cast<std::int64_t>(here.call.sensitivity))
          << what << ", call " << k << ", entry " << j;
    }
  }
  EXPECT_EQ(to_json(first), to_json(second)) << what;
}

std::vector<Record> random_records(std::size_t n, std::size_t features, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Record> records(n, Record(features + 1));
  for (Record& record : records) {
    for (double& value : record) value = static_cast<float>(normal(random));
    record.back() = record[0] > 0.0 ? 1.0 : -1.0;
  }
  return records;
}

struct Case {
  std::string loss;
  std::string penalty;
  std::string rule;
};
std::vector<Case> cases() {
  return {{"squared", "none", "gs_s"},
          {"squared", "l1", "gs_q"},
          {"squared", "elastic_net", "gs_r"},
          {"logistic", "l1", "gs_s"},
          {"logistic", "l2", "gs_q"},
          {"huber", "box", "gs_q"},
          {"huber", "l2", "gs_s"},
          {"squared_hinge", "box", "gs_r"}};
}

TEST(TappedFit, HasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  const std::size_t features = 2;
  const std::vector<Record> base{{0.5, -1.25, 1.0}, {-2.0, 0.25, -1.0}, {1.0, 1.0, 3.0}};
  for (const Case& each : cases()) {
    FitSpec spec = small_spec(each.loss, each.penalty);
    spec.rule = each.rule;
    spec.intercept = each.penalty == "l1";
    const FitPlan plan = plan_for(spec, base, features);
    for (const Stored stored : kStorages) {
      const data::Dataset dataset = dataset_of(base, features, stored);
      for (const double a : kValues) {
        for (const double b : kValues) {
          for (const double y : kValues) {
            if (&a - kValues.data() > 4 && &b - kValues.data() > 4 && stored != Stored::f64)
              continue;
            std::vector<Record> changed = base;
            changed[1] = {a, b, y};
            expect_neighbour_within_sensitivity(
                dataset, dataset_of(changed, features, stored), plan, 17, 1,
                each.loss + " " + each.penalty + " " + std::to_string(a) + " " + std::to_string(b) +
                    " " + std::to_string(y));
            if (HasFatalFailure() || HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST(TappedFit, HasItsSensitivityInEveryTailThreadAndShard) {
  const std::size_t features = 3;
  for (std::size_t n = 1; n <= 33; ++n) {
    const std::vector<Record> base = random_records(n, features, n);
    for (const Case& each : cases()) {
      FitSpec spec = small_spec(each.loss, each.penalty);
      spec.rule = each.rule;
      spec.threads = n % 3 == 0 ? 1 : n % 3 == 1 ? 2 : 7;
      const FitPlan plan = plan_for(spec, base, features);
      const Stored stored = kStorages[n % 3];
      for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
        std::vector<Record> changed = base;
        changed[at] = {1e308, -kInfinity, 1e3, -1e3};
        expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                            dataset_of(changed, features, stored), plan, n,
                                            1 + n % 4,
                                            each.loss + " " + each.penalty + " n " +
                                                std::to_string(n) + " at " + std::to_string(at));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(TappedFit, HasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  const std::size_t features = 2;
  for (std::size_t n = 0; n <= 5; ++n) {
    const std::vector<Record> base = random_records(n, features, 3 * n + 1);
    for (const Case& each : cases()) {
      FitSpec spec = small_spec(each.loss, each.penalty);
      spec.rule = each.rule;
      spec.relation = "add_or_remove_one";
      spec.records = 4;
      const FitPlan plan = plan_for(spec, base, features);
      for (const double value : kValues) {
        std::vector<Record> more = base;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(n / 2), {value, -value, 1.0});
        // Whatever the number of records, the plan is the same to the last word.
        EXPECT_EQ(to_json(plan.statement), to_json(plan_for(spec, more, features).statement));
        for (const Stored stored : kStorages) {
          expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                              dataset_of(more, features, stored), plan, n + 5, 1,
                                              each.loss + " n " + std::to_string(n));
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TappedFit, OfManyClassesHasItsSensitivity) {
  std::vector<Record> base = random_records(9, 2, 4);
  for (std::size_t i = 0; i < base.size(); ++i) base[i][2] = static_cast<double>(i % 3);
  FitSpec spec = small_spec("logistic", "l1");
  spec.classes = {0.0, 1.0, 2.0};
  spec.intercept = true;
  const FitPlan plan = plan_for(spec, base, 2);
  for (const double value : kValues) {
    for (const double label : {0.0, 1.0, 2.0, 7.0, std::nan("")}) {
      std::vector<Record> changed = base;
      changed[3] = {value, 1.0, label};
      for (const Stored stored : kStorages) {
        expect_neighbour_within_sensitivity(dataset_of(base, 2, stored),
                                            dataset_of(changed, 2, stored), plan, 3, 2,
                                            std::to_string(value) + " " + std::to_string(label));
      }
    }
  }
}

TEST(TappedFit, DoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = random_records(20, 4, 8);
  for (const std::string selection : {"exponential", "permute_and_flip", "noisy_max"}) {
    for (const std::string release : {"laplace", "gaussian"}) {
      for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
        FitSpec spec = small_spec("squared", "l1");
        spec.selection = selection;
        spec.release = release;
        spec.relation = relation;
        if (relation == "add_or_remove_one") spec.records = 20;
        spec.iterations = 7;
        const FitPlan plan = plan_for(spec, base, 4);
        Tap tap;
        const LinearModel model = fit_with(dataset_of(base, 4, Stored::f64), plan, 5);
        ASSERT_EQ(tap.records().size(), 14u);
        privacy::Composition done;
        for (std::size_t k = 0; k < 14; ++k) {
          const TapRecord& record = tap.records()[k];
          EXPECT_EQ(is_selection(record), k % 2 == 0);
          using Kind = privacy::Cost::Kind;
          const std::uint64_t shift = (k % 2 == 0 ? 2 : 1) * record.call.sensitivity;
          const Kind kind =
              k % 2 != 0 ? (release == "laplace" ? Kind::discrete_laplace : Kind::discrete_gaussian)
              : selection == "exponential" ? Kind::bounded_range
                                           : Kind::pure;
          done.add({kind, shift, record.call.scale});
          const std::uint64_t sensitivity = (relation == "replace_one" ? 2u : 1u) * std::uint64_t{1}
                                            << 20;
          EXPECT_EQ(record.call.sensitivity, sensitivity);
        }
        EXPECT_EQ(done, model.privacy.composition());
        EXPECT_EQ(privacy::spent(done, spec.delta).epsilon, model.privacy.epsilon_spent);
        EXPECT_LE(model.privacy.epsilon_spent, spec.epsilon);
      }
    }
  }
}

TEST(TappedFit, NeverCertifiesASeed) {
  const std::vector<Record> base = random_records(20, 4, 8);
  FitSpec spec = small_spec("squared");
  spec.seed_for_tests = 3;
  const LinearModel model = fit(dataset_of(base, 4, Stored::f64), spec);
  EXPECT_FALSE(model.privacy.is_private);
  EXPECT_EQ(model.privacy.guarantee, "none (seeded)");
}

TEST(TappedFit, AddsWhatItsStartCost) {
  const std::vector<Record> base = random_records(200, 4, 8);
  const data::Dataset dataset = dataset_of(base, 4, Stored::f64);
  const auto first = std::make_shared<const LinearModel>(fit(dataset, small_spec("squared")));
  FitSpec spec = small_spec("squared");
  spec.start = first;
  spec.start_name = "first.json";
  const LinearModel second = fit(dataset, spec);
  EXPECT_TRUE(second.privacy.is_private);
  const auto both = first->privacy.composition() +
                    plan_for(small_spec("squared"), base, 4).statement.composition();
  EXPECT_EQ(second.privacy.composition(), both);
  EXPECT_EQ(second.privacy.epsilon_spent, privacy::spent(both, 1e-6).epsilon);
  EXPECT_GT(second.privacy.epsilon_spent, 1.2);
  EXPECT_GE(std::stod(second.privacy.guarantee.substr(1)), second.privacy.epsilon_spent);
}

TEST(TappedFit, GivesAContributionAtTheClipItsWholeBound) {
  // One record exactly at the clip: the sum is K, neither more nor less.
  FitSpec spec = small_spec("squared");
  spec.iterations = 1;
  for (const Stored stored : kStorages) {
    const data::Dataset dataset = dataset_of({{1.0, -1.0}}, 1, stored);
    Tap tap;
    fit_with(dataset, plan_for(spec, {{1.0, -1.0}}, 1), 1);
    EXPECT_EQ(tap.records()[1].input[0], std::int64_t{1} << 20);
  }
}

TEST(TappedFit, OfASteepNegativeSlopeChoosesIt) {
  // The score of a coordinate is the size of its slope: the second feature's is the steepest, and
  // negative.
  std::vector<Record> records;
  for (int i = 0; i < 50; ++i) records.push_back({0.1, 1.0, 0.9});
  FitSpec spec = small_spec("squared");
  spec.epsilon = 100.0;
  spec.iterations = 1;
  const LinearModel model =
      fit_with(dataset_of(records, 2, Stored::f64), plan_for(spec, records, 2), 4);
  EXPECT_EQ(model.path[0].index, 1u);
  EXPECT_GT(model.path[0].value, 0.0);
}

}  // namespace
}  // namespace southwell::model
