#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab/compare.hpp"
#include "lab/problems.hpp"
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

TEST(Compare, PairsTheModesAndBoundsTheirDifference) {
  Compared compared;
  compared.modes.resize(2);
  compared.modes[0].errors = {{1.0, 3.0}, {5.0, 7.0}, {2.0, 2.0}};
  compared.modes[1].errors = {{1.0, 1.0}, {5.0, 5.0}, {1.0, 1.0}};
  const Interval95 found = paired_difference(compared);  // -1, -1, -1
  EXPECT_DOUBLE_EQ(found.mean, -1.0);
  EXPECT_DOUBLE_EQ(found.half_width, 0.0);
  compared.modes[1].errors = {{1.0, 1.0}, {5.0, 5.0}, {4.0, 4.0}};  // -1, -1, 2
  EXPECT_NEAR(paired_difference(compared).half_width, 4.302653 * std::sqrt(3.0) / std::sqrt(3.0),
              1e-5);
  EXPECT_DOUBLE_EQ(compared.modes[0].mean(), 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(compared.modes[0].least(), 1.0);
  EXPECT_DOUBLE_EQ(compared.modes[0].most(), 7.0);
}

TEST(Compare, FindsTheBestSettingOfBothModes) {
  core::ThreadPool pool(2);
  const std::vector<Compared> found = compare({.problems = {"log2"},
                                               .instances = 1,
                                               .runs = 1,
                                               .fresh = 2,
                                               .delta = {},
                                               .share = {},
                                               .data = {}},
                                              pool);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].modes.size(), 2u);
  for (const ComparedMode& mode : found[0].modes) {
    EXPECT_EQ(mode.settings, 280u);
    EXPECT_LT(mode.search_error, found[0].error_at_zero);
  }
}

}  // namespace
}  // namespace southwell::lab
