#include "southwell/fit/fit_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/guarantee.hpp"

namespace southwell::fit {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<Record> kRecords(50, Record{1.0, 0.0, 2.0, 1.0});

struct Refused {
  const char* name;  ///< what the message begins with
  std::function<void(FitSpec&, DataShape&)> change;
};

/// The change for another solver.
std::function<void(FitSpec&, DataShape&)> with(const std::string& solver,
                                               const std::function<void(FitSpec&)>& change) {
  return [=](FitSpec& spec, DataShape&) {
    spec.solver = solver;
    change(spec);
  };
}

/// The change for a fit that finds its target scale, which is possible without it.
std::function<void(FitSpec&, DataShape&)> private_scale(
    const std::function<void(FitSpec&, DataShape&)>& change) {
  return [=](FitSpec& spec, DataShape& shape) {
    spec.target_scale_private = true;
    spec.clip.reset();
    shape.records = 5000;
    EXPECT_NO_THROW(plan_fit(spec, shape));
    change(spec, shape);
  };
}

TEST(FitPlan, RefusesWhatItCannotDo) {
  const std::vector<Refused> table{
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = 0.0; }},
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = -1.0; }},
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = kNan; }},
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = kInfinity; }},
      {"delta", [](FitSpec& s, DataShape&) { s.delta = -1e-9; }},
      {"delta", [](FitSpec& s, DataShape&) { s.delta = 1.0; }},
      {"delta", [](FitSpec& s, DataShape&) { s.delta = kNan; }},
      {"iterations", [](FitSpec& s, DataShape&) { s.iterations = 0; }},
      {"iterations", [](FitSpec& s, DataShape&) { s.iterations = 10'000'001; }},
      {"clip", [](FitSpec& s, DataShape&) { s.clip = 0.0; }},
      {"clip", [](FitSpec& s, DataShape&) { s.clip = kNan; }},
      {"clip", [](FitSpec& s, DataShape&) { s.clip = 1e101; }},
      {"step", [](FitSpec& s, DataShape&) { s.step = -1.0; }},
      {"share", [](FitSpec& s, DataShape&) { s.share = 1.0; }},
      {"share", [](FitSpec& s, DataShape&) { s.share = 0.0; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale = {1.0, 2.0}; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale = {0.0}; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale = {1.0, kNan, 1.0}; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale_from_data = true; }},
      {"target_scale", [](FitSpec& s, DataShape&) { s.target_scale = 0.0; }},
      {"target_scale",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.target_scale = 1.0;
       }},
      {"target_scale", private_scale([](FitSpec&, DataShape& d) { d.records = 100; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.epsilon = 0.001; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.target_scale = 2.0; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.clip = 2.0; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.mode = "paper"; })},
      {"target_scale",
       private_scale([](FitSpec& s, DataShape&) { s.objective.loss = "logistic"; })},
      {"classes", [](FitSpec& s, DataShape&) { s.classes = {0.0, 1.0}; }},
      {"classes",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {1.0, 1.0};
       }},
      {"classes",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {1.0, kNan};
       }},
      {"loss", [](FitSpec& s, DataShape&) { s.objective.loss = "hinge"; }},
      {"penalty", [](FitSpec& s, DataShape&) { s.objective.penalty = "l3"; }},
      {"alpha", [](FitSpec& s, DataShape&) { s.objective.alpha = 1.0; }},
      {"alpha", [](FitSpec& s, DataShape&) { s.objective.penalty = "l1"; }},
      {"lower, upper",
       [](FitSpec& s, DataShape&) {
         s.objective.penalty = "box";
         s.objective.lower = s.objective.upper = 1.0;
       }},
      {"relation", [](FitSpec& s, DataShape&) { s.relation = "add"; }},
      {"records", [](FitSpec& s, DataShape&) { s.records = 10; }},
      {"records", [](FitSpec& s, DataShape&) { s.relation = "add_or_remove_one"; }},
      {"records",
       [](FitSpec& s, DataShape&) {
         s.relation = "add_or_remove_one";
         s.records = 0;
       }},
      {"records", [](FitSpec&, DataShape& d) { d.records = (std::size_t{1} << 41) + 1; }},
      {"data", [](FitSpec&, DataShape& d) { d.records = 0; }},
      {"data", [](FitSpec&, DataShape& d) { d.features = 0; }},
      {"features", [](FitSpec&, DataShape& d) { d.features = (std::size_t{1} << 23) + 1; }},
      {"features",
       [](FitSpec& s, DataShape& d) {
         s.intercept = true;  // one candidate more
         d.features = std::size_t{1} << 23;
       }},
      {"features", [](FitSpec& s, DataShape&) { s.features = 4; }},
      {"features", [](FitSpec&, DataShape& d) { d.features_counted = true; }},
      {"solver", [](FitSpec& s, DataShape&) { s.solver = "newton"; }},
      {"batch_size", [](FitSpec& s, DataShape&) { s.batch_size = 10; }},
      {"sampling", [](FitSpec& s, DataShape&) { s.sampling = "poisson"; }},
      {"iterate", [](FitSpec& s, DataShape&) { s.iterate = "last"; }},
      {"batch_size", with("cd", [](FitSpec& s) { s.batch_size = 10; })},
      {"iterate", with("cd", [](FitSpec& s) { s.iterate = "last"; })},
      {"rule", with("cd", [](FitSpec& s) { s.rule = "gs_s"; })},
      {"selection", with("cd", [](FitSpec& s) { s.selection = "exponential"; })},
      {"share", with("cd", [](FitSpec& s) { s.share = 0.5; })},
      {"release", with("cd",
                       [](FitSpec& s) {
                         s.mode = "paper";
                         s.release = "gaussian";
                       })},
      {"rule", with("sgd", [](FitSpec& s) { s.rule = "gs_s"; })},
      {"selection", with("sgd", [](FitSpec& s) { s.selection = "exponential"; })},
      {"share", with("sgd", [](FitSpec& s) { s.share = 0.5; })},
      {"release", with("sgd", [](FitSpec& s) { s.release = "gaussian"; })},
      {"batch_size", with("sgd", [](FitSpec& s) { s.batch_size = 0; })},
      {"batch_size", with("sgd", [](FitSpec& s) { s.batch_size = 101; })},
      {"sampling", with("sgd",
                        [](FitSpec& s) {
                          s.batch_size = 10;
                          s.sampling = "uniform";
                        })},
      {"sampling", with("sgd", [](FitSpec& s) { s.sampling = "poisson"; })},
      {"iterate", with("sgd", [](FitSpec& s) { s.iterate = "best"; })},
      {"batch_size", with("sgd",
                          [](FitSpec& s) {
                            s.mode = "paper";
                            s.batch_size = 10;
                          })},
      {"mode", [](FitSpec& s, DataShape&) { s.mode = "both"; }},
      {"rule", [](FitSpec& s, DataShape&) { s.rule = "gs"; }},
      {"selection", [](FitSpec& s, DataShape&) { s.selection = "max"; }},
      {"release", [](FitSpec& s, DataShape&) { s.release = "none"; }},
      {"selection",
       [](FitSpec& s, DataShape&) {
         s.mode = "paper";
         s.selection = "exponential";
       }},
      {"relation",
       [](FitSpec& s, DataShape&) {
         s.mode = "paper";
         s.relation = "add_or_remove_one";
       }},
      {"start",
       [](FitSpec& s, DataShape&) {
         LinearModel start;
         start.features = 2;
         start.heads.resize(1);
         s.start = std::make_shared<const LinearModel>(start);
       }},
  };
  for (const Refused& each : table) {
    FitSpec spec = small_spec("squared");
    DataShape shape{.records = 100, .features = 3, .features_counted = false, .feature_names = {}};
    EXPECT_NO_THROW(plan_fit(spec, shape));
    each.change(spec, shape);
    try {
      plan_fit(spec, shape);
      ADD_FAILURE() << each.name << " was accepted";
    } catch (const std::exception& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind(std::string(each.name) + ":", 0), 0u) << message;
    }
  }
}

TEST(FitPlan, RefusesWhatIsMissingOrNoWordByItsName) {
  const std::vector<Refused> table{
      {"loss: given nothing, accepted is one of squared",
       [](FitSpec& s, DataShape&) { s.objective.loss.clear(); }},
      {"loss: given 'a<U+001B>', accepted are squared",
       [](FitSpec& s, DataShape&) { s.objective.loss = "a\x1b"; }},
      {"penalty: given 'l3', accepted are none",
       [](FitSpec& s, DataShape&) {
         s.objective.penalty = "l3";
         s.objective.alpha = 1.0;  // of another penalty: not what is wrong
       }},
      {"epsilon: given nothing, accepted is a positive",
       [](FitSpec& s, DataShape&) { s.epsilon.reset(); }},
      {"delta: given nothing, accepted is a number from 0",
       [](FitSpec& s, DataShape&) { s.delta.reset(); }},
      {"mode: given 'xxxxx", [](FitSpec& s, DataShape&) { s.mode = std::string(100'000, 'x'); }},
  };
  for (const Refused& each : table) {
    FitSpec spec = small_spec("squared");
    DataShape shape{.records = 100, .features = 3, .features_counted = false, .feature_names = {}};
    each.change(spec, shape);
    try {
      plan_fit(spec, shape);
      ADD_FAILURE() << each.name << " was accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(each.name)) << error.what();
      EXPECT_LT(std::string(error.what()).size(), 200u);
    }
  }
}

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

/// selection/release of DP-GCD as printed.
std::string mechanisms_of(const FitSpec& spec, std::size_t features) {
  const DataShape shape{
      .records = 1000, .features = features, .features_counted = false, .feature_names = {}};
  const FitPlan plan = plan_fit(spec, shape);
  const auto& uses = plan->statement.mechanisms;
  return uses.at(0).name + "/" + uses.at(1).name;
}

TEST(FitPlan, TakesTheReleaseThatHasLeastNoiseWithinTheBudget) {
  FitSpec spec = small_spec("squared");
  const std::string laplace = "exponential_mechanism/discrete_laplace_release";
  const std::string gaussian = "exponential_mechanism/discrete_gaussian_release";
  for (const auto& [iterations, expected] :
       {std::pair{1, laplace}, {2, laplace}, {10, gaussian}, {40, gaussian}}) {
    spec.iterations = static_cast<std::uint64_t>(iterations);
    EXPECT_EQ(mechanisms_of(spec, 1000), expected) << iterations;
  }
  spec.delta = 0.0;
  EXPECT_EQ(mechanisms_of(spec, 1000), laplace);
  spec.delta = 1e-6;
  // A given share is that of Laplace releases, unless a release is given too.
  spec.share = 0.7;
  EXPECT_EQ(mechanisms_of(spec, 1000), laplace);
  spec.selection = "noisy_max";
  spec.release = "gaussian";
  EXPECT_EQ(mechanisms_of(spec, 1000), "noisy_max/discrete_gaussian_release");
}

TEST(FitPlan, TakesTheOnlyReleaseThatKeepsATinyBudget) {
  FitSpec spec = small_spec("squared");
  spec.epsilon = 1e-5;
  spec.delta = 1e-12;
  spec.iterations = 1;
  EXPECT_EQ(mechanisms_of(spec, 1000), "exponential_mechanism/discrete_laplace_release");
  spec.delta = 1e-9;
  spec.iterations = 60;
  EXPECT_EQ(mechanisms_of(spec, 1000), "exponential_mechanism/discrete_gaussian_release");
  spec.release = "laplace";
  EXPECT_THROW(mechanisms_of(spec, 1000), CalibrationError);
}

TEST(FitPlan, HasLessNoiseWithGaussianReleasesWhereItTakesThem) {
  FitSpec spec = small_spec("squared");
  spec.iterations = 10;
  const DataShape shape{
      .records = 1000, .features = 1000, .features_counted = false, .feature_names = {}};
  const auto scales = [&](const char* release, double share) {
    spec.selection = "exponential";
    spec.release = release;
    spec.share = share;
    const FitPlan plan = plan_fit(spec, shape);
    const auto& uses = plan->statement.mechanisms;
    return std::pair(static_cast<double>(uses[0].cost.scale),
                     static_cast<double>(uses[1].cost.scale));
  };
  const auto [selected, laplace] = scales("laplace", 0.8);
  const auto [other, sigma] = scales("gaussian", 1.0 / (1.0 + 2.0 / 16.0));
  EXPECT_NEAR(other / selected, sigma / (std::sqrt(2.0) * laplace), 1e-6) << "proportions";
  EXPECT_LT(other, 0.95 * selected);
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

TEST(FitPlan, FindsATargetScaleForNoMoreThanAQuarterOfTheBudgetOrWhatItsQuartilesTake) {
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
  for (const std::uint64_t records : {std::uint64_t{1000}, std::uint64_t{20'000}}) {
    const double enough = 8.0 * std::log(121'000.0) / static_cast<double>(records);
    EXPECT_LE(range_at(records), enough) << records;
    EXPECT_GE(range_at(records), 0.975 * enough) << records;
  }
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

/// Of a refined fit without second moments: rho of each descent, in those of the first.
std::vector<double> descents_of(const std::string& loss, std::uint64_t iterations,
                                double* together) {
  FitSpec spec = small_spec(loss);
  spec.clip.reset();
  spec.release.reset();
  spec.share.reset();
  spec.step.reset();
  spec.refine = "on";
  spec.second_moment = false;
  spec.intercept = false;
  spec.iterations = iterations;
  const DataShape shape{
      .records = 100'000, .features = 300, .features_counted = false, .feature_names = {}};
  const FitPlan plan = plan_fit(spec, shape);
  for (const PublicInput& input : plan->statement.public_inputs) {
    if (input.name == "selections_per_gradient") *together = std::get<double>(input.value);
  }
  std::vector<double> out;
  for (const MechanismUse& use : plan->statement.mechanisms) {
    if (use.step != "release") continue;
    const double ratio = static_cast<double>(use.cost.shift) / static_cast<double>(use.cost.scale);
    out.push_back(static_cast<double>(use.count) * ratio * ratio);
  }
  const double first = out.front();
  for (double& each : out) each /= first;
  return out;
}

TEST(FitPlan, OfARefinedFitHasUpToThreeRoundsAndMostOfTheBudgetInTheLast) {
  const std::vector<double> sizes{1, 2, 2, 2, 2, 2, 3, 3, 3, 4};
  const std::vector<std::vector<double>> parts{{1.0}, {1.0, 2.0}, {1.0, 2.0, 3.0}};
  for (const auto& [loss, last] : {std::pair{"squared", 4.0}, std::pair{"logistic", 24.0}}) {
    for (std::uint64_t iterations = 1; iterations <= sizes.size(); ++iterations) {
      double together = 0.0;
      const std::vector<double> found = descents_of(loss, iterations, &together);
      EXPECT_EQ(together, sizes[iterations - 1]) << loss << " " << iterations;
      const std::size_t rounds = std::clamp<std::size_t>((iterations + 1) / 2, 1, 3);
      ASSERT_EQ(found.size(), rounds) << loss << " " << iterations;
      for (std::size_t k = 0; k < rounds; ++k) {
        const double expected = parts[rounds - 1][k] * (k + 1 == rounds && rounds > 1 ? last : 1.0);
        EXPECT_NEAR(found[k], expected, 0.01 * expected) << loss << " " << iterations;
      }
    }
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

}  // namespace
}  // namespace southwell::fit
