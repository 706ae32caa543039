#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "data/reading.hpp"

namespace southwell::data {
namespace {

using namespace std::string_literals;

const SourceReader kRead = &read_libsvm;

Dataset parse(std::string_view bytes, const ReadOptions& options = {}) {
  MemorySource source(bytes);
  return read_libsvm(source, "file", options);
}

TEST(ReadLibsvm, ReadsTargetsAndEntries) {
  const Dataset data = parse("+1 1:0.5 3:-2e1\n-1\n1 2:nan 4:inf\n");
  const auto& design = std::get<SparseDesign>(data.design);
  EXPECT_EQ(design.records(), 3u);
  EXPECT_EQ(design.features(), 4u);
  EXPECT_EQ(data.target, (std::vector<double>{1, -1, 1}));
  EXPECT_EQ(design.by_record()->offsets, (std::vector<std::int64_t>{0, 2, 2, 4}));
  EXPECT_EQ(design.by_record()->indices, (LargeVector<std::int32_t>{0, 2, 1, 3}));
  EXPECT_EQ(design.by_record()->values[1], -20.0);
  EXPECT_TRUE(std::isnan(design.by_record()->values[2]));
  EXPECT_TRUE(std::isinf(design.by_record()->values[3]));
  EXPECT_TRUE(data.feature_names.empty());
}

TEST(ReadLibsvm, ReadsAllThatALibsvmFileMayHold) {
  const std::string plain = image(parse("1 1:2 3:4\n-1 2:1\n"));
  for (const std::string& same : {
           "1 1:2 3:4\n-1 2:1"s,
           "1 1:2 3:4\r\n-1 2:1\r\n"s,
           "# a comment\n  1 1:2\t3:4 \n\n-1 2:1 # 5:6 qid:\n\n"s,
           "+1.0 01:2e0 3:+4#x\n-1 2:1\n#"s,
       }) {
    EXPECT_EQ(plain, outcome_in_every_way(kRead, same)) << same;
  }
}

TEST(ReadLibsvm, DeclaredFeaturesFixTheNumberOfColumnsAndDropWhatLiesBeyond) {
  const std::string text = "1 1:2 3:4 2147483647:9 999999999999999999:9\n-1 2:1\n";
  EXPECT_EQ(image(parse(text, {.features = 3})), image(parse("1 1:2 3:4\n-1 2:1\n")));
  EXPECT_EQ(image(parse(text, {.features = 2})), image(parse("1 1:2\n-1 2:1\n")));
  EXPECT_EQ(parse(text, {.features = 100}).features(), 100u);
  EXPECT_EQ(parse("# nothing\n", {.features = 3}).records(), 0u);
  EXPECT_EQ(parse("", {.features = 3}).records(), 0u);
}

TEST(ReadLibsvm, RefusesOptionsThatDoNotApply) {
  EXPECT_THROW(parse("1 1:1\n", {.target = "0"}), InvalidArgument);
  EXPECT_THROW(parse("1 1:1\n", {.storage = Storage::f32}), InvalidArgument);
  EXPECT_THROW(parse("1 1:1\n", {.features = 0}), InvalidArgument);
  EXPECT_THROW(parse("1 1:1\n", {.features = 2147483648u}), InvalidArgument);
  EXPECT_THROW(parse("1 1:1\n", {.threads = -1}), InvalidArgument);
}

const std::vector<BadFile> kBadFiles = {
    {"index 0", "1 1:1\n1 0:1\n", "file:2: field 1 has index 0"},
    {"negative index", "1 1:1\n1 -3:1\n", "file:2: field 1 is not an index and a colon"},
    {"decreasing", "1 2:1 1:1\n", "file:1: field 2 has a smaller index"},
    {"duplicate", "1 2:1\n1 1:1 2:1 2:1\n", "file:2: field 3 repeats the index"},
    {"missing colon", "1 2:1\n1 2\n", "file:2: field 1 is not an index and a colon"},
    {"blank before the colon", "1 2 :1\n", "file:1: field 1 is not an index"},
    {"blank after the colon", "1 2: 1\n", "file:1: field 1 has no number after its colon"},
    {"index 1e18", "1 1000000000000000000:1\n", "file:1: field 1 is not an index and a colon"},
    {"index beyond 64 bits", "1 99999999999999999999999:1\n", "with at most 18 digits"},
    {"index 1e3", "1 1e3:1\n", "file:1: field 1 is not an index"},
    {"text for a value", "1 1:1\n1 1:x\n", "file:2: field 1 has no number"},
    {"no value", "1 1:\n", "file:1: field 1 has no number"},
    {"two colons", "1 1:2:3\n", "file:1: field 1 has no number"},
    {"text for a target", "yes 1:1\n", "file:1: the first field is not a number"},
    {"no target", "1:1 2:1\n", "file:1: the first field is not a number"},
    {"several targets", "1,2 1:1\n", "file:1: the first field is not a number"},
    {"qid", "1 1:1\n1 qid:3 1:1\n", "file:2: field 1 is a query (qid:)"},
    {"NUL", "1 1:1\n1 1:\0 2:1\n"s, "file:2: field 1 has no number"},
    {"carriage return within", "1 1:1\r2:1\n", "file:1: field 1 has no number"},
};

TEST(ReadLibsvm, SaysWhichLineIsWrongAndWhatIsAccepted) {
  expect_refused(kRead, kBadFiles);
  expect_refused(kRead, {{"empty", "", "file: the file holds no record"},
                         {"comments only", "# a\n\n", "file: the file holds no record"},
                         {"far beyond the rest", "1 1:1\n1 2147483647:1\n",
                          "file:2: field 1 has an index above 16777216"}});
}

TEST(ReadLibsvm, DeclaredFeaturesDoNotExcuseMalformedEntriesBeyondThem) {
  expect_refused(kRead, kBadFiles, {.features = 1});
}

TEST(ReadLibsvm, GivesTheSameBitsFromAFileAPipeAndGzipForAnyNumberOfThreads) {
  std::mt19937_64 random(3);
  std::string text;
  for (int i = 0; i < 400; ++i) {
    text += std::to_string(static_cast<int>(random() % 3) - 1);
    for (int j = 1; j < 60; j += 1 + static_cast<int>(random() % 20)) {
      text +=
          ' ' + std::to_string(j) + ':' + std::to_string(static_cast<double>(random() % 1000) / 7);
    }
    text += random() % 5 ? "\n" : " # note\r\n";
  }
  expect_same_from_file_gzip_and_pipe("table.libsvm", text);
  expect_same_from_file_gzip_and_pipe("table.svm", text, {.features = 30});
}

}  // namespace
}  // namespace southwell::data
