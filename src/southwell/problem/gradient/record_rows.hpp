#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"
#include "southwell/problem/gradient/lane_sum.hpp"

namespace southwell::problem {

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
    return LaneSum::dot(row(i), coef, features_);
  }
  Uint128 to_grid(std::size_t i, double slope, const double* factors, std::int32_t* out) const {
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

/// The design lists its entries by record once it is asked to. Of several heads at once, those of a
/// feature stand side by side in `coef`, `grid` and `sums`, and the bits are those of one by one.
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
  Uint128 to_grid(std::size_t i, double slope, const double* factors, std::int32_t* out) const {
    Uint128 squares = 0;
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

  /// `lanes` is room for LaneSum::kLanes numbers a head.
  void dots(std::size_t i, const double* coef, std::span<double> lanes,
            std::span<double> out) const {
    const std::size_t heads = out.size();
    std::fill(lanes.begin(), lanes.end(), 0.0);
    row(i).for_each([&](std::size_t j, double x) {
      double* const lane = lanes.data() + j % LaneSum::kLanes * heads;
      const double* const w = coef + j * heads;
      for (std::size_t h = 0; h < heads; ++h) lane[h] += x * w[h];
    });
    for (std::size_t h = 0; h < heads; ++h) {
      LaneSum sum;
      for (std::size_t lane = 0; lane < LaneSum::kLanes; ++lane) {
        sum.lanes()[lane] = lanes[lane * heads + h];
      }
      out[h] = sum.total();
    }
  }
  /// `factors` of every feature; `copies` is room for one number a head.
  Uint128 to_grid(std::size_t i, std::span<const double> slopes, const double* factors,
                  std::span<double> copies, std::int32_t* out) const {
    Uint128 squares = 0;
    row(i).for_each([&](std::size_t j, double x) {
      std::fill(copies.begin(), copies.end(), factors[j]);
      squares += grid_entries(slopes.data(), x, copies.data(), slopes.size(), out);
      out += slopes.size();
    });
    return squares;
  }
  void add(std::size_t i, const L2Shrink& shrink, const std::int32_t* grid, std::size_t heads,
           std::int64_t* sums) const {
    for (const std::int32_t j : row(i).indices()) {
      shrink.add_to(sums + static_cast<std::size_t>(j) * heads, grid, heads);
      grid += heads;
    }
  }

 private:
  data::SparseColumn row(std::size_t i) const { return {*lists_, i}; }

  std::shared_ptr<const data::Compressed> lists_;
};

}  // namespace southwell::problem
