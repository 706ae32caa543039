#include "lab/theory_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "lab/statistics.hpp"
#include "southwell/core/error.hpp"
#include "support/scratch.hpp"

namespace southwell::lab {
namespace {

TEST(Statistics, GivesTheIntervalAndTheSlopeOfHandComputedExamples) {
  const std::vector<double> values{1.0, 2.0, 3.0};
  EXPECT_DOUBLE_EQ(interval95(values).mean, 2.0);
  EXPECT_NEAR(interval95(values).half_width, 4.302653 / std::sqrt(3.0), 1e-5);
  EXPECT_TRUE(std::isinf(interval95(std::vector{1.0}).half_width));
  const std::vector<std::pair<double, double>> line{{0.0, 1.0}, {1.0, 3.0}, {2.0, 5.0}};
  EXPECT_DOUBLE_EQ(least_squares_slope(line), 2.0);
  const std::vector<std::pair<double, double>> bent{{0.0, 0.0}, {1.0, 3.0}, {2.0, 0.0}};
  EXPECT_DOUBLE_EQ(least_squares_slope(bent), 0.0);
}

std::size_t lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::size_t out = 0;
  for (std::string line; std::getline(in, line);) ++out;
  return out;
}

TEST(TheoryStudy, MeasuresEveryAlgorithmAtEverySizeAndFitsASlopeToEach) {
  core::ThreadPool pool(2);
  const TheoryStudyOptions options{
      .features = {10, 40}, .records = 120, .mode = "paper", .seeds = 3, .epsilon = 8.0};
  const TheoryStudy study = theory_study(options, pool);
  EXPECT_EQ(study.runs.size(), 2u * 2u * 3u * 3u);
  EXPECT_EQ(study.slopes.size(), 2u * 3u);
  for (const TheoryRun& run : study.runs) {
    EXPECT_GE(run.error, 0.0);
    EXPECT_GT(run.share, 0.0);
    EXPECT_TRUE(std::isfinite(run.share));
  }
  // Each slope is that of its own runs.
  const TheorySlope& first = study.slopes.front();
  double mean = 0.0;
  for (const TheoryRun& run : study.runs) {
    if (run.truth != first.truth || run.algorithm != first.algorithm) continue;
    mean += (run.features == 40 ? 1.0 : -1.0) * std::log(run.share) / (3.0 * std::log(4.0));
  }
  EXPECT_NEAR(first.slope, mean, 1e-9);
  for (const TheoryBound& bound : study.bounds) {
    EXPECT_NE(bound.error.has_value(), !bound.failed.empty()) << "a bound or the reason for none";
  }

  const Scratch scratch;
  write_theory_study(study, options, scratch.path("out"));
  EXPECT_EQ(lines_of(scratch.path("out") / "theory.csv"), 1u + study.runs.size());
  EXPECT_EQ(lines_of(scratch.path("out") / "theory_fits.csv"), 1u + study.slopes.size());
  EXPECT_EQ(lines_of(scratch.path("out") / "theory_bounds.csv"), 1u + study.bounds.size());
}

TEST(TheoryStudy, RefusesWhatHasNoSlope) {
  core::ThreadPool pool(1);
  EXPECT_THROW(theory_study({.features = {100}}, pool), InvalidArgument);
  EXPECT_THROW(theory_study({.seeds = 1}, pool), InvalidArgument);
}

}  // namespace
}  // namespace southwell::lab
