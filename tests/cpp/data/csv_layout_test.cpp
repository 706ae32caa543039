#include "southwell/data/csv_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "data/reading_csv.hpp"

namespace southwell::data {
namespace {

using namespace std::string_literals;

TEST(ReadCsv, TakesNamesFromTheFirstLineUnlessAllItsFieldsAreNumbers) {
  const Dataset named = parse("a,b\n1,2\n3,4\n");
  EXPECT_EQ(named.feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(column(named, 1), (std::vector<double>{2, 4}));
  const Dataset unnamed = parse("1,2\n3,4\n");
  EXPECT_TRUE(unnamed.feature_names.empty());
  EXPECT_EQ(column(unnamed, 0), (std::vector<double>{1, 3}));
  EXPECT_EQ(parse("1,NA,,nan\n1,2,3,4\n").records(), 2u);
  EXPECT_EQ(parse("\"1\",b\n1,2\n").feature_names, (std::vector<std::string>{"1", "b"}));
  EXPECT_EQ(parse(",b,NA\n1,2,3\n").feature_names, (std::vector<std::string>{"", "b", "NA"}));
}

TEST(ReadCsv, ADeclaredWordInTheFirstLineIsANameAmongNamesAndANumberAmongNumbers) {
  const ReadOptions options{.missing = {"?", "7"}};
  const Dataset record = parse("1,?\n3,4\n", options);
  EXPECT_EQ(record.records(), 2u);
  EXPECT_TRUE(std::isnan(column(record, 1)[0]));
  EXPECT_EQ(parse("a,?,7\n1,2,3\n", options).feature_names,
            (std::vector<std::string>{"a", "?", "7"}));
  EXPECT_EQ(parse("?,7\n1,2\n", options).records(), 2u);
  EXPECT_THROW(parse("a,1\n1,2\n", options), DataError);
}

TEST(ReadCsv, FindsTheTargetByNameFirstThenByNumber) {
  const std::string text = "a,\"2\",c\n1,2,3\n4,5,6\n";
  const auto target = [&](const char* which) { return parse(text, {.target = which}); };
  EXPECT_EQ(target("a").target, (std::vector<double>{1, 4}));
  EXPECT_EQ(target("0").target, (std::vector<double>{1, 4}));
  EXPECT_EQ(target("2").target, (std::vector<double>{2, 5})) << "the name wins";
  EXPECT_EQ(target("1").target, (std::vector<double>{2, 5}));
  const Dataset last = target("c");
  EXPECT_EQ(last.target, (std::vector<double>{3, 6}));
  EXPECT_EQ(last.feature_names, (std::vector<std::string>{"a", "2"}));
  EXPECT_EQ(column(last, 1), (std::vector<double>{2, 5}));
  EXPECT_EQ(column(target("1"), 1), (std::vector<double>{3, 6}));
  EXPECT_TRUE(parse(text).target.empty());
  EXPECT_EQ(
      outcome([&] { return target("z"); }),
      "InvalidArgument target: given 'z', accepted is for file a column number from 0 to 2 or "
      "a column name: 'a', '2', 'c'");
  EXPECT_THROW(target("3"), InvalidArgument);
  EXPECT_THROW(target("-1"), InvalidArgument);
  EXPECT_THROW(target(""), InvalidArgument);
}

TEST(ReadCsv, KeepsTheIdColumnAsText) {
  for (const std::string end : {"\n", "\r\n"}) {
    const std::string text =
        "a,who,y,b" + end + "1, Ann ,5,2" + end + "3,\"B, \"\"x\"\"\",6,4" + end;
    const Dataset data = parse(text, {.target = "y", .id = "who"});
    EXPECT_EQ(data.id_name, "who");
    EXPECT_EQ(data.ids, (std::vector<std::string>{"Ann", "B, \"x\""}));
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(column(data, 0), (std::vector<double>{1, 3}));
    EXPECT_EQ(column(data, 1), (std::vector<double>{2, 4}));
    EXPECT_EQ(data.target, (std::vector<double>{5, 6}));
  }
  EXPECT_EQ(parse("7,1\n8,2\n", {.id = "0"}).ids, (std::vector<std::string>{"7", "8"}));
  EXPECT_THROW(parse("a,b\n1,2\n", {.target = "a", .id = "a"}), InvalidArgument);
  EXPECT_THROW(parse("a,b\n1,2\n", {.id = "c"}), InvalidArgument);
}

TEST(ReadCsv, PassesOverWhatIsNotAskedFor) {
  const std::string text = "a,note,b,c,y,d\n1,\"x, y\",2,z,5,\n3,,4,,6,w\n";
  const Dataset data = parse(text, {.target = "y", .only = {{"c2", "b", "a"}}});
  EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(column(data, 0), (std::vector<double>{1, 3}));
  EXPECT_EQ(column(data, 1), (std::vector<double>{2, 4}));
  EXPECT_EQ(data.target, (std::vector<double>{5, 6}));
  const Dataset none = parse(text, {.id = "note", .only = std::vector<std::string>{}});
  EXPECT_EQ(none.features(), 0u);
  EXPECT_EQ(none.records(), 2u);
  EXPECT_EQ(none.ids, (std::vector<std::string>{"x, y", ""}));
  // The form of a line counts all the same.
  for (const std::string& wrong :
       {"a,b\n1\n"s, "a,b\n1,x,y\n"s, "a,b\n1,x\"\n"s, "a,b\n1,\0\n"s, "a,b\nx,1\n"s}) {
    EXPECT_THROW(parse(wrong, {.only = {{"a"}}}), DataError) << wrong;
  }
}

TEST(ReadCsv, DeclaredFeaturesMustAgreeWithTheFile) {
  EXPECT_EQ(parse("a,b,c\n1,2,3\n", {.target = "a", .features = 2}).features(), 2u);
  EXPECT_THROW(parse("a,b,c\n1,2,3\n", {.features = 2}), DataError);
}

TEST(ReadCsv, NamesAloneGiveNoRecords) {
  for (const char* text : {"a,b,y", "a,b,y\n", "a,b,y\r\n\n"}) {
    const Dataset data = parse(text, {.target = "y"});
    EXPECT_EQ(data.records(), 0u);
    EXPECT_EQ(data.features(), 2u);
    EXPECT_TRUE(data.target.empty());
  }
}

}  // namespace
}  // namespace southwell::data
