#include "southwell/problem/gradient/contribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "southwell/problem/gradient/clipped_sum.hpp"
#include "support/instruction_sets.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMost = ProductClip::kBound;

TEST(ProductClip, IsTheRoundedProductWithinTheClip) {
  const ProductClip clip(2.0);
  for (int k = -4000; k <= 4000; ++k) {
    const double x = k * 0.00037;
    const double slope = 1.3 - k * 0.0001;
    const double exact = x * slope * (static_cast<double>(kMost) / 2.0);
    const auto expected = static_cast<std::int64_t>(
        std::clamp(std::rint(exact), -static_cast<double>(kMost), static_cast<double>(kMost)));
    EXPECT_EQ(clip.of(x, slope), expected) << k;
  }
}

TEST(ProductClip, RoundsTiesToEven) {
  const ProductClip clip(static_cast<double>(kMost));  // one unit is one
  EXPECT_EQ(clip.of(0.5, 1.0), 0);
  EXPECT_EQ(clip.of(1.5, 1.0), 2);
  EXPECT_EQ(clip.of(-2.5, 1.0), -2);
  EXPECT_EQ(clip.of(static_cast<double>(kMost) + 0.5, 1.0), kMost);
}

TEST(ProductClip, ReachesItsBoundAndNeverPassesIt) {
  const ProductClip clip(1.0);
  EXPECT_EQ(clip.of(1.0, 1.0), kMost);
  EXPECT_EQ(clip.of(-1.0, 1.0), -kMost);
  const std::vector<double> values{-kInfinity, -1e308, -1.0, -0.0,      0.0, 5e-324,
                                   1.0,        1e308,  kNan, kInfinity, 1e-3};
  for (const double width : {1e-100, 1e-3, 1.0, 1e100}) {
    for (const double x : values) {
      for (const double slope : values) {
        EXPECT_LE(std::abs(ProductClip(width).of(x, slope)), kMost) << x << " " << slope;
      }
    }
  }
}

TEST(ProductClip, CountsWhatIsNoNumberAsZero) {
  const ProductClip clip(1.0);
  for (const double x : {0.0, -0.0, kNan}) {
    for (const double slope : {kNan, kInfinity, -kInfinity}) EXPECT_EQ(clip.of(x, slope), 0);
  }
}

TEST(ProductClip, WithASlopeLimitReachesTheBoundOfItsSlopeAndNeverPassesIt) {
  const ProductClip clip(0.25, 0.5);  // features at 1/2, slopes at 1/2
  EXPECT_EQ(clip.of(100.0, 0.25), kMost / 2);
  EXPECT_EQ(clip.of(-100.0, 0.25), -kMost / 2);
  EXPECT_EQ(clip.of(100.0, 0.5), kMost);
  EXPECT_EQ(clip.of(100.0, 3.0), kMost);
  EXPECT_EQ(clip.of(0.1, 0.25), std::llrint(0.1 * static_cast<double>(kMost)));
  const std::vector<double> values{-kInfinity, -1e308, -1.0, -0.0,      0.0, 5e-324,
                                   1.0,        1e308,  kNan, kInfinity, 1e-3};
  for (const double limit : {1e-100, 0.5, 1e100}) {
    for (const double x : values) {
      for (const double slope : values) {
        EXPECT_LE(std::abs(ProductClip(0.25, limit).of(x, slope)), kMost) << x << " " << slope;
      }
    }
  }
}

TEST(ProductClip, OfARecordThatWeighsLessReachesItsBoundAndNeverPassesIt) {
  const std::vector<double> values{-kInfinity, -1e308, -1.0, -0.0,      0.0, 5e-324,
                                   1.0,        1e308,  kNan, kInfinity, 1e-3};
  for (const double bound : {0.0, 1.0, 349525.0, 1048575.0}) {
    for (const double limit : {0.0, 0.5, 1e100}) {
      const ProductClip clip(0.25, limit);
      for (const double x : values) {
        for (const double slope : values) {
          EXPECT_LE(std::abs(clip.of(x, slope, bound)), static_cast<std::int64_t>(bound));
        }
      }
    }
    EXPECT_EQ(ProductClip(1.0).of(-1e9, 1.0, bound), -static_cast<std::int64_t>(bound));
    EXPECT_EQ(ProductClip(1.0, 0.5).of(1e9, 1.0, bound), static_cast<std::int64_t>(bound));
  }
}

TEST(ClippedSum, IsTheSumOfContributionsOnEveryInstructionSet) {
  const std::vector<double> values{-kInfinity, -1e308, -1.0, -0.0,      0.0,  5e-324, 0.3,
                                   1.0,        1e308,  kNan, kInfinity, 1e-3, -0.7};
  constexpr std::size_t kColumns = 7;
  constexpr std::size_t kRecords = 400;
  constexpr std::size_t kFirst = 3;
  std::vector<double> x(kColumns * kRecords);
  std::vector<float> narrow(x.size());
  std::vector<double> slopes(kRecords);
  for (std::size_t e = 0; e < x.size(); ++e) {
    x[e] = e % 3 == 0 ? values[e / 3 % values.size()] : std::sin(static_cast<double>(e));
    narrow[e] = static_cast<float>(x[e]);
  }
  std::vector<double> bounds(kRecords);
  for (std::size_t i = 0; i < kRecords; ++i) {
    slopes[i] = i % 5 == 0 ? values[i / 5 % values.size()] : std::cos(static_cast<double>(3 * i));
    bounds[i] = static_cast<double>(kMost / static_cast<std::int64_t>(1 + i % 9));
    if (i % 11 == 0) bounds[i] = 0.0;
  }
  std::vector<const double*> columns;
  std::vector<const float*> narrow_columns;
  for (std::size_t j = 0; j < kColumns; ++j) {
    columns.push_back(x.data() + j * kRecords);
    narrow_columns.push_back(narrow.data() + j * kRecords);
  }
  for (const WeightedSlopes& of :
       {WeightedSlopes{slopes.data()}, WeightedSlopes{slopes.data(), bounds.data()}}) {
    for (const double limit : {0.0, 0.6}) {
      std::vector<ProductClip> contributions;
      for (std::size_t j = 0; j < kColumns; ++j) {
        contributions.emplace_back(0.5 + 0.1 * static_cast<double>(j), limit);
      }
      for (std::size_t size = 0; size + kFirst <= kRecords; size += size < 40 ? 1 : 93) {
        std::vector<std::int64_t> expected(kColumns, 5);
        std::vector<std::int64_t> expected_narrow(kColumns, 5);
        for (std::size_t j = 0; j < kColumns; ++j) {
          for (std::size_t i = kFirst; i < kFirst + size; ++i) {
            const double bound = of.bounds == nullptr ? static_cast<double>(kMost) : bounds[i];
            const auto of_float = static_cast<double>(narrow_columns[j][i]);
            expected[j] += contributions[j].of(columns[j][i], slopes[i], bound);
            expected_narrow[j] += contributions[j].of(of_float, slopes[i], bound);
          }
        }
        test::for_each_instruction_set([&](const char* name) {
          std::vector<std::int64_t> sums(kColumns, 5);
          add_clipped({columns.data(), kColumns, kFirst, size}, contributions.data(),
                      of.from(kFirst), sums.data());
          ASSERT_EQ(sums, expected) << name;
          std::fill(sums.begin(), sums.end(), 5);
          add_clipped({narrow_columns.data(), kColumns, kFirst, size}, contributions.data(),
                      of.from(kFirst), sums.data());
          ASSERT_EQ(sums, expected_narrow) << name;
        });
      }
    }
  }
}

}  // namespace
}  // namespace southwell::problem
