#include "southwell/data/sparse_design.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "southwell/core/error.hpp"

namespace southwell::data {
namespace {

/// 3 records, 4 features; feature 3 is empty, record 1 is empty.
Compressed small() { return {{0, 2, 2, 5}, {0, 2, 0, 1, 2}, {1.0, 2.0, 3.0, 4.0, 5.0}}; }

void expect_equal(const Compressed& a, const Compressed& b) {
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.indices, b.indices);
  EXPECT_EQ(a.values, b.values);
}

TEST(SparseDesign, KeepsTheSameEntriesByRecordAndByFeature) {
  core::ThreadPool pool(2);
  const auto design = SparseDesign::from_records(small(), 4, pool);
  EXPECT_EQ(design.records(), 3u);
  EXPECT_EQ(design.features(), 4u);
  EXPECT_EQ(design.stored_entries(), 5u);
  expect_equal(*design.by_record(), small());
  const Compressed by_feature{{0, 2, 3, 5, 5}, {0, 2, 2, 0, 2}, {1.0, 3.0, 4.0, 2.0, 5.0}};
  expect_equal(*design.by_feature(), by_feature);
  const auto back = SparseDesign::from_features(by_feature, 3);
  expect_equal(*back.by_record(), small());
}

TEST(SparseDesign, ColumnsAddUpAndVisitStoredEntriesInOrder) {
  core::ThreadPool pool(1);
  const auto design = SparseDesign::from_records(small(), 4, pool);
  const auto block = design.block({1, 4});
  EXPECT_EQ(block.columns().first, 1u);
  const std::vector<double> weights = {10, 20, 30};
  EXPECT_EQ(block.column(0).dot(weights.data()), 120.0);
  EXPECT_EQ(block.column(1).dot(weights.data()), 170.0);
  EXPECT_EQ(block.column(2).dot(weights.data()), 0.0);
  std::vector<double> sums = {1, 1, 1};
  block.column(1).add_to(sums.data(), -1.0);
  EXPECT_EQ(sums, (std::vector<double>{-1, 1, -4}));
  std::vector<std::pair<std::size_t, double>> seen;
  design.for_each_in_record(2, [&](std::size_t j, double x) { seen.emplace_back(j, x); });
  EXPECT_EQ(seen, (std::vector<std::pair<std::size_t, double>>{{0, 3.0}, {1, 4.0}, {2, 5.0}}));
}

TEST(SparseDesign, SortsAndAddsUpDuplicates) {
  core::ThreadPool pool(1);
  const Compressed untidy{
      {0, 3, 3, 8}, {2, 0, 2, 1, 0, 2, 0, 0}, {1.5, 1.0, .5, 4.0, 1.0, 5.0, 1.5, .5}};
  expect_equal(*SparseDesign::from_records(untidy, 4, pool).by_record(), small());
  const Compressed late{{0, 1, 3}, {0, 1, 1}, {1.0, 2.0, 3.0}};
  expect_equal(*SparseDesign::from_features(late, 2).by_feature(), {{0, 1, 2}, {0, 1}, {1.0, 5.0}});
}

TEST(SparseDesign, RefusesListsThatDoNotFitTogether) {
  core::ThreadPool pool(1);
  const Compressed bad[] = {
      {{}, {}, {}},                        // no offsets
      {{1, 2}, {0, 0}, {1.0, 1.0}},        // not from 0
      {{0, 1}, {0, 1}, {1.0, 1.0}},        // not to the end
      {{0, 2, 1, 2}, {0, 1}, {1.0, 1.0}},  // decreasing
      {{0, 2}, {0, 1}, {1.0}},             // a value missing
      {{0, 1}, {4}, {1.0}},                // beyond the features
      {{0, 1}, {-1}, {1.0}},               // negative
  };
  for (const Compressed& lists : bad) {
    EXPECT_THROW(SparseDesign::from_records(lists, 4, pool), InvalidArgument);
    EXPECT_THROW(SparseDesign::from_features(lists, 4), InvalidArgument);
  }
  EXPECT_THROW(SparseDesign::from_records({{0}, {}, {}}, 2147483648u, pool), InvalidArgument);
}

TEST(SparseDesign, GivesRecordsToWhoeverAsksFirst) {
  Compressed by_feature{.offsets = {0}, .indices = {}, .values = {}};
  const std::int32_t records = 300'000;  // values of 2.4 MB: in huge pages where there are any
  for (std::int32_t i = 0; i < records; ++i) by_feature.indices.push_back(i);
  by_feature.values.assign(by_feature.indices.begin(), by_feature.indices.end());
  by_feature.offsets.push_back(records);
  const auto design = SparseDesign::from_features(by_feature, records);
  core::ThreadPool pool(4);
  std::vector<double> found(static_cast<std::size_t>(records), -1.0);
  pool.run(found.size(), [&, copy = design](std::size_t i) {
    copy.for_each_in_record(i, [&](std::size_t, double x) { found[i] = x; });
  });
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], static_cast<double>(i));
}

TEST(SparseDesign, TransposesTheSameForAnyNumberOfThreads) {
  std::mt19937_64 random(5);
  Compressed lists;
  lists.offsets.push_back(0);
  const std::size_t features = 300;
  for (int i = 0; i < 3000; ++i) {
    for (std::size_t j = random() % 10; j < features; j += 1 + random() % 11) {
      lists.indices.push_back(static_cast<std::int32_t>(j));
      lists.values.push_back(static_cast<double>(random() % 1000));
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.indices.size()));
  }
  ASSERT_GT(lists.indices.size(), 100'000u) << "enough for several parts";
  core::ThreadPool one(1);
  const auto expected = SparseDesign::from_records(lists, features, one);
  std::size_t e = 0;
  for (std::size_t i = 0; i < 3000; ++i) {  // against the definition
    expected.for_each_in_record(i, [&](std::size_t j, double x) {
      EXPECT_EQ(static_cast<std::int32_t>(j), lists.indices[e]);
      EXPECT_EQ(x, lists.values[e++]);
    });
  }
  double sum = 0.0;
  for (const double x : expected.by_feature()->values) sum += x;
  double given = 0.0;
  for (const double x : lists.values) given += x;
  EXPECT_EQ(sum, given);
  for (const int threads : {2, 7}) {
    core::ThreadPool pool(threads);
    const auto design = SparseDesign::from_records(lists, features, pool);
    expect_equal(*design.by_feature(), *expected.by_feature());
    const auto back = SparseDesign::from_features(*design.by_feature(), 3000);
    expect_equal(*back.by_record(), lists);
  }
}

}  // namespace
}  // namespace southwell::data
