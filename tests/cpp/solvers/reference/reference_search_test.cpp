#include "southwell/solvers/reference/reference_search.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "solvers/reference/reference_cases.hpp"

namespace southwell::solvers {
namespace {

using namespace testing;

using problem::AnyPenalty;

/// The gap claimed is reached, and long double agrees that there is no larger one.
void expect_proved(const Case& c, core::ThreadPool& pool) {
  const Optimum optimum = solve(dense<double>(c.problem, pool), c, pool);
  EXPECT_TRUE(optimum.reached) << c.text << ", gap " << optimum.gap << ": " << optimum.ended;
  const auto gap = exact::relative_gap(c.problem, wide_coef(optimum), optimum.at.intercept);
  EXPECT_LE(gap, 1.001e-10L) << c.text << ", claimed " << optimum.gap;
  const auto f = exact::objective(c.problem, wide_coef(optimum), optimum.at.intercept);
  EXPECT_NEAR(optimum.objective, static_cast<double>(f), 1e-11 * optimum.objective) << c.text;
}

TEST(Reference, TargetsFarFromZeroAreNoExcuse) {
  core::ThreadPool pool(1);
  const std::vector<PenaltySpec> penalties = {{.name = "none"},
                                              {.name = "l1", .alpha = 0.01},
                                              {.name = "l2", .alpha = 1e-6},
                                              {.name = "box", .lower = -2e3, .upper = 1e4}};
  for (const char* loss : {"huber", "squared"}) {
    for (const auto& penalty : penalties) {
      for (const bool intercept : {false, true}) {
        Case c = make_case(loss, penalty, CaseShape::tall, intercept, 21);
        for (double& y : c.problem.y) y = 1e4 * y + (intercept ? 2e5 : 0.0);
        expect_proved(c, pool);
      }
    }
  }
}

TEST(Reference, AnOptimumThatDoublesCannotHoldIsNotClaimed) {
  core::ThreadPool pool(1);
  // The intercept is 1e15 - 1/26, next to which doubles are an eighth apart.
  exact::Problem p{.n = 3, .p = 1, .x = {1, 2, 5}, .y = {1e15, 1e15 + 1, 1e15 + 1.5}};
  p.intercept = true;
  const Case c{p, {.name = "none"}, "far"};
  const Optimum optimum = solve(dense<double>(p, pool), c, pool);
  EXPECT_FALSE(optimum.reached) << optimum.gap;
  EXPECT_EQ(optimum.ended, "the gap fell no further in double precision");
}

TEST(Reference, WeakPenaltiesOnFewRecordsAreNoExcuse) {
  core::ThreadPool pool(2);
  const std::vector<PenaltySpec> penalties = {
      {.name = "l1", .alpha = 1e-4},
      {.name = "l1", .alpha = 1e-8},
      {.name = "l2", .alpha = 1e-8},
      {.name = "elastic_net", .alpha = 1e-6, .l1_ratio = 0.5},
      {.name = "elastic_net", .alpha = 1e-8, .l1_ratio = 0.95},
      {.name = "elastic_net", .alpha = 1e-5, .l1_ratio = 0.1},
  };
  unsigned seed = 100;
  for (const char* loss : {"squared", "logistic", "huber", "squared_hinge"}) {
    for (const auto& penalty : penalties) {
      for (const CaseShape shape :
           {CaseShape::wide, CaseShape::very_wide, CaseShape::dependent_columns}) {
        ++seed;
        expect_proved(make_case(loss, penalty, shape, seed % 2 == 0, seed), pool);
      }
    }
  }
}

TEST(Reference, StopsAfterTheWorkItIsGivenAndSaysSo) {
  core::ThreadPool pool(1);
  const Case c = make_case("logistic", {.name = "l1", .alpha = 1e-3}, CaseShape::wide, false, 3);
  const auto design = dense<double>(c.problem, pool);
  const Objective objective(design, std::span<const double>(c.problem.y), problem::Logistic{},
                            AnyPenalty(problem::L1(1e-3)), Intercept::none);
  const Optimum given_up = reference(objective, {.gap = 1e-10, .work = 1.0}, pool);
  EXPECT_FALSE(given_up.reached);
  EXPECT_GT(given_up.gap, 1e-10);
  EXPECT_EQ(given_up.ended, "the bound on its work was met");
  const Optimum found = reference(objective, {.gap = 1e-10}, pool);
  EXPECT_EQ(found.ended, "the gap was reached");
  EXPECT_GT(found.work, 1.0);
  // Half of what it takes is not enough, a little more than it takes is.
  EXPECT_FALSE(reference(objective, {.gap = 1e-10, .work = 0.5 * found.work}, pool).reached);
  EXPECT_TRUE(reference(objective, {.gap = 1e-10, .work = 1.1 * found.work}, pool).reached);
}

TEST(Reference, SaysWhenItDidNotArrive) {
  core::ThreadPool pool(1);
  const Case c = make_case("logistic", {.name = "l1", .alpha = 1e-3}, CaseShape::wide, false, 3);
  const auto design = dense<double>(c.problem, pool);
  const Objective objective(design, std::span<const double>(c.problem.y), problem::Logistic{},
                            AnyPenalty(problem::L1(1e-3)), Intercept::none);
  const Optimum optimum = reference(objective, {.gap = 1e-10, .passes = 1}, pool);
  EXPECT_FALSE(optimum.reached);
  EXPECT_GT(optimum.gap, 1e-10);
  EXPECT_EQ(optimum.ended, "the bound on its passes was met");
}

}  // namespace
}  // namespace southwell::solvers
