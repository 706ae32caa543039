#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab/compare.hpp"
#include "lab/problems.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/fit/fit.hpp"

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
    fit::FitSpec spec;
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
      const model::LinearModel model = fit::fit(square.dataset, spec);
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

Tuned with_errors(const std::vector<std::vector<double>>& errors) {
  Tuned out;
  for (const auto& instance : errors) {
    out.fresh.emplace_back();
    for (const double error : instance) out.fresh.back().push_back({.error = error});
  }
  return out;
}

TEST(Compare, PairsTheRunsAndBoundsTheirDifference) {
  const Tuned first = with_errors({{1.0, 3.0}, {5.0, 7.0}, {2.0, 2.0}});
  const Interval95 found =
      paired_difference(first, with_errors({{1.0, 1.0}, {5.0, 5.0}, {1.0, 1.0}}));  // -1, -1, -1
  EXPECT_DOUBLE_EQ(found.mean, -1.0);
  EXPECT_DOUBLE_EQ(found.half_width, 0.0);
  const Tuned other = with_errors({{1.0, 1.0}, {5.0, 5.0}, {4.0, 4.0}});  // -1, -1, 2
  EXPECT_NEAR(paired_difference(first, other).half_width,
              4.302653 * std::sqrt(3.0) / std::sqrt(3.0), 1e-5);
  // Of one instance the runs are paired: 0, -4.
  EXPECT_NEAR(paired_difference(with_errors({{1.0, 5.0}}), with_errors({{1.0, 1.0}})).half_width,
              12.706205 * std::sqrt(8.0) / std::sqrt(2.0), 1e-4);
  EXPECT_DOUBLE_EQ(first.fresh_error().mean, 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(first.fresh_error().least, 1.0);
  EXPECT_DOUBLE_EQ(first.fresh_error().most, 7.0);
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
                                               .tuning = {.runs = 1, .fresh = 2, .epsilon = 4.0}},
                                              pool);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].rows.size(), 8u) << "gcd has two rules, the others none";
  for (const ComparedRow& row : found[0].rows) {
    EXPECT_LT(row.tuned.searched[row.tuned.best].mean, found[0].error_at_zero) << row.of.name();
    EXPECT_EQ(row.of.rule.empty(), row.of.solver != "gcd");
    EXPECT_EQ(row.runs(), 2u);
  }
}

TEST(Tuning, SearchesThePapersGrids) {
  core::ThreadPool pool(1);
  const std::vector<Instance> instances = [&] {
    std::vector<Instance> out;
    out.emplace_back(load(paper_problem("log1"), {}, 1, pool), pool);
    return out;
  }();
  const TuningOptions options;
  const auto grid = [&](const char* solver, const char* mode, PaperExtent::Part extent) {
    return settings_of({solver, mode, ""}, instances.front(), {.part = extent});
  };
  const auto unit = [&](const char* solver, const char* mode) {
    return Tuning(instances, {solver, mode, ""}, options, pool).clip_unit();
  };
  EXPECT_EQ(grid("gcd", "paper", PaperExtent::Part::whole).size(), 7u * 500u);
  EXPECT_EQ(grid("gcd", "certified", PaperExtent::Part::sub).size(), 7u * 30u);
  // 0.1, 0.01 and 0.001 passes are 10, 1 and 1 iterations of cd; of all records sgd has one too.
  const auto run = [&](const char* solver, const char* mode) {
    std::size_t out = 0;
    const auto settings = grid(solver, mode, PaperExtent::Part::sub);
    for (const auto& [iterations, members] : paper_batches(settings)) out += members.size();
    return out;
  };
  EXPECT_EQ(run("cd", "paper"), 8u * 30u);
  EXPECT_EQ(run("sgd", "paper"), 9u * 30u);
  EXPECT_EQ(run("sgd", "certified"), 6u * 30u) << "a pass is an iteration";
  EXPECT_EQ(grid("cd", "certified", PaperExtent::Part::whole).back().iterations, 2000u);
  EXPECT_EQ(grid("sgd", "paper", PaperExtent::Part::whole).back().iterations, 20'000u);
  EXPECT_EQ(grid("sgd", "certified", PaperExtent::Part::whole).back().iterations, 20u);
  // M_j = 1/4 + 1e-3 in all 100 columns: C sqrt(beta / sum M).
  EXPECT_NEAR(unit("cd", "certified"), std::sqrt(0.25 / 25.1), 1e-9);
  EXPECT_NEAR(unit("sgd", "certified"), std::sqrt(0.25 / 0.251), 1e-9);
  EXPECT_EQ(unit("sgd", "paper"), 1.0);
  EXPECT_NEAR(Tuning(instances, {"sgd", "certified", ""}, options, pool).step_unit(), 1.0 / 0.251,
              1e-9);
}

}  // namespace
}  // namespace southwell::lab
