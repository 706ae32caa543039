#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/gradient/record_block.hpp"

namespace southwell::problem {

/// What features are multiplied by: the slopes of records side by side in memory, each with the
/// weight of its record in it, and the bounds of their shares.
struct WeightedSlopes {
  const double* slopes;
  const double* bounds = nullptr;  ///< null: all are K

  /// Those from this record on.
  WeightedSlopes from(std::size_t first) const {
    return {slopes + first, bounds == nullptr ? nullptr : bounds + first};
  }
  double bound(std::size_t i) const {
    return bounds == nullptr ? static_cast<double>(ProductClip::kBound) : bounds[i];
  }
  std::int64_t share(const ProductClip& contribution, double x, std::size_t i) const {
    return contribution.of(x, slopes[i], bound(i));
  }
};

/// sums_j += the sum of slopes.share(contributions[j], x_ij, i) over the records of a block,
/// however many they are, for each of its columns; `slopes` begin with its first record, and all
/// contributions have one slope limit. In vectors of the machine's width, several columns at once:
/// the same operations, so the same integers, on every instruction set.
void add_clipped(const RecordBlock<double>& of, const ProductClip* contributions,
                 WeightedSlopes slopes, std::int64_t* sums);
void add_clipped(const RecordBlock<float>& of, const ProductClip* contributions,
                 WeightedSlopes slopes, std::int64_t* sums);

}  // namespace southwell::problem
