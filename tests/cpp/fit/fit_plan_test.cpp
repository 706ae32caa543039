#include "southwell/fit/fit_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/guarantee.hpp"

namespace southwell::fit {
namespace {

const std::vector<Record> kRecords(50, Record{1.0, 0.0, 2.0, 1.0});

TEST(FitPlan, IsImpossibleWhereNoNoiseMeetsTheBudget) {
  FitSpec spec = small_spec("squared");
  spec.release = "gaussian";
  spec.delta = 0.0;
  const DataShape shape{
      .records = 100, .features = 3, .features_counted = false, .feature_names = {}};
  EXPECT_THROW(plan_fit(spec, shape), CalibrationError);
}

TEST(FitPlan, PromisesWhatWasAskedToTheLastDigit) {
  FitSpec spec = small_spec("squared");
  spec.epsilon = 1.0000049;
  spec.delta = 1.0000049e-6;
  const DataShape shape{
      .records = 100, .features = 3, .features_counted = false, .feature_names = {}};
  EXPECT_EQ(plan_fit(spec, shape)->statement.guarantee, "(1.0000049, 1.0000049e-06)-DP");
}

TEST(FitPlan, OfABudgetThatPromisesNothingIsNotCalledPrivate) {
  const auto stated = [](double epsilon) {
    FitSpec spec = small_spec("squared");
    spec.feature_scale = {1.0};
    spec.epsilon = epsilon;
    return plan_fit(spec, {.records = 100, .features = 3, .feature_names = {}})->statement;
  };
  EXPECT_TRUE(warnings_of(stated(8.0)).empty());
  for (const double weak : {8.5, 1000.0}) {
    const Statement statement = stated(weak);
    EXPECT_TRUE(statement.is_private) << weak;
    ASSERT_EQ(warnings_of(statement).size(), 1u) << weak;
    EXPECT_NE(warnings_of(statement)[0].find("is a weak promise"), std::string::npos) << weak;
    EXPECT_NO_THROW(check_guarantee(statement)) << weak;
  }
  EXPECT_EQ(warnings_of(stated(20.0)),
            std::vector<std::string>{"epsilon 20 is a weak promise: one record can change the odds "
                                     "of any outcome by a factor of e^20; values up to 8 are "
                                     "common"});
  Statement nothing = stated(1001.0);
  EXPECT_FALSE(nothing.is_private);
  EXPECT_EQ(nothing.guarantee, "none (epsilon 1001 promises nothing)");
  EXPECT_NE(warnings_of(nothing)[0].find("epsilon 1001 promises nothing"), std::string::npos);
  EXPECT_EQ(stated(1e300).guarantee, "none (epsilon 1e+300 promises nothing)");
  // A file that says otherwise.
  nothing.is_private = true;
  nothing.guarantee = "(1001, 1e-06)-DP";
  EXPECT_THROW(check_guarantee(nothing), InvalidArgument);
}

TEST(FitPlan, WantsTheFeaturesOfASparseDesignDeclared) {
  // The largest index in the records would otherwise be released with every model.
  const data::Dataset dataset = dataset_of(kRecords, 3, Stored::sparse);
  FitSpec spec = small_spec("squared");
  EXPECT_THROW(fit(dataset, spec), InvalidArgument);
  spec.allow_leaks = true;
  EXPECT_FALSE(fit(dataset, spec).privacy.is_private);
  spec.allow_leaks = false;
  spec.features = 3;
  EXPECT_TRUE(fit(dataset, spec).privacy.is_private);
}

TEST(FitPlan, RefusesAStartWhoseCostHasNoBound) {
  const data::Dataset dataset = dataset_of(kRecords, 3, Stored::f64);
  FitSpec spec = small_spec("squared");
  spec.release = "gaussian";
  const auto start = std::make_shared<const LinearModel>(fit(dataset, spec));
  spec.release.reset();
  spec.start = start;
  EXPECT_NO_THROW(plan_fit(spec, DataShape::of(dataset)));
  spec.delta = 0.0;
  EXPECT_THROW(plan_fit(spec, DataShape::of(dataset)), CalibrationError);
}

TEST(FitPlan, ScalesItsChoicesWithTheDataAndTheDeclaredScales) {
  FitSpec spec = small_spec("squared");
  spec.clip.reset();
  spec.iterations.reset();
  const DataShape shape{
      .records = 5000, .features = 300, .features_counted = false, .feature_names = {}};
  const FitPlan one = plan_fit(spec, shape);
  spec.target_scale = 8.0;
  spec.feature_scale = {4.0};
  const FitPlan scaled = plan_fit(spec, shape);
  EXPECT_EQ(one->iterations, scaled->iterations);
  EXPECT_EQ(8.0 * one->coordinates.clip, scaled->coordinates.clip);
  EXPECT_EQ(problem::Coordinates(scaled->coordinates).clip(0), 4.0 * scaled->coordinates.clip);
  EXPECT_DOUBLE_EQ(scaled->noise(problem::Coordinates(scaled->coordinates), 0).coef,
                   2.0 * one->noise(problem::Coordinates(one->coordinates), 0).coef)
      << "8 / 4";
}

TEST(FitPlan, FindsATargetScaleForAQuarterToA32ndOfTheBudgetByWhatItsQuartilesTake) {
  FitSpec spec = small_spec("squared");
  spec.clip.reset();
  spec.target_scale.reset();
  spec.target_scale_private = true;
  const auto range_at = [&](std::uint64_t records) {
    const FitPlan plan = plan_fit(
        spec, {.records = records, .features = 30, .features_counted = false, .feature_names = {}});
    const MechanismUse& use = plan->statement.mechanisms.front();
    EXPECT_EQ(use.step, "target_scale");
    return static_cast<double>(use.cost.shift) / static_cast<double>(use.cost.scale);
  };
  // 121 e^(-n range / 8) = .001: so often is a quantile beyond .25 and .75 chosen at most; scales
  // are whole numbers.
  for (const std::uint64_t records : {std::uint64_t{1000}, std::uint64_t{2000}}) {
    const double enough = 8.0 * std::log(121'000.0) / static_cast<double>(records);
    EXPECT_LE(range_at(records), enough) << records;
    EXPECT_GE(range_at(records), 0.975 * enough) << records;
  }
  // A 32nd of epsilon for targets that are mostly 0, where more than it takes without.
  EXPECT_NEAR(range_at(20'000), 1.0 / 32.0, 1e-6);
  EXPECT_NEAR(range_at(200), 0.25, 1e-6);
  EXPECT_THROW(range_at(156), InvalidArgument);
}

TEST(FitPlan, TakesABudgetWithoutEndForTheGaussianNoiseThatKeepsIt) {
  double last = 0.0;
  for (const double epsilon : {0.1, 1.0, 100.0, 699.0, 701.0, 900.0}) {
    const double mu = gaussian_equivalent({epsilon, 1e-6});
    EXPECT_GT(mu, last) << epsilon;
    // mu (mu / 2 + z) is about epsilon, z = 4.75 being the quantile of delta.
    if (epsilon > 50.0) {
      EXPECT_NEAR(mu * (mu / 2 + 4.75), epsilon, 0.02 * epsilon) << epsilon;
    }
    last = mu;
  }
}

TEST(FitPlan, LimitsTheSlopesOfLossesThatClassify) {
  EXPECT_FALSE(problem::slope_limits(problem::Squared{}).are_limited());
  const problem::SlopeLimits logistic = problem::slope_limits(problem::Logistic{});
  const problem::SlopeLimits hinge = problem::slope_limits(problem::SquaredHinge{});
  EXPECT_EQ(std::vector({logistic.first, logistic.limit, logistic.later}),
            (std::vector{0.5, 0.6, 0.25}));
  EXPECT_EQ(std::vector({hinge.first, hinge.limit, hinge.later}), (std::vector{1.0, 1.2, 0.5}));
}

/// A classifier whose records are of no declared norm.
FitSpec undeclared(double epsilon) {
  FitSpec spec;
  spec.objective.loss = "logistic";
  spec.objective.penalty = "l2";
  spec.classes = {0.0, 1.0};
  spec.epsilon = epsilon;
  spec.delta = 1e-6;
  return spec;
}
DataShape wide_shape() { return {.records = 2000, .features = 5000, .feature_names = {}}; }

TEST(FitPlan, OfTwoKeepTheBudgetTogether) {
  for (const double test_share : {0.0, 0.25}) {
    FitSpec spec = undeclared(1.0);
    if (test_share > 0.0) spec.test_share = test_share;
    const FitPlan plan = plan_fit(spec, wide_shape());
    ASSERT_TRUE(plan->other.has_value());
    const Statement& greedy = plan->statement;
    const Statement& descent = plan->other->plan->statement;
    EXPECT_EQ(greedy.solver, "gcd");
    EXPECT_EQ(descent.solver, "sgd");
    EXPECT_EQ(greedy.mechanisms.size(), descent.mechanisms.size());
    EXPECT_EQ(greedy.epsilon_spent, descent.epsilon_spent);
    EXPECT_EQ(greedy.guarantee, "(1, 1e-06)-DP");
    EXPECT_EQ(plan->solver_reason, plan->other->plan->solver_reason);
    for (const Statement* const each : {&greedy, &descent}) {
      EXPECT_NO_THROW(check_guarantee(*each));
      EXPECT_LE(each->spent().epsilon, 1.0);
      EXPECT_GT(each->spent().epsilon, 0.99);
      privacy::Composition own;  // of who is in the part that is fitted on
      for (const MechanismUse& use : each->mechanisms) {
        if (each->follows(use) && use.part != model::kTestPart) own.add(use.cost, use.count);
      }
      EXPECT_LE(privacy::spent(own, privacy::delta_of_each(1e-6, 2)).epsilon, 1.0);
      EXPECT_GT(privacy::spent(own, privacy::delta_of_each(1e-6, 2)).epsilon, 0.99);
    }
    const auto is_common = [](const MechanismUse& use) { return use.plan.empty(); };
    EXPECT_EQ(std::count_if(greedy.mechanisms.begin(), greedy.mechanisms.end(), is_common),
              test_share > 0.0 ? 2 : 1);
  }
}

TEST(FitPlan, OfTwoIsThereOnlyWhereTheNormMayDecide) {
  const auto asks = [](const FitSpec& spec, DataShape shape) {
    return plan_fit(spec, shape)->other.has_value();
  };
  EXPECT_TRUE(asks(undeclared(1.0), wide_shape()));
  FitSpec spec = undeclared(1.0);
  spec.record_norm = 1.0;
  EXPECT_FALSE(asks(spec, wide_shape()));
  for (const std::string solver : {"gcd", "sgd"}) {
    spec = undeclared(1.0);
    spec.solver = solver;
    EXPECT_FALSE(asks(spec, wide_shape()));
  }
  spec = undeclared(1.0);
  spec.refine = "off";
  EXPECT_FALSE(asks(spec, wide_shape()));
  spec = undeclared(1.0);
  spec.one_plan = true;
  EXPECT_FALSE(asks(spec, wide_shape()));
  EXPECT_FALSE(asks(undeclared(1.0), {.records = 999, .features = 5000, .feature_names = {}}));
  EXPECT_FALSE(asks(undeclared(1.0), {.records = 2000, .features = 99, .feature_names = {}}));
  EXPECT_FALSE(asks(undeclared(0.05), wide_shape())) << "too little to find a norm";
}

}  // namespace
}  // namespace southwell::fit
