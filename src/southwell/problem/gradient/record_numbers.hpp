#pragma once

#include <cstddef>
#include <span>

#include "southwell/data/design.hpp"

namespace southwell::problem {

/// Some records by their numbers: neighbours, or those of a list.
class RecordNumbers {
 public:
  explicit RecordNumbers(data::Range neighbours)
      : first_(neighbours.first), size_(neighbours.size()) {}
  explicit RecordNumbers(std::span<const std::size_t> list)
      : list_(list), is_list_(true), size_(list.size()) {}

  bool are_neighbours() const { return !is_list_; }
  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t k) const { return is_list_ ? list_[k] : first_ + k; }
  RecordNumbers part(std::size_t first, std::size_t last) const {
    if (is_list_) return RecordNumbers(list_.subspan(first, last - first));
    return RecordNumbers(data::Range{first_ + first, first_ + last});
  }

 private:
  std::span<const std::size_t> list_;
  bool is_list_ = false;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace southwell::problem
