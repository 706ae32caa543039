#include "southwell/data/table/schema.hpp"

#include "tables.hpp"

namespace southwell::data {
namespace {

TEST(Schema, ReadsTheFieldsOfATable) {
  const Schema schema = Schema::parse(schema_of(kPerson, R"("missingValues": ["", "?"])"), "s");
  ASSERT_EQ(schema.fields().size(), 6u);
  EXPECT_EQ(schema.unit(), 0u);
  EXPECT_EQ(schema.target(), 5u);
  EXPECT_EQ(schema.find("region"), 2u);
  EXPECT_EQ(schema.find("nobody"), std::nullopt);
  EXPECT_EQ(schema.fields()[1].bounds->high, 100.0);
  EXPECT_EQ(schema.fields()[3].levels, (std::vector<std::string>{"false", "true"}));
  EXPECT_EQ(schema.fields()[2].format.missing_values, (std::vector<std::string>{"", "?"}));
}

TEST(Schema, KeepsWhatOtherProgramsWroteAndReadsItsOwnTextAgain) {
  const std::string text = R"({"fields": [{"name": "a", "type": "boolean", "title": "A",
    "constraints": {"required": true, "unique": true, "pattern": "x"}}],
    "primaryKey": "a", "$schema": "https://example.org"})";
  const Schema schema = Schema::parse(text, "s");
  EXPECT_NE(schema.text().find("primaryKey"), std::string::npos);
  EXPECT_NE(schema.text().find("pattern"), std::string::npos);
  EXPECT_EQ(Schema::parse(schema.text(), "s").text(), schema.text());
}

TEST(Schema, TakesAllPairsOfFeaturesButThoseOfHashedText) {
  const Schema schema = Schema::parse(schema_of(std::string(kPerson) +
                                                    R"(, {"name": "note", "type": "string",
                          "southwell": {"encode": "hash", "features": 16}})",
                                                R"("southwell": {"interactions": "all"})"),
                                      "s");
  EXPECT_EQ(schema.interactions(),
            (std::vector<std::pair<std::size_t, std::size_t>>{{1, 2}, {1, 3}, {2, 3}}));
}

/// A field, or what stands beside the fields, and what the message must say.
struct Contradiction {
  std::string fields;
  std::string beside;
  std::vector<std::string> says;
};

std::string number(const std::string& more) {
  return R"({"name": "a", "type": "number", )" + more + "}";
}
std::string bounded(const std::string& own) {
  return number(R"("constraints": {"minimum": 0, "maximum": 1}, "southwell": {)" + own + "}");
}
std::string levels(const std::string& list, const std::string& more = "") {
  return R"({"name": "a", "type": "string", "constraints": {"enum": )" + list + "}" + more + "}";
}
const std::string kGood = R"({"name": "b", "type": "boolean"})";

std::vector<Contradiction> contradictions() {
  return {
      {R"({"type": "number"})", "", {"name", "missing"}},
      {R"({"name": "", "type": "number"})", "", {"name", "not empty"}},
      {kGood + "," + kGood, "", {"field 'b'", "name", "twice", "once"}},
      {R"({"name": "a"})", "", {"field 'a'", "type", "missing"}},
      {R"({"name": "a", "type": "geopoint"})", "", {"field 'a'", "type", "geopoint", "datetime"}},
      {number(R"("x": 1)"), "", {"field 'a'", "constraints", "minimum and maximum"}},
      {number(R"("constraints": {"minimum": 0})"), "", {"field 'a'", "maximum", "nothing"}},
      {number(R"("constraints": {"minimum": 2, "maximum": 1})"),
       "",
       {"field 'a'", "minimum", "2", "1", "minimum < maximum"}},
      {number(R"("constraints": {"minimum": 1, "maximum": 1})"), "", {"minimum < maximum"}},
      {number(R"("constraints": {"minimum": "0", "maximum": 1})"), "", {"minimum", "a number"}},
      {number(R"("constraints": {"minimum": 0, "maximum": 5e-324})"), "", {"minimum", "1e-100"}},
      {number(
           R"("constraints": {"minimum": 0, "maximum": 1e-17}, "southwell": {"transform": "log"})"),
       "",
       {"transform", "log", "1e-6"}},
      {number(R"("constraints": {"minimum": 0, "maximum": 1e200})"), "", {"maximum", "1e100"}},
      {number(R"("constraints": {"minimum": 0, "maximum": 1, "enum": [1, 2]})"),
       "",
       {"field 'a'", "enum", "one of them"}},
      {number(R"("southwell": {"center": 1})"), "", {"scale", "nothing"}},
      {number(R"("southwell": {"scale": 0})"), "", {"scale", "> 0"}},
      {bounded(R"("scale": 1)"), "", {"scale or center, and bounds", "one of them"}},
      {bounded(R"("transform": "cube")"), "", {"transform", "cube", "log"}},
      {number(R"("southwell": {"scale": 1, "transform": "log"})"), "", {"transform", "bounds"}},
      {bounded(R"("ordered": true)"), "", {"ordered", "levels"}},
      {bounded(R"("parts": ["month"])"), "", {"parts", "date"}},
      {bounded(R"("features": 16)"), "", {"features", "hash"}},
      {bounded(R"("missing": "drop")"), "", {"missing", "drop", "indicator, middle"}},
      {bounded(R"("role": "weight")"), "", {"role", "weight", "target"}},
      {bounded(R"("bounds": 3)"), "", {"bounds", "unknown key", "transform"}},
      {bounded(R"("role": "unit")"), "", {"role", "unit", "string or an integer"}},
      {number(R"("decimalChar": "ab")"), "", {"decimalChar", "ab", "one character"}},
      {number(R"("decimalChar": ",", "groupChar": ",")"), "", {"groupChar", "decimalChar"}},
      {number(R"("decimalChar": "e")"), "", {"decimalChar", "'e'", "sign"}},
      {number(R"("groupChar": "-")"), "", {"groupChar", "'-'", "sign"}},
      {number(R"("bareNumber": false)"), "", {"bareNumber", "false", "true"}},
      {number(R"("format": "currency")"), "", {"format", "currency", "default"}},
      {levels("[]"), "", {"enum", "empty", "at least one"}},
      {levels(R"(["x", "x"])"), "", {"enum", "'x'", "twice"}},
      {levels(R"(["1", 1.0])"), "", {"enum", "twice", "one level"}},
      {levels(R"(["x", ""])"), "", {"enum", "not empty"}},
      {levels(R"(["x", "?"])"), R"("missingValues": ["?"])", {"enum", "'?'", "missingValues"}},
      {levels("[1, 2]"), R"("missingValues": ["1.0"])", {"enum", "'1'", "missingValues"}},
      {levels(R"(["x"])", R"(, "southwell": {"aliases": {"?": "x"}})"),
       R"("missingValues": ["?"])",
       {"aliases", "'?'", "missingValues"}},
      {levels("[1, 2]", R"(, "southwell": {"aliases": {"1.0": "2"}})"),
       "",
       {"aliases", "'1.0'", "level '1'"}},
      {levels(R"(["x", "y"])", R"(, "southwell": {"aliases": {"z": "x", " z": "y"}})"),
       "",
       {"aliases", "'z'", "level"}},
      {R"({"name": "a", "type": "boolean", "trueValues": ["1"], "falseValues": ["1.0"]})",
       "",
       {"falseValues", "'1.0'", "one of trueValues"}},
      {R"({"name": "a", "type": "boolean", "trueValues": []})", "", {"trueValues", "empty"}},
      {R"({"name": "a", "type": "boolean", "trueValues": ["?"]})",
       R"("missingValues": ["?"])",
       {"trueValues", "'?'", "missingValues"}},
      {levels(R"(["x"])", R"(, "categories": ["y"])"), "", {"categories", "one of them"}},
      {R"({"name": "a", "type": "integer", "constraints": {"enum": ["x", 2]}})",
       "",
       {"field 'a'", "enum", "'x'", "numbers"}},
      {levels(R"(["x"])", R"(, "southwell": {"encode": "hash", "features": 16})"),
       "",
       {"encode", "hash", "enum"}},
      {levels(R"(["x"])", R"(, "southwell": {"aliases": {"y": "z"}})"), "", {"aliases", "'z'"}},
      {levels(R"(["x", "y"])", R"(, "southwell": {"aliases": {"y": "x"}})"),
       "",
       {"aliases", "'y'"}},
      {levels(R"(["x"])", R"(, "southwell": {"class_weight": {"x": 1}})"), "", {"role target"}},
      {levels(R"(["x"])", R"(, "southwell": {"role": "target"})") + "," + kGood,
       "",
       {"field 'a'", "one level", "two or more"}},
      {levels(R"(["x", "y"])", R"(, "southwell": {"role": "target", "class_weight": "balanced"})"),
       "",
       {"class_weight", "balanced", "count labels"}},
      {levels(R"(["x", "y"])", R"(, "southwell": {"role": "target", "class_weight": {"x": 1}})"),
       "",
       {"class_weight", "'y'", "each level"}},
      {levels(R"(["x", "y"])",
              R"(, "southwell": {"role": "target", "class_weight": {"x": 1, "y": 0}})"),
       "",
       {"class_weight", "> 0"}},
      {R"({"name": "a", "type": "string"})", "", {"field 'a'", "enum", "hash", "ignore"}},
      {R"({"name": "a", "type": "string", "format": "binary"})", "", {"format", "binary"}},
      {R"({"name": "a", "type": "string", "constraints": {"minimum": 1, "maximum": 2}})",
       "",
       {"minimum", "numbers and dates"}},
      {R"({"name": "a", "type": "string", "southwell": {"encode": "tfidf"}})",
       "",
       {"tfidf", "hash"}},
      {R"({"name": "a", "type": "string", "southwell": {"encode": "hash"}})",
       "",
       {"features", "power of two"}},
      {R"({"name": "a", "type": "string", "southwell": {"encode": "hash", "features": 100}})",
       "",
       {"features", "100", "power of two"}},
      {R"({"name": "a", "type": "boolean", "constraints": {"enum": [true]}})",
       "",
       {"enum", "true or false"}},
      {R"({"name": "a", "type": "date"})", "", {"constraints", "minimum and maximum", "parts"}},
      {R"({"name": "a", "type": "date", "constraints": {"minimum": "2020-02-30", "maximum": "2021-01-01"}})",
       "",
       {"minimum", "2020-02-30", "exists"}},
      {R"({"name": "a", "type": "date", "format": "any", "southwell": {"parts": ["month"]}})",
       "",
       {"format", "any", "%Y"}},
      {R"({"name": "a", "type": "date", "southwell": {"parts": ["hour"]}})",
       "",
       {"hour", "datetime"}},
      {R"({"name": "a", "type": "date", "southwell": {"parts": ["month", "month"]}})",
       "",
       {"parts", "twice"}},
      {R"({"name": "a", "type": "date", "southwell": {"parts": ["month"], "role": "target"}})",
       "",
       {"role", "target", "a number or"}},
      {R"({"name": "a", "type": "integer", "southwell": {"role": "unit"}})", "", {"no feature"}},
      {bounded(R"("role": "target", "transform": "log")") + "," + kGood,
       "",
       {"transform", "feature"}},
      {bounded(R"("role": "target")") +
           R"(, {"name": "c", "type": "boolean", "southwell": {"role": "target"}})",
       "",
       {"field 'c'", "target", "field 'a'", "one target"}},
      {kGood, R"("southwell": {"expand": {"b": {"hinges": 3}}})", {"expand", "'b'", "bounds"}},
      {bounded(""),
       R"("southwell": {"expand": {"a": {"hinges": 0}}})",
       {"hinges", "0", "1 to 1024"}},
      {bounded(""), R"("southwell": {"expand": {"a": {}}})", {"hinges", "bins"}},
      {bounded(""), R"("southwell": {"expand": {"a": {"knots": 3}}})", {"knots", "unknown key"}},
      {bounded(""), R"("southwell": {"interactions": "some"})", {"interactions", "some", "all"}},
      {bounded(""), R"("southwell": {"interactions": [["a", "a"]]})", {"two different"}},
      {bounded(""), R"("southwell": {"interactions": [["a", "z"]]})", {"'z'", "feature"}},
      {bounded("") + "," + kGood,
       R"("southwell": {"interactions": [["a", "b"], ["b", "a"]]})",
       {"once"}},
      {bounded(""), R"("southwell": {"epsilon": 1})", {"epsilon", "unknown key", "interactions"}},
      {bounded(""), R"("missingValues": [1])", {"missingValues", "text"}},
  };
}

TEST(Schema, RefusesWhatContradictsItselfByFieldKeyGivenAndAccepted) {
  for (const Contradiction& each : contradictions()) {
    const std::string text = schema_of(each.fields, each.beside);
    try {
      Schema::parse(text, "s.json");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const DataError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("s.json: ")) << message;
      EXPECT_NE(message.find("accepted"), std::string::npos) << message;
      for (const std::string& word : each.says) {
        EXPECT_NE(message.find(word), std::string::npos) << message << "\n  lacks: " << word;
      }
    }
  }
}

TEST(Schema, RefusesWhatIsNoSchemaAtAll) {
  for (const char* const text : {"", "[]", "3", "{}", R"({"fields": {}})", R"({"fields": []})",
                                 R"({"fields": [1]})", "{\"fields\": [", "\xff"}) {
    EXPECT_THROW(Schema::parse(text, "s"), DataError) << text;
  }
}

}  // namespace
}  // namespace southwell::data
