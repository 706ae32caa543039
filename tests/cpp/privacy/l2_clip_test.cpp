#include "southwell/privacy/l2_clip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/privacy/poisson_sample.hpp"
#include "southwell/privacy/random_bits.hpp"
#include "support/other_float_environments.hpp"

namespace southwell::privacy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::int32_t> clipped(const L2Clip& clip, const std::vector<double>& in) {
  std::vector<std::int32_t> out(in.size(), 99);
  clip.share(in, out);
  return out;
}

std::uint64_t square_norm(const std::vector<std::int32_t>& share) {
  std::uint64_t sum = 0;  // at most 2^60 when the clip is right
  for (const std::int64_t entry : share) sum += static_cast<std::uint64_t>(entry * entry);
  return sum;
}

TEST(L2Clip, NeverExceedsItsBound) {
  const std::vector<double> values = {-kInfinity, -1e308, -1.0,  -0.0,      0.0, 5e-324,
                                      0.5,        1.0,    1e308, kInfinity, kNan};
  for (const std::uint64_t bound :
       {std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{1000}, L2Clip::kMaxBound}) {
    for (const double limit : {1.0, 1e-300, 3e5}) {
      const L2Clip clip(bound, limit);
      for (const double a : values) {
        for (const double b : values) {
          for (const double c : values) {
            ASSERT_LE(square_norm(clipped(clip, {a, b, c})), bound * bound);
          }
        }
      }
    }
  }
}

TEST(L2Clip, NeverExceedsItsBoundOnRandomRecords) {
  SeededRandomBits bits(61);
  for (const std::uint64_t bound : {std::uint64_t{1} << 20, L2Clip::kMaxBound}) {
    const L2Clip clip(bound, 1.0);
    std::uint64_t most = 0;
    for (int record = 0; record < 20000; ++record) {
      std::vector<double> in(2 + bits.word() % 8);
      for (double& x : in)
        x = static_cast<double>(static_cast<std::int64_t>(bits.word())) * 0x1p-62;
      const std::uint64_t norm = square_norm(clipped(clip, in));
      ASSERT_LE(norm, bound * bound);
      most = std::max(most, norm);
    }
    EXPECT_GT(static_cast<double>(most), 0.99 * static_cast<double>(bound * bound));
  }
}

TEST(L2Clip, KeepsShortRecordsAsTheyAreOnTheGrid) {
  const L2Clip clip(1000, 2.0);
  EXPECT_EQ(clipped(clip, {0.6, -0.8, 0.0011}), (std::vector<std::int32_t>{300, -400, 1}));
  EXPECT_EQ(clipped(clip, {1.2, -1.6}), (std::vector<std::int32_t>{600, -800})) << "on the sphere";
}

TEST(L2Clip, ShrinksLongRecordsTowardsZero) {
  const L2Clip clip(1000, 1.0);
  EXPECT_EQ(clipped(clip, {3.0, -4.0}), (std::vector<std::int32_t>{600, -800}));
  EXPECT_EQ(clipped(clip, {1.0, 1.0}), (std::vector<std::int32_t>{706, 706}));
  EXPECT_EQ(clipped(clip, {kInfinity, 0.0}), (std::vector<std::int32_t>{1000, 0}));
}

TEST(L2Clip, CountsNanAsZero) {
  const L2Clip clip(1000, 1.0);
  EXPECT_EQ(clipped(clip, {kNan, 0.5}), (std::vector<std::int32_t>{0, 500}));
  EXPECT_EQ(clipped(clip, {kNan, -kNan}), (std::vector<std::int32_t>{0, 0}));
}

TEST(L2Clip, GivesTheSameSharesInEveryFloatEnvironment) {
  // Values that lie on the edge between two grid points: one unit in the last place decides.
  for (const double limit : {3.0, 7.0, 0.1}) {
    std::vector<double> in;
    for (int k = 0; k < 1000; ++k) in.push_back((k + 0.5) * (limit / double{L2Clip::kMaxBound}));
    const std::vector<std::int32_t> expected = clipped(L2Clip(L2Clip::kMaxBound, limit), in);
    test::for_each_other_float_environment([&] {
      EXPECT_EQ(clipped(L2Clip(L2Clip::kMaxBound, limit), in), expected);
      EXPECT_NO_THROW(L2Clip(10, 5e-324)) << "positive, although some machines call it zero";
    });
  }
}

TEST(L2Clip, RefusesWhatItsProofDoesNotCover) {
  EXPECT_THROW(L2Clip(0, 1.0), InvalidArgument);
  EXPECT_THROW(L2Clip(L2Clip::kMaxBound + 1, 1.0), InvalidArgument);
  for (const double clip : {0.0, -1.0, kNan, kInfinity}) {
    EXPECT_THROW(L2Clip(10, clip), InvalidArgument);
  }
  std::vector<std::int32_t> out(2);
  EXPECT_THROW(L2Clip(10, 1.0).share(std::vector<double>{1.0}, out), InvalidArgument);
  const std::size_t many = L2Clip::kMaxEntries + 1;  // address space, never touched
  const auto wide_in = std::make_unique_for_overwrite<double[]>(many);
  const auto wide_out = std::make_unique_for_overwrite<std::int32_t[]>(many);
  EXPECT_THROW(L2Clip(10, 1.0).share({wide_in.get(), many}, {wide_out.get(), many}),
               InvalidArgument);
}

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

}  // namespace
}  // namespace southwell::privacy
