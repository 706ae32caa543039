#include "southwell/data/table/table_check.hpp"

#include "tables.hpp"

namespace southwell::data {
namespace {

TEST(TableCheck, CountsWhatDoesNotFitColumnByColumn) {
  const TableEncoding encoding = encoding_of(schema_of(std::string(kPerson) + R"(,
      {"name": "day", "type": "date", "constraints": {"minimum": "2020-01-01", "maximum": "2020-12-31"}},
      {"name": "size", "type": "number", "missingValues": ["-9"], "constraints": {"minimum": 0, "maximum": 1}})"));
  const Scratch scratch;
  const auto file = scratch.file("t.csv",
                                 "patient,age,region,smoker,cost,day,size\n"
                                 "p1,5,north,true,7,2020-05-05,0.5\n"
                                 "p1,\"101\",West,maybe,-1,2019-12-31,-9\n"
                                 "\n"
                                 ",x, ,,1e400,31.12.2020,-9.0\n"
                                 "p2,-0.5\n"
                                 "p3,1,south,false,5,2020-02-30,abc,more,\"and more\"\n");
  for (const int threads : {1, 2}) {
    const TableCheck found = check_table(file, encoding, {.threads = threads});
    EXPECT_EQ(found.records, 5u);
    EXPECT_EQ(found.short_records, 1u);
    EXPECT_EQ(found.long_records, 1u);
    const auto row = [&](const char* name) {
      const ColumnCheck& c = found.fields[*encoding.schema().find(name)];
      return std::vector<std::size_t>{c.missing, c.out_of_bounds, c.undeclared, c.not_of_type};
    };
    EXPECT_EQ(row("patient"), (std::vector<std::size_t>{1, 0, 0, 0}));
    EXPECT_EQ(row("age"), (std::vector<std::size_t>{0, 2, 0, 1}));
    EXPECT_EQ(row("region"), (std::vector<std::size_t>{2, 0, 1, 0}));
    EXPECT_EQ(row("smoker"), (std::vector<std::size_t>{2, 0, 1, 0}));
    EXPECT_EQ(row("cost"), (std::vector<std::size_t>{1, 2, 0, 0}));
    EXPECT_EQ(row("day"), (std::vector<std::size_t>{1, 1, 0, 2}));
    EXPECT_EQ(row("size"), (std::vector<std::size_t>{3, 0, 0, 1}));
    EXPECT_EQ(row("visit_id"), (std::vector<std::size_t>{0, 0, 0, 0}));
  }
}

TEST(TableCheck, RefusesTheFormThatAFitRefuses) {
  const TableEncoding encoding = encoding_of(schema_of(kPerson));
  const Scratch scratch;
  for (const char* text : {"", "age\n1\n", "patient,age,region,smoker,cost\np,\"1,n,true,1\n",
                           "patient,age,age,region,smoker,cost\n"}) {
    const auto file = scratch.file("t.csv", text);
    const std::string fit = refusal_of([&] { return read_table(file, encoding); });
    EXPECT_EQ(refusal_of([&] { return check_table(file, encoding, {}); }), fit);
    EXPECT_EQ(fit.find("DataError "), 0u);
  }
}

}  // namespace
}  // namespace southwell::data
