#include "lab/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

/// The public data sets: where SOUTHWELL_DATA says, or shared/data beside the project.
std::filesystem::path data_directory() {
  if (const char* given = std::getenv("SOUTHWELL_DATA")) return given;
  for (auto at = std::filesystem::current_path(); at.has_relative_path(); at = at.parent_path()) {
    if (std::filesystem::exists(at / "shared" / "data" / "README.md"))
      return at / "shared" / "data";
  }
  return std::filesystem::path("/shared/data");
}

std::size_t support(const solvers::Optimum& found) {
  return static_cast<std::size_t>(
      std::count_if(found.at.coef.begin(), found.at.coef.end(), [](double w) { return w != 0.0; }));
}

struct Known {
  const char* name;
  double objective;
  double starting_gap;  // (f(0) - f*) / f*
};

TEST(Problems, OptimaOnPublicDataAreThePublishedOnes) {
  const auto directory = data_directory();
  if (!std::filesystem::is_directory(directory)) {
    GTEST_SKIP() << "the public data sets are not at " << directory << "; set SOUTHWELL_DATA";
  }
  core::ThreadPool pool;
  for (const Known& known :
       {Known{"california", 2.55883, 0.096}, Known{"madelon_l1", 0.685218, 0.0116},
        Known{"madelon_l2", 0.659361, 0.0512}, Known{"dorothea", 0.388659, 0.783},
        Known{"mtp", 0.0858562, 0.0940}}) {
    const PaperProblem& problem = paper_problem(known.name);
    const LoadedProblem loaded = load(problem, directory, 0, pool);
    const solvers::Optimum found = optimum(loaded.dataset, loaded.objective, 1e-10, pool);
    EXPECT_TRUE(found.reached) << known.name << " " << found.gap;
    EXPECT_NEAR(found.objective, known.objective, 5.1e-6 * known.objective) << known.name;
    EXPECT_NEAR((found.objective_at_zero - found.objective) / found.objective, known.starting_gap,
                0.006 * known.starting_gap)
        << known.name;
    const std::size_t expected = problem.published_support
                                     ? static_cast<std::size_t>(*problem.published_support)
                                     : loaded.dataset.features();
    EXPECT_EQ(support(found), expected) << known.name;
  }
}

TEST(Problems, TheSyntheticOnesAreSolvedAndLookLikeThePapers) {
  core::ThreadPool pool;
  for (const char* name : {"log1", "log2", "square"}) {
    const LoadedProblem loaded = load(paper_problem(name), "", 1, pool);
    EXPECT_EQ(loaded.truth.size(), loaded.dataset.features());
    const solvers::Optimum found = optimum(loaded.dataset, loaded.objective, 1e-10, pool);
    EXPECT_TRUE(found.reached) << name;
    if (std::string(name) != "square") continue;
    EXPECT_LE(support(found), 10u);
    EXPECT_GE(support(found), 4u);
    for (std::size_t j = 0; j < loaded.truth.size(); ++j) {
      if (found.at.coef[j] != 0.0) {
        EXPECT_NE(loaded.truth[j], 0.0) << "a feature that is not in the truth";
      }
    }
  }
}

TEST(Problems, ThereAreEightAndAWrongNameListsThem) {
  EXPECT_EQ(paper_problems().size(), 8u);
  try {
    paper_problem("iris");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("madelon_l2"), std::string::npos);
  }
  core::ThreadPool pool(1);
  EXPECT_THROW(load(paper_problem("mtp"), "no/such/place", 0, pool), DataError);
}

}  // namespace
}  // namespace southwell::lab
