// The labelled steps of the paper's proofs of utility, one by one, on random instances. Each also
// shows that a slightly stronger claim would be wrong, so that the test can tell.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "solvers/noisy_steps.hpp"
#include "southwell/solvers/theory.hpp"

namespace southwell::solvers {
namespace {

std::vector<double> random_point(std::size_t features, double size, Random& random) {
  std::normal_distribution<double> normal(0.0, size);
  std::vector<double> w(features);
  for (double& value : w) value = normal(random);
  return w;
}

/// max_j |g_j| / sqrt(M_j)
double largest_score(const Quadratic& f, const std::vector<double>& w) {
  const std::vector<double> g = f.gradient(w);
  double score = 0.0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    score = std::max(score, std::abs(g[j]) / std::sqrt(f.smoothness()[j]));
  }
  return score;
}

/// |w - w*| in the M-weighted l1 norm
double distance(const Quadratic& f, const std::vector<double>& w) {
  double sum = 0.0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    sum += std::sqrt(f.smoothness()[j]) * std::abs(w[j] - f.solution()[j]);
  }
  return sum;
}

TEST(ProofStep, ChernoffBoundsTheSumOfTheSizes) {
  // dp-gcd:techical-lemma-chernoff:full-ineq for equal scales, where the sum has Erlang's law.
  for (const int count : {1, 2, 3, 6}) {
    int would_fail_without_its_factors = 0;
    for (double a = 0.1; a < 60.0; a *= 1.3) {
      double term = 1.0;
      double tail = 0.0;
      for (int i = 0; i < count; term *= a / ++i) tail += term;
      tail *= std::exp(-a);
      for (double gamma = 0.05; gamma < 1.0; gamma += 0.05) {
        const double bound = std::exp(-gamma * a) * std::pow(1.0 - gamma, -count);
        EXPECT_LE(tail, bound) << count << " " << a << " " << gamma;
        would_fail_without_its_factors += tail > std::exp(-gamma * a) ? 1 : 0;
      }
      // gamma = 1 / (2 lambda) is the lemma.
      const double lemma = std::exp(-0.5 * a) * std::pow(0.5, -count);
      EXPECT_NEAR(laplace_square_tail(count, a * a, 1.0), lemma, 1e-12 * lemma);
    }
    EXPECT_EQ(would_fail_without_its_factors > 0, count > 1);
  }
}

TEST(ProofStep, SmoothnessBoundsOneStepAlongAnyCoordinate) {
  // gcd-utility-proof:descent-lemma:smoothness-upper-bound
  Random random(11);
  int would_fail_without_noise = 0;
  for (int run = 0; run < 2000; ++run) {
    const Quadratic f(12, run % 2 == 0 ? 0.0 : 0.2, 5, random);
    std::vector<double> w = random_point(12, 2.0, random);
    const std::size_t j = random() % 12;
    const double m = f.smoothness()[j];
    const double g = f.gradient(w)[j];
    const double eta = laplace(std::pow(10.0, -1.0 + run % 3), random);
    const double before = f.gap(w);
    w[j] -= (g + eta) / m;
    const double slack = 1e-12 * (1.0 + before + eta * eta);
    ASSERT_LE(f.gap(w), before - g * g / (2.0 * m) + eta * eta / (2.0 * m) + slack);
    would_fail_without_noise += f.gap(w) > before - g * g / (2.0 * m) + slack ? 1 : 0;
  }
  EXPECT_GT(would_fail_without_noise, 0);
}

TEST(ProofStep, ANoisyEntryIsAtMostTheExactOneAndItsNoise) {
  // gcd-utility-proof:descent-lemma:upper-bound-gradient
  Random random(12);
  std::normal_distribution<double> normal(0.0, 1.0);
  int would_fail_with_less_noise = 0;
  for (int run = 0; run < 5000; ++run) {
    const double m = std::exp(normal(random));
    const double g = normal(random);
    const double chi = run % 2 == 0 ? normal(random) : g * (1.0 + 0.01 * normal(random));
    const double left = -g * g / (2.0 * m);
    const double noisy = -(g + chi) * (g + chi) / (4.0 * m);
    ASSERT_LE(left, noisy + chi * chi / (2.0 * m) + 1e-12 * (1.0 + g * g / m));
    would_fail_with_less_noise += left > noisy + 0.49 * chi * chi / m ? 1 : 0;
  }
  EXPECT_GT(would_fail_with_less_noise, 0);
}

TEST(ProofStep, TheLargestScoreTimesTheDistanceIsAtLeastTheGap) {
  // gcd-utility-proof:convex-norm-grad-proof-holder
  Random random(13);
  int would_fail_with_a_third = 0;
  for (int run = 0; run < 500; ++run) {
    const Quadratic f(8, 0.2, 8, random);
    std::vector<double> w = f.solution();
    // Off along one coordinate the inequality is tight up to the factor 1/2 of a quadratic.
    if (run % 2 == 0) {
      w[random() % 8] += 1.0;
    } else {
      w = random_point(8, 3.0, random);
    }
    const double most = largest_score(f, w) * distance(f, w);
    ASSERT_LE(f.gap(w), most * (1.0 + 1e-12));
    would_fail_with_a_third += f.gap(w) > most / 3.0 ? 1 : 0;
  }
  EXPECT_GT(would_fail_with_a_third, 0);
}

TEST(ProofStep, ConvexityTurnsTheDescentLemmaIntoARecursionOfTheGap) {
  // gcd-utility-proof:descent-lemma-convex
  Random random(14);
  int would_fail_without_noise = 0;
  for (int run = 0; run < 60; ++run) {
    const Quadratic f(30, 0.2, 5, random);
    std::vector<double> w(30, 0.0);
    const double scale = std::pow(10.0, -2.0 + run % 3);
    for (int t = 0; t < 40; ++t) {
      const double gap = f.gap(w);
      const double fall = std::pow(gap / distance(f, w), 2) / 8.0;
      NoisyStep step = noisy_step(f, w, scale, random);
      step.largest_score = 0.0;  // what is left of the bound are its noise terms
      const double slack = 1e-12 * (1.0 + gap);
      ASSERT_LE(f.gap(w), gap - fall + descent_bound(step) + slack) << run << " " << t;
      would_fail_without_noise += f.gap(w) > gap - fall + slack ? 1 : 0;
    }
  }
  EXPECT_GT(would_fail_without_noise, 0);
}

TEST(ProofStep, AGapFallsUntilItIsBelowItsFloorAndThenStaysBelowTwiceThat) {
  // gcd-utility-proof:technical-lemma:assumption-ineq, dp-gcd:techical-lemma-first-ineq
  Random random(15);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int above_the_floor_again = 0;
  for (int run = 0; run < 500; ++run) {
    const double c = std::exp(4.0 * uniform(random) - 2.0);
    // Beyond 4/9 c a start of twice the floor leaves no next gap >= 0; below c / 4 none rises
    // again.
    const double ratio = run % 2 == 0 ? 0.25 * std::exp(-8.0 * uniform(random))
                                      : 0.25 + (4.0 / 9.0 - 0.25) * uniform(random);
    const double beta = ratio * c;
    const double floor = std::sqrt(beta * c);
    const double most = 0.5 * (c + std::sqrt(c * c + 4.0 * beta * c));
    double xi = 2.0 * floor + uniform(random) * (most - 2.0 * floor);
    bool below = false;
    for (int t = 0; t < 300; ++t) {
      const double allowed = xi - xi * xi / c + beta;
      const double next =
          std::max(0.0, uniform(random) < 0.2 ? uniform(random) * allowed : allowed);
      if (xi >= floor) {
        ASSERT_LE(next, xi + 1e-12 * c);
      }
      below = below || xi <= floor;
      if (below) {
        ASSERT_LE(next, 2.0 * floor * (1.0 + 1e-12));
        above_the_floor_again += next > floor * (1.0 + 1e-9) ? 1 : 0;
      }
      xi = next;
    }
  }
  EXPECT_GT(above_the_floor_again, 0);
}

TEST(ProofStep, TheRecursionAroundTheFloorIsTheSameRecursion) {
  // dp-gcd:techical-lemma-nice-recursion: an identity, with omega = 2 u / c.
  Random random(16);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int run = 0; run < 1000; ++run) {
    const double c = std::exp(4.0 * uniform(random) - 2.0);
    const double beta = c * uniform(random);
    const double u = std::sqrt(beta * c);
    const double xi = 3.0 * c * uniform(random);
    const double off = xi - u;
    const double around = (1.0 - 2.0 * u / c) * off - off * off / c;
    EXPECT_NEAR(xi - xi * xi / c + beta - u, around, 1e-12 * (1.0 + c) * 10.0);
  }
}

TEST(ProofStep, TheQuasiSparseBoundIsNeverAboveItsClosedForm) {
  // gcd-utility-proof:better-utility-strongly-convex:ineq-1 and :ineq-2, which the proof ends with
  // (gcd-proof:thm-fast-init:utility-unbalanced): all steps at the slowest rate.
  int strictly_below = 0;
  for (const double records : {1e4, 1e6}) {
    const TheoryProblem problem = problem_with(records);
    for (const double alpha : {0.0, 1e-3, 1e-2}) {
      for (const std::uint64_t sparsity : {3u, 30u, 300u}) {
        for (const std::uint64_t iterations : {1u, 10u, 100u, 1000u}) {
          const QuasiSparse solution{
              .mu = 0.3, .sparsity = sparsity, .tau = 5, .alpha = alpha, .joint = 1.0};
          const UtilityBound bound = quasi_sparse_bound(problem, solution, iterations);
          ASSERT_TRUE(bound.applies()) << bound.failed;
          const auto dimension = static_cast<double>(std::min(sparsity, iterations) + 5);
          const double rate = 1.0 - 0.3 / (4.0 * dimension);
          const double settled = 0.5 * problem.smoothness_max * (1000.0 - 5.0) * alpha * alpha;
          const double closed =
              std::pow(rate, static_cast<double>(iterations)) * problem.initial_gap +
              4.0 * dimension * bound.value->step_noise / 0.3 + settled;
          EXPECT_LE(bound.value->gap, closed * (1.0 + 1e-12));
          strictly_below += bound.value->gap < 0.9 * closed ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(strictly_below, 0);
}

}  // namespace
}  // namespace southwell::solvers
