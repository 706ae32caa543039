#include "southwell/model/fit.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/predict.hpp"
#include "support/instruction_sets.hpp"
#include "support/other_float_environments.hpp"

namespace southwell::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Records with many zeros, of numbers that float holds too.
std::vector<Record> records(std::size_t n, std::size_t features) {
  std::mt19937_64 random(n + features);
  std::vector<Record> out(n, Record(features + 1));
  for (Record& record : out) {
    for (std::size_t j = 0; j < features; ++j) {
      const auto number = static_cast<int>(random() % 4000);
      record[j] = number < 1000 ? static_cast<double>(number) / 256.0 - 2.0 : 0.0;
    }
    record.back() = record[0] - record[1] + static_cast<double>(random() % 100) / 64.0;
  }
  return out;
}

std::uint64_t digest(const LinearModel& model) {
  std::uint64_t hash = 1469598103934665603u;
  const auto add = [&hash](std::uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
  for (const ModelStep& step : model.path) {
    add(step.index);
    add(std::bit_cast<std::uint64_t>(step.gradient));
    add(std::bit_cast<std::uint64_t>(step.value));
  }
  for (const Head& head : model.heads) {
    for (const Coefficient& c : head.coef) add(std::bit_cast<std::uint64_t>(c.value) + c.index);
    add(std::bit_cast<std::uint64_t>(head.intercept));
  }
  return hash;
}

FitSpec seeded_spec(const std::string& loss, const std::string& penalty,
                    const std::string& solver = "gcd") {
  FitSpec spec = small_spec(loss, penalty);
  spec.solver = solver;
  if (solver == "sgd") spec.step = 0.05;
  spec.iterations = 12;
  spec.intercept = true;
  spec.epsilon = 8.0;
  spec.seed_for_tests = 99;
  return spec;
}

TEST(Fit, HasTheSameBitsForEveryStorageThreadAndShard) {
  const std::size_t features = 300;
  const std::vector<Record> all = records(4000, features);  // enough for all threads
  for (const auto& [loss, solver] :
       std::vector<std::pair<std::string, std::string>>{{"squared", "gcd"},
                                                        {"logistic", "gcd"},
                                                        {"logistic", "cd"},
                                                        {"logistic", "sgd"},
                                                        {"huber", "sgd"}}) {
    FitSpec spec = seeded_spec(loss, "l1", solver);
    spec.features = features;
    const std::uint64_t expected = digest(fit(dataset_of(all, features, Stored::f64), spec));
    std::vector<Record> reversed(all.rbegin(), all.rend());
    EXPECT_EQ(digest(fit(dataset_of(reversed, features, Stored::f64), spec)), expected);
    for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
      const data::Dataset dataset = dataset_of(all, features, stored);
      for (const int threads : {1, 2, 7}) {
        for (const std::size_t shards : {1u, 3u, 10u}) {
          spec.threads = threads;
          EXPECT_EQ(digest(fit(dataset, spec, {.shards = shards})), expected)
              << loss << ", " << solver << ", threads " << threads << ", shards " << shards;
        }
      }
    }
    test::for_each_instruction_set([&](const char* name) {
      EXPECT_EQ(digest(fit(dataset_of(all, features, Stored::f64), spec)), expected) << name;
    });
  }
}

TEST(Fit, HasTheSameBitsInEveryFloatEnvironment) {
  const std::vector<Record> all = records(200, 20);
  const data::Dataset dataset = dataset_of(all, 20, Stored::f64);
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    const FitPlan plan =
        plan_fit(seeded_spec("logistic", "elastic_net", solver), DataShape::of(dataset));
    const std::uint64_t expected = digest(fit(dataset, plan));
    test::for_each_other_float_environment(
        [&] { EXPECT_EQ(digest(fit(dataset, plan)), expected) << solver; });
  }
}

TEST(Fit, HasItsGoldenBits) {
  // Equal under both compilers and on every machine; only a change of the algorithm moves them.
  const std::vector<Record> all = records(300, 25);
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  const auto golden = [&](const std::string& loss, const std::string& solver,
                          const std::string& mode) {
    FitSpec spec = seeded_spec(loss, "l1", solver);
    spec.mode = mode;
    return digest(fit(dataset, spec));
  };
  EXPECT_EQ(golden("logistic", "gcd", "certified"), 17732136105867805774u);
  EXPECT_EQ(golden("squared", "gcd", "paper"), 12735704145027575811u);
  EXPECT_EQ(golden("logistic", "cd", "certified"), 14333042037732491370u);
  EXPECT_EQ(golden("squared", "cd", "paper"), 5676042673152729404u);
  EXPECT_EQ(golden("logistic", "sgd", "certified"), 4402364114977543076u);
  EXPECT_EQ(golden("squared", "sgd", "paper"), 16885798166173754328u);
  FitSpec sampled = seeded_spec("squared", "l1", "sgd");
  sampled.batch_size = 40;
  EXPECT_EQ(digest(fit(dataset, sampled)), 4472721626327467675u);
}

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
  const data::Dataset dataset = dataset_of(records(50, 5), 5, Stored::f64);
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
  const data::Dataset dataset = dataset_of(records(50, 5), 5, Stored::f64);
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
  FitOptions scripted;
  scripted.bits = std::make_unique<privacy::SeededRandomBits>(4);
  EXPECT_EQ(fit(dataset, small_spec("squared"), std::move(scripted)).privacy.guarantee,
            "none (scripted)");
}

TEST(Fit, StartsWhereItIsTold) {
  const data::Dataset dataset = dataset_of(records(50, 3), 3, Stored::f64);
  LinearModel start;
  start.features = 3;
  start.heads = {{.coef = {{1, 2.5}}}};
  FitSpec spec = small_spec("squared", "box");
  spec.start = std::make_shared<const LinearModel>(start);
  const FitPlan plan = plan_fit(spec, DataShape::of(dataset));
  EXPECT_EQ(plan.start, (std::vector<double>{0.0, 2.0, 0.0})) << "brought into the box";
  EXPECT_EQ(plan.statement.guarantee, "(1, 1e-06)-DP") << "public by declaration";
}

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
      {"iterations", [](FitSpec& s, DataShape&) { s.iterations = 1'000'001; }},
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
  EXPECT_EQ(plan_fit(spec, shape).statement.guarantee, "(1.0000049, 1.0000049e-06)-DP");
}

TEST(FitPlan, WantsTheFeaturesOfASparseDesignDeclared) {
  // The largest index in the records would otherwise be released with every model.
  const data::Dataset dataset = dataset_of(records(50, 3), 3, Stored::sparse);
  FitSpec spec = small_spec("squared");
  EXPECT_THROW(fit(dataset, spec), InvalidArgument);
  spec.allow_leaks = true;
  EXPECT_FALSE(fit(dataset, spec).privacy.is_private);
  spec.allow_leaks = false;
  spec.features = 3;
  EXPECT_TRUE(fit(dataset, spec).privacy.is_private);
}

TEST(FitPlan, RefusesAStartWhoseCostHasNoBound) {
  const data::Dataset dataset = dataset_of(records(50, 3), 3, Stored::f64);
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
  EXPECT_EQ(one.iterations, scaled.iterations);
  EXPECT_EQ(8.0 * one.coordinates.clip, scaled.coordinates.clip);
  EXPECT_EQ(problem::Coordinates(scaled.coordinates).clip(0), 4.0 * scaled.coordinates.clip);
  EXPECT_DOUBLE_EQ(scaled.noise_sd(problem::Coordinates(scaled.coordinates), 0),
                   2.0 * one.noise_sd(problem::Coordinates(one.coordinates), 0))
      << "8 / 4";
}

}  // namespace
}  // namespace southwell::model
