#include "southwell/problem/gradient/l2_clip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "support/instruction_sets.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kBound = ProductClip::kBound;

std::vector<std::int64_t> clipped(const std::vector<double>& in, double clip, double slope = 1.0) {
  const std::vector<double> factors(in.size(), static_cast<double>(kBound) / clip);
  std::vector<std::int32_t> grid(in.size(), 99);
  std::vector<std::int64_t> out(in.size());
  L2Shrink(grid_entries(in.data(), slope, factors.data(), in.size(), grid.data()))
      .add_to(out.data(), grid.data(), in.size());
  return out;
}

/// The same entry by entry.
std::vector<std::int64_t> clipped_alone(const std::vector<double>& in, double clip, double slope) {
  std::vector<std::int32_t> grid;
  Uint128 squares = 0;
  for (const double x : in) {
    grid.push_back(grid_entry(x, slope, static_cast<double>(kBound) / clip));
    const std::int64_t entry = grid.back();
    squares += static_cast<std::uint64_t>(entry * entry);
  }
  std::vector<std::int64_t> out;
  for (const std::int32_t q : grid) out.push_back(L2Shrink(squares).of(q));
  return out;
}

std::uint64_t square_norm(const std::vector<std::int64_t>& share) {
  Uint128 sum = 0;
  for (const std::int64_t entry : share) sum += static_cast<Uint128>(entry * entry);
  return static_cast<std::uint64_t>(std::min<Uint128>(sum, ~std::uint64_t{0}));
}

constexpr auto kMost = static_cast<std::uint64_t>(kBound) * static_cast<std::uint64_t>(kBound);

TEST(L2Clip, NeverExceedsItsBound) {
  const std::vector<double> values = {-kInfinity, -1e308, -1.0,  -0.0,      0.0, 5e-324,
                                      0.5,        1.0,    1e308, kInfinity, kNan};
  for (const double limit : {1.0, 1e-300, 3e5}) {
    for (const double a : values) {
      for (const double b : values) {
        for (const double c : values) {
          for (const double slope : {1.0, -kInfinity, kNan, 1e-9}) {
            ASSERT_LE(square_norm(clipped(std::vector{a, b, c}, limit, slope)), kMost);
            ASSERT_LE(square_norm(clipped_alone({a, b, c}, limit, slope)), kMost);
          }
        }
      }
    }
  }
}

TEST(L2Clip, NeverExceedsASmallerBound) {
  std::mt19937_64 random(62);
  for (int record = 0; record < 20000; ++record) {
    std::vector<std::int32_t> grid(1 + random() % 12);
    Uint128 squares = 0;
    const auto width = static_cast<int>(random() % 31);
    for (std::int32_t& q : grid) {
      q = static_cast<std::int32_t>(random() >> (33 + width)) * (random() % 2 == 0 ? 1 : -1);
      squares += static_cast<Uint128>(std::int64_t{q} * q);
    }
    for (const std::uint64_t bound : {std::uint64_t{0}, std::uint64_t{1},
                                      random() % (L2Shrink::kWhole + 1), L2Shrink::kWhole}) {
      const L2Shrink shrink(squares, bound);
      std::vector<std::int64_t> share;
      for (const std::int32_t q : grid) share.push_back(shrink.of(q));
      ASSERT_LE(square_norm(share), bound * bound);
      std::vector<std::int64_t> sums(grid.size());
      shrink.add_to(sums.data(), grid.data(), grid.size());
      ASSERT_EQ(sums, share);
      if (squares <= static_cast<Uint128>(bound) * bound) continue;
      const double left = static_cast<double>(bound) / std::sqrt(static_cast<double>(squares));
      for (std::size_t k = 0; k < grid.size(); ++k) {
        ASSERT_NEAR(static_cast<double>(share[k]), static_cast<double>(grid[k]) * left, 2.1);
      }
    }
  }
}

TEST(L2Clip, NeverExceedsItsBoundOnRandomRecords) {
  std::mt19937_64 random(61);
  std::uint64_t most = 0;
  for (int record = 0; record < 20000; ++record) {
    std::vector<double> in(2 + random() % 30);
    const double size = std::ldexp(1.0, static_cast<int>(random() % 30) - 6);
    for (double& x : in)
      x = size * static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63;
    const std::uint64_t norm = square_norm(clipped(in, 1.0));
    ASSERT_LE(norm, kMost);
    most = std::max(most, norm);
  }
  EXPECT_GT(static_cast<double>(most), 0.9999 * static_cast<double>(kMost));
}

TEST(L2Clip, KeepsShortRecordsAsTheyAreOnTheGrid) {
  const double unit = 2.0 / static_cast<double>(kBound);
  EXPECT_EQ(clipped(std::vector{300.0 * unit, -400.0 * unit, 1.4 * unit}, 2.0),
            (std::vector<std::int64_t>{300, -400, 1}));
  EXPECT_EQ(clipped(std::vector{0.0, -2.0}, 2.0), (std::vector<std::int64_t>{0, -kBound}))
      << "on the sphere";
}

TEST(L2Clip, ShrinksLongRecordsTowardsZero) {
  // 2^20 times 3/5, 4/5 and 1/sqrt(2) with the root rounded up, rounded down.
  EXPECT_EQ(clipped(std::vector{3.0, -4.0}, 1.0), (std::vector<std::int64_t>{629145, -838860}));
  EXPECT_EQ(clipped(std::vector{1.0, 1.0}, 1.0), (std::vector<std::int64_t>{741454, 741454}));
  const std::vector<std::int64_t> far = clipped(std::vector{kInfinity, 0.0}, 1.0);
  EXPECT_GE(far[0], kBound - 1) << "the reciprocal costs at most one unit";
  EXPECT_LE(far[0], kBound);
}

TEST(L2Clip, CountsNanAsZero) {
  EXPECT_EQ(grid_entry(kNan, 1.0, 1.0), 0);
  EXPECT_EQ(grid_entry(0.0, kInfinity, 1.0), 0);
  EXPECT_EQ(clipped(std::vector{kNan, 0.5}, 1.0), (std::vector<std::int64_t>{0, kBound / 2}));
  EXPECT_EQ(clipped(std::vector{kNan, -kNan}, 1.0), (std::vector<std::int64_t>{0, 0}));
}

TEST(L2Clip, GivesTheSameSharesOnEveryInstructionSet) {
  std::mt19937_64 random(62);
  std::normal_distribution<double> normal;
  const std::vector<double> odd = {-kInfinity, 1e308, -0.0, 5e-324, kInfinity, kNan, 1e-3};
  for (std::size_t size = 0; size <= 67; ++size) {
    for (const double limit : {0.01, 3.0, 1e3}) {
      std::vector<double> in(size);
      for (std::size_t k = 0; k < size; ++k) {
        in[k] = size % 3 == 0 && k % 7 == 0 ? odd[k / 7 % odd.size()] : normal(random);
      }
      const std::vector<std::int64_t> expected = clipped_alone(in, limit, 0.7);
      test::for_each_instruction_set([&](const char* name) {
        EXPECT_EQ(clipped(in, limit, 0.7), expected) << name << " " << size;
      });
    }
  }
}

}  // namespace
}  // namespace southwell::problem
