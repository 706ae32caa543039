#include "southwell/fit/fit.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fit/seeded_fit.hpp"
#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/predict.hpp"

namespace southwell::fit {
using namespace model;
namespace {

TEST(Fit, ReturnsAModelForNoRecordsWhereTheirNumberIsSecret) {
  FitSpec spec = small_spec("squared", "l1");
  spec.relation = "add_or_remove_one";
  spec.records = 100;
  spec.features = 5;
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    spec.solver = solver;
    for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
      const LinearModel model = fit(dataset_of({}, 5, stored), spec);
      EXPECT_EQ(model.privacy.guarantee, "(1, 1e-06)-DP");
      EXPECT_EQ(model.path.size(), solver == "sgd" ? 0u : 3u);
    }
  }
}

TEST(Fit, TakesEveryExtremeOfTheBudget) {
  const data::Dataset dataset = dataset_of(sparse_records(50, 5), 5, Stored::f64);
  FitSpec spec = small_spec("squared");
  spec.delta = 0.0;
  LinearModel model = fit(dataset, spec);
  EXPECT_EQ(model.privacy.guarantee, "(1, 0)-DP");
  EXPECT_EQ(model.privacy.accountant, "basic");
  spec.epsilon = 100.0;
  EXPECT_EQ(fit(dataset, spec).privacy.guarantee, "(100, 0)-DP");
  spec.iterations = 1;
  EXPECT_EQ(fit(dataset, spec).path.size(), 1u);
  EXPECT_EQ(fit(dataset_of({{1.0, 2.0}}, 1, Stored::f64), spec).path.size(), 1u);
}

TEST(Fit, OfThreeClassesLearnsThem) {
  std::vector<Record> all;
  for (int i = 0; i < 3000; ++i) {
    const int label = i % 3;
    all.push_back({label == 0 ? 1.0 : 0.0, label == 1 ? 1.0 : 0.0, label == 2 ? 1.0 : 0.0,
                   static_cast<double>(label + 4)});
  }
  FitSpec spec = small_spec("logistic");
  spec.classes = {4.0, 5.0, 6.0};
  spec.iterations = 12;
  spec.epsilon = 8.0;
  const data::Dataset dataset = dataset_of(all, 3, Stored::f64);
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    spec.solver = solver;
    if (solver != "gcd") spec.iterations = 40;
    const LinearModel model = fit(dataset, spec);
    ASSERT_EQ(model.heads.size(), 3u);
    EXPECT_TRUE(model.privacy.is_private);
    EXPECT_GT(evaluate(model, dataset).accuracy, 0.95) << solver;
  }
}

TEST(Fit, IsTaintedByItsSeedItsLeaksItsModeAndItsStart) {
  const data::Dataset dataset = dataset_of(sparse_records(50, 5), 5, Stored::f64);
  const auto guarantee = [&](const std::function<void(FitSpec&)>& change) {
    FitSpec spec = small_spec("squared");
    change(spec);
    const LinearModel model = fit(dataset, spec);
    EXPECT_EQ(model.privacy.is_private, model.privacy.guarantee[0] == '(');
    EXPECT_EQ(from_json(to_json(model), "test").privacy.guarantee, model.privacy.guarantee);
    return model.privacy.guarantee;
  };
  EXPECT_EQ(guarantee([](FitSpec&) {}), "(1, 1e-06)-DP");
  EXPECT_EQ(guarantee([](FitSpec& spec) { spec.seed_for_tests = 1; }), "none (seeded)");
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    EXPECT_EQ(guarantee([&](FitSpec& spec) { spec.solver = solver; }), "(1, 1e-06)-DP");
    EXPECT_EQ(guarantee([&](FitSpec& spec) {
                spec.solver = solver;
                spec.mode = "paper";
              }),
              "none (paper mode)");
  }
  EXPECT_EQ(guarantee([](FitSpec& spec) {
              spec.feature_scale_from_data = true;
              spec.allow_leaks = true;
            }),
            "none (allow_leaks)");
  FitSpec spec = small_spec("squared");
  spec.seed_for_tests = 2;
  const auto start = std::make_shared<const LinearModel>(fit(dataset, spec));
  EXPECT_EQ(guarantee([&](FitSpec& after) { after.start = start; }),
            "none (started from a model with guarantee: none (seeded))");
  RunOptions scripted;
  scripted.bits = std::make_unique<privacy::SeededRandomBits>(4);
  EXPECT_EQ(fit(dataset, small_spec("squared"), std::move(scripted)).privacy.guarantee,
            "none (scripted)");
}

TEST(Fit, FromAModelWhoseStepsAreUnknownSpeaksOfTheFitAloneToo) {
  const data::Dataset dataset = dataset_of(sparse_records(50, 5), 5, Stored::f64);
  LinearModel first = fit(dataset, small_spec("squared"));
  limit_to_the_fit(first.privacy);
  EXPECT_EQ(first.privacy.guarantee, std::string("(1, 1e-06)-DP") + kOfTheFitAlone);
  FitSpec spec = small_spec("squared");
  spec.start = std::make_shared<const LinearModel>(from_json(to_json(first), "first"));
  const Statement second = fit(dataset, spec).privacy;
  EXPECT_TRUE(second.is_private);
  EXPECT_TRUE(second.guarantee.ends_with(std::string(")-DP") + kOfTheFitAlone)) << second.guarantee;
  spec.seed_for_tests = 1;
  EXPECT_EQ(fit(dataset, spec).privacy.guarantee, "none (seeded)");
}

TEST(Fit, StartsWhereItIsTold) {
  const data::Dataset dataset = dataset_of(sparse_records(50, 3), 3, Stored::f64);
  LinearModel start;
  start.features = 3;
  start.heads = {{.coef = {{1, 2.5}}}};
  FitSpec spec = small_spec("squared", "box");
  spec.start = std::make_shared<const LinearModel>(start);
  const FitPlan plan = plan_fit(spec, DataShape::of(dataset));
  EXPECT_EQ(plan->start, (std::vector<double>{0.0, 2.0, 0.0})) << "brought into the box";
  EXPECT_EQ(plan->statement.guarantee, "(1, 1e-06)-DP") << "public by declaration";
}

}  // namespace
}  // namespace southwell::fit
