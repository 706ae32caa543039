#pragma once

#include <cstdint>
#include <span>

#include "southwell/core/int128.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

// Exact samplers in integer arithmetic (exact_sampling.md). Scales are whole numbers from 1 to
// 2^44; others throw InvalidArgument. The time of a draw depends on its size.

/// P(x) proportional to exp(-|x| / scale) over the integers.
Int128 discrete_laplace(std::uint64_t scale, RandomBits& bits);

/// P(x) proportional to exp(-x^2 / (2 scale^2)) over the integers.
Int128 discrete_gaussian(std::uint64_t scale, RandomBits& bits);

/// The same draws one after the other, for less time each.
void fill_discrete_laplace(std::span<Int128> out, std::uint64_t scale, RandomBits& bits);
void fill_discrete_gaussian(std::span<Int128> out, std::uint64_t scale, RandomBits& bits);

}  // namespace southwell::privacy
