#include "southwell/privacy/random/poisson_sample.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/privacy/random/uniform_index.hpp"

namespace southwell::privacy {
namespace {

TEST(PoissonSample, IncludesExactlyTheNumbersBelowTheNumerator) {
  // 32 bits per record, low half of a word first: records 0..3 see 6, 5, 0, 2^32 - 1.
  const std::vector<std::uint64_t> script = {(std::uint64_t{5} << 32) | 6,
                                             std::uint64_t{0xffffffff} << 32};
  const auto sample = [&](std::uint64_t numerator) {
    ScriptedRandomBits bits(script);
    return poisson_sample(4, numerator, bits);
  };
  EXPECT_EQ(sample(0), (std::vector<std::size_t>{}));
  EXPECT_EQ(sample(1), (std::vector<std::size_t>{2}));
  EXPECT_EQ(sample(6), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(sample(7), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sample((std::uint64_t{1} << 32) - 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sample(std::uint64_t{1} << 32), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_THROW(sample((std::uint64_t{1} << 32) + 1), InvalidArgument);
}

// 1e6 records at rate 1/100: mean 10 000, standard deviation 99.5, limit 4.9 of them.
TEST(PoissonSample, HasItsRate) {
  SeededRandomBits bits(62);
  const auto size = poisson_sample(1000000, (std::uint64_t{1} << 32) / 100, bits).size();
  EXPECT_NEAR(static_cast<double>(size), 10000.0, 4.9 * 99.5);
}

// 40 000 draws below 5: each number is expected 8000 times, standard deviation 80, limit 5 of them.
TEST(UniformIndex, HasAllIndicesEquallyOften) {
  SeededRandomBits bits(63);
  std::vector<int> seen(5);
  for (int k = 0; k < 40000; ++k) ++seen.at(uniform_index(5, bits));
  for (const int count : seen) EXPECT_NEAR(count, 8000, 400);
  EXPECT_EQ(uniform_index(1, bits), 0u);
  EXPECT_THROW(uniform_index(0, bits), InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy
