#include "southwell/data/dense_design.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "southwell/core/error.hpp"

namespace southwell::data {
namespace {

template <class T>
class DenseDesignOf : public testing::Test {};
using Stored = testing::Types<float, double>;
TYPED_TEST_SUITE(DenseDesignOf, Stored);

/// x_ij = 1000 i + j, row after row, with a gap of `gap` entries after each row.
template <class T>
std::vector<T> rows_of(std::size_t records, std::size_t features, std::size_t gap) {
  std::vector<T> rows(records * (features + gap), T{-1});
  for (std::size_t i = 0; i < records; ++i) {
    for (std::size_t j = 0; j < features; ++j) {
      rows[i * (features + gap) + j] = static_cast<T>(1000 * i + j);
    }
  }
  return rows;
}

TYPED_TEST(DenseDesignOf, TransposesRowsTheSameForAnyNumberOfThreads) {
  for (const std::size_t records : {0u, 1u, 63u, 64u, 65u, 200u}) {
    for (const std::size_t features : {1u, 64u, 129u}) {
      for (const std::size_t gap : {0u, 3u}) {
        const auto rows = rows_of<TypeParam>(records, features, gap);
        for (const int threads : {1, 2, 7}) {
          core::ThreadPool pool(threads);
          const auto design = DenseDesign<TypeParam>::from_row_major(rows.data(), records, features,
                                                                     features + gap, pool);
          ASSERT_EQ(design.stored_entries(), records * features);
          for (std::size_t j = 0; j < features; ++j) {
            for (std::size_t i = 0; i < records; ++i) {
              ASSERT_EQ(design.block({j, j + 1}).column(0).values()[i],
                        static_cast<TypeParam>(1000 * i + j));
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(DenseDesignOf, ColumnsAddUpAndVisitEveryRecordWhateverTheStride) {
  const std::size_t features = 3;
  for (const std::size_t records : {1u, 7u, 8u, 9u, 30u}) {
    for (const std::size_t stride : {records, records + 5}) {
      auto values = std::make_shared<TypeParam[]>(features * stride);
      for (std::size_t j = 0; j < features; ++j) {
        for (std::size_t i = 0; i < records; ++i) {
          values[static_cast<std::ptrdiff_t>(j * stride + i)] = static_cast<TypeParam>(i + 10 * j);
        }
      }
      const DenseDesign<TypeParam> design(values, records, features, stride);
      std::vector<double> weights(records);
      std::iota(weights.begin(), weights.end(), 1.0);
      const auto block = design.block({1, 3});
      EXPECT_EQ(block.columns().first, 1u);
      for (std::size_t k = 0; k < 2; ++k) {
        double dot = 0.0;
        std::vector<double> expected(records, 0.5);
        for (std::size_t i = 0; i < records; ++i) {
          const auto x = static_cast<double>(i + 10 * (k + 1));
          dot += x * weights[i];
          expected[i] += 2.0 * x;
        }
        EXPECT_EQ(block.column(k).dot(weights.data()), dot);
        std::vector<double> sums(records, 0.5);
        block.column(k).add_to(sums.data(), 2.0);
        EXPECT_EQ(sums, expected);
        std::size_t next = 0;
        block.column(k).for_each([&](std::size_t i, double x) {
          EXPECT_EQ(i, next++);
          EXPECT_EQ(x, static_cast<double>(i + 10 * (k + 1)));
        });
        EXPECT_EQ(next, records);
      }
      std::vector<double> record;
      design.for_each_in_record(records - 1, [&](std::size_t, double x) { record.push_back(x); });
      const auto last = static_cast<double>(records - 1);
      EXPECT_EQ(record, (std::vector<double>{last, last + 10, last + 20}));
    }
  }
}

TEST(DenseDesign, RefusesAStrideShorterThanAColumn) {
  EXPECT_THROW(DenseDesign<double>(std::make_shared<double[]>(6), 3, 2, 2), InvalidArgument);
}

}  // namespace
}  // namespace southwell::data
