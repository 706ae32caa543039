#include "southwell/assess/tuning.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "assess/tuned.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/figures.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/save_json.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::assess {
namespace {

TEST(Tuning, SpendsTheBudgetOnAllFitsTogether) {
  double last = 10.0;
  for (const std::size_t count : {1u, 2u, 3u, 8u}) {
    const Tuning tuning(spec_of(many(count), "all"), shape_of(2000));
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
  for (const std::string way : {"all", "runs"}) {
    for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
      const Tuning tuning(spec_of({100.0, 0.001, 50.0}, way), shape_of(4000));
      const model::LinearModel model = tuning.find(fit::dataset_of(drawn(4000, 1), 2, stored));
      // One in ten times no run has drawn it.
      if (way == "all") {
        EXPECT_EQ(*model.objective.alpha, 0.001);
      }
      EXPECT_TRUE(model.privacy.is_private);
      EXPECT_EQ(model.privacy.epsilon, 2.0);
      EXPECT_LE(model.privacy.epsilon_spent, 2.0);
      const model::LinearModel read = model::from_json(model::to_json(model), "m.json");
      EXPECT_EQ(model::to_json(read.privacy), model::to_json(model.privacy));
    }
  }
}

// A mechanism finds the target's size once, for all settings.
TEST(Tuning, OfARegressionFindsItsTargetScaleOnce) {
  for (const std::string way : {"all", "runs"}) {
    TuningSpec spec = spec_of({100.0, 0.001}, way);
    for (FitSpec& each : spec.settings) {
      each.objective.loss = "squared";
      each.classes.clear();
    }
    spec.epsilon = 4.0;
    const Tuning tuning(spec, shape_of(4000));
    std::vector<Record> records = drawn(4000, 1);
    for (Record& each : records) each[2] = 100.0 * each[0] + each[2];
    const model::LinearModel model = tuning.find(fit::dataset_of(records, 2, Stored::f64));
    EXPECT_TRUE(model.privacy.is_private);
    EXPECT_LE(model.privacy.epsilon_spent, 4.0);
    int found = 0;
    for (const model::MechanismUse& use : model.privacy.mechanisms) {
      if (use.step != "target_scale") continue;
      ++found;
      EXPECT_EQ(use.run, "");
      EXPECT_EQ(use.part, model::kFitPart);
    }
    EXPECT_EQ(found, 2) << "the choice, and whether targets reach it";
    for (const model::PublicInput& input : model.privacy.public_inputs) {
      if (input.name != "target_scale") continue;
      EXPECT_EQ(input.source, model::Source::mechanism);
      EXPECT_GE(std::get<double>(input.value), 16.0);
      EXPECT_LE(std::get<double>(input.value), 256.0);
    }
    EXPECT_NO_THROW(model::from_json(model::to_json(model), "m.json"));
  }
}

// The wrong sign is all that the setting allows.
TEST(Tuning, HasTheModelWithoutFeaturesAmongItsCandidates) {
  TuningSpec spec = spec_of({1.0}, "all");
  problem::ObjectiveSpec& objective = spec.settings[0].objective;
  objective = {};
  objective.loss = "logistic";
  objective.penalty = "box";
  objective.lower = -9.0;
  objective.upper = -5.0;
  const Tuning tuning(spec, shape_of(4000));
  const model::LinearModel model = tuning.find(fit::dataset_of(drawn(4000, 1), 2, Stored::f64));
  ASSERT_EQ(model.heads.size(), 1u);
  EXPECT_TRUE(model.heads[0].coef.empty());
  EXPECT_NE(model.attachments.choice.find(kNoFeatures), std::string::npos);
  EXPECT_NO_THROW(model::from_json(model::to_json(model), "m.json"));
}

TEST(Tuning, HasFiguresOnAPartOfTheirOwn) {
  for (const std::string way : {"all", "runs"}) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      TuningSpec spec = spec_of({0.01, 0.001}, way);
      spec.test_share = 0.25;
      for (FitSpec& each : spec.settings) {
        each.relation = relation;
        if (relation != "replace_one") each.records = 4000;
      }
      const Tuning tuning(spec, shape_of(4000));
      const model::LinearModel model = tuning.find(fit::dataset_of(drawn(4000, 1), 2, Stored::f64));
      ASSERT_EQ(model.privacy.parts.size(), 3u);
      EXPECT_EQ(model.privacy.parts[0].records, 2200.0);
      EXPECT_EQ(model.privacy.parts[1].records, 800.0);
      EXPECT_EQ(model.privacy.parts[2].records, 1000.0);
      const auto figures = model::figures_of(model);
      ASSERT_TRUE(figures);
      EXPECT_GT(figures->find("accuracy")->value, 0.7);
      EXPECT_LE(model.privacy.epsilon_spent, 2.0);
      EXPECT_NO_THROW(model::from_json(model::to_json(model), "m.json"));
    }
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
  for (const std::string way : {"all", "runs"}) {
    TuningSpec spec = spec_of({0.1, 0.01, 0.001}, way);
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
    EXPECT_EQ(model.privacy.runs.has_value(), way == "runs");
    EXPECT_NO_THROW(check_guarantee(model.privacy));
    // Of two such models nobody can say what they cost together.
    if (way == "runs") {
      EXPECT_THROW(model::composed({{"a", chosen->privacy}, {"b", chosen->privacy}}),
                   InvalidArgument);
      EXPECT_THROW(chosen->privacy.met_by_one_unit(), InvalidArgument);
    }
  }
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
                  each.clip = 1.0;
                }
              }).starts_with("target_scale"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.way = "none"; }).starts_with("way: given none"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.choice_share = 1.0; }).starts_with("choice_share"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.test_share = 0.8; }).starts_with("choice_share, test"));
  EXPECT_TRUE(refusal([](TuningSpec& s) { s.names[0] = kNoFeatures; }).starts_with("settings"));
}

}  // namespace
}  // namespace southwell::assess
