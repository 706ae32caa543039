#include "lab/coefficients.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "support/scratch.hpp"

namespace southwell::lab {
namespace {

const std::vector<std::string> kNames = {"age", "a,b", "say \"x\""};

struct Row {
  const char* file;
  std::string content;
  const char* expected;  // what the message says after the file's name
};

std::string npy(std::vector<double> values) {
  std::string header =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",)}";
  header.resize(117, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() % 256);
  out += static_cast<char>(header.size() / 256);
  return out + header +
         std::string(reinterpret_cast<const char*>(values.data()), 8 * values.size());
}

std::string message_of(const Scratch& scratch, const Row& row) {
  const auto file = scratch.file(row.file, row.content);
  try {
    read_coefficients(file, kNames, 3);
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind(file.string(), 0), 0u) << message;
    return message.substr(file.string().size());
  }
  return "accepted";
}

TEST(Coefficients, OfAPackedModelAreRead) {
  const Scratch scratch;
  const auto at = [&](const std::string& model) {
    return read_coefficients(scratch.file("m.json", model), kNames, 3).at.coef;
  };
  // 1.0 and -2.5, of all features but the second, or of the last and the first as the data call
  // them.
  const std::string two = R"("count": 2, "noise_sd": 1, "value": "AAAAAAAA8D8AAAAAAAAEwA==")";
  const std::string named = R"("feature_names": ["say \"x\"", "a,b", "age"])";
  EXPECT_EQ(at(R"({"features": 3, "coef": [{"present": "BQ==", )" + two + "}]}"),
            (std::vector<double>{1.0, 0.0, -2.5}));
  EXPECT_EQ(at("{" + named + R"(, "coef": [{"index": "AAAAAAIAAAA=", )" + two + "}]}"),
            (std::vector<double>{-2.5, 0.0, 1.0}));
}

TEST(Coefficients, WhatIsWrongWithAFileIsSaidWithItsPlaceAndWhatIsAccepted) {
  const Scratch scratch;
  const std::vector<Row> rows = {
      {"a.csv", "", ":1: the file is empty; accepted is the header feature,coef"},
      {"a.csv", "\n", ":1: given '', accepted is the header feature,coef"},
      {"a.csv", "age,1\n", ":1: given 'age,1', accepted is the header feature,coef"},
      {"a.csv", "feature,coef\nage\n", ":2: given 'age', accepted is a feature's name, a comma"},
      {"a.csv", "feature,coef\n\nage,1,2\n", ":3: given 'age,1,2', accepted is"},
      {"a.csv", "feature,coef\n\"age,1\n", ":2: given '\"age,1', accepted is"},
      {"a.csv", "feature,coef\nage,\n", ":2: the coefficient is ''; accepted is a finite number"},
      {"a.csv", "feature,coef\nage,1,5\n", ":2: given 'age,1,5'"},
      {"a.csv", "feature,coef\nage,1x\n", ":2: the coefficient is '1x'; accepted is a finite"},
      {"a.csv", "feature,coef\nage,inf\n", ":2: the coefficient is 'inf'; accepted is a finite"},
      {"a.csv", "feature,coef\nage,nan\n", ":2: the coefficient is 'nan'; accepted is a finite"},
      {"a.csv", "feature,coef\nx1,1\n", ":2: the data have no feature 'x1'; accepted are"},
      {"a.csv", "feature,coef\nage,1\n\"age\",2\n", ":3: the feature 'age' occurs twice"},
      {"a.csv", "feature,coef\n(intercept),1\n(intercept),1\n", ":3: the feature '(intercept)' oc"},
      {"a.csv.gz", gzipped("feature,coef\nage,?\n"), ":2: the coefficient is '?'"},
      {"a.csv.gz", gzipped("feature,coef\nage,1\n").substr(0, 20), ": the gzip stream is cut"},
      {"a.npy", "", ": "},
      {"a.npy", npy({1, 2}), ": holds an array of 2; accepted is one dimension of 3 numbers"},
      {"a.npy", npy({1, 2, std::numeric_limits<double>::infinity()}), ": a number is not finite"},
      {"a.json", "", ":1: not JSON, or cut off; accepted is what lab optimum --json prints"},
      {"a.json", "{\"support\": [], \"support\": []}", ": the key 'support' occurs twice"},
      {"a.json", "{\n\"support\": [\n}", ":3: not JSON, or cut off; accepted is"},
      {"a.json", "[]", ": the content: given '[]', accepted is an object"},
      {"a.json",
       R"({"coef": [{"count": 2, "noise_sd": 1, "index": "AAAAAAMAAAA=", "value": "AAAAAAAA8D8AAAAAAAAEwA=="}]})",
       ": coef[0]: an index beyond the features, or a value that is not finite"},
      {"a.json", R"({"coef": [{"count": 2, "noise_sd": 1, "value": "AAAA"}]})",
       ": coef[0].value: 4 characters that are not base64 of 2 numbers"},
      {"a.json", "{}", ": has neither support nor coef; accepted is"},
      {"a.json", R"({"support":{}})", ": support: given '{}', accepted is a list of"},
      {"a.json", R"({"support":[7]})", ": support[0]: given '7', accepted is {\"index\""},
      {"a.json", R"({"support":[{}]})", ": support[0].index: given 'null', accepted is a whole"},
      {"a.json", R"({"support":[{"index":1.5,"value":1}]})",
       ": support[0].index: given '1.5', accepted is a whole number from 0 to 2"},
      {"a.json", R"({"support":[{"index":-1,"value":1}]})", ": support[0].index: given '-1', acc"},
      {"a.json", R"({"support":[{"index":3,"value":1}]})", ": support[0].index: given '3', accep"},
      {"a.json", R"({"support":[{"index":"0","value":1}]})", ": support[0].index: given '\"0\"'"},
      {"a.json", R"({"support":[{"index":0}]})", ": support[0].value: given 'null', accepted is a"},
      {"a.json", R"({"support":[{"index":0,"value":"1"}]})", ": support[0].value: given '\"1\"'"},
      {"a.json", R"({"support":[{"index":0,"value":1e999}]})", ": holds a number too large"},
      {"a.json", R"({"support":[{"index":1,"value":1},{"index":1,"value":1}]})",
       ": support[1]: the feature occurs twice; accepted is each once"},
      {"a.json",
       R"({"support":[{"index":1,"feature":"age","value":1},{"index":0,"feature":"age","value":1}]})",
       ": support[1]: the feature occurs twice"},
      {"a.json", R"({"support":[{"index":0,"feature":"height","value":1}]})",
       ": support[0].feature: given '\"height\"', accepted is the name of a feature of the data"},
      {"a.json", R"({"support":[{"index":0,"feature":7,"value":1}]})", ": support[0].feature: giv"},
      {"a.json", R"({"support":[],"features":4})", ": features: given '4', accepted is as many"},
      {"a.json", R"({"support":[],"intercept":"1"})",
       ": intercept: given '\"1\"', accepted is a n"},
      {"a.json", R"({"support":[],"standardize":1})", ": standardize: given '1', accepted is true"},
      {"a.json", R"({"support":[],"loss":"squared"})", ": penalty: given 'null', accepted is a na"},
      {"a.json", R"({"support":[],"loss":"squared","penalty":"l1"})", ": alpha: needed by l1"},
      {"a.json", R"({"support":[],"loss":"absolute","penalty":"none"})",
       ": loss: given 'absolute'"},
      {"a.json", R"({"coef":[[],[]]})", ": coef: given 2 heads, accepted is one"},
      {"a.txt", "", ": the name does not say the form; accepted are .csv (feature,coef), .npy and"},
  };
  for (const Row& row : rows) {
    const std::string message = message_of(scratch, row);
    EXPECT_EQ(message.rfind(row.expected, 0), 0u) << row.content << "\n  says " << message;
  }
}

TEST(Coefficients, AFolderAndAMissingFileAreFileErrors) {
  const Scratch scratch;
  for (const char* name : {"folder.csv", "folder.json", "folder.npy"}) {
    std::filesystem::create_directory(scratch.path(name));
    EXPECT_THROW(read_coefficients(scratch.path(name), kNames, 3), DataError) << name;
    EXPECT_THROW(read_coefficients(scratch.path(std::string("no_") + name), kNames, 3), DataError);
  }
}

TEST(Coefficients, AreReadInEveryFormThatIsAccepted) {
  const Scratch scratch;
  const std::string table = "feature,coef\nage,+1\n\"a,b\" , \"-2.5\"\n\"say \"\"x\"\"\",3e0\n";
  const std::string list = R"([{"index":0,"value":1},{"index":1,"value":-2.5},)"
                           R"({"index":2,"value":3}])";
  const std::vector<std::filesystem::path> files = {
      scratch.file("a.csv", table + "(intercept),0.5\n"),
      scratch.file("bom.csv", "\xef\xbb\xbf" + table + "(intercept),0.5"),
      scratch.file("a.csv.gz", gzipped("\"feature\",\"coef\"\r\n" + table.substr(13) +
                                       "\r\n(intercept),0.5\r\n\r\n")),
      scratch.file("a.json", R"({"support":)" + list + R"(,"intercept":0.5})"),
      scratch.file("A.JSON.GZ", gzipped(R"({"coef":[)" + list + R"(],"intercept":[0.5]})")),
      // In another order, by names: the entry's own, then the file's list.
      scratch.file("order.json", R"({"intercept":0.5,"support":[)"
                                 R"({"index":2,"feature":"age","value":1},)"
                                 R"({"index":0,"feature":"a,b","value":-2.5},)"
                                 R"({"index":1,"feature":"say \"x\"","value":3}]})"),
      scratch.file("names.json", R"({"intercept":0.5,"feature_names":["a,b","say \"x\"","age"],)"
                                 R"("coef":[[{"index":2,"value":1},{"index":0,"value":-2.5},)"
                                 R"({"index":1,"value":3}]]})"),
  };
  for (const auto& file : files) {
    const CoefficientsFile found = read_coefficients(file, kNames, 3);
    EXPECT_EQ(found.at.coef, (std::vector<double>{1.0, -2.5, 3.0})) << file;
    EXPECT_EQ(found.at.intercept, 0.5) << file;
    EXPECT_FALSE(found.objective || found.standardized) << file;
  }
  const auto array = scratch.file("a.npy", npy({1, -2.5, 3}));
  EXPECT_EQ(read_coefficients(array, kNames, 3).at.coef, (std::vector<double>{1.0, -2.5, 3.0}));
  const auto none = scratch.file("none.csv", "feature,coef");
  EXPECT_EQ(read_coefficients(none, kNames, 3).at.coef, std::vector<double>(3, 0.0));
}

TEST(Coefficients, WithoutNamesInTheDataTheyGoByTheirIndex) {
  const Scratch scratch;
  const auto file =
      scratch.file("a.json", R"({"support":[{"index":1,"feature":"age","value":2}]})");
  EXPECT_EQ(read_coefficients(file, {}, 2).at.coef, (std::vector<double>{0.0, 2.0}));
  const auto table = scratch.file("a.csv", "feature,coef\nx2,2\n");
  EXPECT_EQ(read_coefficients(table, {}, 2).at.coef, (std::vector<double>{0.0, 2.0}));
}

TEST(Coefficients, TheObjectiveIsTheFilesOwn) {
  const Scratch scratch;
  const auto file = scratch.file("a.json", R"({"support":[],"standardize":true,"loss":"huber",)"
                                           R"("huber_width":0.5,"penalty":"box","lower":null,)"
                                           R"("upper":null})");
  const CoefficientsFile found = read_coefficients(file, kNames, 3);
  ASSERT_TRUE(found.objective);
  EXPECT_EQ(found.objective->loss, "huber");
  EXPECT_EQ(found.objective->huber_width, 0.5);
  EXPECT_EQ(found.objective->lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(found.objective->upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(found.standardized, true);
}

}  // namespace
}  // namespace southwell::lab
