#include "southwell/data/table/schema_skeleton.hpp"

#include "tables.hpp"

namespace southwell::data {
namespace {

std::string skeleton_of(std::string_view text, char delimiter = ',', std::size_t step = 4096) {
  MemorySource source(text, step);
  return schema_skeleton(source, "table.csv", delimiter);
}

TEST(SchemaSkeleton, HasTheNamesAndNothingOfARecord) {
  const std::string text = skeleton_of("age,\"first, \"\"last\"\"\",\xc3\xa4\r\n1,SECRET,\"\n");
  EXPECT_NE(text.find(R"({"name": "first, \"last\"", "type": "FILL IN)"), std::string::npos);
  EXPECT_NE(text.find("\xc3\xa4"), std::string::npos);
  EXPECT_EQ(text.find("SECRET"), std::string::npos);
  EXPECT_EQ(skeleton_of("a;b\n", ';'), skeleton_of("\xef\xbb\xbf"
                                                   "a,b",
                                                   ',', 1));
}

/// Fails as soon as anybody asks for what follows the first line.
class OneLine : public ByteSource {
 public:
  std::size_t read(std::span<char> out) override {
    if (done_) throw std::logic_error("a record was read");
    done_ = true;
    constexpr std::string_view kLine = "a,b\n";
    std::copy(kLine.begin(), kLine.end(), out.begin());
    return kLine.size();
  }

 private:
  bool done_ = false;
};

TEST(SchemaSkeleton, StopsReadingAfterTheFirstLine) {
  OneLine source;
  EXPECT_NO_THROW(schema_skeleton(source, "table.csv", ','));
}

TEST(SchemaSkeleton, DoesNotRunUntilItIsFilledIn) {
  const std::string told = refusal_of([] { return Schema::parse(skeleton_of("age,cost\n"), "s"); });
  EXPECT_EQ(told.find("DataError s: field 'age': type: given 'FILL IN: number"), 0u) << told;
  // Nor does anything else that is marked.
  for (const std::string& field :
       {R"("type": "integer", "constraints": {"minimum": ")" + to_fill_in(kLowHint) +
            R"(", "maximum": 1})",
        R"("type": "date", "constraints": {"minimum": "2020-01-01", "maximum": ")" +
            to_fill_in(kHighHint) + R"("})",
        R"("type": "string", "constraints": {"enum": ")" + to_fill_in(kLevelsHint) + R"("})",
        R"("type": "date", "format": ")" + to_fill_in("a pattern") + R"(")"}) {
    const std::string schema = schema_of(R"({"name": "age", )" + field + "}");
    EXPECT_EQ(
        refusal_of([&] { return Schema::parse(schema, "s"); }).find("DataError s: field 'age'"), 0u)
        << field;
  }
}

TEST(SchemaSkeleton, RefusesALineThatNamesNoColumnsWithoutShowingIt) {
  for (const char* text : {"17,4.5,NA\n1,2,3\n", "", "\n", "a,,b\n", "a,\x01\n"}) {
    const std::string told = refusal_of([&] { return skeleton_of(text); });
    EXPECT_EQ(told.find("DataError table.csv:1: "), 0u) << told;
    EXPECT_EQ(told.find("17"), std::string::npos);
  }
  EXPECT_EQ(refusal_of([] { return skeleton_of("a,b,a\n"); }),
            "DataError table.csv:1: the column name 'a' occurs twice; accepted is every name once");
}

}  // namespace
}  // namespace southwell::data
