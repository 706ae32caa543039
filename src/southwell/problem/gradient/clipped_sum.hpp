#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::problem {

/// The sum of contribution.of(x_i, slopes_i) over `size` entries side by side in memory, in vectors
/// of the machine's width: the same operations, so the same integers, on every instruction set.
std::int64_t clipped_sum(const ProductClip& contribution, const double* x, const double* slopes,
                         std::size_t size);
std::int64_t clipped_sum(const ProductClip& contribution, const float* x, const double* slopes,
                         std::size_t size);

}  // namespace southwell::problem
