#include "southwell/solvers/reference/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "solvers/exact_check.hpp"
#include "southwell/core/error.hpp"

namespace southwell::solvers {
namespace {

using problem::AnyPenalty;
using problem::Intercept;
using problem::Objective;
using problem::PenaltySpec;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Shape { tall, wide, dependent_columns, uneven_scales, very_wide, other_units };

struct Case {
  exact::Problem problem;
  PenaltySpec penalty;
  std::string text;
};

/// Units from 2^-17 to 2^17 (about 1e5) and means up to 2^19 (about 5e5) deviations, all exact in
/// float. Means are for an intercept to make up for.
double in_other_units(double v, std::size_t j, bool intercept) {
  if (intercept && j % 3 == 1) return std::round(v * 8.0) / 8.0 + 0x1p19;
  return std::ldexp(v, 17 * (static_cast<int>(j % 5) - 2) / 2);
}

Case make_case(const std::string& loss, const PenaltySpec& penalty, Shape shape, bool intercept,
               unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  exact::Problem c{.loss = loss, .huber_width = 0.5, .intercept = intercept};
  switch (shape) {
    case Shape::tall:
      c.n = 60, c.p = 12;
      break;
    case Shape::wide:
      c.n = 25, c.p = 60;
      break;
    case Shape::dependent_columns:
      c.n = 40, c.p = 20;
      break;
    case Shape::uneven_scales:
      c.n = 50, c.p = 15;
      break;
    case Shape::very_wide:
      c.n = 20, c.p = 500;
      break;
    case Shape::other_units:
      c.n = 50, c.p = 15;
      break;
  }
  c.x.resize(c.n * c.p);
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j < c.p; ++j) {
      double v = normal(random);
      if (random() % 2 == 0) v = 0.0;  // so that sparse storage differs from dense
      if (shape == Shape::dependent_columns && j % 2 == 1) v = -2.0 * c.at(i, j - 1);
      if (shape == Shape::uneven_scales) v *= std::pow(4.0, static_cast<double>(j % 5) - 2.0);
      if (shape == Shape::tall && j == 3) v = 0.0;  // an empty column
      // Halves and quarters only: the same numbers in float.
      v = std::round(v * 64.0) / 64.0;
      if (shape == Shape::other_units) v = in_other_units(v, j, intercept);
      c.x[i * c.p + j] = v;
    }
  }
  const bool classes = loss == "logistic" || loss == "squared_hinge";
  for (std::size_t i = 0; i < c.n; ++i) {
    double signal = c.at(i, 0) - 0.7 * c.at(i, 2) + 0.5 * c.at(i, 5) + 0.3;
    if (shape == Shape::other_units) {
      signal = std::ldexp(c.at(i, 0), 17) - std::ldexp(c.at(i, 3), -8) + 0.3;
      if (intercept) signal += 0.5 * (c.at(i, 1) - 0x1p19);
    }
    const double y = signal + normal(random);
    c.y.push_back(classes ? (y > 0 ? 1.0 : -1.0) : y);
  }
  const auto alpha = static_cast<exact::Real>(penalty.alpha);
  if (penalty.name == "l1") c.l1 = alpha;
  if (penalty.name == "l2") c.l2 = alpha;
  if (penalty.name == "elastic_net") {
    // The strengths as doubles, the way the penalty holds them.
    c.l1 = penalty.alpha * penalty.l1_ratio;
    c.l2 = penalty.alpha * (1.0 - penalty.l1_ratio);
  }
  c.lower = penalty.lower, c.upper = penalty.upper;
  return {c, penalty,
          loss + " " + std::string(penalty.name) + " " + std::to_string(penalty.lower) + " shape " +
              std::to_string(static_cast<int>(shape)) + (intercept ? " intercept" : "")};
}

std::vector<Case> all_cases() {
  const std::vector<PenaltySpec> penalties = {
      {.name = "none"},
      {.name = "l1", .alpha = 0.07},
      {.name = "l2", .alpha = 0.03},
      {.name = "elastic_net", .alpha = 0.1, .l1_ratio = 0.7},
      {.name = "box", .lower = -0.25, .upper = 0.5},
      {.name = "box", .lower = 0.0, .upper = kInfinity},
      {.name = "box", .lower = 0.125, .upper = 0.25},
      {.name = "l1", .alpha = 0.07, .lower = 0.0},
      {.name = "l1", .alpha = 0.07, .lower = -0.25, .upper = 0.5},
      {.name = "l2", .alpha = 0.03, .upper = 0.25},
      {.name = "elastic_net", .alpha = 0.1, .l1_ratio = 0.7, .lower = 0.125},
  };
  std::vector<Case> cases;
  unsigned seed = 1;
  for (const char* loss : {"squared", "logistic", "huber", "squared_hinge"}) {
    for (const auto& penalty : penalties) {
      for (const Shape shape : {Shape::tall, Shape::wide, Shape::dependent_columns,
                                Shape::uneven_scales, Shape::very_wide}) {
        ++seed;
        cases.push_back(make_case(loss, penalty, shape, seed % 2 == 0, seed));
      }
      for (const bool intercept : {false, true}) {
        cases.push_back(make_case(loss, penalty, Shape::other_units, intercept, ++seed));
      }
      ++seed;  // so that the next loss or penalty sees the other parity
    }
  }
  return cases;
}

template <class T>
data::DenseDesign<T> dense(const exact::Problem& c, core::ThreadPool& pool) {
  const std::vector<T> rows(c.x.begin(), c.x.end());
  return data::DenseDesign<T>::from_row_major(rows.data(), c.n, c.p, c.p, pool);
}

data::SparseDesign sparse(const exact::Problem& c, core::ThreadPool& pool) {
  data::Compressed lists{.offsets = {0}, .indices = {}, .values = {}};
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j < c.p; ++j) {
      if (c.at(i, j) == 0.0) continue;
      lists.indices.push_back(static_cast<std::int32_t>(j));
      lists.values.push_back(c.at(i, j));
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.indices.size()));
  }
  return data::SparseDesign::from_records(std::move(lists), c.p, pool);
}

template <class D>
Optimum solve(const D& design, const Case& c, core::ThreadPool& pool, double gap = 1e-10) {
  const auto loss = problem::make_loss(c.problem.loss, static_cast<double>(c.problem.huber_width));
  const Objective objective(design, std::span<const double>(c.problem.y), loss,
                            problem::make_penalty(c.penalty),
                            c.problem.intercept ? Intercept::free : Intercept::none);
  return reference(objective, {.gap = gap}, pool);
}

std::vector<exact::Real> wide_coef(const Optimum& optimum) {
  return {optimum.at.coef.begin(), optimum.at.coef.end()};
}

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
       {make_case("logistic", {.name = "l1", .alpha = 0.02}, Shape::very_wide, true, 5),
        make_case("huber", {.name = "l2", .alpha = 0.2}, Shape::tall, false, 6)}) {
    const auto design = dense<double>(c.problem, one);
    EXPECT_EQ(solve(design, c, one).at.coef, solve(design, c, three).at.coef);
  }
}

TEST(Reference, FlippingTheSignOfTheDataFlipsTheCoefficients) {
  core::ThreadPool pool(1);
  for (const char* loss : {"squared", "logistic", "huber", "squared_hinge"}) {
    Case c = make_case(loss, {.name = "l1", .alpha = 0.05}, Shape::wide, false, 11);
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
  const Case c = make_case("squared", {.name = "l1", .alpha = 100.0}, Shape::wide, false, 3);
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
    const Case c = make_case("squared", penalty, Shape::tall, false, 9);
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
        Case c = make_case(loss, penalty, Shape::tall, intercept, 21);
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
      for (const Shape shape : {Shape::wide, Shape::very_wide, Shape::dependent_columns}) {
        ++seed;
        expect_proved(make_case(loss, penalty, shape, seed % 2 == 0, seed), pool);
      }
    }
  }
}

TEST(Reference, StopsAfterTheWorkItIsGivenAndSaysSo) {
  core::ThreadPool pool(1);
  const Case c = make_case("logistic", {.name = "l1", .alpha = 1e-3}, Shape::wide, false, 3);
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
  const Case c = make_case("logistic", {.name = "l1", .alpha = 1e-3}, Shape::wide, false, 3);
  const auto design = dense<double>(c.problem, pool);
  const Objective objective(design, std::span<const double>(c.problem.y), problem::Logistic{},
                            AnyPenalty(problem::L1(1e-3)), Intercept::none);
  const Optimum optimum = reference(objective, {.gap = 1e-10, .passes = 1}, pool);
  EXPECT_FALSE(optimum.reached);
  EXPECT_GT(optimum.gap, 1e-10);
  EXPECT_EQ(optimum.ended, "the bound on its passes was met");
}

TEST(Reference, RefusesDataThatIsNotFinite) {
  core::ThreadPool pool(1);
  for (const double bad : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    Case c = make_case("squared", {.name = "l2", .alpha = 0.1}, Shape::tall, false, 3);
    c.problem.x[7] = bad;
    EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool), DataError) << bad;
  }
  Case c = make_case("squared", {.name = "l2", .alpha = 0.1}, Shape::tall, false, 3);
  c.problem.y.pop_back();
  EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool), DataError);
  c.problem.y.push_back(kInfinity);
  EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool), DataError);
  c.problem.y.back() = 0.0;
  EXPECT_THROW(solve(dense<double>(c.problem, pool), c, pool, 0.0), InvalidArgument);
}

}  // namespace
}  // namespace southwell::solvers
