#include "southwell/core/round_up.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace southwell::core {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double ulps(double value, long double exact) {
  const double near = static_cast<double>(exact);
  const double ulp = std::nextafter(std::abs(near), kInfinity) - std::abs(near);
  return static_cast<double>(std::abs(value - exact) / static_cast<long double>(ulp));
}

bool holds(Enclosure interval, long double exact) {
  return interval.low <= exact && exact <= interval.high;
}

TEST(StepUp, WalksThroughTheDoublesInOrder) {
  for (const double x : {0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e300, -1e300}) {
    EXPECT_EQ(step_up(x), std::nextafter(x, kInfinity));
    EXPECT_EQ(step_down(x), std::nextafter(x, -kInfinity));
    EXPECT_EQ(step_down(step_up(x, 7), 7), x);
  }
  EXPECT_EQ(step_up(kInfinity), kInfinity);
  EXPECT_EQ(step_up(std::numeric_limits<double>::max(), 3), kInfinity);
  EXPECT_EQ(step_down(kInfinity), std::numeric_limits<double>::max());
}

TEST(Expm1AndLog1p, AreWithinTheErrorThatTheStepsCover) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double worst_expm1 = 0.0;
  double worst_log1p = 0.0;
  for (int i = 0; i < 400000; ++i) {
    const double size = std::exp2(40.0 * uniform(random) - 38.0);  // 2^-78 to 4
    const double x = uniform(random) < 0.0 ? -size : size;
    worst_expm1 = std::max(worst_expm1, ulps(expm1(x), std::expm1(static_cast<long double>(x))));
    if (x > -1.0) {
      worst_log1p = std::max(worst_log1p, ulps(log1p(x), std::log1p(static_cast<long double>(x))));
    }
  }
  EXPECT_LT(worst_expm1, 5.0);
  EXPECT_LT(worst_log1p, 3.0);
  EXPECT_EQ(expm1(0.0), 0.0);
  EXPECT_EQ(expm1(-800.0), -1.0);
  EXPECT_EQ(expm1(800.0), kInfinity);
  EXPECT_EQ(log1p(-1.0), -kInfinity);
  EXPECT_EQ(log1p(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(log1p(-2.0)));
}

TEST(Enclosure, HoldsTheExactResult) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int i = 0; i < 100000; ++i) {
    const double x = uniform(random);
    const double y = uniform(random);
    const long double a = x;
    const long double b = y;
    EXPECT_TRUE(holds(Enclosure(x) + y, a + b));
    EXPECT_TRUE(holds(Enclosure(x) - y, a - b));
    EXPECT_TRUE(holds(Enclosure(x) * y, a * b));
    EXPECT_TRUE(holds(Enclosure(x) / y, a / b));
    EXPECT_TRUE(holds(exp(Enclosure(x)), std::exp(a)));
    EXPECT_TRUE(holds(expm1(Enclosure(x)), std::expm1(a)));
    EXPECT_TRUE(holds(log(Enclosure(std::abs(x))), std::log(std::abs(a))));
    EXPECT_TRUE(holds(log1p(Enclosure(std::abs(x))), std::log1p(std::abs(a))));
    EXPECT_TRUE(holds(sqrt(Enclosure(std::abs(x))), std::sqrt(std::abs(a))));
    const Enclosure product = Enclosure(std::min(x, y), std::max(x, y)) * Enclosure(-1.5, 0.5);
    EXPECT_TRUE(holds(product, -1.5L * a) && holds(product, 0.5L * b));
  }
}

TEST(Enclosure, KnowsNothingWhereNothingIsKnown) {
  const Enclosure unknown = Enclosure(1.0) / Enclosure(-1.0, 1.0);
  EXPECT_EQ(unknown.high, kInfinity);
  EXPECT_EQ(unknown.low, -kInfinity);
  EXPECT_EQ((Enclosure(kInfinity) - kInfinity).high, kInfinity);
  EXPECT_EQ((Enclosure(0.0) * kInfinity).high, kInfinity);
  EXPECT_EQ(log(Enclosure(0.0, 1.0)).low, -std::numeric_limits<double>::infinity());
  const std::uint64_t large = (std::uint64_t{1} << 60) + 1;
  EXPECT_LT(Enclosure::whole(large).low, 0x1p60);
  EXPECT_GT(Enclosure::whole(large).high, 0x1p60);
}

}  // namespace
}  // namespace southwell::core
