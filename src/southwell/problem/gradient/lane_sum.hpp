#pragma once

#include <array>
#include <cstddef>

#include "southwell/problem/gradient/record_block.hpp"

namespace southwell::problem {

/// A sum of products in eight running sums, feature j in sum j mod 8, joined in a fixed order:
/// entries that are not stored would add a zero, so dense and sparse records have the same bits, up
/// to the sign of a zero.
class LaneSum {
 public:
  static constexpr std::size_t kLanes = 8;

  /// out_k = x_k'w of every record of a block, in vectors of the machine's width: the same bits on
  /// every instruction set. `sums` is room for kLanes numbers a record.
  static void dots(const RecordBlock<double>& of, const double* w, double* sums, double* out);
  static void dots(const RecordBlock<float>& of, const double* w, double* sums, double* out);

  void add(std::size_t j, double product) { sums_[j % kLanes] += product; }
  double total() const {
    const auto& s = sums_;
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
  }
  double* lanes() { return sums_.data(); }

 private:
  std::array<double, kLanes> sums_{};
};

}  // namespace southwell::problem
