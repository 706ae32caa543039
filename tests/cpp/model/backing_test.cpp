#include "southwell/model/backing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "model/changed_model.hpp"
#include "southwell/assess/held_out_fit.hpp"
#include "southwell/assess/tuning.hpp"
#include "southwell/core/error.hpp"

namespace southwell::model {
using namespace fit;  // makes what is tested here
namespace {

using nlohmann::json;

constexpr std::size_t kRecords = 400;

std::vector<Record> drawn(std::size_t classes) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Record> records;
  for (std::size_t i = 0; i < kRecords; ++i) {
    const double x = normal(random);
    const double y = 2.0 * x + 0.5 * normal(random);
    records.push_back({x, normal(random), classes == 0 ? y : y > 0.0 ? 1.0 : 0.0});
  }
  return records;
}

FitSpec spec_of(std::size_t classes, const std::string& relation = "replace_one") {
  FitSpec spec = small_spec(classes == 0 ? "squared" : "logistic");
  if (classes > 0) spec.classes = {0.0, 1.0};
  spec.features = 2;
  spec.epsilon = 4.0;
  spec.relation = relation;
  if (relation != "replace_one") spec.records = kRecords;
  spec.test_share = 0.25;
  return spec;
}

LinearModel held_out_model(std::size_t classes, const std::string& relation = "replace_one") {
  return assess::fit_and_assess(dataset_of(drawn(classes), 2, Stored::f64),
                                spec_of(classes, relation));
}

/// The file of a model with private figures.
json held_out_file(std::size_t classes, const std::string& relation = "replace_one") {
  return json::parse(to_json(held_out_model(classes, relation)));
}

json& use_of(json& file, const std::string& step) {
  for (json& use : file["privacy"]["mechanisms"]) {
    if (use["step"] == step) return use;
  }
  throw DataError("no such step");
}
void erase(json& file, const std::string& step) {
  json& uses = file["privacy"]["mechanisms"];
  for (std::size_t k = uses.size(); k-- > 0;) {
    if (uses[k]["step"] == step) uses.erase(k);
  }
}

/// On that part, before all others: what ends the list must be what the fit ended with.
void move(json& file, const std::string& step, const std::string& part) {
  json use = use_of(file, step);
  use["part"] = part;
  use["scale"] = std::uint64_t{1} << 40;  // at next to no cost
  erase(file, step);
  json& uses = file["privacy"]["mechanisms"];
  uses.insert(uses.begin(), std::move(use));
}

struct Change {
  const char* name;
  std::function<void(json&)> change;
  const char* message;
};

void expect_refused(const json& file, const std::vector<Change>& changes) {
  ASSERT_EQ(refusal_of(file), "accepted");
  for (const Change& each : changes) {
    json changed = file;
    each.change(changed);
    const std::string said = refusal_of(changed);
    EXPECT_TRUE(said.starts_with("model.json: privacy: ")) << each.name << ": " << said;
    EXPECT_NE(said.find(each.message), std::string::npos) << each.name << ": " << said;
  }
}

TEST(Backing, OfFiguresIsWhatTheyComeFrom) {
  constexpr const char* kNone = "not those that an evaluation comes from";
  expect_refused(held_out_file(0),
                 {{"no moments", [](json& m) { erase(m, "moments"); }, kNone},
                  {"no histogram", [](json& m) { erase(m, "histogram"); }, kNone},
                  {"moments of the fit", [](json& m) { move(m, "moments", "fit"); }, kNone}});
  expect_refused(held_out_file(2),
                 {{"no histogram", [](json& m) { erase(m, "histogram"); }, kNone},
                  {"a histogram of the fit", [](json& m) { move(m, "histogram", "fit"); },
                   "a histogram of 'fit'; accepted is figures of the part for tests"},
                  {"a fit on the rest",
                   [](json& m) {
                     json use = use_of(m, "histogram");
                     use["step"] = "center";
                     use["scale"] = std::uint64_t{1} << 40;
                     use["shift"] = 2'097'152;
                     m["privacy"]["mechanisms"].push_back(use);
                   },
                   "'center' on 'test'; accepted is figures or a choice there"}});
  // Where nothing is promised nothing need be backed.
  json without = held_out_file(2);
  erase(without, "histogram");
  without["private"] = without["privacy"]["private"] = false;
  without["privacy"]["guarantee"] = "none (seeded)";
  EXPECT_EQ(refusal_of(without), "accepted");
}

/// A file under add_or_remove_one that calls its neighbours others.
json of_other_relation(std::size_t classes) {
  json file = held_out_file(classes, "add_or_remove_one");
  EXPECT_EQ(refusal_of(file), "accepted");
  file["privacy"]["relation"] = "replace_one";
  return file;
}

TEST(Backing, OfARelationIsByHowMuchItMovesSums) {
  for (const std::size_t classes : {0u, 2u}) {
    json file = of_other_relation(classes);
    // One after the other gets what it would need; the last is as good as made under the relation.
    for (const auto& [step, had, least] :
         {std::tuple{"select", "2097152", "4194304"}, std::tuple{"release", "1048576", "2097152"},
          std::tuple{"histogram", "1048576", "1482911"},
          std::tuple{"moments", "1048576", "2097152"}}) {
      if (classes == 2 && std::string(step) == "moments") continue;
      const std::string said = refusal_of(file);
      EXPECT_NE(said.find("'" + std::string(step) + "' with the shift " + had +
                          "; accepted is at least " + least + " under replace_one"),
                std::string::npos)
          << said;
      json& use = use_of(file, step);
      use["shift"] = std::stoull(least);
      use["scale"] = use["scale"].get<std::uint64_t>() * 2;
    }
    EXPECT_EQ(refusal_of(file), "accepted");
  }
}

TEST(Backing, OfPartsIsThatTheyAreTheRecords) {
  const auto sizes = [](json& m, double fit, double test) {
    for (json* const parts : {&m["parts"], &m["privacy"]["parts"]}) {
      (*parts)[0]["records"] = fit;
      (*parts)[1]["records"] = test;
    }
  };
  const std::vector<Change> changes{
      {"a half", [&](json& m) { sizes(m, 299.5, 100.5); }, "299.5 records; accepted is a whole"},
      {"too many", [&](json& m) { sizes(m, 301, 100); }, "401 records together"},
      {"another share", [&](json& m) { sizes(m, 200, 200); },
       "200 records in 'test' for a test_share of 0.25; accepted is that share of 400"},
      {"another share asked",
       [](json& m) { m["privacy"]["public_inputs"]["test_share"]["value"] = 0.5; },
       "100 records in 'test' for a test_share of 0.5"},
      {"none asked", [](json& m) { m["privacy"]["public_inputs"].erase("test_share"); },
       "100 records in 'test'; accepted"},
      {"twice", [](json& m) { m["privacy"]["parts"].push_back(m["privacy"]["parts"][0]); },
       "'fit' occurs twice"},
      {"others beside", [](json& m) { m["parts"][0]["records"] = 299; }, "other ones beside"},
      {"fewer beside", [](json& m) { m["parts"].erase(1); }, "other ones beside"},
      {"others by name", [](json& m) { m["parts"][0]["name"] = "all"; }, "other ones beside"},
      {"without a size", [](json& m) { m["parts"][0].erase("records"); }, "other ones beside"}};
  for (const char* const relation : {"replace_one", "add_or_remove_one"}) {
    expect_refused(held_out_file(2, relation), changes);
  }
  const Change fewer{"fewer", [&](json& m) { sizes(m, 299, 100); }, "399 records together"};
  expect_refused(held_out_file(2), {fewer});
  json whole = held_out_file(2);
  whole["parts"][0]["colour"] = "green";
  EXPECT_EQ(refusal_of(whole), "accepted") << "keys of later versions are kept";
  json bare = json::parse(to_json(held_out_model(2)));
  for (json& use : bare["privacy"]["mechanisms"]) use.erase("part");
  bare["privacy"].erase("parts");
  bare.erase("parts");
  bare.erase("evaluation");
  erase(bare, "histogram");
  EXPECT_NE(refusal_of(bare).find("a test_share without its part"), std::string::npos);
}

/// What statements of all kinds of fits say, which nothing here may refuse.
std::vector<FitSpec> all_kinds() {
  std::vector<FitSpec> kinds;
  for (const std::string loss : {"squared", "huber", "logistic", "squared_hinge"}) {
    for (const std::string solver : {"gcd", "cd", "sgd"}) {
      for (const char* const refine : {"on", "off"}) {
        if (solver == "cd" && std::string(refine) == "on") continue;
        for (const std::size_t classes : {0u, 2u, 3u}) {
          FitSpec spec = small_spec(loss, "l2");
          if (spec.classes.empty() != (classes == 0)) continue;
          for (std::size_t k = 0; classes > 0 && k < classes; ++k) {
            if (k == 0) spec.classes.clear();
            spec.classes.push_back(static_cast<double>(k));
          }
          spec.solver = solver;
          if (solver != "cd") spec.refine = refine;
          spec.intercept = true;
          spec.iterations.reset();
          spec.clip.reset();
          kinds.push_back(spec);
          if (classes == 0) {
            kinds.back().target_scale.reset();
            kinds.back().target_scale_private = true;
          }
          kinds.push_back(spec);
          kinds.back().test_share = 0.3;
          kinds.push_back(spec);
          kinds.back().iterations = 1;
        }
      }
    }
  }
  FitSpec last = small_spec("logistic");
  last.solver = "sgd";
  last.refine = "off";
  last.batch_size = 50;
  kinds.push_back(last);
  last = small_spec("logistic");
  last.solver = "cd";
  last.refine.reset();
  last.delta = 0.0;
  kinds.push_back(last);
  for (const char* const selection : {"permute_and_flip", "noisy_max"}) {
    last = small_spec("logistic");
    last.refine = "off";
    last.selection = selection;
    kinds.push_back(last);
  }
  last = small_spec("logistic");
  last.solver = "sgd";
  last.refine = "on";
  last.clip.reset();
  last.record_norm_private = true;
  kinds.push_back(last);
  return kinds;
}

LinearModel planned(const FitSpec& spec, std::size_t records) {
  LinearModel model;
  const FitPlan plan = plan_fit(spec, {.records = records, .features = 4});
  model.classes = plan->classes;
  model.features = 4;
  model.heads.resize(plan->coordinates.heads);
  model.objective = plan->spec.objective;
  model.privacy = plan->statement;
  return model;
}

TEST(Backing, IsThereInEveryKindOfFit) {
  std::set<std::string> steps;
  for (const char* const relation : {"replace_one", "add_or_remove_one"}) {
    for (const std::size_t records : {5000u, 200'000u}) {
      for (FitSpec spec : all_kinds()) {
        spec.relation = relation;
        if (relation == std::string("add_or_remove_one")) spec.records = records;
        const LinearModel model = planned(spec, records);
        ASSERT_TRUE(model.privacy.is_private);
        EXPECT_NO_THROW(check_backing(model)) << *spec.solver << " " << spec.objective.loss;
        const auto other =
            spec.records ? privacy::Relation::add_or_remove_one : privacy::Relation::replace_one;
        for (const MechanismUse& use : model.privacy.mechanisms) {
          steps.insert(use.step);
          EXPECT_GT(least_shift(use, other), use.step == "target_scale" ? 0u : 1u) << use.step;
          // Of one release it is not known what of.
          if (use.step == "release" && use.count == 1) continue;
          EXPECT_EQ(use.cost.shift, least_shift(use, other)) << use.step << " of " << *spec.solver;
        }
        // What starts from it has its mechanisms, on parts of its own.
        if (spec.refine == "on") continue;  // which starts from nothing
        FitSpec again = spec;
        again.start = std::make_shared<const LinearModel>(model);
        again.start_name = "first.json";
        const LinearModel after = planned(again, records);
        ASSERT_GT(after.privacy.mechanisms.size(), model.privacy.mechanisms.size());
        EXPECT_NO_THROW(check_backing(after)) << *spec.solver << " " << spec.objective.loss;
      }
    }
  }
  const std::set<std::string> wanted{"calibrate", "center", "choose",      "histogram",   "moments",
                                     "release",   "select", "record_norm", "target_scale"};
  EXPECT_EQ(steps, wanted);
}

TEST(Backing, IsThereWhereSettingsWereTuned) {
  assess::TuningSpec spec{.settings = {}, .names = {}, .epsilon = 8.0, .delta = 1e-6};
  for (const char* const solver : {"gcd", "sgd", "cd"}) {
    FitSpec each = spec_of(0);
    each.test_share.reset();
    each.solver = solver;
    if (each.solver == "cd") each.refine.reset();
    each.iterations.reset();
    each.clip.reset();
    spec.settings.push_back(each);
    spec.names.emplace_back(solver);
  }
  const data::Dataset dataset = dataset_of(drawn(0), 2, Stored::f64);
  for (const char* const way : {"all", "runs"}) {
    spec.way = way;
    const LinearModel model = assess::Tuning(spec, DataShape::of(dataset)).find(dataset);
    ASSERT_TRUE(model.privacy.is_private);
    EXPECT_EQ(refusal(to_json(model)), "accepted");
    json fewer = json::parse(to_json(model));
    for (json& use : fewer["privacy"]["mechanisms"]) {
      if (!use["step"].get<std::string>().starts_with(kOfOtherSettings)) continue;
      use["shift"] = use["shift"].get<std::uint64_t>() / 2;
      use["scale"] = use["scale"].get<std::uint64_t>() / 2 + 1;
    }
    EXPECT_NE(refusal_of(fewer).find("'other settings: "), std::string::npos) << refusal_of(fewer);
    json elsewhere = json::parse(to_json(model));
    use_of(elsewhere, "choose")["part"] = "fit";
    EXPECT_NE(refusal_of(elsewhere), "accepted");
  }
}

TEST(Backing, RefusesPlansThatNothingDecidesFor) {
  // Mechanisms of plans that exclude each other cost the larger of them: whoever calls all of them
  // so has to have something that decides.
  for (const std::size_t classes : {0u, 2u}) {
    json file = held_out_file(classes);
    std::size_t number = 0;
    for (json& use : file["privacy"]["mechanisms"]) {
      if (use["part"] == "fit") use["plan"] = number++ == 0 ? "gcd" : "other";
    }
    const std::string said = refusal_of(file);
    EXPECT_NE(said.find("that nothing decides for"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace southwell::model
