#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/pages.hpp"

namespace southwell::data {

/// Some consecutive records of a dense file: column after column, then the target.
template <std::floating_point T>
class RowBlock {
 public:
  RowBlock() = default;
  RowBlock(std::size_t capacity, std::size_t features)
      : capacity_(capacity),
        target_offset_((capacity * features * sizeof(T) + 7) / 8 * 8),
        pages_(target_offset_ + capacity * sizeof(double)) {}

  T* column(std::size_t j) const { return reinterpret_cast<T*>(pages_.data()) + j * capacity_; }
  double* target() const { return reinterpret_cast<double*>(pages_.data() + target_offset_); }
  std::size_t capacity() const { return capacity_; }  ///< also from a column to the next

  std::size_t records = 0;

  /// Gives back the memory of the columns before `end`.
  void release_before(std::size_t end) {
    released_ = pages_.release(released_, end * capacity_ * sizeof(T));
  }
  void release_target() { pages_.release(target_offset_, pages_.size()); }

 private:
  std::size_t capacity_ = 0;
  std::size_t target_offset_ = 0;
  std::size_t released_ = 0;
  Pages pages_;
};

/// A dense table put together from blocks of records, column by column, each block's memory given
/// back as soon as it was copied: the table is never in memory twice.
template <std::floating_point T>
class RowBlocks {
 public:
  explicit RowBlocks(std::size_t features) : features_(features) {}

  void add(RowBlock<T> block);
  std::size_t records() const { return records_; }
  std::size_t features() const { return features_; }

  /// The table, and the target if `target` is given. Nothing is left here.
  DenseDesign<T> take(core::ThreadPool& pool, std::vector<double>* target);

 private:
  std::size_t features_;
  std::size_t records_ = 0;
  std::vector<RowBlock<T>> blocks_;
  std::vector<std::size_t> first_record_;

  DenseDesign<T> copied_design(core::ThreadPool& pool);
  void copy_target(std::vector<double>& target);
};

extern template class RowBlocks<float>;
extern template class RowBlocks<double>;

}  // namespace southwell::data
