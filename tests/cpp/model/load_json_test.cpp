#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "fit/golden_model.hpp"
#include "model/changed_model.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::model {
using namespace fit;  // makes what is tested here
namespace {

using nlohmann::json;

json of_version_1(const std::string& kind) {
  const auto file = std::filesystem::path(SOUTHWELL_MODELS) / "version_1" / kind;
  return json::parse(data::read_all(*data::open_source(file), kind, kLargestFile));
}

json golden() { return json::parse(kGoldenModel); }

const std::vector<std::string> kKinds{"box.json",
                                      "class_names.json",
                                      "paper_mode.json",
                                      "refined.json",
                                      "seeded.json",
                                      "several_classes_with_path.json",
                                      "sgd_private_scale.json",
                                      "sparse_as_printed.json",
                                      "wide.json.gz"};

TEST(ModelFile, OfVersionOneLoadsForEver) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SOUTHWELL_MODELS) / "version_1")) {
    EXPECT_EQ(std::count(kKinds.begin(), kKinds.end(), entry.path().filename().string()), 1);
    ++files;
  }
  EXPECT_EQ(files, kKinds.size());
  for (const std::string& kind : kKinds) {
    const json content = of_version_1(kind);
    EXPECT_EQ(content["version"], 1) << kind;
    const LinearModel model = load(std::filesystem::path(SOUTHWELL_MODELS) / "version_1" / kind);
    EXPECT_EQ(model.features, content["features"].get<std::size_t>());
    EXPECT_EQ(json(model.classes), content["classes"]);
    EXPECT_EQ(model.privacy.guarantee, content["privacy"]["guarantee"].get<std::string>());
    ASSERT_EQ(model.heads.size(), content["coef"].size()) << kind;
    for (std::size_t h = 0; h < model.heads.size(); ++h) {
      const json& list = content["coef"][h];
      ASSERT_EQ(model.heads[h].coef.size(), list.size()) << kind;
      for (std::size_t k = 0; k < list.size(); ++k) {
        EXPECT_EQ(model.heads[h].coef[k].index, list[k]["index"].get<std::size_t>());
        EXPECT_EQ(model.heads[h].coef[k].value, list[k]["value"].get<double>());
        EXPECT_EQ(model.heads[h].coef[k].noise_sd, list[k]["noise_sd"].get<double>());
      }
      EXPECT_EQ(model.heads[h].intercept, content["intercept"][h].get<double>());
    }
    ASSERT_EQ(model.path.size(), content["path"].size()) << kind;
    for (std::size_t t = 0; t < model.path.size(); ++t) {
      EXPECT_EQ(model.path[t].gradient, content["path"][t]["gradient"].get<double>());
      EXPECT_EQ(model.path[t].value, content["path"][t]["value"].get<double>());
    }
  }
}

TEST(ModelFile, OfVersionOneBecomesOneOfVersionTwoThatSaysTheSame) {
  for (const std::string& kind : kKinds) {
    json before = of_version_1(kind);
    const LinearModel model = from_json(before.dump(), kind);
    json after = json::parse(to_json(model));
    EXPECT_EQ(after["version"], 2) << kind;
    EXPECT_EQ(to_json(from_json(to_json(model), kind)), to_json(model));
    if (before["path"].empty()) before.erase("path");
    if (kind.starts_with("wide")) {
      EXPECT_TRUE(after["coef"][0].is_object());
      before.erase("coef");
      after.erase("coef");
    }
    for (const char* key : {"version", "checksum", "southwell_version"}) {
      before.erase(key);
      after.erase(key);
    }
    EXPECT_EQ(after, before) << kind;
  }
}

TEST(ModelFile, MayBeWithoutItsPath) {
  json content = of_version_1("several_classes_with_path.json");
  ASSERT_FALSE(content["path"].empty());
  content.erase("path");
  EXPECT_NE(refusal_of(content).find("'path' is missing"), std::string::npos)
      << "version 1 had one";
  content["version"] = 2;
  const LinearModel model = from_json(signed_text(content), "pathless");
  EXPECT_TRUE(model.path.empty());
  EXPECT_TRUE(model.privacy.is_private);
  EXPECT_FALSE(json::parse(to_json(model)).contains("path"));
  content["path"] = json::array({{{"gradient", 0.0}, {"head", 0}, {"index", 0}, {"value", 0.0}}});
  EXPECT_NE(refusal_of(content).find("path: 1 steps; accepted is 30"), std::string::npos);
}

TEST(ModelFile, CutOffAnywhereIsRefused) {
  const std::string text = to_json(from_json(kGoldenModel, "golden"));
  for (std::size_t size = 0; size + 2 < text.size(); size += 11) {
    EXPECT_THROW(from_json(text.substr(0, size), "cut"), DataError) << size;
  }
}

TEST(ModelFile, WithAnyDigitChangedIsRefused) {
  const std::string text = to_json(from_json(kGoldenModel, "golden"));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    std::string changed = text;
    changed[i] = text[i] == '9' ? '8' : '9';
    try {
      from_json(changed, "changed");
      // A digit beyond what a double holds may change without changing the number.
      EXPECT_EQ(checksum(json::parse(changed)), checksum(json::parse(text))) << i;
    } catch (const DataError&) {
    }
  }
}

TEST(ModelFile, OfAnotherKindIsRefusedBeforeAnythingElse) {
  EXPECT_NE(refusal("[1, 2]").find("not a southwell model"), std::string::npos);
  EXPECT_NE(refusal("{}").find("not a southwell model"), std::string::npos);
  EXPECT_NE(refusal(R"({"format": "other"})").find("not a southwell model"), std::string::npos);
  EXPECT_NE(refusal("").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal("\xff\xfe").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal(std::string(1000000, '[')).find("deep"), std::string::npos);
  EXPECT_NE(refusal(R"({"format": 1, "format": 2})").find("'format' occurs twice"),
            std::string::npos);
  json later = golden();
  later["version"] = 3;  // a later version may sum up differently: the checksum is not looked at
  EXPECT_NE(refusal(later.dump()).find("made by a later version"), std::string::npos);
}

struct Case {
  const char* name;
  std::function<void(json&)> change;
  const char* message;
};

TEST(ModelFile, ThatCannotBeIsRefusedWithItsReason) {
  const Case cases[] = {
      {"version 0", [](json& m) { m["version"] = 0; }, "version"},
      {"version as text", [](json& m) { m["version"] = "1"; }, "whole number"},
      {"features negative", [](json& m) { m["features"] = -3; }, "features: given is -3"},
      {"features with a fraction", [](json& m) { m["features"] = 3.5; }, "features: given is 3.5"},
      {"too few names", [](json& m) { m["feature_names"] = {"a", "b"}; }, "2 names for 3 features"},
      {"a name twice", [](json& m) { m["feature_names"][2] = "a"; }, "'a' occurs twice"},
      {"a name as number", [](json& m) { m["feature_names"][0] = 5; }, "feature_names[0]"},
      {"one class", [](json& m) { m["classes"] = {1.0}; }, "classes: one class"},
      {"a class twice", [](json& m) { m["classes"] = {1.0, 1.0}; }, "classes"},
      {"three classes, one head", [](json& m) { m["classes"] = {1, 2, 3}; }, "1 heads for 3"},
      {"no head", [](json& m) { m["coef"] = json::array(); }, "intercept: 1 numbers"},
      {"index beyond", [](json& m) { m["coef"][0][1]["index"] = 3; }, "coef of index 3"},
      {"index huge", [](json& m) { m["coef"][0][1]["index"] = 1e300; }, "index"},
      {"index twice", [](json& m) { m["coef"][0][1]["index"] = 1; }, "increasing order"},
      {"index decreasing", [](json& m) { m["coef"][0][1]["index"] = 0; }, "increasing order"},
      {"value null", [](json& m) { m["coef"][0][0]["value"] = nullptr; }, "coef[0][0].value"},
      {"value as text", [](json& m) { m["coef"][0][0]["value"] = "1"; }, "accepted is a number"},
      {"noise negative", [](json& m) { m["coef"][0][0]["noise_sd"] = -1.0; }, "noise_sd"},
      {"coef an object", [](json& m) { m["coef"] = json::object(); }, "coef: an object"},
      {"no intercept but one",
       [](json& m) {
         m["has_intercept"] = false;
         m["intercept"] = {0.5};
       },
       "without an intercept"},
      {"unknown loss", [](json& m) { m["loss"] = "cubed"; }, "'cubed', accepted are squared"},
      {"unknown penalty", [](json& m) { m["penalty"] = "l3"; }, "l3"},
      {"alpha missing", [](json& m) { m.erase("alpha"); }, "alpha: needed"},
      {"alpha null", [](json& m) { m["alpha"] = nullptr; }, "alpha: given is null"},
      {"lower above upper",
       [](json& m) {
         m["lower"] = 1.0;
         m["upper"] = 0.0;
       },
       "lower <= upper"},
      {"lower without a penalty",
       [](json& m) {
         m["penalty"] = "none";
         m.erase("alpha");
         m.erase("l1_ratio");
         m["lower"] = 0.0;
       },
       "lower"},
      {"too few names of classes", [](json& m) { m["class_names"] = {"no"}; },
       "class_names: 1 names for 2 classes"},
      {"a class called like another", [](json& m) { m["class_names"] = {"no", "no"}; },
       "class_names: 'no' occurs twice"},
      {"a class called by a number", [](json& m) { m["class_names"] = {"no", 1}; },
       "class_names[1]"},
      {"no names of classes", [](json& m) { m["class_names"] = json::array(); }, "class_names"},
      {"path head", [](json& m) { m["path"][0]["head"] = 1; }, "path, step 0: head 1"},
      {"path index", [](json& m) { m["path"][2]["index"] = 4; }, "path, step 2: index 4"},
      {"path gradient", [](json& m) { m["path"][0].erase("gradient"); }, "'gradient' is missing"},
      {"privacy gone", [](json& m) { m.erase("privacy"); }, "'privacy' is missing"},
      {"private, twice told", [](json& m) { m["private"] = false; }, "private"},
      {"private without guarantee", [](json& m) { m["privacy"]["guarantee"] = "none (x)"; },
       "guarantee: 'none (x)'"},
      {"a budget that promises nothing",
       [](json& m) {
         m["privacy"]["epsilon"] = 1001.0;
         m["privacy"]["guarantee"] = "(1001, 0.001)-DP";
       },
       "accepted is at most 1000: beyond it nothing is promised"},
      {"mechanism of no kind", [](json& m) { m["privacy"]["mechanisms"][0]["kind"] = "free"; },
       "accepted is one of pure"},
      {"mechanism without noise", [](json& m) { m["privacy"]["mechanisms"][0]["scale"] = 0; },
       "scale 0"},
      {"input of no source",
       [](json& m) { m["privacy"]["public_inputs"]["clip"]["source"] = "me"; },
       "accepted is one of user"},
      {"input as object",
       [](json& m) { m["privacy"]["public_inputs"]["clip"]["value"] = json::object(); },
       "privacy.public_inputs.clip.value"},
  };
  for (const Case& each : cases) {
    json content = golden();
    each.change(content);
    const std::string said = refusal(signed_text(content));
    EXPECT_TRUE(said.starts_with("model.json: ")) << each.name << ": " << said;
    EXPECT_NE(said.find(each.message), std::string::npos) << each.name << ": " << said;
  }
  const json whole = golden();
  for (const auto& [key, value] : whole.items()) {
    if (key == "alpha" || key == "l1_ratio" || key == "southwell_version") continue;
    json content = golden();
    content.erase(key);
    EXPECT_NE(refusal(key == "checksum" ? content.dump() : signed_text(content)), "accepted")
        << key;
  }
  EXPECT_EQ(refusal(signed_text(golden())), "accepted");
}

TEST(ModelFile, MayHoldKeysThatALaterVersionAdds) {
  json content = golden();
  content["colour"] = "green";
  content["privacy"]["weather"] = {1, 2};
  EXPECT_EQ(refusal(signed_text(content)), "accepted");
}

TEST(ModelFile, ThatIsMissingOrTooLongIsRefused) {
  EXPECT_THROW(load("no/such/model.json"), DataError);
  const auto file = std::filesystem::path(testing::TempDir()) / "long.json";
  std::ofstream(file).close();
  std::filesystem::resize_file(file, kLargestFile + 1);
  EXPECT_THROW(load(file), DataError);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace southwell::model
