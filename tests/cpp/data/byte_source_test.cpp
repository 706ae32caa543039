#include "southwell/data/byte_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/reading.hpp"

namespace southwell::data {
namespace {

std::string all_of(ByteSource& source, std::size_t piece) {
  std::string out;
  std::string buffer(piece, '\0');
  while (const std::size_t count = source.read(buffer)) out.append(buffer, 0, count);
  EXPECT_EQ(source.read(buffer), 0u) << "the end stays the end";
  return out;
}

std::string unpack(std::string_view bytes, std::size_t piece) {
  return all_of(*unpacked(std::make_unique<MemorySource>(bytes, piece), "file"), piece);
}

TEST(ByteSource, UnpacksGzipOfOneOrSeveralMembersAndLeavesOtherBytesAlone) {
  const std::string text(10000, 'a');
  for (const std::size_t piece : {1u, 7u, 4096u}) {
    EXPECT_EQ(unpack(gzipped(text), piece), text);
    EXPECT_EQ(unpack(gzipped(text) + gzipped("") + gzipped("b"), piece), text + "b");
    EXPECT_EQ(unpack(gzipped(""), piece), "");
    for (const std::string& plain :
         {std::string(), std::string("\x1f"), std::string("\x1f\x1f"), text}) {
      EXPECT_EQ(unpack(plain, piece), plain);
    }
  }
}

TEST(ByteSource, PassesOverZerosAfterAGzipMember) {
  for (const std::size_t zeros : {std::size_t{1}, std::size_t{512}, std::size_t{300'000}}) {
    const std::string padding(zeros, '\0');
    for (const std::string& packed :
         {gzipped("one") + padding, gzipped("o") + padding + gzipped("ne") + padding}) {
      const auto source = unpacked(std::make_unique<MemorySource>(packed, 1000), "file");
      std::string out(8, '?');
      out.resize(read_fully(*source, out));
      EXPECT_EQ(out, "one") << zeros;
    }
    const std::string more = gzipped("one") + padding + "x";
    const auto source = unpacked(std::make_unique<MemorySource>(more), "file");
    std::string out(8, '?');
    EXPECT_THROW(read_fully(*source, out), DataError) << zeros;
  }
}

TEST(ByteSource, MakesUtf8OfLatin1WhateverThePieces) {
  std::string latin;
  std::string utf8;
  for (unsigned code = 1; code < 256; ++code) {
    latin += static_cast<char>(code);
    if (code >= 128) utf8 += static_cast<char>(0xc0u | (code >> 6));
    utf8 += static_cast<char>(code < 128 ? code : 0x80u | (code & 0x3fu));
  }
  const Scratch scratch;
  for (const auto& file : {scratch.file("a.csv", latin), scratch.file("b.csv", gzipped(latin))}) {
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 4096u}) {
      EXPECT_EQ(all_of(*open_text(file, Encoding::latin_1), piece), utf8) << piece;
      EXPECT_EQ(all_of(*open_text(file, Encoding::utf_8), piece), latin) << piece;
    }
  }
}

TEST(ByteSource, RefusesGzipThatIsCutAnywhereOrDamaged) {
  const std::string packed =
      gzipped("some text, long enough to be worth packing: aaaaaaaaaaaaaaaaaa");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_THROW(unpack(packed.substr(0, size), 16), DataError) << size;
  }
  for (std::size_t at = packed.size() - 8; at < packed.size(); ++at) {  // checksum and length
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 64);
    EXPECT_THROW(unpack(damaged, 16), DataError) << at;
  }
  EXPECT_THROW(unpack(packed + "x", 16), DataError);
}

TEST(ByteSource, KnowsTheSizeOfARegularFileOnlyWhenItIsNotPacked) {
  const Scratch scratch;
  const auto plain = open_source(scratch.file("a", "12345"));
  EXPECT_EQ(plain->size_left(), 5u);
  std::string three(3, '\0');
  EXPECT_EQ(read_fully(*plain, three), 3u);
  EXPECT_EQ(plain->size_left(), 2u);
  EXPECT_FALSE(open_source(scratch.file("b.gz", gzipped("12345")))->size_left());
}

TEST(Read, ChoosesTheFormatByTheNameAndSaysWhichThereAre) {
  const Scratch scratch;
  EXPECT_EQ(read(scratch.file("a.CSV", "1,2\n")).features(), 2u);
  EXPECT_EQ(read(scratch.file("a.csv.GZ", gzipped("1,2\n"))).features(), 2u);
  EXPECT_EQ(read(scratch.file("not_packed.csv.gz", "1,2\n")).features(), 2u);
  EXPECT_EQ(read(scratch.file("a.b.svm", "1 2:1\n")).features(), 2u);
  for (const char* name : {"a.txt", "a", "a.gz", "csv"}) {
    const std::string got = outcome([&] { return read(scratch.file(name, "1,2\n")); });
    EXPECT_NE(got.find("accepted are .csv, .libsvm, .svm and .npy"), std::string::npos) << got;
  }
}

TEST(Read, NamesTheFileAndTheReasonWhenItCannotBeRead) {
  const Scratch scratch;
  const auto absent = scratch.path("absent.csv");
  EXPECT_EQ(outcome([&] { return read(absent); }),
            "DataError " + absent.string() + ": cannot be opened: No such file or directory");
  std::filesystem::create_directory(scratch.path("folder.csv"));
  EXPECT_NE(outcome([&] { return read(scratch.path("folder.csv")); }).find("cannot be read"),
            std::string::npos);
  const auto bad = scratch.file("bad.csv", "a,b\n1\n");
  EXPECT_EQ(outcome([&] { return read(bad); }).find("DataError " + bad.string() + ":2: "), 0u);
}

TEST(Read, TellsHowFarItHasComeAndStopsWhereProgressThrows) {
  std::string text = "a,b\n";
  for (int i = 0; i < 2'000'000; ++i) text += "1,2\n";
  const Scratch scratch;
  for (const auto& file : {scratch.file("a.csv", text), scratch.file("a.csv.gz", gzipped(text))}) {
    std::vector<double> shares;
    ReadOptions options;
    options.threads = 1;
    options.progress = [&](double share) { shares.push_back(share); };
    EXPECT_EQ(read(file, options).records(), 2'000'000u);
    EXPECT_GE(shares.size(), 3u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GT(shares.front(), 0.0);
    EXPECT_EQ(shares.back(), 1.0);
    int calls = 0;
    options.progress = [&](double) {
      if (++calls == 2) throw std::runtime_error("stop");
    };
    EXPECT_THROW(read(file, options), std::runtime_error);
    EXPECT_EQ(calls, 2);
  }
}

}  // namespace
}  // namespace southwell::data
