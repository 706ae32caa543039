#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/problem/gradient/contribution.hpp"

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

/// The sum of slopes.share(contribution, x_i, i) over `size` entries side by side in memory, in
/// vectors of the machine's width: the same operations, so the same integers, on every instruction
/// set.
std::int64_t clipped_sum(const ProductClip& contribution, const double* x, WeightedSlopes slopes,
                         std::size_t size);
std::int64_t clipped_sum(const ProductClip& contribution, const float* x, WeightedSlopes slopes,
                         std::size_t size);

}  // namespace southwell::problem
