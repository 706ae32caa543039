#include "southwell/data/table/yaml_mapping.hpp"

#include "tables.hpp"

namespace southwell::data {
namespace {

TEST(YamlMapping, ReadsNestedMappingsCommentsAndQuotes) {
  const auto root = parse_yaml_mapping(
      "# a comment\n"
      "\"\":\r\n"
      "  'it''s':   \n"
      "    a: 1 # one\n"
      "    b: \"x: # y\"\n"
      "\n"
      "    http: a:b#c\n"
      "  last:\n"
      "engine: none\n",
      "f");
  ASSERT_EQ(root.size(), 2u);
  EXPECT_EQ(root[0].key, "");
  const YamlEntry* const its = root[0].find("it's");
  ASSERT_NE(its, nullptr);
  EXPECT_EQ(its->find("a")->text, "1");
  EXPECT_EQ(its->find("b")->text, "x: # y");
  EXPECT_EQ(its->find("http")->text, "a:b#c");
  EXPECT_EQ(its->find("http")->line, 7u);
  EXPECT_TRUE(root[0].find("last")->entries.empty());
  EXPECT_EQ(root[1].text, "none");
  EXPECT_TRUE(parse_yaml_mapping("", "f").empty());
}

TEST(YamlMapping, RefusesEverythingElseWithFileAndLine) {
  for (const char* line :
       {"- a",       "-",      "---",      "...",        "a",      "a:b",        "a: [1]",
        "a: {b: 1}", "a: |",   "a: >",     "a: &x 1",    "a: *x",  "a: !!int 1", "? a",
        "a: b: c",   "a: \"x", "a: 'x' y", "a: \"\\n\"", "\ta: 1", "a: 1\tb",    " b: 1",
        "\xc2\xa0",  "a: @x",  "a: %x",    ": 1"}) {
    const std::string text = std::string("first: 1\n") + line + "\n";
    const std::string told = refusal_of([&] { return parse_yaml_mapping(text, "f"); });
    EXPECT_EQ(told.find("DataError f:2: "), 0u) << line << ": " << told;
    EXPECT_NE(told.find("; accepted "), std::string::npos);
  }
  EXPECT_EQ(refusal_of([] { return parse_yaml_mapping("a: 1\na: 2\n", "f"); }),
            "DataError f:2: the key 'a' again; accepted is every key once");
  for (const char* text : {"a:\n    b: 1\n  c: 2\n", "a: 1\n  b: 2\n"}) {
    EXPECT_EQ(refusal_of([&] { return parse_yaml_mapping(text, "f"); }).find("DataError f:"), 0u);
  }
  std::string deep;
  for (std::size_t k = 0; k < 40; ++k) deep += std::string(k, ' ') + "a:\n";
  EXPECT_NE(refusal_of([&] { return parse_yaml_mapping(deep, "f"); }).find("nested too deep"),
            std::string::npos);
}

}  // namespace
}  // namespace southwell::data
