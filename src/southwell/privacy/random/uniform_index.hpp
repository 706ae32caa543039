#pragma once

#include <cstddef>

#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// Uniform on 0..size-1, exactly (exact_sampling.md). size >= 1, else InvalidArgument.
std::size_t uniform_index(std::size_t size, RandomBits& bits);

}  // namespace southwell::privacy
