#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "fit/golden_model.hpp"
#include "fit/small_data.hpp"
#include "model/changed_model.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::model {
using namespace fit;  // makes what is tested here
namespace {

using nlohmann::json;

json golden() { return json::parse(kGoldenModel); }

TEST(ModelFile, OfVersionOneHoldsWhatItAlwaysHeld) {
  const LinearModel model = from_json(kGoldenModel, "golden");
  EXPECT_EQ(model.features, 3u);
  EXPECT_EQ(model.feature_names, (std::vector<std::string>{"a", "b \"c\"", "d"}));
  EXPECT_EQ(model.classes, (std::vector<double>{-1.0, 1.0}));
  EXPECT_EQ(model.objective.loss, "logistic");
  EXPECT_EQ(model.objective.penalty, "elastic_net");
  EXPECT_EQ(model.objective.alpha, 0.1);
  EXPECT_EQ(model.objective.l1_ratio, 0.5);
  EXPECT_FALSE(model.objective.lower);
  EXPECT_EQ(model.objective.intercept, problem::Intercept::free);
  ASSERT_EQ(model.heads.size(), 1u);
  ASSERT_EQ(model.heads[0].coef.size(), 2u);
  EXPECT_EQ(model.heads[0].coef[1].index, 2u);
  EXPECT_EQ(model.heads[0].coef[1].value, -3.6198985237675205);
  EXPECT_EQ(model.heads[0].coef[1].noise_sd, 2.536534904767232);
  ASSERT_EQ(model.path.size(), 3u);
  EXPECT_EQ(model.path[0].gradient, 0.31292624083486853);
  EXPECT_TRUE(model.privacy.is_private);
  EXPECT_EQ(model.privacy.guarantee, "(8, 0.001)-DP");
  EXPECT_EQ(model.privacy.epsilon_spent, 7.99999967365493);
}

TEST(ModelFile, HasNullForNoiseThatIsNotDetermined) {
  LinearModel model = from_json(kGoldenModel, "golden");
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  model.heads[0].coef[1].noise_sd = unknown;
  model.heads[0].intercept_noise_sd = unknown;
  const std::string text = to_json(model);
  EXPECT_TRUE(json::parse(text)["coef"][0][1]["noise_sd"].is_null());
  EXPECT_TRUE(json::parse(text)["intercept_noise_sd"][0].is_null());
  const LinearModel back = from_json(text, "again");
  EXPECT_EQ(back.heads[0].coef[0].noise_sd, model.heads[0].coef[0].noise_sd);
  EXPECT_TRUE(std::isnan(back.heads[0].coef[1].noise_sd));
  EXPECT_TRUE(std::isnan(back.heads[0].intercept_noise_sd));
  EXPECT_EQ(to_json(back), text);
  EXPECT_FALSE(back.heads[0].coef[1].has_sign());
  model.heads[0].coef[1].noise_sd = std::numeric_limits<double>::infinity();
  EXPECT_THROW(check(model, "model"), DataError);
}

TEST(ModelFile, CarriesMechanismsThatComposeToWhatTheStatementSays) {
  const Statement statement = from_json(kGoldenModel, "golden").privacy;
  const privacy::Spent spent = privacy::spent(statement.composition(), statement.delta);
  EXPECT_NEAR(spent.epsilon, statement.epsilon_spent, 1e-3);  // the search for an order may change
  EXPECT_EQ(name_of(spent.accountant), statement.accountant);
}

TEST(ModelFile, OfARefinedFitWithRealNoiseLoadsAgain) {
  // Real entropy: seeded models are not checked for what a private fit cannot have done.
  const std::size_t features = 64;  // no room for one more in a vector of bits
  std::vector<Record> records(80, Record(features + 1));
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t j = 0; j <= features; ++j) {
      records[i][j] = std::sin(static_cast<double>(7 * i + 3 * j * j));
    }
  }
  for (const std::string loss : {"squared", "logistic", "huber"}) {
    for (const std::string solver : {"gcd", "sgd"}) {
      for (const bool intercept : {false, true}) {
        for (const std::uint64_t iterations : {1u, 5u, 30u}) {
          FitSpec spec;
          spec.objective.loss = loss;
          spec.objective.penalty = "l1";
          spec.objective.alpha = 0.01;
          if (loss == "huber") spec.objective.huber_width = 1.0;
          if (loss == "logistic") {
            spec.classes = {-1.0, 1.0};
          } else {
            spec.target_scale = 1.0;
          }
          spec.epsilon = 1.0;
          spec.delta = 1e-6;
          spec.solver = solver;
          spec.intercept = intercept;
          spec.iterations = iterations;
          spec.exclude_visited = solver == "gcd" ? std::optional(intercept) : std::nullopt;
          const LinearModel model = fit::fit(dataset_of(records, features, Stored::f64), spec);
          ASSERT_TRUE(model.privacy.is_private);
          EXPECT_TRUE(model.privacy.is_refined());
          const std::string text = to_json(model);
          EXPECT_EQ(to_json(from_json(text, "refined")), text) << loss << " " << solver;
        }
      }
    }
  }
}

TEST(ModelFile, SavedAndLoadedIsTheSame) {
  LinearModel model = from_json(kGoldenModel, "golden");
  model.objective = {.loss = "huber",
                     .penalty = "box",
                     .alpha = {},
                     .l1_ratio = {},
                     .lower = -std::numeric_limits<double>::infinity(),
                     .upper = 0.1,
                     .huber_width = 1e-3,
                     .intercept = problem::Intercept::free};
  model.classes = {1.0, 2.0, 0.1};
  model.class_names = {"ja", "nein", "weiß \"nicht\""};
  model.heads.resize(3);
  model.heads[1] = {.coef = {{0, 5e-324, 0.0}, {2, -1e308, 0.1}},
                    .intercept = -0.0,
                    .intercept_noise_sd = 1.0 / 3.0};
  model.privacy.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
  model.privacy.is_private = false;
  model.privacy.guarantee = "none (seeded)";
  model.privacy.mechanisms.push_back(
      {"release",
       "x",
       {privacy::Cost::Kind::sampled_gaussian_replace, 1, std::uint64_t{1} << 62, 7},
       1});
  model.privacy.public_inputs = {{"upper", std::numeric_limits<double>::infinity(), Source::user}};
  model.privacy.found_amiss = {"features are larger than declared"};
  const auto file = std::filesystem::path(testing::TempDir()) / "round_trip.json";
  save(model, file);
  const LinearModel back = load(file);
  EXPECT_EQ(to_json(back), to_json(model));
  EXPECT_EQ(back.class_names, model.class_names);
  EXPECT_EQ(back.privacy.found_amiss, model.privacy.found_amiss);
  EXPECT_EQ(back.objective.lower, model.objective.lower);
  EXPECT_EQ(back.objective.upper, model.objective.upper);
  EXPECT_EQ(back.objective.huber_width, model.objective.huber_width);
  EXPECT_FALSE(back.objective.alpha);
  EXPECT_EQ(back.heads[1].coef[0].value, 5e-324);
  EXPECT_TRUE(std::signbit(back.heads[1].intercept));
  EXPECT_TRUE(std::isnan(back.privacy.epsilon_spent));
  EXPECT_EQ(back.privacy.composition(), model.privacy.composition());
  EXPECT_EQ(std::get<std::string>(back.privacy.public_inputs[0].value), "inf");
  EXPECT_FALSE(back.privacy.is_private);
}

TEST(ModelFile, MayBeCompressed) {
  const auto file = std::filesystem::path(testing::TempDir()) / "packed.json.gz";
  save(from_json(kGoldenModel, "golden"), file);
  EXPECT_EQ(to_json(load(file)), to_json(from_json(kGoldenModel, "golden")));
}

TEST(ModelFile, OfTheFitAloneKeepsSayingSo) {
  LinearModel model = from_json(kGoldenModel, "golden");
  limit_to_the_fit(model.privacy);
  const LinearModel again = from_json(to_json(model), "again");
  EXPECT_EQ(again.privacy.guarantee, std::string("(8, 0.001)-DP") + kOfTheFitAlone);
  EXPECT_TRUE(again.privacy.fit_alone);
  EXPECT_TRUE(again.privacy.is_private);
  EXPECT_EQ(to_json(again), to_json(model));
  EXPECT_EQ(to_text(again.privacy).find("guarantee       (8, 0.001)-DP for the fit on the matrix"),
            0u);
  const auto forged = [](const std::string& guarantee, bool is_private) {
    json content = golden();
    content["privacy"]["guarantee"] = guarantee;
    content["privacy"]["private"] = content["private"] = is_private;
    return refusal(signed_text(content));
  };
  const std::string alone = kOfTheFitAlone;
  EXPECT_EQ(forged("(8, 0.001)-DP" + alone, true), "accepted");
  for (const std::string& guarantee : std::vector<std::string>{
           "(7, 0.001)-DP" + alone, "(8, 0)-DP" + alone, "(8, 0.001)-DP" + alone + alone,
           "(8, 0.001)-DP" + alone + ".", "(8, 0.001)-DP for the fit", alone, "none (x)" + alone}) {
    EXPECT_NE(forged(guarantee, true).find("privacy"), std::string::npos) << guarantee;
  }
  EXPECT_NE(forged("(8, 0.001)-DP" + alone, false).find("guarantee"), std::string::npos);
}

TEST(ModelFile, OfAPipelineHidesNoSeedAndNoLeakInTheNamesOfItsSteps) {
  for (const char* name : {"model.seed_for_tests", "a.b.allow_leaks"}) {
    json content = golden();
    content["privacy"]["public_inputs"][name] = {{"value", true}, {"source", "user"}};
    EXPECT_NE(refusal(signed_text(content)).find(name), std::string::npos) << name;
  }
}

TEST(ModelFile, IsNotWrittenIfItCouldNotBeRead) {
  const auto file = std::filesystem::path(testing::TempDir()) / "bad.json";
  LinearModel model = from_json(kGoldenModel, "golden");
  model.heads[0].coef[0].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(save(model, file), DataError);
  model = from_json(kGoldenModel, "golden");
  model.feature_names[0] = "\xff";
  EXPECT_THROW(save(model, file), DataError);
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace southwell::model
