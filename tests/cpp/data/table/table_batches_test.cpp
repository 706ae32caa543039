#include "southwell/data/table/table_batches.hpp"

#include <limits>

#include "arrow_arrays.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/table/arrow_columns.hpp"
#include "tables.hpp"

namespace southwell::data {
namespace {

const TableEncoding& person() {
  static const TableEncoding encoding = encoding_of(schema_of(kPerson));
  return encoding;
}

SharedColumn mixed(std::vector<Cell> cells) {
  return std::make_shared<const MixedColumn>(std::move(cells));
}

const std::vector<std::string> kNames{"patient", "age", "region", "smoker", "cost"};

TEST(TableBatches, ReadCellsOfAnyTypeAsAFileDoes) {
  TableBatches batches(person(), {}, kNames, "table");
  using namespace std::string_literals;
  const auto whole = [](std::int64_t value) { return Cell(value); };
  batches.add(4, {mixed({whole(7), "7"s, 7.0, Cell()}), mixed({whole(75), " 75 "s, 75.0, "x"s}),
                  mixed({"south"s, "south"s, "south"s, whole(3)}),
                  mixed({true, "TRUE"s, whole(1), Moment{5}}),
                  mixed({100.0, "100"s, whole(100), std::numeric_limits<double>::infinity()})});
  const Dataset data = batches.take();
  const Dataset file = table_from(
      "patient,age,region,smoker,cost\n7,75,south,true,100\n7,75,south,true,100\n"
      "7,75,south,true,100\n,x,3,1970-01-01T00:00:00.000005,inf\n",
      person());
  EXPECT_EQ(data.target, file.target);
  EXPECT_EQ(data.units(), 1u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(record_of(data, i), record_of(file, i)) << i;
}

TEST(TableBatches, RefuseIdsInAFloatingType) {
  TableBatches batches(person(), {}, kNames, "table");
  const Handmade ids = numbers_column<double>("g", "patient", {1, 2});
  const ArrowType type(ids->schema, "column");
  std::vector<SharedColumn> columns{arrow_column(type, ids->array, ids)};
  for (int k = 0; k < 4; ++k) columns.push_back(mixed({Cell(), Cell()}));
  EXPECT_THROW(batches.add(2, std::move(columns)), DataError);
}

TEST(TableBatches, SayWhichColumnsAreNeeded) {
  std::vector<std::string> names = kNames;
  names.insert(names.begin(), {"visit_id", "extra"});
  const TableBatches batches(person(), {.use = TableUse::predict}, names, "table");
  const std::vector<bool> wanted{false, false, false, true, true, true, false};
  for (std::size_t c = 0; c < names.size(); ++c) EXPECT_EQ(batches.reads(c), wanted[c]) << names[c];
}

TEST(TableBatches, OfNoRecordsAreATable) {
  TableBatches batches(person(), {}, kNames, "table");
  const Dataset data = batches.take();
  EXPECT_EQ(data.records(), 0u);
  EXPECT_EQ(data.features(), person().features());
}

}  // namespace
}  // namespace southwell::data
