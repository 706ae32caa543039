#include "southwell/data/table/table_encoding.hpp"

#include <cmath>

#include "tables.hpp"

namespace southwell::data {
namespace {

TEST(TableEncoding, NamesFeaturesInTheOrderOfTheFields) {
  const TableEncoding encoding = encoding_of(schema_of(
      R"({"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100}},
         {"name": "region", "type": "string", "constraints": {"enum": ["north", "south"]},
          "southwell": {"missing": "middle"}},
         {"name": "size", "type": "string", "constraints": {"enum": ["S", "M", "L"]},
          "southwell": {"ordered": true, "missing": "middle"}},
         {"name": "when", "type": "date", "constraints": {"minimum": "2020-01-01", "maximum": "2021-01-01"},
          "southwell": {"parts": ["weekday"], "missing": "middle"}},
         {"name": "note", "type": "string", "southwell": {"encode": "hash", "features": 16, "missing": "middle"}})",
      R"("southwell": {"interactions": [["age", "region"]],
                       "expand": {"age": {"hinges": 1, "bins": 2}}})"));
  std::vector<std::string> names = {"age",  "age>50",          "age[0,50)",    "age[50,100]",
                                    "age?", "region=north",    "region=south", "size",
                                    "when", "when.weekday=Mon"};
  const std::vector<std::string> all = encoding.feature_names();
  EXPECT_EQ(std::vector(all.begin(), all.begin() + 10), names);
  EXPECT_EQ(all[16], "note#0");
  EXPECT_EQ(all.back(), "age*region=south");
  EXPECT_EQ(encoding.features(), all.size());
  for (std::size_t j = 0; j < all.size(); ++j) EXPECT_EQ(encoding.feature_name(j), all[j]);
}

TEST(TableEncoding, DeclaresScalesThatUniformValuesHave) {
  const TableEncoding encoding = encoding_of(schema_of(
      R"({"name": "a", "type": "number", "constraints": {"minimum": 0, "maximum": 100}},
         {"name": "b", "type": "number", "southwell": {"center": 5, "scale": 2, "missing": "middle"}},
         {"name": "c", "type": "string", "constraints": {"enum": ["1", "2", "3", "4"]},
          "southwell": {"missing": "middle"}})",
      R"("southwell": {"expand": {"a": {"hinges": 1}}})"));
  const std::vector<double> scales = encoding.feature_scales();
  ASSERT_EQ(scales.size(), 8u);
  EXPECT_EQ(scales[0], 0.5);
  EXPECT_NEAR(scales[1], std::sqrt(1.0 / 6.0 - 1.0 / 16.0), 1e-12);  // max(0, z), z in [-1, 1]
  EXPECT_EQ(scales[3], 1.0);
  EXPECT_NEAR(scales[4], std::sqrt(0.25 * 0.75), 1e-12);
  double squares = 0.0;
  for (const double scale : scales) squares += scale * scale;
  EXPECT_NEAR(encoding.record_norm(), std::sqrt(squares), 1e-12);
}

TEST(TableEncoding, IsSparseByARuleOfTheSchemaAlone) {
  const std::string number =
      R"({"name": "a", "type": "number", "constraints": {"minimum": 0, "maximum": 1}})";
  EXPECT_FALSE(encoding_of(schema_of(number)).is_sparse());
  EXPECT_TRUE(encoding_of(schema_of(number + R"(, {"name": "t", "type": "string",
      "southwell": {"encode": "hash", "features": 1024}})"))
                  .is_sparse());
}

TEST(TableEncoding, RefusesNamesThatClashAndTooManyFeatures) {
  EXPECT_THROW(encoding_of(schema_of(
                   R"({"name": "a", "type": "boolean"}, {"name": "a=true", "type": "number",
                       "constraints": {"minimum": 0, "maximum": 1}})")),
               DataError);
  EXPECT_THROW(encoding_of(schema_of(R"_({"name": "(intercept)", "type": "number",
                       "constraints": {"minimum": 0, "maximum": 1}
})_")),
               DataError);
  EXPECT_THROW(encoding_of(schema_of(
                   R"({"name": "t", "type": "string", "southwell": {"encode": "hash",
                       "features": 16}}, {"name": "t#15", "type": "number",
                       "constraints": {"minimum": 0, "maximum": 1}})")),
               DataError);
  EXPECT_THROW(
      encoding_of(schema_of(
          R"({"name": "a", "type": "string", "southwell": {"encode": "hash", "features": 4194304}},
             {"name": "b", "type": "string", "southwell": {"encode": "hash", "features": 4194304}})")),
      DataError);
}

TEST(TableEncoding, TellsMomentsOfOneDayApartInNames) {
  const TableEncoding encoding = encoding_of(schema_of(
      R"({"name": "t", "type": "datetime", "southwell": {"missing": "middle"},
          "constraints": {"minimum": "2020-01-01", "maximum": "2020-01-03"}})",
      R"("southwell": {"expand": {"t": {"hinges": 3}}})"));
  EXPECT_EQ(encoding.feature_names(),
            (std::vector<std::string>{"t", "t>2020-01-01T12:00:00", "t>2020-01-02",
                                      "t>2020-01-02T12:00:00"}));
}

TEST(TableEncoding, OfManyInteractionsIsMadeInTimeThatGrowsWithThem) {
  std::string fields;
  for (int k = 0; k < 1000; ++k) {
    fields += (k == 0 ? "" : ", ") + std::string(R"({"name": "f)") + std::to_string(k) +
              R"(", "type": "number", "southwell": {"scale": 1, "missing": "middle"}})";
  }
  // Half a million products: a look at all of them for each would take minutes.
  const TableEncoding encoding =
      encoding_of(schema_of(fields, R"("southwell": {"interactions": "all"})"));
  EXPECT_EQ(encoding.features(), 1000u + 1000u * 999u / 2u);
  EXPECT_EQ(encoding.feature_names().back(), "f998*f999");
}

TEST(TableEncoding, SaysWhatAFeatureIsInTheUsersTerms) {
  const TableEncoding encoding = encoding_of(schema_of(
      R"({"name": "age", "type": "integer", "constraints": {"minimum": 20, "maximum": 60},
          "southwell": {"missing": "middle"}},
         {"name": "region", "type": "string", "constraints": {"enum": ["n", "s"]},
          "southwell": {"missing": "middle"}})"));
  const auto age = encoding.in_user_terms(0);
  EXPECT_DOUBLE_EQ(age.slope * 20 + age.constant, -1.0);
  EXPECT_DOUBLE_EQ(age.slope * 60 + age.constant, 1.0);
  EXPECT_EQ(age.per, "per unit");
  const auto north = encoding.in_user_terms(1);
  EXPECT_EQ(north.slope, 1.0);
  EXPECT_EQ(north.constant, -0.5);
}

TEST(NumberMap, TakesBoundsToMinusOneAndOneAndComesBack) {
  for (const char* const transform : {"none", "log", "sqrt"}) {
    const Schema schema = Schema::parse(
        schema_of(std::string(R"({"name": "a", "type": "number", "constraints": {"minimum": -5,
                   "maximum": 1000}, "southwell": {"transform": ")") +
                  transform + R"("}})"),
        "s");
    const NumberMap map(schema.fields()[0]);
    EXPECT_NEAR(map(-5.0), -1.0, 1e-15) << transform;
    EXPECT_NEAR(map(1000.0), 1.0, 1e-15) << transform;
    EXPECT_EQ(map(-1e308), map(-5.0));
    EXPECT_EQ(map(std::numeric_limits<double>::infinity()), map(1000.0));
    for (const double x : {-5.0, 0.0, 3.5, 999.0}) EXPECT_NEAR(map.inverse(map(x)), x, 1e-9);
  }
}

}  // namespace
}  // namespace southwell::data
