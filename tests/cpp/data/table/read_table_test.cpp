#include "southwell/data/table/read_table.hpp"

#include <cmath>

#include "tables.hpp"

namespace southwell::data {
namespace {

const TableEncoding& person() {
  static const TableEncoding encoding = encoding_of(schema_of(kPerson));
  return encoding;
}

TEST(ReadTable, MatchesColumnsByNameAndPassesOverOthers) {
  const std::string text =
      "cost,extra,smoker,age,patient,region\n"
      "100,zzz,true,75,p1,south\n"
      "2000,,false,25,p2,north\n";
  const Dataset data = table_from(text, person());
  EXPECT_EQ(data.target, (std::vector<double>{100, 1000}));  // within its bounds
  EXPECT_EQ(data.target_name, "cost");
  EXPECT_EQ(record_of(data, 0), (std::vector<double>{.5, 0, -.5, .5, 0, -.5, .5}));
  ASSERT_TRUE(data.record_units);
  EXPECT_EQ(data.units(), 2u);
}

TEST(ReadTable, ReadsWhateverARecordHolds) {
  const std::string text =
      "patient,age,region,smoker,cost\n"
      "p1,x,y,z,w\n"            // nothing fits
      "p2\n"                    // short
      "p3,1,2,3,4,5,6,\"7\"\n"  // long
      "\n"                      // no record
      "   \n"
      ",,,,\n"
      "p1,\xff\xfe,north\xff,1e400,-inf\n"
      "p1,5\" pipe,so\"uth,true,7\n";
  const Dataset data = table_from(text, person());
  EXPECT_EQ(data.records(), 6u);
  EXPECT_TRUE(std::isnan(data.target[0]));
  EXPECT_EQ(data.target[4], 0.0);  // -inf, within bounds
  EXPECT_EQ(record_of(data, 1), record_of(data, 3));
  EXPECT_EQ(data.units(), 3u);
  EXPECT_EQ(data.record_units->size_of(0), 3u);
  EXPECT_EQ(data.record_units->size_of(3), 0u);
}

TEST(ReadTable, TakesABlankLineOfAOneColumnTableForAMissingCell) {
  const TableEncoding one = encoding_of(schema_of(R"({"name": "a", "type": "boolean"})"));
  EXPECT_EQ(table_from("a\ntrue\n\nfalse\n", one).records(), 3u);
}

TEST(ReadTable, IsTheSameWhateverTheChunksThreadsAndOrderOfColumns) {
  std::string text = "patient,age,region,smoker,cost\n";
  std::string turned = "smoker;cost;region;age;patient\n";
  for (int k = 0; k < 400; ++k) {
    const std::string age = std::to_string(k % 120);
    const std::string region = k % 3 == 0 ? "north" : k % 3 == 1 ? "south" : "?";
    const std::string smoker = k % 2 == 0 ? "true" : "";
    const std::string cost = std::to_string(k * 7);
    text += "p" + std::to_string(k % 50) + "," + age + ",\"" + region + "\"," + smoker + "," +
            cost + "\n";
    turned +=
        smoker + ";" + cost + "; " + region + " ;" + age + ";p" + std::to_string(k % 50) + "\r\n";
  }
  const std::string all = image(table_from(text, person()));
  for (const int threads : {1, 2, 7}) {
    for (const std::size_t chunk : {std::size_t{64}, std::size_t{1} << 20}) {
      TableOptions options;
      options.threads = threads;
      Chunking chunking;
      chunking.chunk_bytes = chunk;
      EXPECT_EQ(image(table_from(text, person(), options, chunking)), all);
      options.delimiter = ';';
      EXPECT_EQ(image(table_from(turned, person(), options, chunking)), all);
    }
  }
}

TEST(ReadTable, RefusesTheFormAndNeverARecord) {
  const auto refusal = [](const std::string& text) {
    try {
      table_from(text, person());
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
  EXPECT_NE(refusal("patient,age,region,smoker\n").find("'cost'"), std::string::npos);
  EXPECT_NE(refusal("patient,age,region,smoker,cost,age\n").find("twice"), std::string::npos);
  EXPECT_EQ(refusal("patient,age,region,smoker,cost,other,other\n"), "");
  const std::string quotes = refusal("patient,age,region,smoker,cost\np1,\"5,north,true,1\np2,\n");
  EXPECT_NE(quotes.find("table.csv:2"), std::string::npos);
  EXPECT_NE(quotes.find("broken quotes"), std::string::npos);
}

TEST(ReadTable, NeedsNeitherTargetNorUnitForAPrediction) {
  TableOptions options;
  options.use = TableUse::predict;
  options.id = "who";
  const Dataset data =
      table_from("who,age,region,smoker\n\"a \"\"b\"\"\",5,north,true\nc\n", person(), options);
  EXPECT_FALSE(data.has_target());
  EXPECT_FALSE(data.record_units);
  EXPECT_EQ(data.ids, (std::vector<std::string>{"a \"b\"", "c"}));
}

TEST(ReadTable, CountsAnUnknownLabelAsTheFirstClassOfAFit) {
  const TableEncoding encoding = encoding_of(schema_of(
      R"({"name": "a", "type": "boolean"}, {"name": "y", "type": "string",
          "constraints": {"enum": ["no", "yes"]}, "southwell": {"role": "target"}})"));
  const std::string text = "a,y\ntrue,yes\ntrue,no\ntrue,maybe\ntrue\n";
  EXPECT_EQ(table_from(text, encoding).target, (std::vector<double>{1, 0, 0, 0}));
  // Figures leave out what is missing, and call no prediction right for what is none.
  TableOptions options;
  options.use = TableUse::evaluate;
  const std::vector<double> labels = table_from(text, encoding, options).target;
  EXPECT_EQ(labels[0], 1.0);
  EXPECT_TRUE(std::isinf(labels[2]));
  EXPECT_TRUE(std::isnan(labels[3]));
}

TEST(ReadTable, KeepsHashedTextSparseWithTheSameNumbers) {
  const std::string fields =
      R"({"name": "note", "type": "string", "southwell": {"encode": "hash", "features": 1024}}, )" +
      std::string(kPerson);
  const Dataset data =
      table_from("note,patient,age,region,smoker,cost\nthe cat,p,75,south,true,5\n",
                 encoding_of(schema_of(fields)));
  EXPECT_TRUE(std::holds_alternative<SparseDesign>(data.design));
  const std::vector<double> x = record_of(data, 0);
  EXPECT_EQ(std::vector(x.begin() + 1025, x.end()),
            (std::vector<double>{.5, 0, -.5, .5, 0, -.5, .5}));
}

}  // namespace
}  // namespace southwell::data
