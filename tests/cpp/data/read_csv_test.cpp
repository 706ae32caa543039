#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "data/reading_csv.hpp"

namespace southwell::data {
namespace {

using namespace std::string_literals;

const SourceReader kRead = &read_csv;

TEST(ReadCsv, ReadsAllThatACsvFileMayHold) {
  const std::string plain = image(parse("a,b\n1.5,-2\n3,4e2\n"));
  for (const std::string& same : {
           "a,b\n1.5,-2\n3,4e2"s,  // no newline at the end
           "\xef\xbb\xbf"
           "a,b\n1.5,-2\n3,4e2\n"s,                                   // byte order mark
           "a,b\r\n1.5,-2\r\n3,4e2\r\n"s, "a,b\r\n1.5,-2\r\n3,4e2"s,  // other line breaks
           "a,b\n1.5,-2\n3,4e2\n\n\r\n  \n"s,                         // blank lines at the end
           " a ,\tb\n 1.5\t, -2 \n+3,+4E+2\n"s,                       // blanks, a leading plus
           "\"a\",\"b\"\n\"1.5\", \"-2\" \n\" 3 \",400\n"s,           // quotes
       }) {
    EXPECT_EQ(plain, outcome_in_every_way(kRead, same)) << same;
  }
}

TEST(ReadCsv, NamesMayHoldCommasAndDoubledQuotes) {
  const Dataset data = parse("\"a,b\",\"say \"\"no\"\"\",\xc3\xa9\n1,2,3\n");
  EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a,b", "say \"no\"", "\xc3\xa9"}));
}

TEST(ReadCsv, MissingAndInfiniteAndOverflowingFieldsAreValues) {
  const Dataset data = parse(
      "a,b\n,0\nNA,0\nna,0\nnan,0\n-NaN,0\n\"\",0\n"
      "inf,0\nINF,0\n+inf,0\nInfinity,0\n1e999,0\n"
      "-inf,0\n-infinity,0\n-1e999,0\n"
      "1e-999,0\n-0,0\n4.9e-324,0\n");
  const std::vector<double> a = column(data, 0);
  ASSERT_EQ(a.size(), 17u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(std::isnan(a[i])) << i;
  const double inf = std::numeric_limits<double>::infinity();
  for (std::size_t i = 6; i < 11; ++i) EXPECT_EQ(a[i], inf) << i;
  for (std::size_t i = 11; i < 14; ++i) EXPECT_EQ(a[i], -inf) << i;
  EXPECT_EQ(a[14], 0.0);
  EXPECT_TRUE(std::signbit(a[15]));
  EXPECT_EQ(a[16], std::numeric_limits<double>::denorm_min());
}

TEST(ReadCsv, DeclaredWordsAreMissingNumbers) {
  const std::string text =
      "a,b,y\n1,2,3\nN/A,?,null\n\"N/A\", ? ,\" null \"\n-999,-999.0,\"-999\"\n4,5,6\n";
  const ReadOptions options{.target = "y", .missing = {"N/A", "?", " null ", "-999"}};
  const std::string plain = "a,b,y\n1,2,3\n,,\n,,\n,-999,\n4,5,6\n";
  for (const Storage storage : {Storage::f64, Storage::f32}) {
    ReadOptions with = options;
    with.storage = storage;
    EXPECT_EQ(outcome_in_every_way(kRead, text, with),
              image(parse(plain, {.target = "y", .storage = storage})));
  }
  EXPECT_EQ(outcome([&] {
              return parse(text, {.target = "y"});
            }).find("DataError file:3: column 0 ('a') holds text"),
            0u)
      << "without them it is text";
  // Neither more nor less than the word, and no other case of it.
  for (const char* other : {"N/A?", "n/a", "N / A", "??", "'?'", "-999x"}) {
    EXPECT_THROW(parse("a,y\n1,2\n1,"s + other + "\n", options), DataError) << other;
  }
  EXPECT_EQ(column(parse("a,b\n-99,0\n9990,0\n", {.missing = {"-999", "999"}}), 0),
            (std::vector<double>{-99, 9990}));
  // A quote within is doubled in the file, not in the word; ids and columns passed over are text.
  EXPECT_TRUE(
      std::isnan(column(parse("a,b\n\"no \"\"x\"\"\",0\n", {.missing = {"no \"x\""}}), 0)[0]));
  EXPECT_EQ(parse("a,who\n1,?\n", {.id = "who", .missing = {"?"}}).ids,
            (std::vector<std::string>{"?"}));
  for (const char* empty : {"", " \t"}) {
    EXPECT_THROW(parse("a,b\n1,2\n", {.missing = {"?", empty}}), InvalidArgument);
  }
}

TEST(ReadCsv, SaysWhichLineIsWrongAndWhatIsAccepted) {
  expect_refused(
      kRead,
      {
          {"empty file", "", "file:1: the file is empty"},
          {"blank first line", "\na,b\n", "file:1: the first line is blank"},
          {"only a byte order mark", "\xef\xbb\xbf", "file:1: the first line is blank"},
          {"short row", "a,b\n1,2\n3\n4,5\n", "file:3: the line has 1 fields; accepted are 2"},
          {"long row", "a,b\n1,2\n3,4,5\n", "file:3: the line has 3 fields; accepted are 2"},
          {"comma at the end", "a,b\n1,2,\n", "file:2: the line has 3 fields"},
          {"text", "a,b\n1,2\n1,hello\n", "file:3: column 1 ('b') holds text"},
          {"text in the first record", "1,2x\n3,4\n", "file:1: the first line mixes names and"},
          {"text, no names", "1,2\n1,2\nx,2\n", "file:3: column 0 holds text"},
          {"first of two faults", "a,b\n1,x\n1\n", "file:2: column 1"},
          {"text in quotes", "a,b\n1,\"x\"\n", "file:2: column 1"},
          {"two numbers", "a,b\n1,2 3\n", "file:2: column 1"},
          {"hexadecimal", "a,b\n1,0x10\n", "file:2: column 1"},
          {"half a number", "a,b\n1,1e\n", "file:2: column 1"},
          {"a point alone", "a,b\n1,.\n", "file:2: column 1"},
          {"two signs", "a,b\n1,+-1\n", "file:2: column 1"},
          {"nan with a payload", "a,b\n1,nan(1)\n", "file:2: column 1"},
          {"underscore", "a,b\n1,1_000\n", "file:2: column 1"},
          {"locale comma", "a;b\n1,5;2,5\n", "file:2: the line has 3 fields; accepted are 1"},
          {"locale comma in quotes", "a,b\n1,\"1,5\"\n", "file:2: column 1"},
          {"semicolons", "a,b\n1;2,3\n", "file:2: column 0"},
          {"NUL", "a,b\n1,2\n1,\0\n"s, "file:3: the line holds a NUL byte"},
          {"NUL in a name", "a\0,b\n1,2\n"s, "file:1: the line holds a NUL byte"},
          {"NUL after a number", "a,b\n1,2\0\n"s, "file:2: the line holds a NUL byte"},
          {"open quote", "a,b\n1,\"2\n3,4\n", "file:2: column 1 has broken quotes"},
          {"newline in quotes", "a,b\n\"1\n\",2\n", "file:2: column 0 has broken quotes"},
          {"open quote in a name", "a,\"b\n1,2\n", "file:1: column 1 has broken quotes"},
          {"quote within a field", "a,b\n1,2\"3\n", "file:2: column 1 has broken quotes"},
          {"text after a quote", "a,b\n1,\"2\"3\n", "file:2: column 1 has broken quotes"},
          {"blank line between", "a,b\n1,2\n\n\n3,4\n", "file:3: the line is blank"},
          {"blank line, then text", "a,b\n1,2\n\nx,4\n", "file:3: the line is blank"},
          {"blank line in one column", "1\n\n2\n", "file:2: the line is blank"},
          {"carriage return within", "a,b\n1,2\r3\n", "file:2: column 1"},
          {"same name twice", "a,b,a\n1,2,3\n", "file:1: the column name 'a' occurs twice"},
          {"name not UTF-8", "a,\xff\n1,2\n", "file:1: the name of column 1 is not text"},
          {"name a surrogate", "a,\xed\xa0\x80\n1,2\n", "file:1: the name of column 1 is not text"},
          {"control character in a name", "a,b\x01\n1,2\n", "file:1: the name of column 1"},
      });
}

TEST(ReadCsv, NeverPrintsARecordsValue) {
  const std::string got = outcome([] { return parse("a,b\n1,secret\n"); });
  EXPECT_EQ(got.find("secret"), std::string::npos) << got;
}

TEST(ReadCsv, OfSeveralFaultsTheFirstInTheFileIsReported) {
  std::string text = "a,b\n";
  for (int i = 0; i < 300; ++i) text += i == 201 ? "x,1\n" : i > 220 ? "bad\n" : "1,2\n";
  const std::string got = outcome_in_every_way(kRead, text);
  EXPECT_NE(got.find("file:203: column 0"), std::string::npos) << got;
}

TEST(ReadCsv, ALineMayHaveExactlyTheLimitAndNoMore) {
  for (const char* end : {"\n", ""}) {
    for (const std::size_t chunk : {1u, 4u, 8u, 9u, 100u}) {
      const Chunking chunking{.chunk_bytes = chunk, .line_limit = 8};
      const auto read_text = [&](const std::string& text) {
        return outcome([&] {
          MemorySource source(text);
          return read_csv(source, "file", {}, chunking);
        });
      };
      EXPECT_EQ(read_text("1,2\n1234,678"s + end), image(parse("1,2\n1234,678\n")));
      EXPECT_EQ(read_text("1,2\n1234,6789"s + end),
                "DataError file:2: the line is longer than 8 bytes; accepted are shorter lines");
      EXPECT_EQ(read_text("1,2\n1\n1234,6789"s + end).find("DataError file:2: the line has 1 f"),
                0u)
          << "a fault before the long line comes first";
    }
  }
}

/// Numbers of every length and size, named columns, a target, some fields to be read with care.
std::string random_table(std::size_t records, std::size_t columns) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::string text;
  for (std::size_t j = 0; j < columns; ++j) text += (j ? ",x" : "x") + std::to_string(j);
  text += '\n';
  for (std::size_t i = 0; i < records; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (j) text += ',';
      const auto kind = random() % 16;
      if (kind == 0) continue;
      char number[64];
      const double x = normal(random) * std::pow(10.0, static_cast<double>(random() % 40) - 20);
      std::snprintf(number, sizeof number,
                    kind == 1  ? " \"%.3f\" "
                    : kind < 6 ? "%.4g"
                               : "%.17g",
                    x);
      text += number;
    }
    text += '\n';
  }
  return text;
}

TEST(ReadCsv, GivesTheSameBitsFromAFileAPipeAndGzipForAnyNumberOfThreads) {
  expect_same_from_file_gzip_and_pipe("table.csv", random_table(300, 6), {.target = "x2"});
}

TEST(ReadCsv, GivesTheSameBitsForAnyChunks) {
  for (const std::size_t columns : {1u, 2u, 9u}) {
    std::string text = random_table(40, columns);
    if (columns == 1) text = "a\n1\n\"\"\n-3e4\nNA\n5\n";
    for (const Storage storage : {Storage::f64, Storage::f32}) {
      const std::string got =
          outcome_in_every_way(kRead, text, {.target = "0", .storage = storage});
      EXPECT_FALSE(got.starts_with("DataError")) << got;
    }
  }
}

TEST(ReadCsv, ReadsEachNumberAsTheNearestDouble) {
  std::mt19937_64 random(11);
  std::string text = "a,b\n";
  std::vector<double> expected;
  for (int i = 0; i < 5000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    char number[64];
    std::snprintf(number, sizeof number, i % 2 ? "%.17g" : "%.25e", x);
    text += number + ",0\n"s;
    expected.push_back(x);
  }
  EXPECT_EQ(column(parse(text), 0), expected);
  // Half-way cases and their neighbours, where a careless reader rounds the wrong way.
  EXPECT_EQ(column(parse("9007199254740993,0\n9007199254740992.99999999999999999999,0\n"
                         "9007199254740993.00000000000000000001,0\n2.2250738585072012e-308,0\n"),
                   0),
            (std::vector<double>{9007199254740992.0, 9007199254740992.0, 9007199254740994.0,
                                 std::numeric_limits<double>::min()}));
}

TEST(ReadCsv, SinglePrecisionStoresTheNearestFloatOfEachDouble) {
  const std::string text = random_table(50, 4);
  const Dataset wide = parse(text, {.target = "x1"});
  const Dataset narrow = parse(text, {.target = "x1", .storage = Storage::f32});
  const auto& a = std::get<DenseDesign<double>>(wide.design);
  const auto& b = std::get<DenseDesign<float>>(narrow.design);
  for (std::size_t k = 0; k < a.stored_entries(); ++k) {
    const auto at = static_cast<std::ptrdiff_t>(k);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(a.values()[at])),
              std::bit_cast<std::uint32_t>(b.values()[at]));
  }
  for (std::size_t i = 0; i < wide.target.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(wide.target[i]),
              std::bit_cast<std::uint64_t>(narrow.target[i]));
  }
}

TEST(ReadCsv, CutOffOrDamagedGzipIsAnErrorButAWrongLineBeforeItComesFirst) {
  const auto read_packed = [](const std::string& packed) {
    return outcome([&] {
      const auto source = unpacked(std::make_unique<MemorySource>(packed), "file");
      return read_csv(*source, "file", {}, {.chunk_bytes = 64});
    });
  };
  const std::string text = random_table(2000, 3);
  const std::string whole = gzipped(text);
  EXPECT_EQ(read_packed(whole.substr(0, whole.size() - 5))
                .find("DataError file: the gzip stream is cut short"),
            0u);
  EXPECT_EQ(read_packed(whole.substr(0, whole.size() / 2))
                .find("DataError file: the gzip stream is cut short"),
            0u);
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // the checksum
  EXPECT_EQ(read_packed(damaged).find("DataError file: the gzip stream is corrupt"), 0u);
  EXPECT_EQ(read_packed(whole + "more").find("DataError file: the gzip stream is corrupt"), 0u);
  std::string wrong = gzipped("a,b\n1,2\nx,2\n" + text);
  wrong[wrong.size() - 6] ^= 1;
  EXPECT_EQ(read_packed(wrong).find("DataError file:3: column 0"), 0u);
}

TEST(ReadCsv, TakesOtherDelimitersForTheSameTable) {
  const std::string plain = image(parse("a,b,target\n1.5,-2,NA\n,\"4\",1\n"));
  const auto with = [](char delimiter) {
    ReadOptions options;
    options.delimiter = delimiter;
    return options;
  };
  EXPECT_EQ(image(parse("a;b;target\n1.5;-2;NA\n;\"4\";1\n", with(';'))), plain);
  EXPECT_EQ(image(parse("a|b|target\n1.5| -2 |NA\n|\"4\" |1\n", with('|'))), plain);
  EXPECT_EQ(image(parse("a\tb\ttarget\n1.5\t-2\tNA\n\t\"4\"\t1\n", with('\t'))), plain);
  // Two tabs are three cells and no blank line.
  EXPECT_EQ(parse("a\tb\tc\n1\t2\t3\n\t\t\n", with('\t')).records(), 2u);
  EXPECT_EQ(outcome([&] { return parse("a;b\n1,5;2\n", with(';')); }).find("DataError file:2: "),
            0u);
  EXPECT_EQ(outcome([&] { return parse("a:b\n", with(':')); }),
            "InvalidArgument delimiter: given ':', accepted is a comma, a semicolon, a tab or a "
            "vertical bar");
}

}  // namespace
}  // namespace southwell::data
