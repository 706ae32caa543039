#include "southwell/model/attachments.hpp"

#include <gtest/gtest.h>

#include <string>

#include "fit/golden_model.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/json_packed.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

/// A schema that makes as many features as the golden model has: an age, and two levels.
json three_features() {
  const json middle{{"missing", "middle"}};
  return {{"fields",
           {{{"name", "age"},
             {"type", "number"},
             {"constraints", {{"minimum", 0}, {"maximum", 99}}},
             {"southwell", middle}},
            {{"name", "smoker"}, {"type", "boolean"}, {"southwell", middle}}}}};
}

/// The golden model, had it held one of its four records out for figures.
json held_out() {
  json content = json::parse(fit::kGoldenModel);
  content["version"] = 2;
  json& privacy = content["privacy"];
  privacy["parts"] = {{{"name", "fit"}, {"records", 3}}, {{"name", "test"}, {"records", 1}}};
  privacy["public_inputs"]["test_share"] = {{"source", "user"}, {"value", 0.25}};
  for (json& use : privacy["mechanisms"]) use["part"] = "fit";
  privacy["mechanisms"].push_back({{"step", "histogram"},
                                   {"mechanism", "discrete_gaussian_release"},
                                   {"kind", "discrete_gaussian"},
                                   {"shift", 1482911},
                                   {"scale", 1482911},
                                   {"count", 1},
                                   {"part", "test"}});
  return content;
}

json figure(const json& low, const json& high) {
  return {
      {"value", 0.9}, {"low", low}, {"high", high}, {"noise_sd", 0.01}, {"sampling_sd", nullptr}};
}

/// What parts of Southwell may put there.
json filled() {
  json content = held_out();
  content["schema"] = three_features();
  content["unit"] = {{"column", "patient"}};
  content["parts"] = {{{"name", "fit"}, {"records", 3}, {"colour", "green"}},
                      {{"name", "test"}, {"records", 1}}};
  content["evaluation"] = {{"accuracy", figure(0.88, 0.93)}};
  content["choice"] = {{"candidates", 3}, {"chosen", 1}};
  content["ledger_entry"] = {{"ledger", "a1"}, {"entry", 7}};
  content["input_limits"] = {{"record_norm", 2.5}, {"feature", 3.0}};
  content["coef_covariance"] = {{"index", {2}}, {"lower", packed({0.25})}};
  return content;
}

std::string signed_text(json content) {
  content["checksum"] = checksum(content);
  return content.dump();
}

TEST(Attachments, AreKeptAsTheyAre) {
  const json content = filled();
  const LinearModel model = from_json(signed_text(content), "attached");
  const json after = json::parse(to_json(model));
  for (const AttachmentPlace& place : kAttachmentPlaces) {
    EXPECT_EQ(after[place.name], content[place.name]) << place.name;
    json one = held_out();
    one[place.name] = content[place.name];
    const LinearModel alone = from_json(signed_text(one), place.name);
    EXPECT_EQ(alone.attachments.*place.text, content[place.name].dump());
    Attachments without = alone.attachments;
    (without.*place.text).clear();
    EXPECT_EQ(without, Attachments{});
  }
  EXPECT_EQ(from_json(to_json(model), "again").attachments, model.attachments);
}

TEST(Attachments, OfVersionOneAreSomebodyElsesKeys) {
  json content = filled();
  content["version"] = 1;
  content["unit"] = 5;
  EXPECT_EQ(from_json(signed_text(content), "old").attachments, Attachments{});
}

TEST(Attachments, OfAnotherShapeAreRefused) {
  struct Case {
    const char* place;
    json content;
    const char* message;
  };
  const Case cases[] = {
      {"schema", json::array(), "schema: a list"},
      {"schema", {{"fields", json::array()}}, "no feature"},
      {"schema",
       {{"fields", {{{"name", "s"}, {"type", "boolean"}, {"southwell", {{"missing", "middle"}}}}}}},
       "features, the model has 3"},
      {"unit", "patient", "unit: no object"},
      {"parts", json::object(), "parts: an object; accepted is a list"},
      {"parts", {1}, "parts[0]: no object"},
      {"evaluation", 0.9, "evaluation: no object"},
      {"evaluation", {{"mse", 0.5}}, "evaluation.mse: given is 0.5"},
      {"evaluation", {{"mse", {{"value", 0.5}}}}, "evaluation.mse: the key 'low' is missing"},
      {"evaluation", {{"auc", figure("0.8", 0.9)}}, "evaluation.auc.low: given is \"0.8\""},
      {"evaluation", {{"auc", figure(0.9, 0.8)}}, "evaluation.auc: low above high"},
      {"evaluation",
       {{"auc", {{"value", 0.5}, {"low", 0}, {"high", 1}, {"noise_sd", -1}, {"sampling_sd", 0}}}},
       "evaluation.auc: a standard deviation below 0"},
      {"evaluation",
       {{"errors", {{{"from", 1}, {"to", 0.5}, {"share", figure(0, 1)}}}}},
       "evaluation.errors[0]: from above to"},
      {"evaluation",
       {{"confusion_matrix", {{"shares", {{figure(0, 1)}, {figure(0, 1)}}}}}},
       "evaluation.confusion_matrix.shares[0]: another length"},
      {"choice", nullptr, "choice: no object"},
      {"ledger_entry", {1, 2}, "ledger_entry: no object"},
      {"input_limits", {{"record_norm", 0.0}}, "input_limits.record_norm: a limit that is none"},
      {"input_limits", {{"record_norm", "1"}}, "input_limits.record_norm: given is \"1\""},
      {"input_limits", {{"feature", -1}}, "input_limits.feature: a limit that is none"},
      {"input_limits", {{"feature", {1.0, 2.0}}}, "2 numbers for 3 features"},
      {"input_limits", {{"feature", {1.0, 2.0, 0.0}}}, "a limit that is none"},
      {"input_limits", {{"feature_scale", {1.0, 2.0}}}, "2 numbers for 3 features"},
      {"input_limits", {{"feature", {{"count", 3}, {"float64", "AAAA"}}}}, "feature.float64"},
  };
  for (const Case& each : cases) {
    json content = filled();
    content[each.place] = each.content;
    try {
      from_json(signed_text(content), "model.json");
      ADD_FAILURE() << each.place << " " << each.content;
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find(each.message), std::string::npos) << error.what();
    }
  }
}

TEST(Attachments, OfOneLimitForEachFeatureAreAccepted) {
  json content = filled();
  content["input_limits"] = {{"feature", {1.0, 2.0, 3.0}}};
  EXPECT_NO_THROW(from_json(signed_text(content), "listed"));
  content["input_limits"]["feature"] = {{"count", 3},
                                        {"float64", "AAAAAAAA8D8AAAAAAADwPwAAAAAAAPA/"}};
  EXPECT_NO_THROW(from_json(signed_text(content), "packed"));
}

TEST(Attachments, ThatCouldNotBeReadAreNotWritten) {
  LinearModel model = from_json(fit::kGoldenModel, "golden");
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{\"a\":1,\"a\":2}"),
        "{\"a\":" + std::string(15, '[') + std::string(15, ']') + "}",
        std::string("{\"a\":\"\xff\"}"), std::string("{\"a\":1e999}")}) {
    model.attachments.unit = text;
    EXPECT_THROW(to_json(model), DataError) << text;
    model.attachments.unit.clear();
    model.attachments.schema = text;
    EXPECT_THROW(to_json(model), DataError) << text;
    model.attachments.schema.clear();
  }
  model.attachments.unit = "{\"a\":" + std::string(14, '[') + std::string(14, ']') + "}";
  EXPECT_EQ(from_json(to_json(model), "deep").attachments, model.attachments);
}

}  // namespace
}  // namespace southwell::model
