#pragma once

#include <cstddef>

namespace southwell::problem {

/// Records are looked at so many at a time, or a multiple of it.
inline constexpr std::size_t kBlockWidth = 8;

/// Some neighbouring records of a dense table, column after column in memory: a multiple of
/// kBlockWidth. What fills the last block up has slope 0 and adds nothing.
template <class T>
struct RecordBlock {
  const T* const* columns;  ///< where each starts
  std::size_t features;
  std::size_t first;  ///< record, counted from there
  std::size_t records;
  std::size_t ahead = 0;  ///< how far on the block is that comes next, if it is in these columns

  const T* column(std::size_t j) const { return columns[j] + first; }
  /// Asks the machine for what column j holds of the next block, while it works on this one: runs
  /// of a block are too short for it to guess what comes.
  void ask_for_next(std::size_t j) const {
    if (ahead == 0) return;
    constexpr std::size_t kLine = 64 / sizeof(T);
    const T* const next = column(j) + ahead;
    for (std::size_t k = 0; k < records; k += kLine) __builtin_prefetch(next + k, 0, 2);
  }
};

}  // namespace southwell::problem
