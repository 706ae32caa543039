#include "southwell/data/table/cell_reader.hpp"

#include <cmath>
#include <limits>

#include "southwell/data/table/civil_time.hpp"
#include "tables.hpp"

namespace southwell::data {
namespace {

/// The only feature field of a schema.
class OneField {
 public:
  explicit OneField(const std::string& field, const std::string& beside = "")
      : schema_(Schema::parse(schema_of(field, beside), "s")), reader_(schema_.fields()[0]) {}

  double number(std::string_view text) const {
    DecodedColumn out;
    reader_.add_text(text, out);
    return out.numbers.at(0);
  }
  std::int32_t place(std::string_view text) const {
    DecodedColumn out;
    reader_.add_text(text, out);
    return out.places.at(0);
  }
  const CellReader& reader() const { return reader_; }

 private:
  Schema schema_;
  CellReader reader_;
};

const char* const kNumber =
    R"({"name": "a", "type": "number", "constraints": {"minimum": 0, "maximum": 1}})";

TEST(CellReader, ReadsNumbersAndTakesEverythingElseForMissing) {
  const OneField field(kNumber, R"("missingValues": ["", "NA", "-999"])");
  EXPECT_EQ(field.number("2.5"), 2.5);
  EXPECT_EQ(field.number("  -3e2\t"), -300.0);
  EXPECT_EQ(field.number("+7"), 7.0);
  EXPECT_EQ(field.number("1e400"), std::numeric_limits<double>::infinity());
  for (const char* const text : {"", "NA", "-999", "-999.0", "nan", "abc", "1,5", "0x10", "1 2",
                                 "--1", "\xff", "1e", "\xc3\xa9"}) {
    EXPECT_TRUE(std::isnan(field.number(text))) << text;
  }
  EXPECT_TRUE(std::isnan(field.number(std::string(1 << 20, 'x'))));
}

TEST(CellReader, HonoursTheDeclaredMarksOfDecimalsAndGroups) {
  const OneField field(
      R"({"name": "a", "type": "number", "decimalChar": ",", "groupChar": ".",
          "constraints": {"minimum": 0, "maximum": 1}})");
  EXPECT_EQ(field.number("1.234,5"), 1234.5);
  EXPECT_FALSE(field.reader().takes_plain_numbers());
}

TEST(CellReader, ReadsACellAlikeWhateverTypeItComesIn) {
  const OneField levels(R"({"name": "a", "type": "integer", "constraints": {"enum": [1, 2, 10]}})");
  DecodedColumn out;
  for (const char* const text : {"2", "2.0", " 2 ", "+2", "2e0"})
    levels.reader().add_text(text, out);
  levels.reader().add_number(2.0, out);
  levels.reader().add_whole(2, out);
  for (const std::int32_t place : out.places) EXPECT_EQ(place, 1);
  EXPECT_EQ(levels.place("3"), kNoLevel);
  EXPECT_EQ(levels.place("two"), kNoLevel);
  EXPECT_EQ(levels.place(""), kMissingLevel);
  DecodedColumn rest;
  levels.reader().add_number(std::nan(""), rest);
  levels.reader().add_missing(rest);
  levels.reader().add_truth(true, rest);
  levels.reader().add_moment(5, rest);
  EXPECT_EQ(rest.places, (std::vector<std::int32_t>{kMissingLevel, kMissingLevel, 0, kNoLevel}));
}

TEST(CellReader, ReadsAMomentAsItsTextWhereWordsAreDeclared) {
  const std::int64_t day = 20'000 * kDay;
  const OneField levels(
      R"({"name": "a", "type": "string", "constraints": {"enum": ["2024-10-04", "other"]}})");
  DecodedColumn out;
  levels.reader().add_moment(day, out);
  levels.reader().add_moment(day + kSecond, out);
  EXPECT_EQ(out.places, (std::vector<std::int32_t>{0, kNoLevel}));
  const OneField words(
      R"({"name": "a", "type": "string", "southwell": {"encode": "hash", "features": 16}})");
  DecodedColumn as_moment;
  DecodedColumn as_text;
  words.reader().add_moment(day, as_moment);
  words.reader().add_text("2024-10-04", as_text);
  ASSERT_EQ(as_text.words.size(), as_moment.words.size());
  EXPECT_FALSE(as_text.words.empty());
  for (std::size_t k = 0; k < as_text.words.size(); ++k) {
    EXPECT_EQ(as_moment.words[k].feature, as_text.words[k].feature);
  }
  const OneField number(
      R"({"name": "a", "type": "number", "constraints": {"minimum": 0, "maximum": 1}})");
  DecodedColumn numbers;
  number.reader().add_moment(day, numbers);
  EXPECT_TRUE(std::isnan(numbers.numbers.front()));
}

TEST(CellReader, KnowsOtherWordsForLevels) {
  const OneField field(
      R"({"name": "a", "type": "string", "constraints": {"enum": ["<=50K", ">50K"]},
          "southwell": {"aliases": {">50K.": ">50K"}}})",
      R"("missingValues": ["?"])");
  EXPECT_EQ(field.place(" >50K. "), 1);
  EXPECT_EQ(field.place("?"), kMissingLevel);
  EXPECT_EQ(field.place(""), kNoLevel);  // declared is a question mark alone
  EXPECT_EQ(field.place(">50k"), kNoLevel);
}

TEST(CellReader, ReadsBooleansByTheirDeclaredWords) {
  const OneField plain(R"({"name": "a", "type": "boolean"})");
  for (const char* const text : {"true", "True", "TRUE", "1", "1.0"})
    EXPECT_EQ(plain.place(text), 1);
  for (const char* const text : {"false", "False", "FALSE", "0"}) EXPECT_EQ(plain.place(text), 0);
  EXPECT_EQ(plain.place("yes"), kNoLevel);
  const OneField words(
      R"({"name": "a", "type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"]})");
  EXPECT_EQ(words.place("ja"), 1);
  EXPECT_EQ(words.place("true"), kNoLevel);
  DecodedColumn out;
  words.reader().add_truth(true, out);
  EXPECT_EQ(out.places.at(0), 1);
}

TEST(CellReader, ComparesIdsAsTheyStandAndWholeNumbersByTheirDigits) {
  const Schema text = Schema::parse(
      schema_of(std::string(R"({"name": "u", "type": "string", "southwell": {"role": "unit"}}, )") +
                kNumber),
      "s");
  DecodedColumn ids;
  const CellReader of_text(text.fields()[0]);
  for (const char* const id : {"7", "007", " x ", ""}) of_text.add_text(id, ids);
  of_text.add_whole(9007199254740993, ids);
  of_text.add_number(1e15, ids);
  of_text.add_number(9007199254740992.0, ids);  // also that of a whole number beside it
  of_text.add_number(0.5, ids);
  DecodedColumn of_moments;
  of_text.add_moment(20'000 * kDay,
                     of_moments);  // which may be short of digits that tell ids apart
  EXPECT_EQ(of_moments.texts, std::vector<std::optional<std::string>>(1));
  EXPECT_EQ(ids.texts, (std::vector<std::optional<std::string>>{
                           "7", "007", "x", std::nullopt, "9007199254740993", "1000000000000000",
                           std::nullopt, std::nullopt}));
  const Schema whole = Schema::parse(
      schema_of(
          std::string(R"({"name": "u", "type": "integer", "southwell": {"role": "unit"}}, )") +
          kNumber),
      "s");
  const CellReader of_whole(whole.fields()[0]);
  DecodedColumn numbers;
  for (const char* const id :
       {"7", "007", "+7", "7.0", "-0", "-12", "18446744073709551615", "184467440737095516150"}) {
    of_whole.add_text(id, numbers);
  }
  EXPECT_EQ(numbers.texts,
            (std::vector<std::optional<std::string>>{
                "7", "7", "7", "7", "0", "-12", "18446744073709551615", "184467440737095516150"}));
  numbers.texts.clear();
  for (const char* const none : {"x", "1e3", "7.5", "7.0.0", ".0", "+", "+-7", "7 0"}) {
    of_whole.add_text(none, numbers);
  }
  EXPECT_EQ(numbers.texts, std::vector<std::optional<std::string>>(8));
}

}  // namespace
}  // namespace southwell::data
