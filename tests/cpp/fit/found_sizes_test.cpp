#include "southwell/fit/found_sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/save_json.hpp"

namespace southwell::fit {
namespace {

/// Normal features, the third times `factor`, and a target that follows the first and the third.
data::Dataset records_of(double factor) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<Record> records;
  for (int i = 0; i < 4000; ++i) {
    Record record(9);
    for (std::size_t j = 0; j < 8; ++j) record[j] = normal(random) * (j == 2 ? factor : 1.0);
    record[8] = record[0] + record[2] / factor + 0.3 * normal(random);
    records.push_back(record);
  }
  return dataset_of(records, 8, Stored::f64);
}

std::vector<std::string> found_by(const std::string& solver, const data::Dataset& data) {
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.solver = solver;
  spec.epsilon = 4.0;
  spec.delta = 1e-6;
  spec.target_scale = 1.0;
  spec.feature_scale = {1.0};
  spec.seed_for_tests = 2;
  const model::LinearModel model = fit(data, spec);
  EXPECT_EQ(model::warnings_of(model.privacy), model.privacy.found_amiss);
  EXPECT_EQ(model::from_json(model::to_json(model), "model.json").privacy.found_amiss,
            model.privacy.found_amiss);
  return model.privacy.found_amiss;
}

TEST(SizeWarnings, NameTheFeatureThatIsFarAboveItsDeclaration) {
  for (const std::string solver : {"gcd", "sgd"}) {
    const std::vector<std::string> found = found_by(solver, records_of(20.0));
    ASSERT_EQ(found.size(), 1u) << solver;
    EXPECT_NE(found[0].find("features are larger than declared, at least x3 2"), std::string::npos)
        << found[0];
    EXPECT_NE(found[0].find("Declare centres and scales that fit"), std::string::npos);
  }
}

TEST(SizeWarnings, AreNotGivenWhereNoiseExplainsWhatWasReleased) {
  for (const std::string solver : {"gcd", "sgd"}) {
    EXPECT_TRUE(found_by(solver, records_of(1.0)).empty()) << solver;
  }
}

TEST(SizeWarnings, SayThatTargetsDoNotReachTheScaleThatWasFound) {
  data::Dataset data = records_of(1.0);
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.feature_scale = {1.0};
  for (const std::string solver : {"gcd", "sgd"}) {
    spec.solver = solver;
    spec.seed_for_tests = 2;
    EXPECT_TRUE(fit(data, spec).privacy.found_amiss.empty()) << solver;
    // Of targets that are all 0 any scale is found, and no fit may be as large as that.
    data::Dataset zeros = data;
    zeros.target.assign(zeros.target.size(), 0.0);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      spec.seed_for_tests = seed;
      const model::LinearModel model = fit(zeros, spec);
      ASSERT_EQ(model.privacy.found_amiss.size(), 1u) << solver << " " << seed;
      EXPECT_EQ(model.privacy.found_amiss[0].find("target_scale: a mechanism found "), 0u);
      EXPECT_TRUE(model.heads[0].coef.empty());
      EXPECT_EQ(model.heads[0].intercept, 0.0);
      for (const auto& step : model.path) EXPECT_TRUE(std::isfinite(step.value));
      const std::string text = model::to_json(model);
      EXPECT_EQ(model::to_json(model::from_json(text, "model.json")), text);
    }
  }
}

TEST(SizeWarnings, CountWhatTheyDoNotName) {
  LinearModel model;
  model.features = 5;
  Solved solved;
  solved.larger = {{0, 5.0}, {1, 4.0}, {2, 3.0}, {3, 2.0}, {4, 2.0}};
  const std::vector<std::string> found = size_warnings(model, solved);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(
      found[0].find("x1 5 times, x2 4 times, x3 3 times and 2 more above 1.5 times; a release"),
      std::string::npos)
      << found[0];
  solved.larger.clear();
  EXPECT_TRUE(size_warnings(model, solved).empty());
  solved.longer_records = 7.0;
  EXPECT_NE(size_warnings(model, solved).at(0).find("most records are at least 7 times as long"),
            std::string::npos);
}

}  // namespace
}  // namespace southwell::fit
