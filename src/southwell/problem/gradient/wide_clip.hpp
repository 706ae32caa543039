#pragma once

#include <cstdint>

#include "southwell/problem/gradient/record_block.hpp"

namespace southwell::problem {

// What BlockClip does where some record of a block is too long for doubles, or holds what is no
// number: the same entries and shares in whole numbers.

/// low_k and high_k += the halves, of 32 bits, of the squares of the grid entries x_kj slope_k
/// factor_j: sums of up to 2^26 entries fit.
void add_wide_squares(const RecordBlock<double>& of, const double* slopes, const double* factors,
                      std::uint64_t* low, std::uint64_t* high);
void add_wide_squares(const RecordBlock<float>& of, const double* slopes, const double* factors,
                      std::uint64_t* low, std::uint64_t* high);

/// sums_j += sign(q) floor(|q| multiplier_k / 2^shift_k) of every entry q of column j.
void add_wide_shares(const RecordBlock<double>& of, const double* slopes, const double* factors,
                     const std::uint64_t* multipliers, const std::uint64_t* shifts,
                     std::int64_t* sums);
void add_wide_shares(const RecordBlock<float>& of, const double* slopes, const double* factors,
                     const std::uint64_t* multipliers, const std::uint64_t* shifts,
                     std::int64_t* sums);

}  // namespace southwell::problem
