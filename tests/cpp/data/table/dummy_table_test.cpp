#include "southwell/data/table/dummy_table.hpp"

#include <set>

#include "southwell/data/table/table_check.hpp"
#include "tables.hpp"

namespace southwell::data {
namespace {

// Every type, kind and role, and every way of writing a cell.
constexpr const char* kAll = R"(
  {"name": "patient", "type": "integer", "southwell": {"role": "unit"}},
  {"name": "age, in years", "type": "integer", "constraints": {"minimum": 0.5, "maximum": 99.5}},
  {"name": "income", "type": "number", "decimalChar": ",", "constraints": {"minimum": -1.5, "maximum": 2.25}},
  {"name": "rate", "type": "number", "southwell": {"center": 3, "scale": 2}},
  {"name": "region", "type": "string", "constraints": {"enum": ["north, far", "say \"no\""]}},
  {"name": "code", "type": "integer", "constraints": {"enum": [1, 2.5, 3]}},
  {"name": "smoker", "type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"]},
  {"name": "day", "type": "date", "format": "%d.%m.%y", "constraints": {"minimum": "01.02.70", "maximum": "03.02.70"}},
  {"name": "seen", "type": "datetime", "format": "%Y%m%d %H%M%S.%f%z",
   "constraints": {"minimum": "19691231 235900.0Z", "maximum": "19700101 000100.5Z"}},
  {"name": "moment", "type": "datetime", "southwell": {"parts": ["hour"]}},
  {"name": "note", "type": "string", "southwell": {"encode": "hash", "features": 16}},
  {"name": "visit", "southwell": {"role": "ignore"}},
  {"name": "cost", "type": "string", "constraints": {"enum": ["no", "yes"]}, "southwell": {"role": "target"}})";

std::string dummy_of(const Schema& schema, std::size_t records, std::uint64_t seed) {
  std::string out;
  write_dummy_table(schema, {records, seed}, [&](std::string_view lines) { out += lines; });
  return out;
}

TEST(DummyTable, ObeysItsSchemaWithNowAndThenAMissingCell) {
  const TableEncoding encoding = encoding_of(schema_of(kAll, R"("missingValues": ["n/a", ""])"));
  const std::string text = dummy_of(encoding.schema(), 5000, 1);
  const Scratch scratch;
  const TableCheck found = check_table(scratch.file("d.csv", text), encoding, {});
  EXPECT_EQ(found.records, 5000u);
  EXPECT_EQ(found.short_records + found.long_records, 0u);
  for (std::size_t f = 0; f < found.fields.size(); ++f) {
    const Field& field = encoding.schema().fields()[f];
    const ColumnCheck& column = found.fields[f];
    EXPECT_EQ(column.out_of_bounds + column.undeclared + column.not_of_type, 0u) << field.name;
    if (field.role == Role::feature) {
      EXPECT_GT(column.missing, 50u) << field.name;
      EXPECT_LT(column.missing, 500u) << field.name;
    } else {
      EXPECT_EQ(column.missing, 0u) << field.name;
    }
  }
  const Dataset data = table_from(text, encoding);
  EXPECT_GT(data.units(), 1000u);
  EXPECT_LT(data.units(), 2500u);
  EXPECT_EQ(std::set<double>(data.target.begin(), data.target.end()).size(), 2u);
}

TEST(DummyTable, IsTheSameBytesForTheSameSeed) {
  const Schema schema = Schema::parse(schema_of(kAll), "s");
  EXPECT_EQ(dummy_of(schema, 50, 3), dummy_of(schema, 50, 3));
  EXPECT_NE(dummy_of(schema, 50, 3), dummy_of(schema, 50, 4));
  EXPECT_EQ(dummy_of(schema, 1, 3).substr(0, 24), "patient,\"age, in years\",");
}

}  // namespace
}  // namespace southwell::data
