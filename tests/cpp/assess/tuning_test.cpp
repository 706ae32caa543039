#include "southwell/assess/tuning.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::assess {
namespace {

using fit::FitSpec;
using fit::Record;
using fit::Stored;

std::vector<Record> drawn(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Record> records;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = normal(random);
    const double other = normal(random);
    records.push_back({x, other, 2.0 * x + 0.5 * normal(random) > 0.0 ? 1.0 : 0.0});
  }
  return records;
}

TuningSpec spec_of(const std::vector<double>& alphas) {
  FitSpec base;
  base.objective.loss = "logistic";
  base.objective.penalty = "l2";
  base.classes = {0.0, 1.0};
  base.feature_scale = {1.0};
  base.features = 2;
  base.threads = 1;
  TuningSpec spec{.settings = {}, .names = {}, .epsilon = 2.0, .delta = 1e-6};
  for (const double alpha : alphas) {
    spec.settings.push_back(base);
    spec.settings.back().objective.alpha = alpha;
    spec.names.push_back("alpha=" + std::to_string(alpha));
  }
  return spec;
}

fit::DataShape shape_of(std::size_t records) {
  fit::DataShape shape;
  shape.records = records;
  shape.features = 2;
  return shape;
}

TEST(Tuning, SpendsTheBudgetOnAllFitsTogether) {
  double last = 10.0;
  for (const std::size_t count : {1u, 2u, 3u, 8u}) {
    std::vector<double> alphas;
    for (std::size_t k = 0; k < count; ++k) alphas.push_back(0.01 * static_cast<double>(k + 1));
    const Tuning tuning(spec_of(alphas), shape_of(2000));
    const model::Statement statement = tuning.statement();
    EXPECT_EQ(statement.guarantee, "(2, 1e-06)-DP");
    EXPECT_NO_THROW(check_guarantee(statement));
    const std::vector<privacy::Composition> met = statement.met_by_one_unit();
    ASSERT_EQ(met.size(), 2u);
    for (const privacy::Composition& each : met) {
      EXPECT_LE(privacy::spent(each, 1e-6).epsilon, 2.0);
      EXPECT_GT(privacy::spent(each, 1e-6).epsilon, 1.9);
    }
    std::uint64_t fits = 0;
    for (const model::MechanismUse& use : statement.mechanisms) {
      fits += use.part == model::kFitPart ? use.count : 0;
    }
    FitSpec one = spec_of({0.01}).settings[0];
    one.epsilon = tuning.epsilon_of_each();
    one.delta = 1e-6;
    one.test_share = 0.2;
    std::uint64_t of_one = 0;
    const fit::FitPlan alone = fit::plan_fit(one, shape_of(2000));
    for (const model::MechanismUse& use : alone->statement.mechanisms) {
      of_one += use.part == model::kFitPart ? use.count : 0;
    }
    EXPECT_EQ(fits, count * of_one) << "every fit is charged";
    EXPECT_LE(tuning.epsilon_of_each(), count == 1 ? 2.0 : 0.95 * last);
    last = tuning.epsilon_of_each();
  }
}

TEST(Tuning, ChoosesTheBetterSetting) {
  for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
    const Tuning tuning(spec_of({100.0, 0.001, 50.0}), shape_of(4000));
    const model::LinearModel model = tuning.find(fit::dataset_of(drawn(4000, 1), 2, stored));
    EXPECT_EQ(*model.objective.alpha, 0.001);
    EXPECT_TRUE(model.privacy.is_private);
    EXPECT_EQ(model.privacy.epsilon, 2.0);
    const model::LinearModel read = model::from_json(model::to_json(model), "m.json");
    EXPECT_EQ(model::to_json(read.privacy), model::to_json(model.privacy));
  }
}

TEST(Tuning, KeepsNothingOfTheOthers) {
  const Tuning tuning(spec_of({100.0, 0.001}), shape_of(3000));
  std::vector<double> progress;
  fit::RunOptions options;
  options.progress = [&](double share) { progress.push_back(share); };
  const model::LinearModel model =
      tuning.find(fit::dataset_of(drawn(3000, 1), 2, Stored::f64), std::move(options));
  ASSERT_EQ(model.heads.size(), 1u);
  EXPECT_LE(model.heads[0].coef.size(), 2u);
  for (std::size_t k = 1; k < progress.size(); ++k) EXPECT_LE(progress[k - 1], progress[k]);
  const std::string choice = model.attachments.choice;
  EXPECT_EQ(choice.find("score"), std::string::npos);
  EXPECT_NE(choice.find("\"chosen\":\"alpha=0.001000\""), std::string::npos) << choice;
}

// Whoever recomposes the mechanisms of the chosen model pays for every fit.
TEST(Tuning, IsChargedInFullByWhoeverStartsFromIt) {
  TuningSpec spec = spec_of({0.1, 0.01, 0.001});
  for (FitSpec& each : spec.settings) {
    each.solver = "gcd";
    each.refine = "off";
    each.iterations = 3;
  }
  const data::Dataset dataset = fit::dataset_of(drawn(2000, 2), 2, Stored::f64);
  const auto chosen =
      std::make_shared<const model::LinearModel>(Tuning(spec, shape_of(2000)).find(dataset));
  FitSpec next = spec.settings[0];
  next.epsilon = 0.01;
  next.delta = 1e-6;
  next.start = chosen;
  next.start_name = "chosen";
  const model::LinearModel model = fit::fit(dataset, next);
  EXPECT_GT(model.privacy.epsilon_spent, 1.9);
}

TEST(Tuning, RefusesWhatIsNotOneFitInSeveralSettings) {
  const auto refusal = [](const std::function<void(TuningSpec&)>& change) -> std::string {
    TuningSpec spec = spec_of({0.1, 0.01});
    change(spec);
    try {
      const Tuning tuning(spec, shape_of(1000));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](TuningSpec&) {}), "");
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.settings.clear(); }).starts_with("settings: given 0"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.names[1] = s.names[0]; }).starts_with("settings"));
  EXPECT_TRUE(refusal([](TuningSpec& s) {
                s.settings[1].objective.loss = "squared_hinge";
              }).starts_with("settings: given settings that differ"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.settings[1].mode = "paper"; }).starts_with("mode"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.delta = 0.0; }).starts_with("delta"));
  EXPECT_TRUE(refusal([](TuningSpec& s) {
                for (FitSpec& each : s.settings) {
                  each.objective.loss = "squared";
                  each.classes.clear();
                }
              }).starts_with("target_scale"));
}

}  // namespace
}  // namespace southwell::assess
