#include "southwell/solvers/reference/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "solvers/reference/reference_cases.hpp"
#include "southwell/core/error.hpp"

namespace southwell::solvers {
namespace {

using namespace testing;

TEST(Reference, ItsGapHoldsInLongDoubleFromCoefficientsAndDataAlone) {
  core::ThreadPool pool(2);
  for (const Case& c : all_cases()) {
    const Optimum optimum = solve(dense<double>(c.problem, pool), c, pool);
    EXPECT_TRUE(optimum.reached) << c.text << ", gap " << optimum.gap;
    const auto gap = exact::relative_gap(c.problem, wide_coef(optimum), optimum.at.intercept);
    EXPECT_LE(gap, 1.001e-10L) << c.text << ", claimed " << optimum.gap;
    // Long double rounds margins of large entries too.
    const double largest = *std::max_element(c.problem.x.begin(), c.problem.x.end());
    EXPECT_GE(gap, -1e-15L - 1e-19L * largest) << c.text << ": a negative gap means a wrong bound";
    const auto f = exact::objective(c.problem, wide_coef(optimum), optimum.at.intercept);
    EXPECT_NEAR(optimum.objective, static_cast<double>(f), 1e-13 * (1.0 + optimum.objective))
        << c.text;
  }
}

TEST(Reference, DenseFloatAndSparseStorageGiveTheSameOptimum) {
  core::ThreadPool pool(2);
  for (const Case& c : all_cases()) {
    const Optimum a = solve(dense<double>(c.problem, pool), c, pool, 1e-12);
    const Optimum b = solve(sparse(c.problem, pool), c, pool, 1e-12);
    const Optimum f = solve(dense<float>(c.problem, pool), c, pool, 1e-12);
    const double scale = std::max(a.objective, 1e-6 * a.objective_at_zero);
    EXPECT_NEAR(a.objective, b.objective, 1e-12 * std::min(scale, 1e6)) << c.text;
    EXPECT_EQ(a.objective, f.objective) << c.text;
    EXPECT_EQ(a.at.coef, f.at.coef) << c.text;
  }
}

TEST(Reference, AgreesWithAPlainProximalGradientInLongDouble) {
  core::ThreadPool pool(1);
  int compared = 0;
  for (const Case& c : all_cases()) {
    // Plain proximal gradient is too slow where nothing bounds the curvature from below.
    if (c.problem.p > 100 || (c.penalty.name == "none" && c.problem.n < 2 * c.problem.p)) continue;
    const Optimum optimum = solve(dense<double>(c.problem, pool), c, pool);
    const exact::Real best = exact::minimum(c.problem, 4000);
    const auto scale = std::max<exact::Real>(best, 1e-6L);
    EXPECT_LE(optimum.objective, best + 1e-10L * scale) << c.text;
    // Where the plain method has not arrived itself, only the inequality above can be asked.
    if (best - optimum.objective > 1e-8L * scale) continue;
    ++compared;
  }
  EXPECT_GE(compared, 60) << "most problems must be easy enough for the plain method";
}

TEST(Reference, TheNumberOfThreadsChangesNothing) {
  core::ThreadPool one(1);
  core::ThreadPool three(3);
  for (const Case& c :
       {make_case("logistic", {.name = "l1", .alpha = 0.02}, CaseShape::very_wide, true, 5),
        make_case("huber", {.name = "l2", .alpha = 0.2}, CaseShape::tall, false, 6)}) {
    const auto design = dense<double>(c.problem, one);
    EXPECT_EQ(solve(design, c, one).at.coef, solve(design, c, three).at.coef);
  }
}

TEST(Reference, FlippingTheSignOfTheDataFlipsTheCoefficients) {
  core::ThreadPool pool(1);
  for (const char* loss : {"squared", "logistic", "huber", "squared_hinge"}) {
    Case c = make_case(loss, {.name = "l1", .alpha = 0.05}, CaseShape::wide, false, 11);
    const Optimum before = solve(dense<double>(c.problem, pool), c, pool);
    for (double& x : c.problem.x) x = -x;
    const Optimum after = solve(dense<double>(c.problem, pool), c, pool);
    EXPECT_EQ(before.objective, after.objective) << loss;
    for (std::size_t j = 0; j < c.problem.p; ++j) {
      EXPECT_EQ(before.at.coef[j], -after.at.coef[j]) << loss;
    }
  }
}

TEST(Reference, AStrongL1PenaltyLeavesNothing) {
  core::ThreadPool pool(1);
  const Case c = make_case("squared", {.name = "l1", .alpha = 100.0}, CaseShape::wide, false, 3);
  const Optimum optimum = solve(dense<double>(c.problem, pool), c, pool);
  EXPECT_EQ(optimum.objective, optimum.objective_at_zero);
  EXPECT_EQ(optimum.at.coef, std::vector<double>(c.problem.p, 0.0));
  EXPECT_EQ(optimum.gap, 0.0);
  EXPECT_EQ(optimum.passes, 1);
}

TEST(Reference, TheOptimumOfOneFeatureIsTheSoftThreshold) {
  core::ThreadPool pool(1);
  exact::Problem p{.n = 4, .p = 1, .x = {1, -1, 2, 0}, .y = {3, -1, 4, 7}, .loss = "squared"};
  const Case c{p, {.name = "l1", .alpha = 0.5}, ""};
  const Optimum optimum = solve(dense<double>(p, pool), c, pool);
  EXPECT_NEAR(optimum.at.coef[0], (12.0 / 4 - 0.5) / (6.0 / 4),
              1e-15);  // soft(x'y/n, alpha)/(x'x/n)
}

TEST(Reference, NamesTheCertificate) {
  core::ThreadPool pool(1);
  const auto name = [&](const PenaltySpec& penalty) {
    const Case c = make_case("squared", penalty, CaseShape::tall, false, 9);
    return solve(dense<double>(c.problem, pool), c, pool).certificate;
  };
  EXPECT_EQ(name({.name = "l1", .alpha = 0.1}), "duality gap");
  EXPECT_EQ(name({.name = "box", .lower = -1.0, .upper = 1.0}), "duality gap");
  EXPECT_EQ(name({.name = "l1", .alpha = 0.1, .lower = 0.0}), "duality gap");
  EXPECT_EQ(name({.name = "none"}).rfind("duality gap within |coef| <= ", 0), 0u);
  EXPECT_EQ(name({.name = "box", .lower = 0.0, .upper = 0.5}), "duality gap");
  EXPECT_EQ(name({.name = "box", .lower = 0.0, .upper = kInfinity}).rfind("duality gap within", 0),
            0u);
}

TEST(Reference, RefusesDataThatIsNotFinite) {
  core::ThreadPool pool(1);
  for (const double bad : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    Case c = make_case("squared", {.name = "l2", .alpha = 0.1}, CaseShape::tall, false, 3);
    c.problem.x[7] = bad;
    EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool), DataError) << bad;
  }
  Case c = make_case("squared", {.name = "l2", .alpha = 0.1}, CaseShape::tall, false, 3);
  c.problem.y.pop_back();
  EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool), DataError);
  c.problem.y.push_back(kInfinity);
  EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool), DataError);
  c.problem.y.back() = 0.0;
  EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool, 0.0), InvalidArgument);
}

}  // namespace
}  // namespace southwell::solvers
