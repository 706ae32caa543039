#include "southwell/data/table/schema_import.hpp"

#include "tables.hpp"

namespace southwell::data {
namespace {

constexpr const char* kSmartNoise =
    "\"\":\n"
    "  PUMS:\n"
    "    PUMS:\n"
    "      rows: 1000\n"
    "      age:\n"
    "        type: int\n"
    "        lower: 0\n"
    "        upper: 100\n"
    "        nullable: False\n"
    "      income:\n"
    "        type: float\n"
    "        lower: 0\n"
    "        upper: 500000.5\n"
    "      married:\n"
    "        type: boolean\n"
    "      pid:\n"
    "        type: int\n"
    "        private_id: True\n";

TEST(SchemaImport, TakesOverWhatSmartNoiseKnows) {
  const Schema schema = Schema::parse(schema_from_smartnoise(kSmartNoise, "f"), "s");
  ASSERT_EQ(schema.fields().size(), 4u);
  EXPECT_EQ(schema.fields()[0].bounds->high, 100.0);
  EXPECT_EQ(schema.fields()[0].missing, WhenMissing::middle);
  EXPECT_EQ(schema.fields()[1].bounds->high, 500000.5);
  EXPECT_EQ(schema.fields()[1].missing, WhenMissing::indicator);
  EXPECT_EQ(schema.fields()[2].type, FieldType::boolean);
  EXPECT_EQ(schema.unit(), 3u);
}

TEST(SchemaImport, MarksWhatSmartNoiseDoesNotSay) {
  const std::string table = "db:\n s:\n  t:\n   c:\n    type: ";
  for (const char* type : {"string", "int", "datetime", "unknown", "float\n    lower: 3"}) {
    const std::string text = schema_from_smartnoise(table + type + "\n", "f");
    EXPECT_NE(text.find("FILL IN"), std::string::npos) << type;
    EXPECT_EQ(refusal_of([&] { return Schema::parse(text, "s"); }).find("DataError s: field 'c'"),
              0u);
  }
  const std::string by_row = table.substr(0, table.find("   c:")) +
                             "   row_privacy: True\n   c:\n    type: int\n    private_id: True\n";
  EXPECT_NE(schema_from_smartnoise(by_row, "f").find(R"("role": "ignore")"), std::string::npos);
}

TEST(SchemaImport, RefusesOtherMetadataWithTheLine) {
  for (const char* text : {"", "a: 1\n", "a:\n b:\n  c: 1\n", "a:\n b:\n  c:\n   d: 1\n",
                           "a:\n b:\n  c:\n   d:\n    type: text\n",
                           "a:\n b:\n  c:\n   d:\n    type: int\n    lower: low\n",
                           "a:\n b:\n  c:\n   d:\n    type: int\n  e:\n   f:\n    type: int\n"}) {
    const std::string told = refusal_of([&] { return schema_from_smartnoise(text, "f"); });
    EXPECT_EQ(told.find("DataError f:"), 0u) << text << told;
    EXPECT_NE(told.find("; accepted is "), std::string::npos) << told;
  }
}

TEST(SchemaImport, TakesOverWhatCsvOnTheWebKnows) {
  const std::string text = schema_from_csvw(
      R"({"tables": [{"url": "x.csv", "tableSchema": {"columns": [
        {"name": "age", "titles": {"en": ["Age"]}, "required": true,
         "datatype": {"base": "nonNegativeInteger", "minimum": 0, "maxInclusive": "120"}},
        {"name": "rate", "datatype": {"base": "double", "minExclusive": -1.5, "maximum": 1}},
        {"name": "on", "datatype": "boolean", "null": ["", "NA"]},
        {"name": "day", "datatype": {"base": "date", "minimum": "2020-01-01", "maximum": "2021-01-01"}},
        {"name": "made", "virtual": true}]}}]})",
      "f");
  const Schema schema = Schema::parse(text, "s");
  ASSERT_EQ(schema.fields().size(), 4u);
  EXPECT_EQ(schema.fields()[0].name, "Age");
  EXPECT_EQ(schema.fields()[0].bounds->high, 120.0);
  EXPECT_EQ(schema.fields()[1].bounds->low, -1.5);
  EXPECT_EQ(schema.fields()[2].format.missing_values, (std::vector<std::string>{"", "NA"}));
  EXPECT_EQ(schema.fields()[3].type, FieldType::date);
}

TEST(SchemaImport, MarksWhatCsvOnTheWebDoesNotSayAndRefusesOtherFiles) {
  for (const char* column :
       {R"({"name": "c"})", R"({"name": "c", "datatype": "string"})",
        R"({"name": "c", "datatype": "anyURI"})", R"({"name": "c", "datatype": {"minLength": 3}})",
        R"({"name": "c", "datatype": {"base": "date", "format": "dd.MM.yyyy",
            "minimum": "01.01.2020", "maximum": "01.01.2021"}})"}) {
    const std::string text =
        schema_from_csvw(std::string(R"({"tableSchema": {"columns": [)") + column + "]}}", "f");
    EXPECT_NE(text.find("FILL IN"), std::string::npos) << column;
    EXPECT_EQ(refusal_of([&] { return Schema::parse(text, "s"); }).find("DataError s: field 'c'"),
              0u);
  }
  for (
      const char* text :
      {"", "[]", "{}", R"({"tables": []})", R"({"tableSchema": {}})",
       R"({"tableSchema": {"columns": []}})", R"({"tableSchema": {"columns": [{}]}})",
       R"({"tableSchema": {"columns": [{"titles": []}]}})",
       R"({"tableSchema": {"columns": [{"name": "c", "datatype": {"base": "int", "minimum": "x"}}]}})"}) {
    EXPECT_EQ(refusal_of([&] { return schema_from_csvw(text, "f"); }).find("DataError f"), 0u)
        << text;
  }
}

}  // namespace
}  // namespace southwell::data
