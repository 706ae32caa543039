#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/design.hpp"

namespace southwell::data {

/// A column of numbers side by side in memory.
template <class T>
class DenseColumn {
 public:
  DenseColumn(const T* values, std::size_t size) : values_(values), size_(size) {}

  std::size_t size() const { return size_; }
  const T* values() const { return values_; }

  double dot(const double* in) const {
    return sum([&](std::size_t i) { return static_cast<double>(values_[i]) * in[i]; });
  }
  double squares() const {
    return sum([&](std::size_t i) {
      const auto x = static_cast<double>(values_[i]);
      return x * x;
    });
  }

  void add_to(double* out, double a) const {
    for (std::size_t i = 0; i < size_; ++i) out[i] += a * static_cast<double>(values_[i]);
  }

  template <class F>
  void for_each(F&& f) const {
    for_each(Range{0, size_}, f);
  }
  template <class F>
  void for_each(Range records, F&& f) const {
    for (std::size_t i = records.first; i < records.last; ++i)
      f(i, static_cast<double>(values_[i]));
  }

 private:
  /// Eight running sums: independent of each other, so they vectorise without reordering.
  template <class Term>
  double sum(const Term& term) const {
    double sum[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= size_; i += 8) {
      for (std::size_t k = 0; k < 8; ++k) sum[k] += term(i + k);
    }
    for (; i < size_; ++i) sum[i % 8] += term(i);
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
  }

  const T* values_;
  std::size_t size_;
};

template <class T>
class DenseBlock {
 public:
  DenseBlock(const T* const* starts, std::size_t records, Range columns)
      : starts_(starts), records_(records), columns_(columns) {}

  Range columns() const { return columns_; }
  DenseColumn<T> column(std::size_t k) const { return {starts_[k], records_}; }

 private:
  const T* const* starts_;  ///< of its columns
  std::size_t records_;
  Range columns_;
};

/// A dense table, column after column in memory. Copies share the numbers, which never change.
template <std::floating_point T>
class DenseDesign {
 public:
  using Value = T;

  /// Shares `values`: column j starts at values[j * stride], stride >= records.
  DenseDesign(std::shared_ptr<const T[]> values, std::size_t records, std::size_t features,
              std::size_t stride);
  DenseDesign(std::shared_ptr<const T[]> values, std::size_t records, std::size_t features)
      : DenseDesign(std::move(values), records, features, records) {}

  /// A copy of a row-major table, transposed once, block by block.
  static DenseDesign from_row_major(const T* rows, std::size_t records, std::size_t features,
                                    std::size_t row_stride, core::ThreadPool& pool);

  std::size_t records() const { return records_; }
  std::size_t features() const { return features_; }
  std::size_t stored_entries() const { return records_ * features_; }
  /// The table that it was made from; from a column of that to the next, in entries.
  const std::shared_ptr<const T[]>& values() const { return values_; }
  std::size_t stride() const { return stride_; }

  /// The chosen columns alone, in this order, where they are.
  DenseDesign of_columns(std::span<const std::size_t> columns) const;

  DenseBlock<T> block(Range columns) const {
    return {starts_->data() + columns.first, records_, columns};
  }

  template <class F>
  void for_each_in_record(std::size_t i, F&& f) const {
    for (std::size_t j = 0; j < features_; ++j) f(j, static_cast<double>((*starts_)[j][i]));
  }

 private:
  using Starts = std::vector<const T*>;

  std::shared_ptr<const T[]> values_;
  std::size_t records_;
  std::size_t features_;
  std::size_t stride_;
  std::shared_ptr<const Starts> starts_;  ///< of its columns
};

extern template class DenseDesign<float>;
extern template class DenseDesign<double>;
static_assert(Design<DenseDesign<double>> && RecordAccess<DenseDesign<double>>);
static_assert(Design<DenseDesign<float>> && RecordAccess<DenseDesign<float>>);

}  // namespace southwell::data
