#include "southwell/fit/table_inputs.hpp"

#include <regex>

#include "data/table/tables.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/predict.hpp"

namespace southwell::fit {
namespace {

FitSpec spec_for(const std::string& fields, const std::string& loss) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.table =
      std::make_shared<const data::TableEncoding>(data::encoding_of(data::schema_of(fields)));
  return spec;
}

const char* const kClasses = R"(
  {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100}},
  {"name": "income", "type": "string", "constraints": {"enum": ["<=50K", ">50K"]},
   "southwell": {"role": "target", "class_weight": {"<=50K": 1, ">50K": 3}}})";

TEST(TableInputs, AreWhatTheSchemaDeclares) {
  const FitSpec cost = with_table_inputs(spec_for(data::kPerson, "squared"));
  EXPECT_EQ(cost.features, 7u);
  EXPECT_EQ(cost.feature_scale.size(), 7u);
  EXPECT_EQ(cost.target_center, std::nullopt);
  EXPECT_EQ(declared_target(cost)->center, 500.0);
  EXPECT_EQ(cost.target_scale, 250.0);
  EXPECT_EQ(cost.unit, "patient");
  const FitSpec income = with_table_inputs(spec_for(kClasses, "logistic"));
  EXPECT_EQ(income.classes, (std::vector<double>{0, 1}));
  EXPECT_EQ(income.class_names, (std::vector<std::string>{"<=50K", ">50K"}));
  EXPECT_EQ(income.class_weight, (std::vector<double>{1, 3}));
}

TEST(TableInputs, MayBeGivenTwiceIfTheyAreTheSame) {
  FitSpec spec = spec_for(data::kPerson, "squared");
  spec.features = 7;
  EXPECT_EQ(with_table_inputs(spec).features, 7u);
  spec.features = 8;
  EXPECT_THROW(with_table_inputs(spec), InvalidArgument);
  spec = spec_for(kClasses, "logistic");
  spec.classes = {1, 0};
  EXPECT_THROW(with_table_inputs(spec), InvalidArgument);
  spec = spec_for(data::kPerson, "squared");
  spec.target_scale = 10.0;  // better known than by bounds
  EXPECT_EQ(with_table_inputs(spec).target_scale, 10.0);
}

TEST(TableInputs, RefuseALossThatDoesNotFitTheTarget) {
  EXPECT_THROW(with_table_inputs(spec_for(data::kPerson, "logistic")), InvalidArgument);
  EXPECT_THROW(with_table_inputs(spec_for(kClasses, "squared")), InvalidArgument);
  // Without a target in the schema there is nothing to fit it with: whoever calls has one.
  EXPECT_EQ(
      with_table_inputs(spec_for(R"({"name": "a", "type": "boolean"})", "squared")).target_scale,
      std::nullopt);
}

TEST(TableInputs, MakeAModelThatCarriesTheSchemaThroughItsFile) {
  const FitSpec spec = spec_for(data::kPerson, "squared");
  std::string text = "patient,age,region,smoker,cost\n";
  for (int k = 0; k < 613; ++k) {
    text += std::to_string(k % 200) + "," + std::to_string(k % 90) + ",north,true," +
            std::to_string(k % 700) + "\n";
  }
  const data::Dataset table = data::table_from(text, *spec.table);
  const LinearModel model = fit(table, spec);
  EXPECT_EQ(model.privacy.records, 200.0);  // units
  EXPECT_NE(model.privacy.unit.find("patient"), std::string::npos);
  const std::string file = model::to_json(model);
  // The number of records is nowhere in what the model says of itself.
  EXPECT_FALSE(std::regex_search(model::to_json(model.privacy), std::regex("[^0-9.]613[^0-9.]")));
  EXPECT_EQ(file.find("region=north"), std::string::npos);  // the schema names the features
  const LinearModel again = model::from_json(file, "file");
  EXPECT_EQ(again.feature_names, spec.table->feature_names());
  EXPECT_EQ(model::table_of(again)->schema().text(), spec.table->schema().text());
  EXPECT_EQ(model::margins(again, table), model::margins(model, table));
}

}  // namespace
}  // namespace southwell::fit
