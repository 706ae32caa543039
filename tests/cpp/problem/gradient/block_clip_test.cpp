#include "southwell/problem/gradient/block_clip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/instruction_sets.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr auto kBound = static_cast<double>(ProductClip::kBound);

/// Records column after column, and what their entries are made of.
template <class T>
struct Table {
  std::size_t records;
  std::size_t features;
  std::vector<T> values;
  std::vector<double> slopes, factors, bounds;

  RecordBlock<T> block(std::vector<const T*>& starts) const {
    starts.clear();
    for (std::size_t j = 0; j < features; ++j) starts.push_back(values.data() + j * records);
    return {starts.data(), features, 0, records};
  }
};

/// A block's sums, squares and single shares, one vector.
using Outcome = std::vector<std::int64_t>;

void keep(Outcome& out, Uint128 squares) {
  out.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(squares)));
  out.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(squares >> 64)));
}

template <class T>
Outcome in_blocks(const Table<T>& of) {
  BlockClip clip(of.records);
  std::vector<const T*> starts;
  const RecordBlock<T> block = of.block(starts);
  clip.shrink(of.records, of.bounds,
              [&](const auto& use) { use(block, of.slopes.data(), of.factors.data()); });
  Outcome out(of.features);
  clip.add(block, of.slopes.data(), of.factors.data(), out.data());
  for (std::size_t k = 0; k < of.records; ++k) keep(out, clip.squares(k));
  std::vector<std::int32_t> shares(of.records);
  for (std::size_t j = 0; j < of.features; ++j) {
    const std::vector<double> column(starts[j], starts[j] + of.records);
    const double* const start = column.data();
    clip.write({&start, 1, 0, of.records}, of.slopes.data(), of.factors[j], shares.data());
    out.insert(out.end(), shares.begin(), shares.end());
  }
  return out;
}

/// The same record by record, entry by entry.
template <class T>
Outcome one_by_one(const Table<T>& of) {
  Outcome sums(of.features);
  Outcome squares;
  Outcome shares(of.features * of.records);
  for (std::size_t k = 0; k < of.records; ++k) {
    std::vector<std::int32_t> grid;
    Uint128 square = 0;
    for (std::size_t j = 0; j < of.features; ++j) {
      grid.push_back(grid_entry(static_cast<double>(of.values[j * of.records + k]), of.slopes[k],
                                of.factors[j]));
      const std::int64_t entry = grid.back();
      square += static_cast<std::uint64_t>(entry * entry);
    }
    keep(squares, square);
    const L2Shrink shrink(square, static_cast<std::uint64_t>(of.bounds[k]));
    for (std::size_t j = 0; j < of.features; ++j) {
      shares[j * of.records + k] = shrink.of(grid[j]);
      sums[j] += shrink.of(grid[j]);
    }
  }
  sums.insert(sums.end(), squares.begin(), squares.end());
  sums.insert(sums.end(), shares.begin(), shares.end());
  return sums;
}

template <class T>
void expect_the_same(const Table<T>& of, const std::string& what) {
  const Outcome expected = one_by_one(of);
  test::for_each_instruction_set(
      [&](const char* name) { ASSERT_EQ(in_blocks(of), expected) << name << ", " << what; });
}

/// Records about `length` bounds long, with entries from `entry`.
template <class T>
Table<T> table(std::size_t records, std::size_t features, double length,
               const std::function<double()>& entry) {
  Table<T> out{.records = records,
               .features = features,
               .values = std::vector<T>(records * features),
               .slopes = std::vector<double>(records),
               .factors = std::vector<double>(features),
               .bounds = std::vector<double>(records)};
  for (T& value : out.values) value = static_cast<T>(entry());
  for (std::size_t k = 0; k < records; ++k) {
    out.slopes[k] = length * std::sin(1.0 + static_cast<double>(5 * k));
    out.bounds[k] = k % 3 == 0 ? kBound : std::floor(kBound / static_cast<double>(1 + k % 7));
    if (k % 13 == 12) out.bounds[k] = 0.0;
  }
  for (std::size_t j = 0; j < features; ++j) {
    out.factors[j] =
        kBound / std::sqrt(static_cast<double>(features)) * (1.0 + static_cast<double>(j % 4));
  }
  return out;
}

template <class T>
class BlockClipOf : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(BlockClipOf, Numbers);

TYPED_TEST(BlockClipOf, HasTheIntegersOfOneRecordAtATimeWhateverTheirLength) {
  std::mt19937_64 random(63);
  std::normal_distribution<double> normal;
  for (const std::size_t features : {0u, 1u, 2u, 3u, 4u, 5u, 9u, 31u}) {
    for (const std::size_t records : {8u, 16u, 40u}) {
      for (const double length : {1e-6, 0.1, 1.0, 3.0, 8.0, 9.0, 70.0, 1e3, 1e5, 1e300}) {
        expect_the_same(table<TypeParam>(records, features, length, [&] { return normal(random); }),
                        std::to_string(features) + " features of length " + std::to_string(length));
      }
    }
  }
}

TYPED_TEST(BlockClipOf, HasTheIntegersOfOneRecordAtATimeWhateverIsInThem) {
  std::mt19937_64 random(64);
  std::normal_distribution<double> normal;
  const std::vector<double> odd{-kInfinity, 1e38, -1e38, -0.0, 1e-45, kInfinity, kNan, 1e9, -3e4};
  for (const unsigned every : {2u, 20u, 300u}) {
    for (const double length : {0.1, 2.0, 20.0, kInfinity, kNan}) {
      const auto entry = [&] {
        return random() % every == 0 ? odd[random() % odd.size()] : normal(random);
      };
      expect_the_same(table<TypeParam>(24, 10, length, entry), "length " + std::to_string(length));
    }
  }
}

/// A record of one number, `q` units long, times what makes any double of it.
Table<double> of_length(const std::vector<double>& q, double bound) {
  return {.records = q.size(),
          .features = 1,
          .values = q,
          .slopes = std::vector<double>(q.size(), 1.0),
          .factors = {1.0},
          .bounds = std::vector<double>(q.size(), bound)};
}

TEST(BlockClip, ShrinksRightWhereTheWayIsChanged) {
  // Lengths about powers of two, where the shift of the multiplier changes, and about 2^23, beyond
  // which doubles are left: for all bounds that a unit of c records can have.
  for (const int power : {20, 21, 22, 23, 24, 26, 27, 30}) {
    std::vector<double> lengths;
    for (int off = -8; off < 8; ++off) lengths.push_back(std::ldexp(1.0, power) + off);
    for (std::int64_t c = 1; c < 3000; c += c < 40 ? 1 : 97) {
      expect_the_same(of_length(lengths, static_cast<double>(ProductClip::kBound / c)),
                      "2^" + std::to_string(power));
    }
  }
}

TEST(BlockClip, ShrinksRightOnRandomPairs) {
  // Two numbers whose root is whole or just beside it make shares that are nearly whole.
  std::mt19937_64 random(65);
  for (int round = 0; round < 400; ++round) {
    Table<double> pairs = of_length(std::vector<double>(64), kBound);
    pairs.features = 2;
    pairs.factors = {1.0, 1.0};
    pairs.values.resize(128);
    for (std::size_t k = 0; k < 64; ++k) {
      const auto scale = static_cast<std::int64_t>(1 + random() % 1'600'000);
      pairs.values[k] =
          static_cast<double>(3 * scale + static_cast<std::int64_t>(random() % 3) - 1);
      pairs.values[64 + k] = static_cast<double>(-4 * scale);
      pairs.bounds[k] = static_cast<double>(random() % (1 + (1 << 20)));
    }
    ASSERT_EQ(in_blocks(pairs), one_by_one(pairs));
  }
}

TEST(BlockClip, ShrinksLongRecordsRightInTwoSteps) {
  // One number makes almost all of a record, so that its share is as long as a share can be.
  std::mt19937_64 random(67);
  for (int round = 0; round < 400; ++round) {
    Table<double> records = of_length(std::vector<double>(64), kBound);
    records.features = 3;
    records.factors = {1.0, 1.0, 1.0};
    records.values.resize(192);
    for (std::size_t k = 0; k < 64; ++k) {
      records.values[k] = static_cast<double>(random() % 94'000'000);
      records.values[64 + k] = -static_cast<double>(random() % 3'000'000);
      records.values[128 + k] = static_cast<double>(random() % 3);
      if (random() % 4 != 0) records.bounds[k] = static_cast<double>(random() % (1 + (1 << 20)));
    }
    ASSERT_EQ(in_blocks(records), one_by_one(records));
  }
}

TEST(BlockClip, SharesOfOneBlockDoNotDependOnTheOtherRecords) {
  std::mt19937_64 random(66);
  std::normal_distribution<double> normal;
  const Table<double> plain = table<double>(16, 6, 1.0, [&] { return normal(random); });
  const auto shares_of_first = [](const Table<double>& of) {
    const Outcome all = in_blocks(of);
    Outcome own;
    for (std::size_t j = 0; j < of.features; ++j) {
      own.push_back(all[of.features + 2 * of.records + j * of.records]);
    }
    return own;
  };
  const Outcome expected = shares_of_first(plain);
  for (const double odd : {kNan, kInfinity, 1e9, 1e6, 20.0}) {
    Table<double> other = plain;
    other.values[5] = odd;
    EXPECT_EQ(shares_of_first(other), expected);
  }
}

}  // namespace
}  // namespace southwell::problem
