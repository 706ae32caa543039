#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/design.hpp"
#include "southwell/data/large_vector.hpp"

namespace southwell::data {

/// Compressed lists of (index, value): list k holds entries offsets[k] .. offsets[k + 1], its
/// indices strictly increasing. By columns (CSC) the lists are features; by rows (CSR), records.
struct Compressed {
  std::vector<std::int64_t> offsets;  // one more than there are lists, from 0
  LargeVector<std::int32_t> indices;
  LargeVector<double> values;

  std::size_t lists() const { return offsets.size() - 1; }
};

/// The non-zero entries of one feature (or of one record).
class SparseColumn {
 public:
  SparseColumn(const Compressed& lists, std::size_t k) {
    const auto first = static_cast<std::size_t>(lists.offsets[k]);
    const auto count = static_cast<std::size_t>(lists.offsets[k + 1]) - first;
    indices_ = {lists.indices.data() + first, count};
    values_ = {lists.values.data() + first, count};
  }

  std::size_t size() const { return indices_.size(); }
  std::span<const std::int32_t> indices() const { return indices_; }
  std::span<const double> values() const { return values_; }

  double dot(const double* in) const {
    double sum[2] = {};  // two running sums hide the latency of the addition
    const std::size_t n = size();
    for (std::size_t e = 0; e < n; ++e) sum[e % 2] += values_[e] * in[indices_[e]];
    return sum[0] + sum[1];
  }
  double squares() const {
    double sum[2] = {};
    for (std::size_t e = 0; e < size(); ++e) sum[e % 2] += values_[e] * values_[e];
    return sum[0] + sum[1];
  }

  void add_to(double* out, double a) const {
    for (std::size_t e = 0; e < size(); ++e) out[indices_[e]] += a * values_[e];
  }

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t e = 0; e < size(); ++e) f(static_cast<std::size_t>(indices_[e]), values_[e]);
  }
  template <class F>
  void for_each(Range records, F&& f) const {
    const auto first = std::ranges::lower_bound(indices_, records.first, {}, to_size);
    auto e = static_cast<std::size_t>(first - indices_.begin());
    for (; e < size() && to_size(indices_[e]) < records.last; ++e) {
      f(to_size(indices_[e]), values_[e]);
    }
  }

 private:
  static std::size_t to_size(std::int32_t index) { return static_cast<std::size_t>(index); }

  std::span<const std::int32_t> indices_;
  std::span<const double> values_;
};

class SparseBlock {
 public:
  SparseBlock(const Compressed& by_feature, Range columns)
      : by_feature_(&by_feature), columns_(columns) {}

  Range columns() const { return columns_; }
  SparseColumn column(std::size_t k) const { return {*by_feature_, columns_.first + k}; }

 private:
  const Compressed* by_feature_;
  Range columns_;
};

/// A sparse table, kept by feature, and by record once somebody asked for records: most fits never
/// do. Copies share the numbers, which never change.
class SparseDesign {
 public:
  /// From lists by record; checks offsets and indices, sorts each list and adds up duplicates.
  static SparseDesign from_records(Compressed by_record, std::size_t features,
                                   core::ThreadPool& pool);
  /// From lists by feature, likewise.
  static SparseDesign from_features(Compressed by_feature, std::size_t records);

  std::size_t records() const { return records_; }
  std::size_t features() const { return by_feature_->lists(); }
  std::size_t stored_entries() const { return by_feature_->values.size(); }
  const std::shared_ptr<const Compressed>& by_feature() const { return by_feature_; }
  const std::shared_ptr<const Compressed>& by_record() const;

  SparseBlock block(Range columns) const { return {*by_feature_, columns}; }

  template <class F>
  void for_each_in_record(std::size_t i, F&& f) const {
    SparseColumn(*by_record(), i).for_each(f);
  }

 private:
  /// Written once, by whoever asks first.
  struct ByRecord {
    std::once_flag asked;
    std::shared_ptr<const Compressed> lists;
  };

  SparseDesign(Compressed by_feature, std::size_t records);

  std::size_t records_;
  std::shared_ptr<const Compressed> by_feature_;
  std::shared_ptr<ByRecord> by_record_;
};

static_assert(Design<SparseDesign> && RecordAccess<SparseDesign>);

}  // namespace southwell::data
