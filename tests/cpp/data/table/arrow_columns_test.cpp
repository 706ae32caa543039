#include "southwell/data/table/arrow_columns.hpp"

#include <cmath>
#include <limits>

#include "arrow_arrays.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/table/civil_time.hpp"
#include "tables.hpp"

namespace southwell::data {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

/// What a field understands of the cells of a column.
DecodedColumn decoded(const std::string& field, const Handmade& column) {
  const Schema schema = Schema::parse(schema_of(field), "schema");
  const CellReader reader(schema.fields()[0]);
  const ArrowType type(column->schema, "column");
  const SharedColumn cells = arrow_column(type, column->array, column);
  DecodedColumn out;
  cells->read(0, cells->size(), reader, out);
  return out;
}

const char* const kNumber =
    R"({"name": "x", "type": "number", "constraints": {"minimum": -1000, "maximum": 1000}})";
const char* const kId = R"({"name": "x", "type": "string", "southwell": {"role": "unit"}},
                           {"name": "other", "type": "boolean"})";
const char* const kTime = R"({"name": "x", "type": "datetime", "southwell": {"parts": ["month"]}})";
const char* const kLevels =
    R"({"name": "x", "type": "string", "constraints": {"enum": ["1", "2", "three"]}})";

std::vector<double> numbers(const Handmade& column) { return decoded(kNumber, column).numbers; }
std::vector<std::int64_t> moments(const Handmade& column) { return decoded(kTime, column).moments; }

/// The same numbers, where NaN is NaN.
void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i << ": " << a[i];
  }
}

TEST(ArrowColumns, ReadNumbersOfEveryWidth) {
  const std::vector<double> wanted{1, 2, 100};
  EXPECT_EQ(numbers(numbers_column<double>("g", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<float>("f", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::uint16_t>("e", "x", {0x3c00, 0x4000, 0x5640})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::int64_t>("l", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::int32_t>("i", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::int16_t>("s", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::int8_t>("c", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::uint64_t>("L", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::uint32_t>("I", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::uint16_t>("S", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(numbers_column<std::uint8_t>("C", "x", {1, 2, 100})), wanted);
  EXPECT_EQ(numbers(text_column<std::int32_t>("u", "x", {"1", " 2.0 ", "1e2"})), wanted);
}

TEST(ArrowColumns, ReadHalfNumbersOfEveryKind) {
  expect_same(numbers(numbers_column<std::uint16_t>(
                  "e", "x", {0x0001, 0x8400, 0x7c00, 0xfc00, 0x7e00, 0x8000})),
              {std::ldexp(1.0, -24), -std::ldexp(1.0, -14), INFINITY, -INFINITY, kNan, -0.0});
}

TEST(ArrowColumns, TakeMissingCellsAndOffsetsIntoAccount) {
  const std::vector<bool> valid{true, false, true, true, true, true, true, true, false, true};
  expect_same(numbers(numbers_column<double>("g", "x", {9, 9, 2, 3, 4, 5, 6, 7, 8, 9}, valid, 1)),
              {kNan, 2, 3, 4, 5, 6, 7, kNan, 9});
  expect_same(numbers(text_column<std::int32_t>("u", "x", {"1", "2", "3"}, {true, false, true}, 1)),
              {kNan, 3});
  auto nothing = std::make_shared<HandmadeColumn>("n", "x");
  nothing->finish(3);
  expect_same(numbers(nothing), {kNan, kNan, kNan});
}

TEST(ArrowColumns, ReadTextInEveryLayout) {
  const std::vector<std::string> texts{"three", "", "two and much more than twelve", "2",
                                       "another one that does not fit in"};
  const std::vector<std::int32_t> wanted{2, kMissingLevel, kNoLevel, 1, kNoLevel};
  for (const char* format : {"u", "z"}) {
    EXPECT_EQ(decoded(kLevels, text_column<std::int32_t>(format, "x", texts)).places, wanted);
  }
  for (const char* format : {"U", "Z"}) {
    EXPECT_EQ(decoded(kLevels, text_column<std::int64_t>(format, "x", texts)).places, wanted);
  }
  EXPECT_EQ(decoded(kLevels, view_column("x", texts)).places, wanted);
  const std::vector<std::optional<std::string>> ids = decoded(kId, view_column("x", texts)).texts;
  EXPECT_EQ(ids[2], texts[2]);
  EXPECT_EQ(ids[4], texts[4]);
}

/// Text columns whose offsets are these.
template <class Offset>
std::vector<std::optional<std::string>> texts_between(const std::string& format,
                                                      const std::vector<Offset>& offsets) {
  auto column = std::make_shared<HandmadeColumn>(format, "x");
  column->add_validity({});
  column->add_buffer(offsets);
  column->add_buffer(std::vector<char>{'a', 'b', 'c', 'd'});
  column->finish(offsets.size() - 1);
  return decoded(kId, column).texts;
}

TEST(ArrowColumns, NeverReadTextOutsideOfTheColumn) {
  const std::vector<std::optional<std::string>> wanted{"ab", std::nullopt, std::nullopt, "cd"};
  const auto far = std::numeric_limits<std::int64_t>::max();
  const auto least = std::numeric_limits<std::int64_t>::min();
  for (const std::int32_t wrong : {5, -1, 1, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
    const auto found = texts_between<std::int32_t>("u", {0, 2, wrong, 2, 4});
    EXPECT_EQ(found[0], "ab") << wrong;
    EXPECT_EQ(found[1], std::nullopt) << wrong;
    EXPECT_EQ(found[3], "cd") << wrong;
  }
  EXPECT_EQ(texts_between<std::int64_t>("U", {0, 2, far, 2, 4}), wanted);
  EXPECT_EQ(texts_between<std::int64_t>("U", {0, 2, least, 2, 4})[1], std::nullopt);
  auto without_bytes = std::make_shared<HandmadeColumn>("u", "x");
  without_bytes->add_validity({});
  without_bytes->add_buffer(std::vector<std::int32_t>{0, 0, 3});
  without_bytes->buffers.push_back(nullptr);
  without_bytes->finish(2);
  EXPECT_EQ(decoded(kLevels, without_bytes).places,
            (std::vector<std::int32_t>{kMissingLevel, kMissingLevel}));
}

TEST(ArrowColumns, NeverFollowAViewOutsideOfItsBuffers) {
  const std::string text = "a text that does not fit in a view";
  const auto with = [&](std::size_t at, std::int32_t value) {
    const Handmade column = view_column("x", {text});
    std::memcpy(column->memory.front().data() + at, &value, sizeof(value));
    return decoded(kId, column).texts.front();
  };
  EXPECT_EQ(with(8, 0), text);
  for (const auto& [at, value] :
       std::vector<std::pair<std::size_t, std::int32_t>>{{0, -1},          // a length
                                                         {0, 35},          // beyond the end
                                                         {0, 0x7fffffff},  //
                                                         {8, -1},          // a buffer
                                                         {8, 2},    // the one that holds the sizes
                                                         {12, -1},  // a place
                                                         {12, 1},   // too near the end
                                                         {12, 0x7fffffff}}) {
    EXPECT_EQ(with(at, value), std::nullopt) << at << " " << value;
  }
  const Handmade cut = view_column("x", {text});
  cut->array.n_buffers = 3;  // as if its buffers were not there
  EXPECT_EQ(decoded(kId, cut).texts.front(), std::nullopt);
}

TEST(ArrowColumns, ReadTruthValues) {
  auto bits = std::make_shared<HandmadeColumn>("b", "x");
  bits->add_validity({true, true, false});
  bits->add_buffer(std::vector<std::uint8_t>{0b101});
  bits->finish(3);
  const char* const truth = R"({"name": "x", "type": "boolean"})";
  EXPECT_EQ(decoded(truth, bits).places, (std::vector<std::int32_t>{1, 0, kMissingLevel}));
  expect_same(numbers(bits), {1, 0, kNan});
}

TEST(ArrowColumns, ReadDictionariesByValueWhateverTheirIndices) {
  const auto levels = [] { return text_column<std::int32_t>("u", "", {"three", "1", "x"}); };
  const std::vector<std::int32_t> wanted{0, 2, kNoLevel, kMissingLevel};
  const std::vector<bool> valid{true, true, true, false};
  const auto places = [](const Handmade& column) { return decoded(kLevels, column).places; };
  EXPECT_EQ(places(coded_column<std::int8_t>("c", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::int16_t>("s", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::int32_t>("i", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::int64_t>("l", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::uint8_t>("C", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::uint16_t>("S", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::uint32_t>("I", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  EXPECT_EQ(places(coded_column<std::uint64_t>("L", "x", {1, 0, 2, 0}, levels(), valid)), wanted);
  // A code is no number, and one that stands for nothing is missing.
  expect_same(numbers(coded_column<std::int8_t>("c", "x", {0, 1, -1, 7},
                                                numbers_column<double>("g", "", {30, 40}))),
              {30, 40, kNan, kNan});
}

TEST(ArrowColumns, ReadMomentsOfEveryUnit) {
  const std::int64_t day = 20'000 * kDay;
  EXPECT_EQ(moments(numbers_column<std::int32_t>("tdD", "x", {20'000})), (std::vector{day}));
  EXPECT_EQ(moments(numbers_column<std::int64_t>("tdm", "x", {20'000LL * 86'400'000})),
            (std::vector{day}));
  for (const auto& [format, per_second] :
       std::vector<std::pair<std::string, std::int64_t>>{{"tss:", 1},
                                                         {"tsm:UTC", 1000},
                                                         {"tsu:", 1'000'000},
                                                         {"tsn:Europe/Rome", 1'000'000'000}}) {
    const std::int64_t count = 20'000LL * 86'400 * per_second;
    EXPECT_EQ(moments(numbers_column<std::int64_t>(format, "x", {count})), (std::vector{day}));
  }
  // Part of a microsecond is dropped, before 1970 too.
  EXPECT_EQ(moments(numbers_column<std::int64_t>("tsn:", "x", {1999, -1})),
            (std::vector<std::int64_t>{1, -1}));
}

TEST(ArrowColumns, TakeMomentsBeyondTheCalendarForMissing) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (const char* format : {"tdm", "tss:", "tsm:", "tsu:"}) {
    EXPECT_EQ(moments(numbers_column<std::int64_t>(format, "x", {kMost, kLeast})),
              (std::vector{kNoMoment, kNoMoment}))
        << format;
  }
  EXPECT_EQ(moments(numbers_column<std::int64_t>("tsn:", "x", {kLeast})), (std::vector{kNoMoment}));
  EXPECT_EQ(moments(numbers_column<std::int32_t>("tdD", "x", {-719'163, 2'932'897, 2'932'896})),
            (std::vector{kNoMoment, kNoMoment, 2'932'896 * kDay}));
  EXPECT_EQ(moments(text_column<std::int32_t>("u", "x", {"9999-12-31"})),
            (std::vector{2'932'896 * kDay}));
}

/// A whole number of so many bytes.
std::vector<unsigned char> bytes_of(std::int64_t value, std::size_t bytes) {
  std::vector<unsigned char> out(bytes, value < 0 ? 0xff : 0);
  std::memcpy(out.data(), &value, std::min<std::size_t>(bytes, 8));
  return out;
}

TEST(ArrowColumns, ReadDecimalsByTheirValue) {
  for (const auto& [format, bytes] :
       std::vector<std::pair<std::string, std::size_t>>{{"d:9,2,32", 4},
                                                        {"d:18,2,64", 8},
                                                        {"d:38,2", 16},
                                                        {"d:38,2,128", 16},
                                                        {"d:76,2,256", 32}}) {
    std::vector<unsigned char> memory;
    for (const std::int64_t value : {150, -275, 0, 99'900}) {
      const auto one = bytes_of(value, bytes);
      memory.insert(memory.end(), one.begin(), one.end());
    }
    auto column = std::make_shared<HandmadeColumn>(format, "x");
    column->add_validity({});
    column->add_buffer(memory);
    column->finish(4);
    EXPECT_EQ(numbers(column), (std::vector<double>{1.5, -2.75, 0, 999})) << format;
    EXPECT_EQ(decoded(kId, column).texts[3], "999");
  }
  auto wide = std::make_shared<HandmadeColumn>("d:38,0", "x");
  wide->add_validity({});
  wide->add_buffer(std::vector<unsigned char>(16, 0x11));
  wide->finish(1);
  EXPECT_EQ(decoded(kId, wide).texts[0], "22685491128062564230891640495451214097");
}

TEST(ArrowColumns, KeepWholeNumbersThatNoDoubleHolds) {
  constexpr std::int64_t kOdd = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(decoded(kId, numbers_column<std::int64_t>("l", "x", {kOdd})).texts[0],
            "9007199254740993");
  EXPECT_EQ(decoded(kId, numbers_column<std::uint64_t>("L", "x", {~std::uint64_t{0}})).texts[0],
            "18446744073709551615");
}

TEST(ArrowColumns, AreRefusedForATypeThatHoldsNoSingleValues) {
  for (const char* format :
       {"+l", "+s", "+ud:0,1", "w:8", "tDs", "tts", "tiM", "d:3", "d:1,1,7", "", "ts?:", "g2"}) {
    const Handmade column = numbers_column<double>(format, "x", {1});
    EXPECT_THROW(ArrowType(column->schema, "column"), DataError) << format;
  }
  const Handmade nested =
      coded_column<std::int8_t>("c", "x", {0}, numbers_column<double>("+l", "", {1}));
  EXPECT_THROW(ArrowType(nested->schema, "column"), DataError);
}

TEST(ArrowColumns, SayWhetherTheyAreFloating) {
  const auto is_floating = [](const Handmade& column) {
    return ArrowType(column->schema, "column").is_floating();
  };
  EXPECT_TRUE(is_floating(numbers_column<double>("g", "x", {1})));
  EXPECT_TRUE(
      is_floating(coded_column<std::int8_t>("c", "x", {0}, numbers_column<float>("f", "", {1}))));
  EXPECT_FALSE(is_floating(numbers_column<std::int64_t>("l", "x", {1})));
}

}  // namespace
}  // namespace southwell::data
