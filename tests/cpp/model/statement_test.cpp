#include "southwell/model/statement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "fit/golden_model.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {
using namespace fit;  // makes what is tested here
namespace {

Statement golden() { return from_json(kGoldenModel, "golden").privacy; }

std::size_t code_points(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1 : 0;
  return count;
}

TEST(StatementText, SaysEverythingThePromiseRestsOn) {
  const std::string text = to_text(golden());
  for (const char* part : {"guarantee       (8, 0.001)-DP\n",
                           "spent           epsilon 7.99999968 at delta 0.001, by rdp\n",
                           "replace_one",
                           "one record",
                           "certified mode, solver gcd, rule gs_s, 3 iterations",
                           "mechanisms",
                           "exponential_mechanism",
                           "1716861",
                           "range 2.443",
                           "discrete_laplace_release",
                           "3433722",
                           "epsilon 0.6107",
                           "public inputs",
                           "alpha",
                           "user",
                           "default",
                           "ChaCha20",
                           "ledger          none",
                           "covers",
                           "not covered"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(StatementText, KeepsToAHundredColumnsWhateverItHolds) {
  Statement statement = golden();
  statement.guarantee = "none (" + std::string(300, 'x') + ")";
  statement.covers = {std::string(250, 'y') + " \xc3\xa9\xc3\xa9 " + std::string(99, ' ') + "end"};
  statement.mechanisms[0].name = std::string(150, 'm');
  statement.public_inputs.push_back(
      {std::string(200, 'n'), std::string(400, 'v'), Source::mechanism});
  std::string accents;
  for (int k = 0; k < 150; ++k) accents += "\xc3\xa9";
  statement.ledger = accents;
  std::istringstream lines(to_text(statement));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(code_points(line), 100u) << line;
    if (!line.empty()) {
      EXPECT_NE(line.back(), ' ') << line;
    }
  }
}

TEST(StatementText, SumsUpALongList) {
  Statement statement = golden();
  std::vector<double> scales(1000, 1.0);
  scales[3] = 0.2;
  scales[5] = 5.0;
  statement.public_inputs = {{"feature_scale", scales, Source::user},
                             {"classes", std::vector<double>{-1.0, 1.0}, Source::standard}};
  const std::string text = to_text(statement);
  EXPECT_NE(text.find("1000 numbers, 0.2 to 5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("-1, 1\n"), std::string::npos) << text;
}

TEST(StatementText, SaysThatNothingCertifiesWhereNothingDoes) {
  Statement statement = golden();
  statement.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(to_text(statement).find("nothing certifies"), std::string::npos);
}

TEST(StatementText, PassesNoControlCharacterToATerminal) {
  Statement statement = golden();
  statement.guarantee = "\x1b[31mred\r";
  statement.unit = "one\xc2\x9brecord";
  statement.public_inputs[0].name = "\x07";
  statement.mechanisms[0].step = "\x1b";
  for (const char c : to_text(statement)) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  }
  EXPECT_EQ(to_text(statement).find("\xc2\x9b"), std::string::npos);
}

TEST(Statement, JoinsItsMechanismsIntoOneComposition) {
  Statement statement = golden();
  statement.mechanisms.push_back(statement.mechanisms[0]);
  const auto events = statement.composition().events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].count, 6u);
  EXPECT_EQ(events[1].count, 3u);
}

/// A run on two parts, by one of two settings; figures on a third part.
Statement statement_of_runs() {
  using Kind = privacy::Cost::Kind;
  const auto gaussian = [](std::uint64_t sigma) {
    return privacy::Cost{Kind::discrete_gaussian, 1000, sigma};
  };
  Statement statement;
  statement.delta = 1e-6;
  statement.runs = privacy::RunLaw::poisson(12.0);
  statement.mechanisms = {
      {"other settings: release", "discrete_gaussian_release", gaussian(9000), 1, "fit", "2"},
      {"release", "discrete_gaussian_release", gaussian(10'000), 1, "fit", kChosenRun},
      {"choose", "discrete_gaussian_release", gaussian(10'000), 1, "choice", kEveryRun},
      {"histogram", "discrete_gaussian_release", gaussian(5000), 1, "test"}};
  return statement;
}

double spent_without(const std::string& step) {
  Statement statement = statement_of_runs();
  std::erase_if(statement.mechanisms, [&](const MechanismUse& use) { return use.step == step; });
  return statement.spent().epsilon;
}

TEST(StatementOfRuns, CostsTheLargestOverPartsAndSettings) {
  const double all = statement_of_runs().spent().epsilon;
  const std::vector<privacy::Composition> dearest = [] {
    privacy::Composition composition;
    composition.add({privacy::Cost::Kind::discrete_gaussian, 1000, 9000});
    privacy::Composition other;
    other.add({privacy::Cost::Kind::discrete_gaussian, 1000, 10'000});
    return std::vector{composition, other};
  }();
  EXPECT_EQ(all, privacy::repeated_epsilon(dearest, privacy::RunLaw::poisson(12.0), 1e-6));
  EXPECT_LT(spent_without("other settings: release"), all);
  EXPECT_EQ(spent_without("choose"), all);
  EXPECT_EQ(spent_without("histogram"), all);
}

// Runs of which nothing meets a unit cost it nothing: it pays for the figures alone.
TEST(StatementOfRuns, CostsNothingWhereNoRunMeetsTheUnit) {
  Statement statement = statement_of_runs();
  statement.mechanisms.back().cost.scale = 1000;
  privacy::Composition figures;
  figures.add(statement.mechanisms.back().cost);
  EXPECT_EQ(statement.spent().epsilon, privacy::spent(figures, 1e-6).epsilon);
}

// Whatever was done once counts beside the runs.
TEST(StatementOfRuns, AddsWhatWasDoneOnce) {
  Statement statement = statement_of_runs();
  statement.mechanisms.push_back({"target_scale",
                                  "discrete_gaussian_release",
                                  {privacy::Cost::Kind::discrete_gaussian, 1000, 20'000},
                                  1,
                                  "fit"});
  EXPECT_GT(statement.spent().epsilon, statement_of_runs().spent().epsilon);
  EXPECT_LT(statement.spent().epsilon, statement_of_runs().spent().epsilon + 0.3);
}

TEST(StatementOfRuns, HasNoListThatAddsUp) {
  EXPECT_THROW(statement_of_runs().met_by_one_unit(), InvalidArgument);
  EXPECT_NE(to_text(statement_of_runs()).find("a secret number of them"), std::string::npos);
}

}  // namespace
}  // namespace southwell::model
