#include "southwell/model/user_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/table/tables.hpp"
#include "southwell/model/predict.hpp"
#include "southwell/model/statement_html.hpp"

namespace southwell::model {
namespace {

const std::string kSchema = data::schema_of(R"(
  {"name": "age", "type": "integer", "constraints": {"minimum": 10, "maximum": 110}},
  {"name": "income", "type": "number", "constraints": {"minimum": 1, "maximum": 100},
   "southwell": {"transform": "sqrt", "missing": "middle"}},
  {"name": "region", "type": "string", "constraints": {"enum": ["north", "south", "east"]}},
  {"name": "grade", "type": "string", "constraints": {"enum": ["low", "mid", "high"]},
   "southwell": {"ordered": true, "missing": "middle"}},
  {"name": "cost", "type": "number", "constraints": {"minimum": 0, "maximum": 9},
   "southwell": {"role": "target"}})");

LinearModel model_of(const data::TableEncoding& table) {
  LinearModel model;
  model.objective.loss = "squared";
  model.objective.penalty = "none";
  model.objective.intercept = problem::Intercept::free;
  model.features = table.features();
  model.feature_names = table.feature_names();
  model.attachments.schema = table.schema().text();
  model.heads.resize(1);
  // age, age?, income, region x 3, region?, grade; one region has none.
  model.heads[0].coef = {{0, 4, 1}, {1, -1, 2}, {2, 3, .5}, {3, 5, 3}, {5, -2, 4}, {7, 6, 1}};
  model.heads[0].intercept = 7.0;
  return model;
}

TEST(UserTerms, GiveTheMarginOfWhatATableSays) {
  const data::TableEncoding table = data::encoding_of(kSchema);
  ASSERT_EQ(table.features(), 8u);
  const LinearModel model = model_of(table);
  const NaturalHead natural = in_user_terms(model.heads[0], table);
  const data::Dataset data =
      data::table_from("age,income,region,grade\n35,50,north,high\n90,2,east,low\n", table,
                       {.use = data::TableUse::predict});
  const std::vector<double> expected = margins(model, data);
  const auto& c = natural.coef;
  // The second region has the coefficient 0: against the mean of 5, 0, -2 it is not shown.
  EXPECT_NEAR(natural.intercept + c[0].value * 35 + c[2].value * std::sqrt(49.0) + c[3].value +
                  c[5].value * 2,
              expected[0], 1e-12);
  EXPECT_NEAR(natural.intercept + c[0].value * 90 + c[2].value * 1 + c[4].value, expected[1],
              1e-12);
}

TEST(UserTerms, CarryTheNoiseAndSayPerWhat) {
  const data::TableEncoding table = data::encoding_of(kSchema);
  const NaturalHead natural = in_user_terms(model_of(table).heads[0], table);
  EXPECT_DOUBLE_EQ(natural.coef[0].value, 4.0 / 50.0);
  EXPECT_DOUBLE_EQ(natural.coef[0].noise_sd, 1.0 / 50.0);
  EXPECT_EQ(natural.coef[0].per, "per unit");
  EXPECT_EQ(natural.coef[1].per, "");
  EXPECT_EQ(natural.coef[2].per, "per unit of sqrt(x - minimum)");
  EXPECT_DOUBLE_EQ(natural.coef[3].value, 4.0);  // 5 - (5 + 0 - 2) / 3
  EXPECT_NEAR(natural.coef[3].noise_sd, std::sqrt(9 * 4.0 / 9 + 16 / 9.0), 1e-12);
  EXPECT_EQ(natural.coef[5].per, "per level");
}

TEST(UserTerms, StandOnTheStatementPage) {
  const LinearModel model = model_of(data::encoding_of(kSchema));
  const std::string page = to_html(model, HtmlForm::page);
  for (const char* part :
       {"in table units", "region=north", "0.08 per unit", "4 against the mean"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  LinearModel plain = model;
  plain.attachments.schema.clear();
  EXPECT_EQ(to_html(plain, HtmlForm::page).find("in table units"), std::string::npos);
}

}  // namespace
}  // namespace southwell::model
