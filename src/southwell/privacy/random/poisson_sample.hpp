#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// A random subset of 0..records-1: each enters independently with probability
/// numerator / 2^32, exactly, out of 32 bits of its own (poisson_sample.md). 0 <= numerator <=
/// 2^32, else InvalidArgument. Which records, and how many, is never released.
std::vector<std::size_t> poisson_sample(std::size_t records, std::uint64_t numerator,
                                        RandomBits& bits);

}  // namespace southwell::privacy
