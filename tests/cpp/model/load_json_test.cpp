#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

json of_version_1(const std::string& kind) {
  const auto file = std::filesystem::path(SOUTHWELL_MODELS) / "version_1" / kind;
  return json::parse(data::read_all(*data::open_source(file), kind, kLargestFile));
}

std::string signed_text(json content) {
  content["checksum"] = checksum(content);
  return content.dump();
}

std::string refusal(const json& content) {
  try {
    from_json(signed_text(content), "model.json");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

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
  EXPECT_NE(refusal(content).find("'path' is missing"), std::string::npos) << "version 1 had one";
  content["version"] = 2;
  const LinearModel model = from_json(signed_text(content), "pathless");
  EXPECT_TRUE(model.path.empty());
  EXPECT_TRUE(model.privacy.is_private);
  EXPECT_FALSE(json::parse(to_json(model)).contains("path"));
  content["path"] = json::array({{{"gradient", 0.0}, {"head", 0}, {"index", 0}, {"value", 0.0}}});
  EXPECT_NE(refusal(content).find("path: 1 steps; accepted is 30"), std::string::npos);
}

}  // namespace
}  // namespace southwell::model
