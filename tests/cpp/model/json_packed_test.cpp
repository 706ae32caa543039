#include "southwell/model/json_packed.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "model/changed_model.hpp"
#include "model/wide_model.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

json written(const LinearModel& model) { return json::parse(to_json(model)); }

void expect_same(const LinearModel& back, const LinearModel& model) {
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    const auto& coef = model.heads[h].coef;
    ASSERT_EQ(back.heads[h].coef.size(), coef.size());
    for (std::size_t k = 0; k < coef.size(); ++k) {
      const Coefficient& got = back.heads[h].coef[k];
      ASSERT_EQ(got.index, coef[k].index);
      ASSERT_EQ(got.value, coef[k].value);
      ASSERT_GE(got.noise_sd, coef[k].noise_sd) << "a noise may not be understated";
      ASSERT_LE(got.noise_sd, coef[k].noise_sd * (1.0 + 1.2e-7));
    }
  }
}

TEST(PackedModel, HoldsEveryValueExactlyAndNoNoiseBelowItsOwn) {
  for (const std::size_t features : {1025u, 4096u, 70001u}) {
    for (const Chosen chosen : {Chosen::all, Chosen::half, Chosen::few}) {
      for (const Noise noise : {Noise::equal, Noise::different}) {
        const LinearModel model = wide_model(features, chosen, noise);
        const std::string text = to_json(model);
        const LinearModel back = from_json(text, "wide");
        expect_same(back, model);
        if (noise == Noise::equal) {
          EXPECT_EQ(back.heads[0].coef[5].noise_sd, 0.1);
        }
        EXPECT_EQ(to_json(back), text);
        const json head = json::parse(text)["coef"][0];
        EXPECT_EQ(head.is_object(), is_packed(model.heads));
        if (!head.is_object()) continue;
        EXPECT_EQ(head.contains("index"), chosen == Chosen::few);
        EXPECT_EQ(head.contains("present"), chosen == Chosen::half);
        EXPECT_EQ(head.contains("noise_share"), noise == Noise::different);
        EXPECT_LE(text.size(), longest_packed_coef(3, features, 3 * model.heads[0].coef.size()) +
                                   text_length(wide_model(0, Chosen::all, Noise::equal)));
      }
    }
  }
}

TEST(PackedModel, TakesSixteenBytesACoefficient) {
  const std::size_t features = 60000;
  for (const auto& [chosen, noise, most] : {std::tuple{Chosen::all, Noise::equal, 10.7},
                                            {Chosen::all, Noise::different, 16.0},
                                            {Chosen::half, Noise::equal, 11.1},
                                            {Chosen::few, Noise::equal, 16.0}}) {
    LinearModel model = wide_model(features, chosen, noise);
    const std::size_t rest = text_length(wide_model(0, Chosen::all, Noise::equal)) + 600;
    const double count = static_cast<double>(3 * model.heads[0].coef.size());
    EXPECT_LE(static_cast<double>(text_length(model) - rest) / count, most);
  }
}

TEST(PackedModel, IsForMoreThanAThousandCoefficients) {
  LinearModel model = wide_model(kReadable, Chosen::all, Noise::different);
  model.heads[1].coef.clear();
  model.heads[2].coef.clear();
  EXPECT_TRUE(written(model)["coef"][0].is_array());
  expect_same(from_json(to_json(model), "list"), model);
  model.heads[2].coef.push_back({3, 1.0, 0.0});
  EXPECT_TRUE(written(model)["coef"][0].is_object());
  expect_same(from_json(to_json(model), "packed"), model);
}

TEST(PackedModel, HoldsTheSmallestAndTheLargestNoise) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double largest : {tiny, 2.0 * tiny, 5.0 * tiny, 1e-310, 1e-30, 1.0, 1e300}) {
    LinearModel model = wide_model(2000, Chosen::all, Noise::equal);
    for (Head& head : model.heads) {
      for (Coefficient& c : head.coef) {
        const double share = std::ldexp(1.0, -static_cast<int>(c.index % 1000));
        c.noise_sd = c.index % 7 == 0 ? 0.0 : largest * share;
      }
    }
    const std::string text = to_json(model);
    const LinearModel back = from_json(text, "noise");
    EXPECT_EQ(to_json(back), text) << largest;
    for (std::size_t k = 0; k < 2000; ++k) {
      ASSERT_GE(back.heads[1].coef[k].noise_sd, model.heads[1].coef[k].noise_sd) << largest;
      ASSERT_LE(back.heads[1].coef[k].noise_sd, largest);
    }
    EXPECT_EQ(back.heads[0].coef[1].noise_sd, model.heads[0].coef[1].noise_sd) << largest;
  }
}

TEST(PackedModel, HoldsALongPathAndLongPublicInputs) {
  LinearModel model = wide_model(9, Chosen::all, Noise::equal);
  model.privacy.is_private = false;
  model.privacy.guarantee = "none (seeded)";
  model.path.clear();
  for (std::size_t t = 0; t <= kReadable; ++t) {
    model.path.push_back({t % 3, t % 10, 1.0 / (1.0 + static_cast<double>(t)), -0.1});
  }
  std::vector<double> scales(kReadable + 1, 1.0 / 3.0);
  model.privacy.public_inputs = {{"feature_scale", scales, Source::user}};
  const json content = written(model);
  EXPECT_TRUE(content["path"].is_object());
  EXPECT_TRUE(content["path"].contains("head"));
  EXPECT_TRUE(content["privacy"]["public_inputs"]["feature_scale"]["value"].is_object());
  EXPECT_LE(content["path"].dump().size(), longest_packed_path(3, model.path.size()));
  const LinearModel back = from_json(to_json(model), "path");
  ASSERT_EQ(back.path.size(), model.path.size());
  for (std::size_t t = 0; t < model.path.size(); ++t) {
    EXPECT_EQ(back.path[t].head, model.path[t].head);
    EXPECT_EQ(back.path[t].index, model.path[t].index);
    EXPECT_EQ(back.path[t].gradient, model.path[t].gradient);
    EXPECT_EQ(back.path[t].value, model.path[t].value);
  }
  EXPECT_EQ(std::get<std::vector<double>>(back.privacy.public_inputs[0].value), scales);
  const json shown = json::parse(to_json(model.privacy));
  EXPECT_TRUE(shown["public_inputs"]["feature_scale"]["value"].is_array()) << "for people";
  for (const char* key : {"count", "gradient", "index", "value"}) {
    json changed = content;
    changed["path"].erase(key);
    EXPECT_NE(refusal_of(changed).find(key), std::string::npos) << key;
  }
  json far = content;
  far["path"]["index"].get_ref<std::string&>()[4] = '/';
  EXPECT_NE(refusal_of(far).find("path, step"), std::string::npos);
  far = content;
  far["path"].erase("head");
  EXPECT_EQ(refusal_of(far), "accepted") << "all steps are of the first head";
}

struct Forgery {
  const char* name;
  std::function<void(json&)> change;  ///< of the first head
  const char* message;
};

const std::string kNaN = "AAAAAAAA+H8A";  // a NaN, and the first byte of the next number
const std::string kInfinity = "AAAAAAAA8H8A";

std::string cut(const json& text, std::size_t size) { return text.get<std::string>().substr(size); }

TEST(PackedModel, ThatIsForgedIsRefusedWithItsReason) {
  const Forgery all[] = {
      {"truncated", [](json& h) { h["value"] = cut(h["value"], 4); }, "coef[0].value: "},
      {"cut within four", [](json& h) { h["value"] = cut(h["value"], 1); }, "coef[0].value: "},
      {"empty", [](json& h) { h["value"] = ""; }, "0 characters that are not base64 of 1500"},
      {"no text", [](json& h) { h["value"] = 3; }, "coef[0].value: given is 3"},
      {"no base64", [](json& h) { h["value"].get_ref<std::string&>()[9] = '*'; }, "coef[0].value"},
      {"padding inside", [](json& h) { h["value"].get_ref<std::string&>()[4097] = '='; },
       "coef[0].value"},
      {"NaN", [](json& h) { h["value"] = kNaN + cut(h["value"], 12); }, "the value is not finite"},
      {"infinite", [](json& h) { h["value"] = kInfinity + cut(h["value"], 12); },
       "the value is not finite"},
      {"count too large", [](json& h) { h["count"] = 1501; }, "not base64 of 1501 numbers"},
      {"count huge", [](json& h) { h["count"] = std::uint64_t{1} << 61; }, "coef[0].value"},
      {"count of all bits", [](json& h) { h["count"] = static_cast<std::uint64_t>(-1); },
       "coef[0].value"},
      {"count negative", [](json& h) { h["count"] = -1; }, "coef[0].count"},
      {"count gone", [](json& h) { h.erase("count"); }, "'count' is missing"},
      {"noise gone", [](json& h) { h.erase("noise_sd"); }, "'noise_sd' is missing"},
      {"noise negative", [](json& h) { h["noise_sd"] = -1.0; }, "noise_sd is negative"},
      {"share truncated", [](json& h) { h["noise_share"] = cut(h["noise_share"], 4); },
       "coef[0].noise_share: "},
      {"share above 1", [](json& h) { h["noise_share"] = "AAAAQAAA" + cut(h["noise_share"], 8); },
       "noise_share: a share"},
      {"share negative", [](json& h) { h["noise_share"] = "AAAAvwAA" + cut(h["noise_share"], 8); },
       "noise_share: a share"},
  };
  for (const Forgery& each : all) {
    json content = written(wide_model(1500, Chosen::all, Noise::different));
    each.change(content["coef"][0]);
    const std::string said = refusal_of(content);
    EXPECT_TRUE(said.starts_with("model.json: ")) << each.name << ": " << said;
    EXPECT_NE(said.find(each.message), std::string::npos) << each.name << ": " << said;
  }
  EXPECT_EQ(refusal_of(written(wide_model(1500, Chosen::all, Noise::different))), "accepted");
}

TEST(PackedModel, WithForgedPlacesIsRefusedWithItsReason) {
  const Forgery listed[] = {
      {"truncated", [](json& h) { h["index"] = cut(h["index"], 4); }, "coef[0].index: "},
      {"decreasing", [](json& h) { h["index"] = "/wAAAAAA" + cut(h["index"], 8); }, "increasing"},
      {"twice", [](json& h) { h["index"] = "ZAAAAGQA" + cut(h["index"], 8); }, "increasing"},
      {"beyond", [](json& h) { h["index"] = "/////wAA" + cut(h["index"], 8); },
       "coef of index 4294967295"},
      {"nowhere", [](json& h) { h.erase("index"); }, "without 'index' or 'present'"},
      {"both", [](json& h) { h["present"] = ""; }, "both 'index' and 'present'"},
  };
  for (const Forgery& each : listed) {
    json content = written(wide_model(50000, Chosen::few, Noise::equal));
    each.change(content["coef"][0]);
    const std::string said = refusal_of(content);
    EXPECT_NE(said.find(each.message), std::string::npos) << each.name << ": " << said;
  }
  const Forgery mapped[] = {
      {"truncated", [](json& h) { h["present"] = cut(h["present"], 4); }, "coef[0].present: "},
      {"one more", [](json& h) { h["present"] = "////" + cut(h["present"], 4); },
       "as many as count says"},
      {"one less", [](json& h) { h["present"] = "AAAA" + cut(h["present"], 4); },
       "as many as count says"},
  };
  for (const Forgery& each : mapped) {
    json content = written(wide_model(3001, Chosen::half, Noise::equal));
    each.change(content["coef"][0]);
    const std::string said = refusal_of(content);
    EXPECT_NE(said.find(each.message), std::string::npos) << each.name << ": " << said;
  }
}

TEST(PackedModel, ThatDeclaresHugeSizesTakesNoRoomForThem) {
  for (const std::uint64_t huge :
       {std::uint64_t{1} << 40, std::uint64_t{1} << 63, static_cast<std::uint64_t>(-1)}) {
    json content = written(wide_model(3001, Chosen::half, Noise::equal));
    content["features"] = huge;  // a map of so many bits is not there
    EXPECT_NE(refusal_of(content).find("coef[0].present"), std::string::npos) << huge;
    content = written(wide_model(3001, Chosen::all, Noise::equal));
    content["features"] = huge;
    for (json& head : content["coef"]) head["count"] = huge;
    EXPECT_NE(refusal_of(content).find("coef[0].value"), std::string::npos) << huge;
    content = written(wide_model(5, Chosen::all, Noise::equal));
    content["path"] = {{"count", huge}, {"gradient", ""}, {"index", ""}, {"value", ""}};
    EXPECT_NE(refusal_of(content).find("path.value"), std::string::npos) << huge;
    content["path"] = json::array();
    content["privacy"]["public_inputs"]["clip"]["value"] = {{"count", huge}, {"float64", "AAAA"}};
    EXPECT_NE(refusal_of(content).find("float64"), std::string::npos) << huge;
  }
}

}  // namespace
}  // namespace southwell::model
