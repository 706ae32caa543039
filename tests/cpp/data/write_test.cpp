#include "southwell/data/write.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/csv_text.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/data/read.hpp"
#include "support/scratch.hpp"

namespace southwell::data {
namespace {

namespace fs = std::filesystem;

std::string text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

Dataset sparse_example(core::ThreadPool& pool) {
  Compressed by_record{.offsets = {0, 2, 2, 3}, .indices = {0, 2, 1}, .values = {1.5, -2, 0.1}};
  return {SparseDesign::from_records(std::move(by_record), 4, pool), {1, -1, 1}, {}, "target"};
}

TEST(Write, SparseRecordsHaveTheirZerosInCsv) {
  const Scratch scratch;
  core::ThreadPool pool(2);
  write(scratch.path("a.csv"), sparse_example(pool), pool);
  EXPECT_EQ(text(scratch.path("a.csv")),
            "x1,x2,x3,x4,target\n1.5,0,-2,0,1\n0,0,0,0,-1\n0,0.10000000000000001,0,0,1\n");
}

TEST(Write, LibsvmHasOnlyWhatIsNotZero) {
  const Scratch scratch;
  core::ThreadPool pool(2);
  write(scratch.path("a.libsvm"), sparse_example(pool), pool);
  EXPECT_EQ(text(scratch.path("a.libsvm")), "1 1:1.5 3:-2\n-1\n1 2:0.10000000000000001\n");
}

TEST(Write, NamesAreQuotedWhereTheyHaveToBeAndATargetIsOptional) {
  const Scratch scratch;
  core::ThreadPool pool(1);
  Dataset dataset = sparse_example(pool);
  dataset.target_name.clear();
  dataset.feature_names = {"age", "height, cm", "say \"x\"", "d"};
  write(scratch.path("a.csv"), dataset, pool);
  EXPECT_EQ(text(scratch.path("a.csv")).substr(0, 35),
            "age,\"height, cm\",\"say \"\"x\"\"\",d\n1.5,");
}

TEST(Write, RefusesTwoColumnsOfOneName) {
  const Scratch scratch;
  core::ThreadPool pool(1);
  Dataset dataset = sparse_example(pool);
  dataset.feature_names = {"a", "target", "c", "d"};
  EXPECT_THROW(write(scratch.path("a.csv"), dataset, pool), DataError);
  dataset.target_name = "y";
  write(scratch.path("a.csv"), dataset, pool);
  EXPECT_EQ(text(scratch.path("a.csv")).substr(0, 15), "a,target,c,d,y\n");
}

TEST(Write, StopsWhenProgressThrowsAndLeavesNothing) {
  const Scratch scratch;
  core::ThreadPool pool(2);
  EXPECT_THROW(write(scratch.path("a.csv"), sparse_example(pool), pool,
                     [](double) { throw std::runtime_error("stop"); }),
               std::runtime_error);
  EXPECT_EQ(scratch.files(), 0u);
}

TEST(FileWriter, ShowsNothingBeforeCommitAndReplacesWhole) {
  const Scratch scratch;
  const fs::path file = scratch.path("a.txt");
  {
    FileWriter writer(file);
    writer.write("old");
    EXPECT_FALSE(fs::exists(file));
    writer.commit();
  }
  {
    FileWriter abandoned(file);
    abandoned.write("half");
  }
  EXPECT_EQ(text(file), "old");
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(FileWriter, RefusesNamesThatNoFileCanHave) {
  const Scratch scratch;
  EXPECT_THROW(FileWriter(""), InvalidArgument);
  EXPECT_THROW(FileWriter(scratch.path("a.csv").string() + '\0' + "b"), InvalidArgument);
  EXPECT_THROW(read(scratch.path("a.csv").string() + '\0' + ".csv"), InvalidArgument);
  EXPECT_EQ(scratch.files(), 0u);
}

TEST(FileWriter, RefusesADirectoryAndALinkToNothing) {
  const Scratch scratch;
  fs::create_directory(scratch.path("d"));
  fs::create_symlink("nowhere", scratch.path("dangling"));
  fs::create_symlink("loop", scratch.path("loop"));
  for (const char* name : {"d", "d/", "dangling", "loop"}) {
    EXPECT_THROW(FileWriter(scratch.path(name)), DataError) << name;
  }
  EXPECT_EQ(scratch.files(), 3u);
}

TEST(CsvText, ReadsBackAsItIs) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""}, {"a b", "a b"}, {"=1", "=1"}, {"a,b", "\"a,b\""}, {"a\"b", "\"a\"\"b\""}};
  for (const auto& [text, expected] : cases) {
    std::string out;
    append_csv_text(out, text);
    EXPECT_EQ(out, expected);
  }
}

TEST(CsvText, ForSpreadsheetsMarksWhatTheyWouldRunAndNothingElse) {
  const auto written = [](std::string_view text) {
    std::string out;
    append_spreadsheet_text(out, text);
    return out;
  };
  for (const char* harmless :
       {"", " ", "Ann", "-12.5", "+3", "-1e5", "12-3", "a=b", "x@y", "1e9"}) {
    EXPECT_EQ(written(harmless), harmless);
  }
  EXPECT_EQ(written("a, =b"), "\"a, =b\"");
  for (const std::string text :
       {"=1+1", "+49 170", "-a", "-", "@SUM(A1)", "\t=1", "\tx", "\r=1", "  =1", "'x", "-inf",
        "-1e999", "=cmd|' /C calc'!A0", "=HYPERLINK(\"x\",\"y\")",
        "\xef\xbc\x9d"
        "1",
        "\xef\xbc\x8b"
        "1",
        "\xef\xbc\x8d"
        "1",
        "\xef\xbc\xa0"
        "x"}) {
    const std::string field = written(text);
    ASSERT_EQ(field.substr(0, 2), "\"'") << text;
    EXPECT_EQ(undoubled(field.substr(2, field.size() - 3)), text) << "one apostrophe less";
  }
}

TEST(FileWriter, SaysWhichFileCannotBeWritten) {
  const Scratch scratch;
  try {
    FileWriter writer(scratch.path("no/such/place.csv"));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("place.csv: cannot be written: No such file"),
              std::string::npos);
  }
  EXPECT_THROW(
      {
        FileWriter full("/dev/full");
        full.write(std::string(1 << 20, 'x'));
        full.commit();
      },
      DataError);
}

}  // namespace
}  // namespace southwell::data
