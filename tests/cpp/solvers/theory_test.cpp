#include "southwell/solvers/theory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "solvers/noisy_steps.hpp"

namespace southwell::solvers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Chernoff, BoundsTheTailOfSumsOfSquaredLaplaceVariables) {
  Random random(1);
  constexpr int kDraws = 100000;
  for (const int count : {1, 2, 3}) {
    std::vector<double> sums(kDraws);
    for (double& sum : sums) {
      sum = 0.0;
      for (int k = 0; k < count; ++k) sum += std::pow(laplace(1.0 / (1 + k), random), 2);
    }
    for (const double threshold : {0.01, 0.1, 1.0, 4.0, 16.0, 64.0, 144.0}) {
      const auto above =
          std::count_if(sums.begin(), sums.end(), [&](double sum) { return sum >= threshold; });
      const double frequency = static_cast<double>(above) / kDraws;
      const double bound = laplace_square_tail(count, threshold, 1.0);
      EXPECT_LE(frequency, bound + 5.0 * std::sqrt(0.25 / kDraws)) << count << " " << threshold;
    }
    // Without its factor 2^count the bound would be wrong, so this test can tell.
    const auto above =
        std::count_if(sums.begin(), sums.end(), [&](double sum) { return sum >= 0.01; });
    EXPECT_GT(static_cast<double>(above) / kDraws,
              0.9 * std::ldexp(laplace_square_tail(count, 0.01, 1.0), -count));
  }
}

TEST(Chernoff, HoldsWhereTheChosenCoordinateIsAlsoTheBest) {
  // j = j*: |eta|^2 / 2 + |chi|^2 (1/2 + 1/4) >= beta, one variable counted twice.
  Random random(2);
  constexpr int kDraws = 200000;
  for (const double beta : {2.0, 8.0, 20.0, 40.0}) {
    int above = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double eta = laplace(1.0, random);
      const double chi = laplace(1.0, random);
      above += eta * eta / 2.0 + 0.75 * chi * chi >= beta ? 1 : 0;
    }
    EXPECT_LE(static_cast<double>(above) / kDraws, laplace_square_tail(3, 2.0 * beta, 1.0));
  }
}

TEST(DescentLemma, HoldsOnEveryStepAndOnlyWithItsNoiseTerms) {
  Random random(3);
  int would_fail_without_step_noise = 0;
  int would_fail_without_selection_noise = 0;
  for (int run = 0; run < 60; ++run) {
    const Quadratic f(30, 0.05 + 0.003 * run, 5, random);
    std::vector<double> w(30, 0.0);
    const double scale = std::pow(10.0, -2.0 + run % 4);
    for (int t = 0; t < 40; ++t) {
      const double before = f.gap(w);
      NoisyStep step = noisy_step(f, w, scale, random);
      const double change = f.gap(w) - before;
      const double slack = 1e-12 * (1.0 + before);
      ASSERT_LE(change, descent_bound(step) + slack) << run << " " << t;
      NoisyStep mutant = step;
      mutant.step_noise = 0.0;
      would_fail_without_step_noise += change > descent_bound(mutant) + slack ? 1 : 0;
      mutant = step;
      mutant.selection_noise = mutant.selection_noise_best = 0.0;
      would_fail_without_selection_noise += change > descent_bound(mutant) + slack ? 1 : 0;
    }
  }
  EXPECT_GT(would_fail_without_step_noise, 0);
  EXPECT_GT(would_fail_without_selection_noise, 0);
}

TEST(Iterates, HaveAtMostAsManyEntriesAsStepsWereTaken) {
  Random random(4);
  const Quadratic f(50, 0.2, 10, random);
  std::vector<double> w(50, 0.0);
  for (int t = 1; t <= 30; ++t) {
    noisy_step(f, w, 0.1, random);
    EXPECT_LE(std::count_if(w.begin(), w.end(), [](double x) { return x != 0.0; }), t);
  }
}

TEST(KeyLemma, BoundsEverySequenceItAllows) {
  Random random(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  bool half_would_fail = false;
  int wide = 0;
  for (int run = 0; run < 600; ++run) {
    const double c = std::exp(6.0 * uniform(random) - 3.0);
    // Up to 4/9 c. Beyond it a start of 2 sqrt(beta c) leaves no next gap >= 0.
    const double ratio = run % 2 == 0 ? 4.0 / 9.0 * std::exp(-12.0 * uniform(random))
                                      : 0.25 + (4.0 / 9.0 - 0.25) * uniform(random);
    const double beta = ratio * c;
    const double floor = 2.0 * std::sqrt(beta * c);
    const double most = 0.5 * (c + std::sqrt(c * c + 4.0 * beta * c));
    double xi = floor + uniform(random) * (most - floor);
    wide += ratio > 0.25 ? 1 : 0;
    for (std::uint64_t t = 1; t <= 2000; ++t) {
      const double allowed = xi - xi * xi / c + beta;
      ASSERT_GE(allowed, -1e-12 * c);
      // As large as allowed, or anything below it: the recursion is not monotone above c / 2.
      xi = std::max(0.0,
                    run % 3 == 0 && uniform(random) < 0.3 ? uniform(random) * allowed : allowed);
      ASSERT_LE(xi, key_lemma_bound(c, beta, t) * (1.0 + 1e-12)) << run << " " << t;
      half_would_fail |= xi > 0.5 * c / static_cast<double>(t) + 0.25 * floor;
    }
  }
  EXPECT_GT(wide, 200);
  EXPECT_TRUE(half_would_fail);
  const double c = 2.0;
  for (const double beta : {0.9, 1.2, 2.0}) {
    const double start = 2.0 * std::sqrt(beta * c);
    EXPECT_LT(start - start * start / c + beta, 0.0);
  }
}

TEST(StrongConvexity, GivesTheLargestScoreItsShareOfTheGap) {
  // gcd-proof:lemma:upper-bd-grad with its square: 1/2 score^2 >= m (gap - settled),
  // m = mu / (sparsity + tau), settled = 1/2 M_max (p - tau) alpha^2.
  Random random(6);
  for (int run = 0; run < 200; ++run) {
    const Quadratic f(20, 0.2, 20, random);  // every entry of the solution is at least 0.5
    std::vector<double> w(20, 0.0);
    const std::size_t support = 1 + random() % 10;
    for (std::size_t k = 0; k < support; ++k) {
      w[random() % 20] = std::normal_distribution<double>(0.0, 2.0)(random);
    }
    const std::vector<double> g = f.gradient(w);
    double score = 0.0;
    for (std::size_t j = 0; j < 20; ++j) {
      score = std::max(score, std::abs(g[j]) / std::sqrt(f.smoothness()[j]));
    }
    for (const double alpha : {0.6, 1.0, 1.5, 2.0}) {
      const auto tau = std::count_if(f.solution().begin(), f.solution().end(),
                                     [&](double x) { return std::abs(x) > alpha; });
      const double m = f.mu() / (static_cast<double>(support) + static_cast<double>(tau));
      const double settled = 0.5 * 2.0 * (20.0 - static_cast<double>(tau)) * alpha * alpha;
      EXPECT_GE(0.5 * score * score, m * (f.gap(w) - settled) - 1e-12);
    }
  }
}

TEST(UtilityBounds, HoldOnSimulatedRuns) {
  Random random(7);
  // A quadratic has no Lipschitz loss on all of R^p; the bounds use L through the noise alone, so
  // the noise of the theorem is drawn and the theorem's conclusion checked.
  int above = 0;
  constexpr int kRuns = 40;
  for (int run = 0; run < kRuns; ++run) {
    const Quadratic f(20, 0.1, 3, random);
    std::vector<double> w(20, 0.0);
    TheoryProblem problem = problem_with(1e5);
    problem.features = 20;
    problem.initial_gap = f.gap(w);
    const QuasiSparse sparse{.mu = f.mu(), .sparsity = 20, .tau = 3, .alpha = 0.0};
    const UtilityBound dense = strongly_convex_bound(problem, f.mu() / 20.0, 100);
    const UtilityBound quasi = quasi_sparse_bound(problem, sparse, 100);
    ASSERT_TRUE(dense.applies());
    ASSERT_TRUE(quasi.applies());
    EXPECT_LT(quasi.value->gap, dense.value->gap);
    for (int t = 0; t < 100; ++t) noisy_step(f, w, dense.value->noise_scale, random);
    above += f.gap(w) > std::min(dense.value->gap, quasi.value->gap) ? 1 : 0;
  }
  EXPECT_LE(above, 8);  // zeta = .05 of 40 runs is 2; P(Binomial(40, .05) > 8) < 1e-3
}

TEST(UtilityBounds, AreTheReDerivedFormulas) {
  const TheoryProblem problem = problem_with(1e7);
  const double log_delta = std::log(1e6);
  const std::uint64_t t = 50;
  const double log_term = std::log(8.0 * 50 * 1000 / 0.05);
  const UtilityBound convex = convex_bound(problem, 2.0, t);
  ASSERT_TRUE(convex.applies());
  EXPECT_NEAR(
      convex.value->gap,
      8.0 * 4.0 / 50 + 64.0 * 2.0 * log_term * std::sqrt(50 * log_delta) / (std::sqrt(0.5) * 1e7),
      1e-12);
  const UtilityBound strong = strongly_convex_bound(problem, 0.4, t);
  ASSERT_TRUE(strong.applies());
  const double kept = std::pow(0.9, 50);
  EXPECT_NEAR(
      strong.value->gap,
      kept + (1.0 - kept) * 512.0 * 50 * log_delta * log_term * log_term / (0.4 * 0.5 * 1e14),
      1e-12);
  // alpha settles at M_max (p - tau) alpha^2 / 2, not at a multiple of s + tau of it.
  const QuasiSparse exact{.mu = 0.4, .sparsity = 10, .tau = 5, .alpha = 0.0};
  const QuasiSparse nearly{.mu = 0.4, .sparsity = 10, .tau = 5, .alpha = 1e-3, .joint = 1.0};
  const double rise = quasi_sparse_bound(problem, nearly, 100000).value->gap -
                      quasi_sparse_bound(problem, exact, 100000).value->gap;
  EXPECT_NEAR(rise, 0.5 * 2.0 * 995 * 1e-6, 1e-9);
  QuasiSparse loose = nearly;
  loose.joint = 7.0;
  EXPECT_NEAR(quasi_sparse_bound(problem, loose, 100000).value->gap -
                  quasi_sparse_bound(problem, exact, 100000).value->gap,
              7.0 * rise, 1e-9);
}

TEST(UtilityBounds, PrescribeIterationsThatAreNearlyTheBest) {
  const TheoryProblem problem = problem_with(1e8);
  const auto near_best = [](const UtilityBound& prescribed, auto&& at) {
    ASSERT_TRUE(prescribed.applies()) << prescribed.failed;
    double best = prescribed.value->gap;
    const auto t = static_cast<double>(prescribed.value->iterations);
    for (double factor = 0.02; factor < 50.0; factor *= 1.2) {
      const UtilityBound other = at(static_cast<std::uint64_t>(std::max(1.0, factor * t)));
      if (other.applies()) best = std::min(best, other.value->gap);
    }
    EXPECT_LE(prescribed.value->gap, 4.0 * best);
  };
  near_best(convex_bound(problem, 1.0),
            [&](std::uint64_t t) { return convex_bound(problem, 1.0, t); });
  near_best(strongly_convex_bound(problem, 0.1),
            [&](std::uint64_t t) { return strongly_convex_bound(problem, 0.1, t); });
  const QuasiSparse sparse{.mu = 0.5, .sparsity = 20, .tau = 5, .alpha = 1e-7, .joint = 1.0};
  near_best(quasi_sparse_bound(problem, sparse),
            [&](std::uint64_t t) { return quasi_sparse_bound(problem, sparse, t); });
}

TEST(UtilityBounds, AreQuickAndFiniteForAnyNumberOfSteps) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const TheoryProblem problem = problem_with(1e8);
  const QuasiSparse dense{.mu = 0.5, .sparsity = kMost, .tau = 1000, .alpha = 1e-7, .joint = 1.0};
  for (const std::uint64_t t : {std::uint64_t{1}, std::uint64_t{2'000'000}, kMost}) {
    const UtilityBound bound = quasi_sparse_bound(problem, dense, t);
    ASSERT_TRUE(bound.applies());
    EXPECT_TRUE(std::isfinite(bound.value->gap));
  }
  // s + tau counts as p, not as what is left of it modulo 2^64.
  EXPECT_EQ(quasi_sparse_bound(problem, dense).value->iterations,
            quasi_sparse_bound(problem, {.mu = 0.5, .sparsity = 1000, .tau = 1000, .alpha = 0.0})
                .value->iterations);
  // Counting a million steps or all of them: the bound only grows.
  TheoryProblem wide = problem;
  wide.features = 1e9;
  const QuasiSparse slow{.mu = 1.0, .sparsity = 1'000'001, .tau = 0, .alpha = 0.0};
  const QuasiSparse fast{.mu = 1.0, .sparsity = 1'000'000, .tau = 0, .alpha = 0.0};
  EXPECT_GE(quasi_sparse_bound(wide, slow, 1'000'100).value->gap,
            quasi_sparse_bound(wide, fast, 1'000'100).value->gap * (1 - 1e-12));
}

TEST(UtilityBounds, NameThePreconditionThatFailedAndGiveNoNumber) {
  struct Case {
    UtilityBound bound;
    const char* failed;
  };
  const TheoryProblem good = problem_with(1e7);
  const auto changed = [&](auto member, double value) {
    TheoryProblem problem = good;
    problem.*member = value;
    return problem;
  };
  using P = TheoryProblem;
  const QuasiSparse sparse{.mu = 0.4, .sparsity = 10, .tau = 5, .alpha = 0.0};
  QuasiSparse wide = sparse;
  wide.tau = 1001;
  QuasiSparse negative = sparse;
  negative.alpha = -1.0;
  QuasiSparse rough = sparse;
  rough.alpha = 1e-3;  // and nothing is said about f as a whole
  QuasiSparse empty = sparse;
  empty.sparsity = 0;
  const Case cases[] = {
      {convex_bound(changed(&P::records, 0.0), 1.0), "records n >= 1, finite"},
      {convex_bound(changed(&P::records, kInfinity), 1.0), "records n >= 1, finite"},
      {convex_bound(changed(&P::features, 0.0), 1.0), "features p >= 1, finite"},
      {quasi_sparse_bound(changed(&P::features, kInfinity), sparse), "features p >= 1, finite"},
      {convex_bound(changed(&P::epsilon, 1.5), 1.0),
       "0 < epsilon <= 1 (the closed form of the noise)"},
      {convex_bound(changed(&P::delta, 0.0), 1.0), "0 < delta < 1"},
      {strongly_convex_bound(changed(&P::delta, 1.0), 0.5), "0 < delta < 1"},
      {convex_bound(changed(&P::lipschitz_max, -1.0), 1.0), "L_max > 0"},
      {convex_bound(changed(&P::smoothness_min, 0.0), 1.0), "M_min > 0"},
      {convex_bound(changed(&P::smoothness_max, 0.1), 1.0), "M_max >= M_min"},
      {convex_bound(changed(&P::initial_gap, std::nan("")), 1.0), "f(w^0) - f* > 0"},
      {convex_bound(changed(&P::failure, 0.0), 1.0), "0 < zeta <= 1"},
      {convex_bound(good, 0.0), "R > 0"},
      {convex_bound(good, 1.0, 0), "T >= 1"},
      {convex_bound(good, 1e-9, 10), "beta <= 8 R^2"},
      {convex_bound(changed(&P::initial_gap, 1e-9), 1.0, 10), "f(w^0) - f* >= sqrt(32 R^2 beta)"},
      {convex_bound(changed(&P::records, 2.0), 1.0),
       "n epsilon large enough that at least one iteration is prescribed"},
      {strongly_convex_bound(good, 1.1, 10), "0 < mu <= 1"},
      {strongly_convex_bound(changed(&P::records, 2.0), 0.5),
       "n epsilon large enough that at least one iteration is prescribed"},
      {quasi_sparse_bound(good, wide, 10), "tau <= p"},
      {quasi_sparse_bound(good, negative), "alpha >= 0"},
      {quasi_sparse_bound(good, empty), "s >= 1"},
      {quasi_sparse_bound(good, rough, 10),
       "f jointly smooth: f(w) - f* <= joint/2 ||w - w*||_M^2 for all w, joint >= 1"},
      {quasi_sparse_bound(good, sparse, 0), "T >= 1"},
  };
  for (const Case& c : cases) {
    EXPECT_FALSE(c.bound.applies()) << c.failed;
    EXPECT_FALSE(c.bound.value.has_value());
    EXPECT_EQ(c.bound.failed, c.failed);
  }
}

}  // namespace
}  // namespace southwell::solvers
