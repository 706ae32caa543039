#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/core/int128.hpp"
#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::problem {

// A record's whole gradient as whole numbers of l2 norm at most K, exactly; statement and proof in
// l2_clip.md. First its entries go to the grid, then, where they are too long together, they are
// shrunk. A sum over records then moves by at most 2K in l2 norm when one is replaced.

inline constexpr std::int64_t kGridEntryBound = (std::int64_t{1} << 31) - 1;

/// clamp(rint(x slope factor), +-(2^31 - 1)), NaN as 0: an entry on the grid, where `factor` is K
/// over the clip of its coordinate.
std::int32_t grid_entry(double x, double slope, double factor);

/// grid_entry of `size` <= 2^26 entries side by side in memory, and the sum of their squares, which
/// is below 2^88. In vectors of the machine's width, with the same integers on each.
Uint128 grid_entries(const double* x, double slope, const double* factors, std::size_t size,
                     std::int32_t* out);

/// What makes a record's grid entries short enough: v = sign(q) floor(|q| m / 2^s) where m / 2^s is
/// at most B / ceil(sqrt(squares)) and within 2^-s of it; v = q where squares <= B^2. B is K, or
/// the smaller bound of a record whose slope is below the slope limit (ProductClip).
class L2Shrink {
 public:
  explicit L2Shrink(Uint128 squares, std::uint64_t bound = kWhole);
  static constexpr std::uint64_t kWhole = ProductClip::kBound;

  std::int32_t of(std::int32_t q) const;
  /// sums_k += of(q_k).
  void add_to(std::int64_t* sums, const std::int32_t* q, std::size_t size) const;
  std::uint64_t multiplier() const { return multiplier_; }  ///< m, below 2^31
  int shift() const { return shift_; }                      ///< s, from 31 to 54, or 0

 private:
  std::uint64_t multiplier_ = 1;
  int shift_ = 0;  ///< 0: q stays as it is
};

}  // namespace southwell::problem
