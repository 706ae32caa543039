#include "southwell/audit/one_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace southwell::audit {
namespace {

double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// The chance of so many heads or more.
double at_least(std::uint64_t count, std::uint64_t all, double chance) {
  double sum = 0.0;
  for (std::uint64_t k = count; k <= all; ++k) {
    const auto n = static_cast<double>(all);
    const auto j = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(j + 1) - std::lgamma(n - j + 1) +
                    j * std::log(chance) + (n - j) * std::log1p(-chance));
  }
  return sum;
}

TEST(OneRun, RefutesNoPromiseThatIsKept) {
  // Randomised response on every coin is (epsilon, 0)-DP; right guesses are binomial.
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const double right = 1.0 / (1.0 + std::exp(-epsilon));
    for (const std::uint64_t made : {std::uint64_t{1}, std::uint64_t{10}, std::uint64_t{200}}) {
      for (std::uint64_t count = 0; count <= made; ++count) {
        const double chance = at_least(count, made, right);
        for (const double error : {0.05, 1e-3}) {
          if (!is_refuted(approximate_promise(epsilon, 0.0), {count, made, made}, error)) continue;
          EXPECT_LT(chance, error) << epsilon << " " << made << " " << count;
        }
      }
    }
  }
  // Everything with probability delta, otherwise nothing: (0, delta)-DP. All right has at least the
  // chance delta.
  for (const double delta : {0.01, 0.2}) {
    EXPECT_FALSE(is_refuted(approximate_promise(0.0, delta), {50, 50, 50}, 0.99 * delta));
  }
  // The sign of one Gaussian number for each record, all of which are guessed.
  for (const double mu : {0.2, 1.0}) {
    const double right = normal(0.5 * mu);
    for (std::uint64_t count = 0; count <= 300; ++count) {
      if (!is_refuted(gaussian_promise(mu), {count, 300, 300}, 0.05)) continue;
      EXPECT_LT(at_least(count, 300, right), 0.05) << mu << " " << count;
    }
  }
}

/// Guesses of the records whose Gaussian numbers say most.
Guesses guessed(double mu, std::size_t records, std::size_t made, std::mt19937_64& random) {
  std::normal_distribution<double> noise;
  std::vector<std::pair<double, bool>> seen(records);
  for (auto& [number, is_there] : seen) {
    is_there = random() % 2 == 0;
    number = noise(random) + (is_there ? mu : 0.0);
  }
  std::sort(seen.begin(), seen.end());
  Guesses out{.right = 0, .made = made, .records = records};
  for (std::size_t i = 0; i < made / 2; ++i) {
    out.right += (seen[i].second ? 0u : 1u) + (seen[records - 1 - i].second ? 1u : 0u);
  }
  return out;
}

TEST(OneRun, RefutesHalfTheNoise) {
  std::mt19937_64 random(4);
  for (const double epsilon : {1.0, 4.0}) {
    const double mu = mu_of_epsilon(epsilon, 1e-6);
    EXPECT_NEAR(epsilon_of_mu(mu, 1e-6), epsilon, 1e-6);
    for (int i = 0; i < 5; ++i) {
      const Guesses sound = guessed(mu, 40'000, 4000, random);
      EXPECT_LT(mu_found(sound, 0.05), mu);
      EXPECT_GT(mu_found(sound, 0.05), 0.4 * mu) << "or the bound has no power";
      EXPECT_GT(mu_found(guessed(2.0 * mu, 40'000, 4000, random), 0.05), mu);
    }
  }
}

TEST(OneRun, KnowsTheCurvesOfBothPromises) {
  const LeastChance gaussian = gaussian_promise(1.0);
  EXPECT_DOUBLE_EQ(gaussian(0.5), normal(-1.0));
  EXPECT_EQ(gaussian(0.0), 0.0);
  EXPECT_EQ(gaussian(1.0), 1.0);
  const double e = std::exp(1.0);
  const LeastChance both = approximate_promise(1.0, 0.1);
  EXPECT_DOUBLE_EQ(both(0.3), 0.2 / e);
  EXPECT_DOUBLE_EQ(both(0.99), 0.9 - e * 0.01);
  EXPECT_EQ(both(0.05), 0.0);
  // Of Gaussian differential privacy: delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
  EXPECT_NEAR(epsilon_of_mu(1.0, normal(-0.5) - e * normal(-1.5)), 1.0, 1e-9);
}

TEST(OneRun, FindsNothingInGuessesThatAreNoBetterThanACoin) {
  EXPECT_EQ(mu_found({500, 1000, 1000}, 0.05), 0.0);
  EXPECT_EQ(epsilon_found({500, 1000, 1000}, 1e-6, 0.05), 0.0);
  EXPECT_GT(epsilon_found({1000, 1000, 1000}, 1e-6, 0.05), 3.0);
}

}  // namespace
}  // namespace southwell::audit
