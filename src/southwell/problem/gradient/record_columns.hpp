#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/problem/gradient/record_block.hpp"
#include "southwell/problem/gradient/record_numbers.hpp"

namespace southwell::problem {

/// The columns of a dense design, from which blocks of records are made: neighbours where they are,
/// records of a list, and the last few of all, brought together and filled up with zeros.
template <class T>
class RecordColumns {
 public:
  /// Where records are brought together.
  struct Gathered {
    std::vector<T> values;  ///< column after column
    std::vector<const T*> columns;
  };

  explicit RecordColumns(const data::DenseDesign<T>& design) : records_(design.records()) {
    const auto block = design.block({0, design.features()});
    columns_.reserve(design.features());
    for (std::size_t j = 0; j < design.features(); ++j) {
      columns_.push_back(block.column(j).values());
    }
  }

  std::size_t features() const { return columns_.size(); }

  /// Lists of records will come: a copy of the table, record after record, is made once.
  void expect_lists(core::ThreadPool& pool) {
    if (rows_) return;
    constexpr std::size_t kTile = 32;
    rows_ = std::make_unique_for_overwrite<T[]>(records_ * features());
    pool.run_ranges((records_ + kTile - 1) / kTile, 1, [&](std::size_t from, std::size_t to) {
      for (std::size_t tile = from; tile < to; ++tile) {
        const std::size_t last = std::min((tile + 1) * kTile, records_);
        for (std::size_t j = 0; j < features(); ++j) {
          for (std::size_t i = tile * kTile; i < last; ++i) {
            rows_[i * features() + j] = columns_[j][i];
          }
        }
      }
    });
  }

  /// use(block, numbers) for all of these records, at most `most` at a time, a multiple of
  /// kBlockWidth.
  template <class Use>
  void for_each_block(const RecordNumbers& records, std::size_t most, Gathered& room,
                      const Use& use) const {
    for (std::size_t first = 0; first < records.size(); first += most) {
      const RecordNumbers part = records.part(first, std::min(first + most, records.size()));
      const std::size_t whole = part.are_neighbours() ? part.size() / kBlockWidth * kBlockWidth : 0;
      if (whole > 0) {
        const bool is_last = first + 2 * most > records.size();
        use(RecordBlock<T>{columns_.data(), features(), part[0], whole, is_last ? 0 : most},
            part.part(0, whole));
      }
      if (whole == part.size()) continue;
      const RecordNumbers rest = part.part(whole, part.size());
      use(gathered(rest, room), rest);
    }
  }

 private:
  RecordBlock<T> gathered(const RecordNumbers& records, Gathered& room) const {
    const std::size_t size = (records.size() + kBlockWidth - 1) / kBlockWidth * kBlockWidth;
    room.values.assign(features() * size, T{0});
    room.columns.resize(features());
    for (std::size_t j = 0; j < features(); ++j) room.columns[j] = room.values.data() + j * size;
    for (std::size_t first = 0; first < records.size(); first += kBlockWidth) {
      const std::size_t last = std::min(first + kBlockWidth, records.size());
      for (std::size_t j = 0; j < features(); ++j) {
        for (std::size_t k = first; k < last; ++k) {
          const std::size_t i = records[k];
          room.values[j * size + k] = rows_ ? rows_[i * features() + j] : columns_[j][i];
        }
      }
    }
    return {room.columns.data(), features(), 0, size};
  }

  std::size_t records_;
  std::vector<const T*> columns_;
  std::unique_ptr<T[]> rows_;  ///< record after record, where lists are expected
};

}  // namespace southwell::problem
