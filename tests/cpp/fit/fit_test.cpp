#include "southwell/fit/fit.hpp"
#include "southwell/model/guarantee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/predict.hpp"
#include "support/instruction_sets.hpp"
#include "support/other_float_environments.hpp"

namespace southwell::fit {

using namespace model;
namespace {

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
  if (solver.starts_with("refined ")) {
    spec.solver = solver.substr(8);
    spec.refine = "on";
    spec.clip.reset();
    spec.step.reset();
    spec.share.reset();
    spec.release.reset();
  }
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
                                                        {"huber", "sgd"},
                                                        {"squared", "refined gcd"},
                                                        {"logistic", "refined gcd"},
                                                        {"squared", "refined sgd"},
                                                        {"logistic", "refined sgd"}}) {
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
    if (solver == "gcd" && mode == "certified") spec.share = 0.8;
    return digest(fit(dataset, spec));
  };
  EXPECT_EQ(golden("logistic", "gcd", "certified"), 17732136105867805774u);
  EXPECT_EQ(golden("squared", "gcd", "paper"), 12735704145027575811u);
  EXPECT_EQ(golden("logistic", "cd", "certified"), 8163009416473577465u);
  EXPECT_EQ(golden("squared", "cd", "paper"), 5676042673152729404u);
  EXPECT_EQ(golden("logistic", "sgd", "certified"), 7599564706296899239u);
  EXPECT_EQ(golden("squared", "sgd", "paper"), 16885798166173754328u);
  FitSpec sampled = seeded_spec("squared", "l1", "sgd");
  sampled.batch_size = 40;
  EXPECT_EQ(digest(fit(dataset, sampled)), 4472721626327467675u);
}

TEST(Fit, PrunesWhatMayBeNoiseAloneAndNothingElse) {
  const std::vector<Record> all = records(300, 25);
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  for (const std::string loss : {"squared", "logistic"}) {
    FitSpec spec = seeded_spec(loss, "l1", "refined gcd");
    spec.epsilon = 6.0;
    spec.polish = false;  // else a classifier descends once more, on what pruning leaves
    spec.prune = false;
    const LinearModel whole = fit(dataset, spec);
    spec.prune.reset();
    const LinearModel pruned = fit(dataset, spec);
    Head expected = whole.heads[0];
    std::erase_if(expected.coef, [](const Coefficient& each) {
      return std::fabs(each.value) < 2.0 * each.noise_sd;
    });
    ASSERT_FALSE(expected.coef.empty());
    EXPECT_LT(expected.coef.size(), whole.heads[0].coef.size()) << "nothing to prune: no test";
    EXPECT_EQ(pruned.heads[0].intercept, expected.intercept);
    ASSERT_EQ(pruned.heads[0].coef.size(), expected.coef.size());
    std::vector<double> along(25 + 1);
    for (const ModelStep& step : pruned.path) along[step.index] = step.value;
    for (std::size_t k = 0; k < expected.coef.size(); ++k) {
      const Coefficient& each = pruned.heads[0].coef[k];
      EXPECT_EQ(each.index, expected.coef[k].index);
      EXPECT_EQ(each.value, expected.coef[k].value);
      EXPECT_EQ(each.noise_sd, expected.coef[k].noise_sd);
      EXPECT_EQ(each.value, std::exchange(along[each.index], 0.0));
    }
    along[25] = 0.0;  // the intercept, which is not pruned
    EXPECT_EQ(along, std::vector<double>(along.size())) << "the path ends elsewhere";

    // A bound nearer than the noise leaves no coefficient that could tell itself from it.
    FitSpec bounded = seeded_spec(loss, "l1", "refined gcd");
    bounded.objective.lower = -1e-6;
    bounded.objective.upper = 1e-6;
    const LinearModel small = fit(dataset, bounded);
    EXPECT_FALSE(small.heads[0].coef.empty());
    for (const Coefficient& each : small.heads[0].coef) EXPECT_GT(each.noise_sd, 1e-6);

    FitSpec ridge = seeded_spec(loss, "l2", "refined gcd");
    const LinearModel automatic = fit(dataset, ridge);
    ridge.prune = false;
    EXPECT_EQ(digest(automatic), digest(fit(dataset, ridge))) << "l2 asks for no zeros";
  }
}

TEST(Fit, OfAClassifierDescendsOnceMoreOnWhatPruningLeaves) {
  const std::vector<Record> all = records(300, 25);
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  FitSpec spec = seeded_spec("logistic", "l1", "refined gcd");
  spec.epsilon = 4.0;
  spec.iterations = 8;
  const LinearModel model = fit(dataset, spec);
  const auto& events = model.privacy.mechanisms;
  const MechanismUse& last = events.at(events.size() - 1);
  const MechanismUse& before = events.at(events.size() - 2);
  EXPECT_EQ(last.count, 30U);
  EXPECT_EQ(before.count, 30U);
  // Half of the last descent's budget each; the first gave 4 % of it to second moments.
  const double ratio =
      static_cast<double>(last.cost.scale) / static_cast<double>(before.cost.scale);
  EXPECT_NEAR(ratio * ratio, 0.96, 1e-3);

  // Records of fewer features are clipped at a smaller norm, so what is left has less noise.
  spec.prune = false;
  const LinearModel whole = fit(dataset, spec);
  ASSERT_FALSE(model.heads[0].coef.empty());
  EXPECT_LT(model.heads[0].coef.size(), whole.heads[0].coef.size()) << "nothing to prune: no test";
  std::map<std::size_t, double> ends;
  for (const ModelStep& step : model.path) ends[step.index] = step.value;
  for (const Coefficient& each : model.heads[0].coef) {
    EXPECT_GE(std::fabs(each.value), 2.0 * each.noise_sd);
    EXPECT_EQ(each.value, ends.at(each.index)) << "the path ends elsewhere";
    const auto same = std::find_if(whole.heads[0].coef.begin(), whole.heads[0].coef.end(),
                                   [&](const auto& other) { return other.index == each.index; });
    ASSERT_NE(same, whole.heads[0].coef.end());
    EXPECT_LT(each.noise_sd, same->noise_sd);
  }
}

TEST(Fit, StaysWithinBoundsThatHoldTheDescentOnWhatPruningLeaves) {
  std::vector<Record> all = records(300, 25);
  for (Record& record : all) record.back() = record[0] + record[1] > 0.0 ? 1.0 : -1.0;
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  std::size_t held = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    FitSpec spec = seeded_spec("logistic", "l1", "refined gcd");
    spec.seed_for_tests = seed;
    spec.epsilon = 100.0;
    spec.objective.alpha = 1e-3;
    spec.objective.lower = -0.3;
    spec.objective.upper = 0.3;
    const LinearModel model = fit(dataset, spec);
    for (const Coefficient& each : model.heads[0].coef) {
      ASSERT_LE(std::fabs(each.value), 0.3);
      held += std::fabs(each.value) == 0.3 ? 1 : 0;
    }
  }
  EXPECT_GT(held, 20u) << "bounds that hold nothing: no test";
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
  RunOptions scripted;
  scripted.bits = std::make_unique<privacy::SeededRandomBits>(4);
  EXPECT_EQ(fit(dataset, small_spec("squared"), std::move(scripted)).privacy.guarantee,
            "none (scripted)");
}

TEST(Fit, FromAModelWhoseStepsAreUnknownSpeaksOfTheFitAloneToo) {
  const data::Dataset dataset = dataset_of(records(50, 5), 5, Stored::f64);
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
  const data::Dataset dataset = dataset_of(records(50, 3), 3, Stored::f64);
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
