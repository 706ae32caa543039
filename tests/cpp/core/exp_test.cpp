#include "southwell/core/exp.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/log.hpp"
#include "southwell/data/synthetic_random.hpp"
#include "support/instruction_sets.hpp"
#include "support/sha256.hpp"

namespace southwell::core {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// |got - want| in units of the last place of `want`.
double ulps(double got, long double want) {
  const double near = std::fabs(static_cast<double>(want));
  const double unit = std::nextafter(near, kInfinity) - near;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) /
                             static_cast<long double>(unit));
}

/// Multiples of 2^-10 (exact in a double) over the whole range of exp and beyond.
std::vector<double> fixed_grid() {
  std::vector<double> grid;
  for (int i = -760 * 1024; i <= 720 * 1024; ++i) grid.push_back(static_cast<double>(i) * 0x1p-10);
  for (const double x : {-kInfinity, -1e308, -0.0, 5e-324, -5e-324, 1e-300, 1e308, kInfinity}) {
    grid.push_back(x);
  }
  return grid;
}

// Taken once from this code; equal under g++ 12, clang 19 and every instruction set.
constexpr const char* kGoldenExp =
    "a573e849d0cff004d9b22719c46bc1e8ed41446bae72ff5ac0c19cc144df58b4";

TEST(Exp, IsWithinItsStatedErrorOverTheWholeRange) {
  data::SyntheticRandom random(1, 0);
  double worst_normal = 0.0;
  double worst_subnormal = 0.0;
  for (int i = 0; i < 4'000'000; ++i) {
    const double range = i % 4 == 0 ? 0.4 : (i % 4 == 1 ? 40.0 : 1460.0);
    const double x = i % 4 == 2
                         ? -745.2 + 37.0 * random.uniform()
                         : std::fmax(-745.2, std::fmin(709.78, range * (random.uniform() - 0.5)));
    const long double want = std::exp(static_cast<long double>(x));
    double& worst = want < static_cast<long double>(std::numeric_limits<double>::min())
                        ? worst_subnormal
                        : worst_normal;
    worst = std::fmax(worst, ulps(core::exp(x), want));
  }
  EXPECT_LT(worst_normal, 1.0);
  EXPECT_LT(worst_subnormal, 1.0);
  EXPECT_GT(worst_subnormal, 0.4) << "the subnormal range was not reached";
}

TEST(Exp, HandlesTheEdges) {
  EXPECT_EQ(core::exp(0.0), 1.0);
  EXPECT_EQ(core::exp(-0.0), 1.0);
  EXPECT_EQ(core::exp(5e-324), 1.0);
  EXPECT_EQ(core::exp(kInfinity), kInfinity);
  EXPECT_EQ(core::exp(-kInfinity), 0.0);
  EXPECT_FALSE(std::signbit(core::exp(-kInfinity)));
  EXPECT_TRUE(std::isnan(core::exp(kNaN)));
  EXPECT_EQ(core::exp(709.79), kInfinity);
  EXPECT_TRUE(std::isfinite(core::exp(709.78)));
  EXPECT_EQ(core::exp(-745.14), 0.0);
  EXPECT_EQ(core::exp(-745.13), 5e-324);
}

TEST(Exp, NeverDecreasesOnTheGrid) {
  const std::vector<double> grid = fixed_grid();
  for (std::size_t i = 1; i + 8 < grid.size(); ++i) {
    ASSERT_LE(core::exp(grid[i - 1]), core::exp(grid[i])) << grid[i];
  }
}

TEST(Exp, HasTheSameBitsOnEveryInstructionSetAndCompiler) {
  const std::vector<double> grid = fixed_grid();
  std::vector<double> one_at_a_time;
  for (const double x : grid) one_at_a_time.push_back(core::exp(x));
  EXPECT_EQ(test::Sha256().add(one_at_a_time).hex(), kGoldenExp);

  std::set<std::string> seen;
  test::for_each_instruction_set([&](const char* name) {
    seen.insert(name);
    std::vector<double> out(grid.size());
    core::exp(grid, out);
    EXPECT_EQ(test::Sha256().add(out).hex(), kGoldenExp) << name;
    for (std::size_t size = 0; size < 70; ++size) {  // tails
      std::vector<double> part(size);
      core::exp(std::span(grid).subspan(1000, size), part);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(part[i], one_at_a_time[1000 + i]) << name;
    }
  });
  EXPECT_GE(seen.size(), 2u) << "only one instruction set could be compared";
}

TEST(Exp, RefusesSpansOfDifferentLength) {
  std::vector<double> in(3);
  std::vector<double> out(2);
  EXPECT_THROW(core::exp(in, out), InvalidArgument);
}

TEST(Log, IsWithinItsStatedErrorOverTheWholeRange) {
  data::SyntheticRandom random(2, 0);
  double worst = 0.0;
  for (int i = 0; i < 2'000'000; ++i) {
    const double x =
        i % 2 == 0 ? 0.5 + 1.5 * random.uniform() : std::bit_cast<double>(random.bits() >> 1);
    if (!std::isfinite(x) || x == 0.0) continue;
    worst = std::fmax(worst, ulps(core::log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
}

TEST(Log, HandlesTheEdges) {
  EXPECT_EQ(core::log(1.0), 0.0);
  EXPECT_EQ(core::log(0.0), -kInfinity);
  EXPECT_EQ(core::log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(core::log(-1.0)));
  EXPECT_TRUE(std::isnan(core::log(kNaN)));
  EXPECT_NEAR(core::log(5e-324), -744.44007192138122, 1e-12);
}

}  // namespace
}  // namespace southwell::core
