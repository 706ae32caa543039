#pragma once

#include <cstddef>
#include <vector>

#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// `size` of the numbers 0..among-1, in increasing order: every set of that size has the same
/// probability, exactly (random_subset.md). size <= among, else InvalidArgument.
std::vector<std::size_t> random_subset(std::size_t size, std::size_t among, RandomBits& bits);

}  // namespace southwell::privacy
