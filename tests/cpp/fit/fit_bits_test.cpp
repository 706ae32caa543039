#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fit/seeded_fit.hpp"
#include "fit/small_data.hpp"
#include "southwell/fit/fit.hpp"
#include "support/instruction_sets.hpp"
#include "support/other_float_environments.hpp"

namespace southwell::fit {
using namespace model;
namespace {

TEST(Fit, HasTheSameBitsForEveryStorageThreadAndShard) {
  const std::size_t features = 300;
  const std::vector<Record> all = sparse_records(4000, features);  // enough for all threads
  for (const auto& [loss, solver] :
       std::vector<std::pair<std::string, std::string>>{{"squared", "gcd"},
                                                        {"logistic", "gcd"},
                                                        {"logistic", "cd"},
                                                        {"logistic", "sgd"},
                                                        {"huber", "sgd"},
                                                        {"squared", "refined gcd"},
                                                        {"logistic", "refined gcd"},
                                                        {"squared", "refined sgd"},
                                                        {"logistic", "refined sgd"},
                                                        {"logistic", "limited sgd"}}) {
    const bool limited = solver == "limited sgd";
    FitSpec spec = seeded_spec(loss, "l1", limited ? "refined sgd" : solver);
    if (limited) spec.record_norm = 1.0;  // most records are longer than twice that
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

TEST(Fit, OfWhitenedClassifiersHasTheSameBitsForEveryStorageThreadAndShard) {
  const std::size_t features = 12;
  const std::vector<Record> all = sparse_records(4000, features);
  FitSpec spec = seeded_spec("logistic", "l1", "refined sgd");
  spec.record_norm = 3.0;  // dense, by declaration
  spec.features = features;
  const LinearModel whitened = fit(dataset_of(all, features, Stored::f64), spec);
  const auto& uses = whitened.privacy.mechanisms;
  ASSERT_TRUE(std::any_of(uses.begin(), uses.end(),
                          [](const MechanismUse& use) { return use.step == "moments"; }));
  const std::uint64_t expected = digest(whitened);
  for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
    const data::Dataset dataset = dataset_of(all, features, stored);
    for (const int threads : {1, 7}) {
      for (const std::size_t shards : {1u, 3u}) {
        spec.threads = threads;
        EXPECT_EQ(digest(fit(dataset, spec, {.shards = shards})), expected)
            << "threads " << threads << ", shards " << shards;
      }
    }
  }
  test::for_each_instruction_set([&](const char* name) {
    EXPECT_EQ(digest(fit(dataset_of(all, features, Stored::f64), spec)), expected) << name;
  });
}

TEST(Fit, HasTheSameBitsInEveryFloatEnvironment) {
  const std::vector<Record> all = sparse_records(200, 20);
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
  const std::vector<Record> all = sparse_records(300, 25);
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
  EXPECT_EQ(golden("logistic", "cd", "certified"), 10856673467135953830u);
  EXPECT_EQ(golden("squared", "cd", "paper"), 5676042673152729404u);
  EXPECT_EQ(golden("logistic", "sgd", "certified"), 8306944134748307602u);
  EXPECT_EQ(golden("squared", "sgd", "paper"), 16885798166173754328u);
  FitSpec sampled = seeded_spec("squared", "l1", "sgd");
  sampled.batch_size = 40;
  EXPECT_EQ(digest(fit(dataset, sampled)), 490280070419896240u);
}

}  // namespace
}  // namespace southwell::fit
