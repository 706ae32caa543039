#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab/compare.hpp"
#include "lab/problems.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/model/fit.hpp"

namespace southwell::lab {
namespace {

TEST(PaperMode, ReproducesThePublishedErrorOnSquare) {
  // The paper's chosen setting: T = 2, C = 1.46e4, step 2.15, at (1, 1/n^2). Published is a
  // relative error of 0.35 where w = 0 has 0.75; our instances begin lower.
  core::ThreadPool pool(1);
  std::vector<double> errors;
  double at_zero = 0.0;
  for (std::uint64_t instance = 1; instance <= 5; ++instance) {
    const LoadedProblem square = load(paper_problem("square"), {}, instance, pool);
    const solvers::Optimum best = optimum(square.dataset, square.objective, 1e-10, pool);
    at_zero += (best.objective_at_zero / best.objective - 1.0) / 5.0;
    model::FitSpec spec;
    spec.objective = square.objective;
    spec.epsilon = 1.0;
    spec.delta = 1e-6;
    spec.mode = "paper";
    spec.iterations = 2;
    spec.clip = 1.46e4 / std::sqrt(1000.0);  // c = C sqrt(beta / sum M)
    spec.step = 2.15;
    spec.feature_scale_from_data = true;
    for (std::uint64_t run = 0; run < 4; ++run) {
      spec.seed_for_tests = 100 * instance + run;
      const model::LinearModel model = model::fit(square.dataset, spec);
      EXPECT_EQ(model.privacy.guarantee, "none (paper mode, seeded)");
      EXPECT_LE(model.heads[0].coef.size(), 2u);
      Coefficients at{std::vector<double>(1000), 0.0};
      for (const model::Coefficient& each : model.heads[0].coef) at.coef[each.index] = each.value;
      const double f = evaluate(square.dataset, square.objective, at).objective();
      errors.push_back(f / best.objective - 1.0);
    }
  }
  double mean = 0.0;
  for (const double error : errors) mean += error / static_cast<double>(errors.size());
  EXPECT_GT(mean, 0.2);
  EXPECT_LT(mean, at_zero);
  EXPECT_LT(*std::min_element(errors.begin(), errors.end()), 0.35);
  EXPECT_GT(*std::max_element(errors.begin(), errors.end()), 0.35);
}

TEST(Compare, PairsTheRunsAndBoundsTheirDifference) {
  ComparedRow first;
  ComparedRow second;
  first.errors = {{1.0, 3.0}, {5.0, 7.0}, {2.0, 2.0}};
  second.errors = {{1.0, 1.0}, {5.0, 5.0}, {1.0, 1.0}};
  const Interval95 found = paired_difference(first, second);  // -1, -1, -1
  EXPECT_DOUBLE_EQ(found.mean, -1.0);
  EXPECT_DOUBLE_EQ(found.half_width, 0.0);
  second.errors = {{1.0, 1.0}, {5.0, 5.0}, {4.0, 4.0}};  // -1, -1, 2
  EXPECT_NEAR(paired_difference(first, second).half_width,
              4.302653 * std::sqrt(3.0) / std::sqrt(3.0), 1e-5);
  EXPECT_DOUBLE_EQ(first.mean(), 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(first.least(), 1.0);
  EXPECT_DOUBLE_EQ(first.most(), 7.0);
}

TEST(Compare, FindsTheBestSettingOfEverySolverAndMode) {
  core::ThreadPool pool(2);
  // A problem of its own, small: 200 records of 4 features.
  const CompareProblem small{"small", 1, [&](std::uint64_t seed) {
                               data::Generated made = data::generate(
                                   data::Synthetic::log2,
                                   {.records = 200, .features = 4, .seed = seed}, pool);
                               return LoadedProblem{std::move(made.dataset),
                                                    std::move(made.truth),
                                                    {.loss = "logistic",
                                                     .penalty = "l2",
                                                     .alpha = 1e-3,
                                                     .l1_ratio = {},
                                                     .lower = {},
                                                     .upper = {},
                                                     .huber_width = {},
                                                     .intercept = Intercept::none}};
                             }};
  const std::vector<Compared> found = compare({small},
                                              {.solvers = {"gcd", "cd", "sgd"},
                                               .rules = {"gs_s", "gs_r"},
                                               .runs = 1,
                                               .fresh = 2,
                                               .epsilon = 4.0,
                                               .delta = {},
                                               .share = {}},
                                              pool);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].rows.size(), 8u) << "gcd has two rules, the others none";
  for (const ComparedRow& row : found[0].rows) {
    EXPECT_LT(row.search_error, found[0].error_at_zero) << row.solver << " " << row.mode;
    EXPECT_EQ(row.rule.empty(), row.solver != "gcd");
    EXPECT_EQ(row.errors[0].size(), 2u);
  }
}

TEST(Compare, SearchesThePapersGrids) {
  const GridUnits units{
      .records = 1000.0, .features = 100.0, .curvature = 0.25, .smoothness_sum = 25.0};
  const auto size = [&](const char* solver, const char* mode, Grid grid) {
    return settings(solver, mode, grid, units).size();
  };
  EXPECT_EQ(size("gcd", "paper", Grid::paper), 7u * 500u);
  EXPECT_EQ(size("gcd", "certified", Grid::sub), 7u * 40u);
  // 0.1, 0.01 and 0.001 passes are 10, 1 and 1 iterations of cd.
  EXPECT_EQ(size("cd", "paper", Grid::paper), 8u * 500u);
  EXPECT_EQ(size("sgd", "paper", Grid::paper), 9u * 500u);
  EXPECT_EQ(size("sgd", "certified", Grid::sub), 6u * 40u) << "a pass is an iteration";
  const std::vector<Setting> cd = settings("cd", "certified", Grid::paper, units);
  EXPECT_EQ(cd.back().iterations, 2000u);
  EXPECT_NEAR(cd.back().clip, 1e6 * 0.1, 1e-3);  // C sqrt(beta / sum M)
  EXPECT_NEAR(cd.back().step, 10.0, 1e-9);
  const std::vector<Setting> sgd = settings("sgd", "paper", Grid::paper, units);
  EXPECT_EQ(sgd.front().iterations, 1u);
  EXPECT_NEAR(sgd.front().step, 1e-6, 1e-15);
  EXPECT_NEAR(sgd.back().clip, 1e6, 1e-3);
}

}  // namespace
}  // namespace southwell::lab
