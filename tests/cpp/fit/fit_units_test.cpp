// Fits of units and of class weights: bits, statements, what is refused.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fit/seeded_fit.hpp"
#include "fit/unit_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/statement_html.hpp"
#include "support/instruction_sets.hpp"

namespace southwell::fit {
namespace {

Table table_of(std::size_t n, std::size_t features, std::size_t persons) {
  Table table;
  for (Record& record : sparse_records(n, features)) {
    const std::size_t i = table.size();
    table.push_back({"person " + std::to_string(i * i % persons), std::move(record)});
    if (i % 13 == 0) table.back().id.reset();
    if (i % 7 == 0) table.back().record.back() = -1.0;
  }
  return table;
}

FitSpec seeded_unit_spec(const std::string& loss, const std::string& solver) {
  FitSpec spec = seeded_spec(loss, "l1", solver);
  if (loss == "logistic") spec.class_weight = {1.0, 0.3};
  return spec;
}

TEST(FitOfUnits, HasTheSameBitsForEveryStorageThreadShardAndOrder) {
  const std::size_t features = 60;
  const Table table = table_of(4000, features, 700);
  const Table reversed(table.rbegin(), table.rend());
  for (const auto& [loss, solver] :
       std::vector<std::pair<std::string, std::string>>{{"squared", "gcd"},
                                                        {"logistic", "cd"},
                                                        {"logistic", "sgd"},
                                                        {"squared", "refined gcd"},
                                                        {"logistic", "refined gcd"},
                                                        {"squared", "refined sgd"},
                                                        {"logistic", "refined sgd"}}) {
    FitSpec spec = seeded_unit_spec(loss, solver);
    spec.features = features;
    const std::uint64_t expected = digest(fit(dataset_of(table, features, Stored::f64), spec));
    EXPECT_EQ(digest(fit(dataset_of(reversed, features, Stored::f64), spec)), expected);
    for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
      const data::Dataset dataset = dataset_of(table, features, stored);
      for (const int threads : {1, 7}) {
        for (const std::size_t shards : {1u, 3u, 10u}) {
          spec.threads = threads;
          EXPECT_EQ(digest(fit(dataset, spec, {.shards = shards})), expected)
              << loss << ", " << solver << ", threads " << threads << ", shards " << shards;
        }
      }
    }
    test::for_each_instruction_set([&](const char* name) {
      EXPECT_EQ(digest(fit(dataset_of(table, features, Stored::f64), spec)), expected) << name;
    });
  }
}

TEST(FitOfUnits, OfOneRecordEachHasTheBitsOfOneWithout) {
  const std::vector<Record> records = sparse_records(300, 25);
  Table table;
  for (const Record& record : records) table.push_back({std::to_string(table.size()), record});
  for (const std::string& solver : kUnitSolvers) {
    FitSpec spec = seeded_spec("logistic", "l1", solver);
    const std::uint64_t expected = digest(fit(dataset_of(records, 25, Stored::f64), spec));
    EXPECT_EQ(digest(fit(dataset_of(table, 25, Stored::f64), spec)), expected) << solver;
    spec.class_weight = {7.0, 7.0};
    EXPECT_EQ(digest(fit(dataset_of(records, 25, Stored::f64), spec)), expected) << solver;
  }
}

TEST(FitOfUnits, DoesNotDependOnWhichNumbersTheRatiosOfClassWeightsAre) {
  const data::Dataset dataset = dataset_of(sparse_records(300, 25), 25, Stored::f64);
  FitSpec spec = seeded_spec("logistic", "l1", "gcd");
  spec.class_weight = {1.0, 4.0};
  const std::uint64_t expected = digest(fit(dataset, spec));
  spec.class_weight = {8.0, 32.0};
  EXPECT_EQ(digest(fit(dataset, spec)), expected);
  spec.class_weight = {4.0, 1.0};
  EXPECT_NE(digest(fit(dataset, spec)), expected);
}

/// Whether a number stands there by itself, not among the digits of another.
bool tells(const std::string& text, const std::string& number) {
  for (std::size_t at = text.find(number); at != std::string::npos;
       at = text.find(number, at + 1)) {
    const char before = at > 0 ? text[at - 1] : ' ';
    const char after = at + number.size() < text.size() ? text[at + number.size()] : ' ';
    const bool inside = (before >= '0' && before <= '9') || before == '.';
    if (!inside && !(after >= '0' && after <= '9')) return true;
  }
  return false;
}

TEST(FitOfUnits, SaysWhatItsUnitIsAndNotHowManyRecordsThereAre) {
  const Table table = table_of(4321, 5, 700);
  FitSpec spec = small_spec("logistic");
  spec.class_weight = {1.0, 3.0};
  const data::Dataset dataset = dataset_of(table, 5, Stored::f64);
  const std::string units = std::to_string(dataset.units());
  for (const bool named : {false, true}) {
    if (named) spec.unit = "patient";
    const LinearModel model = fit(dataset, spec);
    EXPECT_EQ(model.privacy.unit,
              named ? "all records with one patient" : "all records with one id");
    EXPECT_EQ(model.privacy.records, static_cast<double>(dataset.units()));
    EXPECT_TRUE(model.privacy.is_private);
    const std::string text = model::to_text(model.privacy);
    for (const std::string& shown :
         {text, to_json(model), model::to_html(model, model::HtmlForm::page)}) {
      EXPECT_FALSE(tells(shown, "4321")) << shown;
      EXPECT_TRUE(tells(shown, units)) << shown;
      EXPECT_EQ(shown.find("people with more than one record"), std::string::npos);
    }
    EXPECT_NE(text.find(units + " units, the public divisor"), std::string::npos) << text;
    EXPECT_NE(text.find("class_weight"), std::string::npos);
    EXPECT_NE(text.find("several units"), std::string::npos);
  }
}

TEST(FitOfUnits, WarnsInTheWordsOfItsUnit) {
  model::Statement statement;
  statement.unit = model::unit_called("patient");
  statement.epsilon = 20.0;
  statement.delta = 0.5;
  statement.records = 10.0;
  const std::vector<std::string> warnings = model::warnings_of(statement);
  ASSERT_EQ(warnings.size(), 2u);
  for (const std::string& warning : warnings) {
    EXPECT_NE(warning.find("all records with one patient"), std::string::npos) << warning;
  }
}

std::string refusal_of(const data::Dataset& dataset, const FitSpec& spec) {
  try {
    fit(dataset, spec);
  } catch (const std::exception& refused) {
    return refused.what();
  }
  return "nothing";
}

TEST(FitOfUnits, RefusesWhatItCannotDo) {
  const Table table = table_of(40, 3, 9);
  const data::Dataset with = dataset_of(table, 3, Stored::f64);
  data::Dataset without = with;
  without.record_units.reset();
  const auto expect = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  FitSpec named = small_spec("squared");
  named.unit = "patient";
  expect(refusal_of(without, named), "unit: given 'patient', which is only valid with data that");
  named.unit = "";
  expect(refusal_of(with, named), "unit: given an empty name");
  FitSpec sampled = small_spec("squared");
  sampled.solver = "sgd";
  sampled.batch_size = 3;
  expect(refusal_of(with, sampled), "batch_size: given 3, with data that have units");
  FitSpec paper = small_spec("squared");
  paper.mode = "paper";
  expect(refusal_of(with, paper), "units: given with the data, which is only valid with mode cer");
  FitSpec weighted = small_spec("logistic");
  weighted.class_weight = {1.0, 2.0, 3.0};
  expect(refusal_of(with, weighted), "class_weight: given 3 numbers, accepted is one for each of");
  weighted.class_weight = {1.0, 0.0};
  expect(refusal_of(with, weighted), "class_weight: given 0, accepted is a number > 0");
  weighted.class_weight = {1.0, 2.0};
  weighted.mode = "paper";
  expect(refusal_of(without, weighted),
         "class_weight: given 2 numbers, which is only valid with mo");
  FitSpec regression = small_spec("squared");
  regression.class_weight = {1.0, 2.0};
  expect(refusal_of(with, regression),
         "class_weight: given 2 numbers, which is only valid with a l");
  data::Dataset shorter = with;
  shorter.record_units = data::Units::of(std::vector<std::optional<std::string>>(7, "a"));
  expect(refusal_of(shorter, small_spec("squared")), "one id, or none, for each");
  data::Dataset nobody = with;
  nobody.record_units = data::Units::of(std::vector<std::optional<std::string>>(40));
  expect(refusal_of(nobody, small_spec("squared")), "no record with an id");
  const FitPlan plan = plan_fit(small_spec("squared"), DataShape::of(without));
  EXPECT_THROW(fit(with, plan), DataError);
}

TEST(FitOfUnits, StartsFromAModelOfTheSameUnitAlone) {
  const data::Dataset with = dataset_of(table_of(400, 3, 90), 3, Stored::f64);
  data::Dataset without = with;
  without.record_units.reset();
  FitSpec spec = small_spec("squared");
  spec.start = std::make_shared<const LinearModel>(fit(without, spec));
  spec.start_name = "first.json";
  EXPECT_EQ(refusal_of(without, spec), "nothing");
  const std::string refused = refusal_of(with, spec);
  EXPECT_NE(refused.find("start: given a model whose unit is one record"), std::string::npos)
      << refused;
}

}  // namespace
}  // namespace southwell::fit
