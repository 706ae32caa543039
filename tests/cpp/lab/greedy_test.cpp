#include "lab/greedy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "lab/small_data.hpp"
#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

const char* const kRules[] = {"gs_s", "gs_r", "gs_q"};

TEST(Greedy, EveryRuleArrivesAtTheOptimumWithoutEverRising) {
  core::ThreadPool pool(1);
  std::vector<ObjectiveSpec> specs = {
      objective("squared", "none", {}, Intercept::free),  objective("squared", "l1", 0.1),
      objective("squared", "l2", 0.1, Intercept::free),   objective("logistic", "l1", 0.02),
      objective("logistic", "l2", 0.05, Intercept::free), objective("squared_hinge", "l1", 0.05)};
  specs.push_back(objective("logistic", "elastic_net", 0.05));
  specs.back().l1_ratio = 0.5;
  specs.push_back(objective("squared", "box", {}));
  specs.back().lower = -0.5;
  specs.back().upper = 0.7;
  specs.push_back(objective("squared", "l1", 0.1));
  specs.back().lower = 0.0;
  specs.push_back(objective("huber", "l1", 0.05, Intercept::free));
  specs.back().huber_width = 0.8;
  for (const ObjectiveSpec& spec : specs) {
    const bool classes = spec.loss == "logistic" || spec.loss == "squared_hinge";
    const auto dataset = random_dataset(80, 12, classes ? Targets::classes : Targets::numbers, 3);
    const double best = optimum(dataset, spec, 1e-12, pool).objective;
    for (const char* rule : kRules) {
      const GreedyRun run = greedy(dataset, spec, {.rule = rule, .iterations = 3000}, pool);
      EXPECT_NEAR(run.objective(), best, 1e-9 * best)
          << spec.loss << " " << spec.penalty << " " << rule;
      double before = run.objective_at_zero;
      for (const GreedyStep& step : run.steps) {
        EXPECT_LE(step.objective, before + 1e-14)
            << spec.loss << " " << spec.penalty << " " << rule;
        before = step.objective;
      }
      EXPECT_NEAR(evaluate(dataset, spec, run.at).objective(), run.objective(), 1e-12);
    }
  }
}

/// The first feature is close to the sum of two others that make the target: greedy starts with it.
/// It is small, so that its coefficient is penalised dearly, and has to be taken back.
data::Dataset decoy() {
  std::vector<double> rows;
  std::vector<double> target;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    const double a = normal(random);
    const double b = normal(random);
    rows.insert(rows.end(), {0.2 * (a + b) + 0.08 * normal(random), a, b});
    target.push_back(a + b);
  }
  return dense_dataset(rows, std::move(target));
}

TEST(Greedy, AStepOntoOrAcrossZeroIsBadAndAllOthersAreGood) {
  core::ThreadPool pool(1);
  for (const char* rule : kRules) {
    const GreedyRun run =
        greedy(decoy(), objective("squared", "l1", 0.02), {.rule = rule, .iterations = 500}, pool);
    EXPECT_EQ(run.steps.front().feature, 0u) << rule;
    EXPECT_EQ(run.at.coef[0], 0.0) << rule << ": the decoy is dropped in the end";
    EXPECT_GE(run.bad_steps(), 1u) << rule;
    EXPECT_EQ(run.good_steps() + run.bad_steps(), run.steps.size());
    std::map<std::size_t, double> coef;
    for (const GreedyStep& step : run.steps) {
      const double from = coef[step.feature];
      EXPECT_EQ(step.good, from == 0.0 || from * step.value > 0.0) << rule;
      coef[step.feature] = step.value;
    }
  }
}

TEST(Greedy, ReachingABoundIsBadAndLeavingItIsGood) {
  core::ThreadPool pool(1);
  ObjectiveSpec spec = objective("squared", "box", {});
  spec.lower = 0.0;
  spec.upper = 0.9;
  const GreedyRun run = greedy(decoy(), spec, {.iterations = 500}, pool);
  std::map<std::size_t, double> coef;
  for (const GreedyStep& step : run.steps) {
    const double from = coef[step.feature];
    const bool inside_before = from > 0.0 && from < 0.9;
    const bool inside_after = step.value > 0.0 && step.value < 0.9;
    EXPECT_EQ(step.good, !inside_before || inside_after);
    coef[step.feature] = step.value;
  }
  EXPECT_GE(run.bad_steps(), 1u);
}

TEST(Greedy, WithoutKinksEveryStepIsGood) {
  core::ThreadPool pool(1);
  for (const char* rule : kRules) {
    const GreedyRun run =
        greedy(decoy(), objective("squared", "l2", 0.01), {.rule = rule, .iterations = 50}, pool);
    EXPECT_EQ(run.bad_steps(), 0u);
    EXPECT_EQ(run.steps.size(), 50u);
  }
}

TEST(Greedy, ASteepNegativeSlopeWins) {
  core::ThreadPool pool(1);
  // Gradients at 0: -mean(x y) = -3 for the second feature, +1 for the first.
  const auto dataset = dense_dataset({-1, 3, -1, 3, 1, -3, 1, -3}, {1, 1, -1, -1});
  for (const char* rule : kRules) {
    const GreedyRun run = greedy(dataset, objective("squared", "l1", 0.1),
                                 {.rule = rule, .iterations = 1, .step = 0.5}, pool);
    ASSERT_EQ(run.steps.size(), 1u);
    // Both features explain the target alike; the threshold weighs less on the larger one.
    EXPECT_EQ(run.steps[0].feature, 1u) << rule;
    EXPECT_EQ(run.steps[0].gradient, -3.0);
    EXPECT_NEAR(run.steps[0].value, 0.5 * (3.0 - 0.1) / 9.0, 1e-15);
  }
}

TEST(Greedy, StopsWhenNoCoordinateCanMove) {
  core::ThreadPool pool(1);
  const GreedyRun run =
      greedy(decoy(), objective("squared", "l1", 100.0), {.iterations = 10}, pool);
  EXPECT_TRUE(run.steps.empty());
  EXPECT_EQ(run.objective(), run.objective_at_zero);
}

TEST(Greedy, RefusesWhatItCannotDo) {
  core::ThreadPool pool(1);
  const auto spec = objective("squared", "l1", 0.1);
  EXPECT_THROW(greedy(decoy(), spec, {.rule = "gs_x"}, pool), InvalidArgument);
  EXPECT_THROW(greedy(decoy(), spec, {.iterations = 0}, pool), InvalidArgument);
  EXPECT_THROW(greedy(decoy(), spec, {.step = 0.0}, pool), InvalidArgument);
  EXPECT_THROW(greedy(decoy(), spec, {.step = std::nan("")}, pool), InvalidArgument);
}

}  // namespace
}  // namespace southwell::lab
