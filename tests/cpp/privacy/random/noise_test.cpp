#include "southwell/privacy/random/noise.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace southwell::privacy {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

// No draw that a test could wait for is this large, so the sum is asked directly.
TEST(SaturatedSum, SaturatesAfterTheAddition) {
  using internal::saturated_sum;
  constexpr Int128 kFar = Int128{1} << 70;
  for (const std::int64_t value : {kLowest, std::int64_t{-1}, std::int64_t{0}, kHighest}) {
    EXPECT_EQ(saturated_sum(kFar, value), kHighest);
    EXPECT_EQ(saturated_sum(-kFar, value), kLowest);
  }
  EXPECT_EQ(saturated_sum((Int128{1} << 63) + 5, -10), kHighest - 4) << "back within 64 bits";
  EXPECT_EQ(saturated_sum(-(Int128{1} << 63) - 5, 10), kLowest + 5);
  EXPECT_EQ(saturated_sum(Int128{1} << 63, -1), kHighest);
  EXPECT_EQ(saturated_sum(1, kHighest), kHighest);
  EXPECT_EQ(saturated_sum(-1, kLowest), kLowest);
}

}  // namespace
}  // namespace southwell::privacy
