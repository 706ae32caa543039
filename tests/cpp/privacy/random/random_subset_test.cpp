#include "southwell/privacy/random/random_subset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {
namespace {

using Numbers = std::vector<std::size_t>;

// 30 000 draws of 3 out of 6: each of 20 subsets is expected 1500 times, standard deviation 38,
// limit 5.5 of them.
TEST(RandomSubset, GivesEverySubsetTheSameChance) {
  SeededRandomBits bits(5);
  std::map<Numbers, int> count;
  for (int draw = 0; draw < 30'000; ++draw) ++count[random_subset(3, 6, bits)];
  EXPECT_EQ(count.size(), 20u);
  for (const auto& [subset, times] : count) EXPECT_NEAR(times, 1500, 5.5 * 38);
}

TEST(RandomSubset, HasItsSizeInIncreasingOrder) {
  SeededRandomBits bits(6);
  EXPECT_EQ(random_subset(0, 0, bits), Numbers{});
  EXPECT_EQ(random_subset(0, 5, bits), Numbers{});
  EXPECT_EQ(random_subset(4, 4, bits), (Numbers{0, 1, 2, 3}));
  for (std::size_t size = 1; size < 50; ++size) {
    const Numbers subset = random_subset(size, 50, bits);
    EXPECT_EQ(subset.size(), size);
    EXPECT_EQ(std::adjacent_find(subset.begin(), subset.end(), std::greater_equal<>()),
              subset.end());
    EXPECT_LT(subset.back(), 50u);
  }
  EXPECT_THROW(random_subset(3, 2, bits), InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy
