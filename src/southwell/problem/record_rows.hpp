#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/l2_clip.hpp"

namespace southwell::problem {

/// x'w in eight running sums, feature j in sum j mod 8: entries that are not stored would add a
/// zero, so dense and sparse records have the same bits, up to the sign of a zero.
class LaneSum {
 public:
  void add(std::size_t j, double product) { sums_[j % 8] += product; }
  template <class T>
  void add(const T* x, const double* w, std::size_t size) {
    std::size_t j = 0;
    for (; j + 8 <= size; j += 8) {
      for (std::size_t k = 0; k < 8; ++k) sums_[k] += static_cast<double>(x[j + k]) * w[j + k];
    }
    for (; j < size; ++j) add(j, static_cast<double>(x[j]) * w[j]);
  }
  double total() const {
    const auto& s = sums_;
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
  }

 private:
  std::array<double, 8> sums_{};
};

/// A design record by record, for solvers that need a record's whole gradient at once.
template <class Design>
class RecordRows;

/// A copy, transposed once: a record is then read from memory once for margin, grid and sum.
template <class T>
class RecordRows<data::DenseDesign<T>> {
 public:
  RecordRows(const data::DenseDesign<T>& design, core::ThreadPool& pool)
      : records_(design.records()),
        features_(design.features()),
        values_(std::make_unique_for_overwrite<T[]>(records_ * features_)) {
    constexpr std::size_t kTile = 32;
    pool.run_ranges((records_ + kTile - 1) / kTile, 1, [&](std::size_t from, std::size_t to) {
      const auto block = design.block({0, features_});
      const std::size_t last = std::min(to * kTile, records_);
      for (std::size_t i = from * kTile; i < last; i += kTile) {
        const std::size_t end = std::min(i + kTile, last);
        for (std::size_t j = 0; j < features_; ++j) {
          const T* const column = block.column(j).values();
          for (std::size_t k = i; k < end; ++k) values_[k * features_ + j] = column[k];
        }
      }
    });
  }

  std::size_t entries(std::size_t) const { return features_; }
  double dot(std::size_t i, const double* coef) const {
    LaneSum sum;
    sum.add(row(i), coef, features_);
    return sum.total();
  }
  core::Uint128 to_grid(std::size_t i, double slope, const double* factors,
                        std::int32_t* out) const {
    return grid_entries(row(i), slope, factors, features_, out);
  }
  void add(std::size_t, const L2Shrink& shrink, const std::int32_t* grid,
           std::int64_t* sums) const {
    shrink.add_to(sums, grid, features_);
  }

 private:
  const T* row(std::size_t i) const { return values_.get() + i * features_; }

  std::size_t records_;
  std::size_t features_;
  std::unique_ptr<T[]> values_;
};

/// The design keeps its entries by record as well.
template <>
class RecordRows<data::SparseDesign> {
 public:
  RecordRows(const data::SparseDesign& design, core::ThreadPool&) : lists_(design.by_record()) {}

  std::size_t entries(std::size_t i) const { return row(i).size(); }
  double dot(std::size_t i, const double* coef) const {
    LaneSum sum;
    row(i).for_each([&](std::size_t j, double x) { sum.add(j, x * coef[j]); });
    return sum.total();
  }
  core::Uint128 to_grid(std::size_t i, double slope, const double* factors,
                        std::int32_t* out) const {
    core::Uint128 squares = 0;
    row(i).for_each([&](std::size_t j, double x) {
      const std::int64_t entry = *out++ = grid_entry(x, slope, factors[j]);
      squares += static_cast<std::uint64_t>(entry * entry);
    });
    return squares;
  }
  void add(std::size_t i, const L2Shrink& shrink, const std::int32_t* grid,
           std::int64_t* sums) const {
    for (const std::int32_t j : row(i).indices()) sums[j] += shrink.of(*grid++);
  }

 private:
  data::SparseColumn row(std::size_t i) const { return {*lists_, i}; }

  std::shared_ptr<const data::Compressed> lists_;
};

}  // namespace southwell::problem
