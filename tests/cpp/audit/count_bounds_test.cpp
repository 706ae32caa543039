#include "southwell/audit/count_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace southwell::audit {
namespace {

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

double at_least(std::uint64_t count, std::uint64_t runs, double chance) {
  double sum = 0.0;
  for (std::uint64_t k = count; k <= runs; ++k) {
    const auto n = static_cast<double>(runs);
    const auto j = static_cast<double>(k);
    sum += std::exp(log_choose(n, j) + j * std::log(chance) + (n - j) * std::log1p(-chance));
  }
  return sum;
}

TEST(CountBounds, AreThoseOfTheBinomialTails) {
  for (const std::uint64_t runs : {std::uint64_t{1}, std::uint64_t{20}, std::uint64_t{300}}) {
    for (std::uint64_t count = 1; count < runs; count += 1 + runs / 7) {
      for (const double error : {0.05, 1e-6}) {
        // At the lower bound so many or more have exactly that chance, at the upper one so few.
        EXPECT_NEAR(at_least(count, runs, least_chance({count, runs}, error)), error, 1e-7 * error);
        const double few = 1.0 - at_least(count + 1, runs, largest_chance({count, runs}, error));
        EXPECT_NEAR(few, error, 1e-5 * error + 1e-12);
      }
    }
  }
  EXPECT_EQ(least_chance({0, 9}, 0.01), 0.0);
  EXPECT_EQ(largest_chance({9, 9}, 0.01), 1.0);
}

TEST(CountBounds, OfEpsilonLieBelowTheRatioAndComeNearIt) {
  const Count here{500'000, 1'000'000};
  const Count there{183'940, 1'000'000};
  EXPECT_LT(epsilon_found(here, there, 0.0, 1e-6), 1.0);
  EXPECT_GT(epsilon_found(here, there, 0.0, 1e-6), 0.97);
  EXPECT_LT(epsilon_found(here, there, 0.1, 1e-6), epsilon_found(here, there, 0.0, 1e-6));
  EXPECT_TRUE(std::isinf(epsilon_found({0, 10}, {5, 10}, 0.0, 1e-6)));
  const double odds = std::log(0.5 / 0.5 / (0.18394 / 0.81606));
  EXPECT_LT(range_found(here, there, 1e-6), odds);
  EXPECT_GT(range_found(here, there, 1e-6), 0.97 * odds);
}

}  // namespace
}  // namespace southwell::audit
