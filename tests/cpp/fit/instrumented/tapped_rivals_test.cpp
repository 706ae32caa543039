// What fits by DP-CD and DP-SGD do, seen through the tap.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fit/tapped_sensitivity.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::fit {
namespace {

constexpr std::int64_t kBound = problem::ProductClip::kBound;

FitSpec spec_of(const std::string& solver, const Case& each) {
  FitSpec spec = small_spec(each.loss, each.penalty);
  spec.solver = solver;
  if (solver == "sgd") spec.step = 0.1;
  return spec;
}
SpecOf specs_of(const std::string& solver) {
  return [solver](const Case& each) { return spec_of(solver, each); };
}

TEST(TappedCd, HasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(specs_of("cd"));
}
TEST(TappedSgd, HasItsL2SensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(specs_of("sgd"));
}
TEST(TappedCd, HasItsSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(specs_of("cd"));
}
TEST(TappedSgd, HasItsL2SensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(specs_of("sgd"));
}
TEST(TappedCd, HasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(specs_of("cd"));
}
TEST(TappedSgd, HasHalfTheL2SensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(specs_of("sgd"));
}

TEST(TappedSgd, OnASampleHasItsL2Sensitivity) {
  // The same bits sample the same records: the 30th takes the second half of a word that the 29th
  // has drawn anyway, so it shifts nobody's.
  const std::vector<Record> base = random_records(29, 5, 4);
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    FitSpec spec = spec_of("sgd", {"logistic", "l1", ""});
    spec.batch_size = 15;
    spec.relation = relation;
    if (relation == "add_or_remove_one") spec.records = 29;
    spec.iterations = 8;
    const FitPlan plan = plan_for(spec, base, 5);
    for (const double value : kValues) {
      std::vector<Record> changed = base;
      if (relation == "add_or_remove_one") changed.emplace_back();
      changed.back() = {value, -1.0, value, 7.0, 0.0, 1.0};
      for (const Stored stored : kStorages) {
        expect_neighbour_within_sensitivity(dataset_of(base, 5, stored),
                                            dataset_of(changed, 5, stored), plan, {3, 3}, 2,
                                            relation + " " + std::to_string(value));
      }
    }
  }
}

TEST(TappedSgd, OfManyClassesHasItsL2Sensitivity) {
  FitSpec spec = spec_of("sgd", {"logistic", "l1", ""});
  spec.intercept = true;
  expect_its_sensitivity_of_many_classes(spec, 2);
}

TEST(TappedCd, DoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = random_records(20, 4, 8);
  for (const std::string release : {"laplace", "gaussian"}) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      FitSpec spec = spec_of("cd", {"squared", "l1", ""});
      spec.release = release;
      spec.relation = relation;
      if (relation == "add_or_remove_one") spec.records = 20;
      spec.iterations = 7;
      Tap tap;
      const LinearModel model =
          fit_with(dataset_of(base, 4, Stored::f64), plan_for(spec, base, 4), 5);
      ASSERT_EQ(tap.records().size(), 7u);
      privacy::Composition done;
      for (const TapRecord& record : tap.records()) {
        EXPECT_EQ(record.call.mechanism, "discrete_" + release + "_release");
        EXPECT_EQ(record.call.sensitivity, (relation == "replace_one" ? 2u : 1u) << 20);
        done.add({release == "laplace" ? privacy::Cost::Kind::discrete_laplace
                                       : privacy::Cost::Kind::discrete_gaussian,
                  record.call.sensitivity, record.call.scale});
      }
      EXPECT_EQ(done, model.privacy.composition());
      EXPECT_EQ(privacy::spent(done, *spec.delta).epsilon, model.privacy.epsilon_spent);
      EXPECT_LE(model.privacy.epsilon_spent, spec.epsilon);
    }
  }
}

TEST(TappedSgd, DoesWhatItsStatementChargesAndNothingElse) {
  using Kind = privacy::Cost::Kind;
  const std::vector<Record> base = random_records(20, 4, 8);
  for (const std::uint64_t batch : {5u, 20u}) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      const bool replaces = relation == "replace_one";
      FitSpec spec = spec_of("sgd", {"squared", "l1", ""});
      spec.batch_size = batch;
      spec.relation = relation;
      if (!replaces) spec.records = 20;
      spec.iterations = 7;
      Tap tap;
      const LinearModel model =
          fit_with(dataset_of(base, 4, Stored::f64), plan_for(spec, base, 4), 5);
      ASSERT_EQ(tap.records().size(), 7u);
      privacy::Composition done;
      for (const TapRecord& record : tap.records()) {
        EXPECT_EQ(record.call.mechanism, "discrete_gaussian_release");
        EXPECT_EQ(record.input.size(), 4u);
        EXPECT_EQ(record.call.sensitivity, (replaces ? 2u : 1u) << 20);
        if (batch == 20) {
          done.add({Kind::discrete_gaussian, record.call.sensitivity, record.call.scale});
        } else {
          done.add(
              {replaces ? Kind::sampled_gaussian_replace : Kind::sampled_gaussian_add_or_remove,
               static_cast<std::uint64_t>(kBound), record.call.scale, std::uint64_t{1} << 30});
        }
      }
      EXPECT_EQ(done, model.privacy.composition());
      EXPECT_EQ(privacy::spent(done, *spec.delta).epsilon, model.privacy.epsilon_spent);
      EXPECT_LE(model.privacy.epsilon_spent, spec.epsilon);
    }
  }
}

TEST(TappedCd, ReleasesTheGradientAtItsIterate) {
  // One feature: every step moves it, and the next sum is that at the new margin.
  const std::vector<Record> records{{0.5, 0.3}, {-1.0, 0.2}, {0.25, -0.6}};
  FitSpec spec = spec_of("cd", {"squared", "none", ""});
  spec.clip = 4.0;
  spec.epsilon = 1e4;
  for (const Stored stored : kStorages) {
    Tap tap;
    const LinearModel model =
        fit_with(dataset_of(records, 1, stored), plan_for(spec, records, 1), 2);
    double coef = 0.0;
    ASSERT_EQ(tap.records().size(), 3u);
    for (std::size_t t = 0; t < 3; ++t) {
      double expected = 0.0;
      for (const Record& record : records) {
        const double x =
            stored == Stored::f32 ? static_cast<double>(static_cast<float>(record[0])) : record[0];
        expected += x * (x * coef - record[1]) * static_cast<double>(kBound) / 4.0;
      }
      EXPECT_NEAR(static_cast<double>(tap.records()[t].input[0]), expected, 4.0) << t;
      coef = model.path[t].value;
    }
    EXPECT_NE(coef, 0.0);
  }
}

TEST(TappedSgd, ReleasesTheClippedGradientOfARecordAsItIs) {
  // 3-4-5: a record of norm 5 clipped at 1, one of norm 1/2 kept.
  const std::vector<Record> records{{3.0, 4.0, -1.0}, {0.3, 0.4, -1.0}};
  FitSpec spec = spec_of("sgd", {"squared", "none", ""});
  spec.iterations = 1;
  for (const Stored stored : kStorages) {
    Tap tap;
    fit_with(dataset_of(records, 2, stored), plan_for(spec, records, 2), 1);
    const double unit = static_cast<double>(kBound);
    EXPECT_NEAR(static_cast<double>(tap.records()[0].input[0]), (0.6 + 0.3) * unit, 2.0);
    EXPECT_NEAR(static_cast<double>(tap.records()[0].input[1]), (0.8 + 0.4) * unit, 2.0);
  }
}

// 20 000 records at rate 1/100 over 40 steps: 200 expected in each, standard deviation 14.1; of the
// mean over all steps 2.2, limit 5 of them.
TEST(TappedSgd, SamplesEachRecordAtItsRate) {
  const std::vector<Record> records(20000, {1.0, -1.0});
  FitSpec spec = spec_of("sgd", {"squared", "none", ""});
  spec.batch_size = 200;
  spec.iterations = 40;
  spec.step = 1e-90;  // every record goes on contributing K
  const FitPlan plan = plan_for(spec, records, 1);
  const privacy::Cost& cost = plan->statement.mechanisms[0].cost;
  EXPECT_EQ(cost.sampled, (std::uint64_t{1} << 32) / 100) << "what is charged";
  Tap tap;
  fit_with(dataset_of(records, 1, Stored::f64), plan, 6);
  double mean = 0.0;
  std::set<std::int64_t> sizes;
  for (const TapRecord& record : tap.records()) {
    EXPECT_EQ(record.input[0] % kBound, 0);
    sizes.insert(record.input[0] / kBound);
    mean += static_cast<double>(record.input[0] / kBound) / 40.0;
  }
  EXPECT_NEAR(mean, 200.0, 11.2);
  EXPECT_GT(sizes.size(), 15u) << "a fresh sample in every step";
}

TEST(TappedSgd, DividesByTheExpectedSizeOfItsBatches) {
  // Public: whatever batch was drawn, a released sum stands for the same gradient.
  const std::vector<Record> records = random_records(50, 1, 3);
  FitSpec spec = spec_of("sgd", {"squared", "none", ""});
  spec.batch_size = 10;
  spec.iterations = 1;
  spec.iterate = "last";
  spec.step = 1.0;
  const FitPlan plan = plan_for(spec, records, 1);
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    Tap tap;
    const LinearModel model = fit_with(dataset_of(records, 1, Stored::f64), plan, seed);
    const double batch =
        static_cast<double>(plan->statement.mechanisms[0].cost.sampled) * 0x1p-32 * 50.0;
    const double gradient =
        static_cast<double>(tap.records()[0].output[0]) / (static_cast<double>(kBound) * batch);
    EXPECT_DOUBLE_EQ(model.heads[0].coef[0].value, -gradient);
  }
}

TEST(TappedSgd, DrawsTheNoiseOfEveryStepAfresh) {
  const std::vector<Record> records(3, {1.0, -1.0});
  FitSpec spec = spec_of("sgd", {"squared", "none", ""});
  spec.iterations = 30;
  Tap tap;
  fit_with(dataset_of(records, 1, Stored::f64), plan_for(spec, records, 1), 6);
  std::set<std::int64_t> noise;
  for (const TapRecord& record : tap.records()) noise.insert(record.output[0] - record.input[0]);
  EXPECT_EQ(noise.size(), 30u);
}

}  // namespace
}  // namespace southwell::fit
