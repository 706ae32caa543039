#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "data/reading.hpp"

namespace southwell::data {
namespace {

using namespace std::string_literals;

Dataset read_plain(ByteSource& source, const std::string& name, const ReadOptions& options,
                   const Chunking& chunking) {
  return read_npy(source, name, options, chunking);
}
const SourceReader kRead = &read_plain;

Dataset parse(std::string_view bytes, const ReadOptions& options = {}) {
  MemorySource source(bytes);
  return read_npy(source, "file", options);
}

/// A file around a header's text.
std::string file_with(const std::string& text, const std::string& numbers, int version = 1) {
  const std::string padded = text + std::string(64 - (text.size() + 11) % 64, ' ') + "\n";
  std::string out = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
    out += static_cast<char>(padded.size() >> (8 * k) & 255);
  }
  return out + padded + numbers;
}

std::string header(const std::string& descr, const std::string& shape,
                   const char* fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

template <class Raw>
std::string bytes_of(const std::vector<Raw>& numbers, bool swapped = false) {
  std::string out;
  for (const Raw number : numbers) {
    char raw[sizeof(Raw)];
    std::memcpy(raw, &number, sizeof(Raw));
    if (swapped) std::reverse(raw, raw + sizeof(Raw));
    out.append(raw, sizeof(Raw));
  }
  return out;
}

/// 2 x 3, as every file below should read: columns (1, 4), (2, 5), (3, 6).
const std::vector<double> kByRecord = {1, 2, 3, 4, 5, 6};
const std::vector<double> kByFeature = {1, 4, 2, 5, 3, 6};
std::string plain_file() { return file_with(header("<f8", "(2, 3)"), bytes_of(kByRecord)); }

template <class Raw>
std::vector<Raw> as(const std::vector<double>& numbers) {
  std::vector<Raw> out;
  for (const double x : numbers) out.push_back(static_cast<Raw>(x));
  return out;
}

TEST(ReadNpy, ReadsBothOrdersAllVersionsAndBothByteOrders) {
  const std::string expected = outcome_in_every_way(kRead, plain_file());
  ASSERT_FALSE(expected.starts_with("DataError")) << expected;
  EXPECT_NE(expected.find("2 x 3 form 0"), std::string::npos);
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(expected, outcome_in_every_way(kRead, file_with(header("<f8", "(2, 3)"),
                                                              bytes_of(kByRecord), version)));
    EXPECT_EQ(expected,
              outcome_in_every_way(kRead, file_with(header(">f8", "(2, 3)", "True"),
                                                    bytes_of(kByFeature, true), version)));
  }
  EXPECT_EQ(expected,
            image(parse(file_with("{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"=f8\"}",
                                  bytes_of(kByRecord)))));
}

TEST(ReadNpy, ReadsEveryKindOfNumber) {
  const std::string expected = image(parse(plain_file()));
  const auto expect_same = [&]<class Raw>(const std::string& type, Raw) {
    for (const bool swapped : {false, true}) {
      const std::string descr = (sizeof(Raw) == 1 ? "|" : swapped ? ">" : "<") + type;
      EXPECT_EQ(
          expected,
          image(parse(file_with(header(descr, "(2, 3)"), bytes_of(as<Raw>(kByRecord), swapped)),
                      {.storage = Storage::f64})))
          << descr;
    }
  };
  expect_same("f4", float{});
  expect_same("i1", std::int8_t{});
  expect_same("i2", std::int16_t{});
  expect_same("i4", std::int32_t{});
  expect_same("i8", std::int64_t{});
  expect_same("u1", std::uint8_t{});
  expect_same("u2", std::uint16_t{});
  expect_same("u4", std::uint32_t{});
  expect_same("u8", std::uint64_t{});
  const Dataset flags = parse(file_with(header("|b1", "(1, 3)"), "\1\0\1"s));
  EXPECT_EQ(
      image(flags),
      image(parse(file_with(header("<f8", "(1, 3)"), bytes_of(std::vector<double>{1, 0, 1})))));
}

TEST(ReadNpy, ConvertsHalfPrecisionExactly) {
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400,
                                             0x7bff, 0x8000, 0x7c00, 0xfc00, 0x7e00};
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {1.0,     -2.0, 0x1p-24, 0x1.ff8p-15, 0x1p-14,
                                      65504.0, -0.0, inf,     -inf};
  const Dataset data = parse(file_with(header("<f2", "(10, 1)"), bytes_of(halves)));
  const auto& design = std::get<DenseDesign<double>>(data.design);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(design.values()[static_cast<std::ptrdiff_t>(i)]),
              std::bit_cast<std::uint64_t>(values[i]))
        << i;
  }
  EXPECT_TRUE(std::isnan(design.values()[9]));
}

TEST(ReadNpy, KeepsSinglePrecisionAsGivenUnlessToldOtherwise) {
  const std::string single = file_with(header("<f4", "(2, 3)"), bytes_of(as<float>(kByRecord)));
  EXPECT_EQ(parse(single).design.index(), 1u);
  EXPECT_EQ(parse(single, {.storage = Storage::f64}).design.index(), 0u);
  EXPECT_EQ(parse(plain_file()).design.index(), 0u);
  EXPECT_EQ(parse(plain_file(), {.storage = Storage::f32}).design.index(), 1u);
}

TEST(ReadNpy, TakesTheTargetFromAColumnInEitherOrder) {
  const std::string by_feature = file_with(header("<f8", "(2, 3)", "True"), bytes_of(kByFeature));
  for (const std::string& bytes : {plain_file(), by_feature}) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Dataset data = parse(bytes, {.target = std::to_string(j)});
      const auto k = static_cast<double>(j);
      EXPECT_EQ(data.target, (std::vector<double>{k + 1, k + 4}));
      EXPECT_EQ(data.features(), 2u);
      const auto& design = std::get<DenseDesign<double>>(data.design);
      EXPECT_EQ(design.values()[0], j == 0 ? 2.0 : 1.0);
      EXPECT_EQ(design.values()[3], j == 2 ? 5.0 : 6.0);
    }
    EXPECT_EQ(outcome_in_every_way(kRead, bytes, {.target = "1"}),
              image(parse(plain_file(), {.target = "1"})));
  }
  EXPECT_THROW(parse(plain_file(), {.target = "3"}), InvalidArgument);
  EXPECT_THROW(parse(plain_file(), {.target = "name"}), InvalidArgument);
  EXPECT_EQ(parse(plain_file(), {.target = "0", .features = 2}).features(), 2u);
  EXPECT_THROW(parse(plain_file(), {.features = 2}), DataError);
}

TEST(ReadNpy, TakesTheTargetFromASecondFile) {
  const Scratch scratch;
  const auto design = scratch.file("x.npy", plain_file());
  const std::string numbers = bytes_of(std::vector<double>{7, 8});
  for (const char* shape : {"(2,)", "(2, 1)", "(1, 2)"}) {
    const auto target = scratch.file("y.npy.gz", gzipped(file_with(header("<f8", shape), numbers)));
    EXPECT_EQ(read(design, {.target = target.string()}).target, (std::vector<double>{7, 8}));
  }
  for (const char* shape : {"(1,)", "(2, 2)", "()", "(2, 1, 1)"}) {
    const auto target = scratch.file("y.npy", file_with(header("<f8", shape), numbers));
    EXPECT_THROW(read(design, {.target = target.string()}), DataError) << shape;
  }
  EXPECT_THROW(read(design, {.target = "absent.npy"}), DataError);
}

TEST(ReadNpy, NoRecordsAreAccepted) {
  EXPECT_EQ(parse(file_with(header("<f8", "(0, 3)"), "")).features(), 3u);
  EXPECT_EQ(parse(file_with(header("<f8", "(0, 3)", "True"), "")).records(), 0u);
}

TEST(ReadNpy, SaysWhatIsWrongAndWhatIsAccepted) {
  const std::string numbers = bytes_of(kByRecord);
  const auto with = [&](const char* descr, const char* shape) {
    return file_with(header(descr, shape), numbers);
  };
  const std::string whole = plain_file();
  expect_refused(
      kRead,
      {
          {"empty", "", "does not begin like an npy file"},
          {"another file", "a,b\n1,2\n3,4\n", "does not begin like an npy file"},
          {"future version", file_with(header("<f8", "(2, 3)"), numbers, 4), "version"},
          {"cut in the header", whole.substr(0, 30), "ends within the npy header"},
          {"cut in the length", whole.substr(0, 9), "ends within the npy header"},
          {"header of 4 GB", "\x93NUMPY\2\0\xff\xff\xff\xff{"s, "longer than 65536 bytes"},
          {"object", with("|O", "(2, 3)"), "type that is not accepted"},
          {"text", with("<U8", "(2, 3)"), "type that is not accepted"},
          {"complex", with("<c8", "(2, 3)"), "type that is not accepted"},
          {"date", with("<M8[ns]", "(2, 3)"), "type that is not accepted"},
          {"long double", with("<f16", "(2, 3)"), "type that is not accepted"},
          {"f1", with("<f1", "(2, 3)"), "type that is not accepted"},
          {"structured",
           file_with("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 3), }",
                     numbers),
           "named fields"},
          {"one dimension", with("<f8", "(6,)"), "says 1 dimensions"},
          {"no dimension", with("<f8", "()"), "says 0 dimensions"},
          {"three dimensions", with("<f8", "(1, 2, 3)"), "says 3 dimensions"},
          {"no columns", with("<f8", "(6, 0)"), "says 0 columns"},
          {"1e12 records", with("<f8", "(1000000000000, 1)"), "the file is shorter"},
          {"1e12 columns", with("<f8", "(1, 1000000000000)"), "1000000000000 columns"},
          {"cut short", whole.substr(0, whole.size() - 1), "the file is shorter"},
          {"cut by a record", whole.substr(0, whole.size() - 24), "the file is shorter"},
          {"one byte more", whole + "x", "the file is longer"},
          {"a record more", whole + std::string(24, 'x'), "the file is longer"},
          {"by feature, cut short", file_with(header("<f8", "(2, 3)", "True"), numbers.substr(1)),
           "the file is shorter"},
          {"by feature, more", file_with(header("<f8", "(2, 3)", "True"), numbers + "abcdefgh"),
           "the file is longer"},
          {"no shape", file_with("{'descr': '<f8', 'fortran_order': False}", numbers), "malformed"},
          {"a key twice",
           file_with("{'shape': (1,), " + header("<f8", "(2, 3)").substr(1), numbers), "malformed"},
          {"another key", file_with("{'x': 1, " + header("<f8", "(2, 3)").substr(1), numbers),
           "malformed"},
          {"negative shape", with("<f8", "(-2, -3)"), "malformed"},
          {"text after it", file_with(header("<f8", "(2, 3)") + "x", numbers), "malformed"},
          {"not a dictionary", file_with("hello", numbers), "malformed"},
          {"an open quote", file_with("{'descr: 3", numbers), "malformed"},
      });
  for (const char* shape : {"(99999999999999999999, 2)", "(9223372036854775807, 8)"}) {
    EXPECT_NE(outcome([&] { return parse(with("<f8", shape)); }).find("beyond any memory"),
              std::string::npos);
  }
}

TEST(ReadNpy, GivesTheSameBitsFromAFileAPipeAndGzipForAnyNumberOfThreads) {
  std::vector<float> numbers;
  for (int k = 0; k < 700 * 13; ++k) numbers.push_back(std::sin(static_cast<float>(k)));
  for (const char* fortran : {"False", "True"}) {
    const std::string bytes = file_with(header("<f4", "(700, 13)", fortran), bytes_of(numbers));
    expect_same_from_file_gzip_and_pipe("table.npy", bytes, {.target = "5"});
  }
}

}  // namespace
}  // namespace southwell::data
