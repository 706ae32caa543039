#include "southwell/solvers/rounds/pruning.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace southwell::solvers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Pruning, TakesWhatIsWithinTwiceItsNoise) {
  const Pruning free{{-kInfinity, kInfinity}};
  EXPECT_TRUE(free.takes(1.9, 1.0));
  EXPECT_FALSE(free.takes(2.1, 1.0));
  EXPECT_FALSE((Pruning{{-1.0, 1.0}}.takes(0.9, 1.0))) << "a bound keeps it small";
}

TEST(Pruning, TakesNothingWhoseNoiseIsNotKnown) {
  const Pruning free{{-kInfinity, kInfinity}};
  EXPECT_FALSE(free.takes(0.0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(free.takes(1e300, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace southwell::solvers
