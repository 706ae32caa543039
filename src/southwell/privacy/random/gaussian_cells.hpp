#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/fault.hpp"

// The proposals of the discrete Gaussian, drawn exactly from uniform words (exact_sampling.md).
// Internal, as exact_sampling.hpp.

namespace southwell::privacy {

/// Numbers v = 0, 1, 2, ... with probability exp(-v^2 / 512) / 21 each, and none with what is left,
/// a fiftieth: the cell that a uniform number U of [0, 1) falls into, whose edges are the sums of
/// these probabilities. One word of U tells it but once in 2^48 times; then more words do, against
/// edges to as many digits.
class GaussianCells {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< beyond the last edge

  /// There is one, made when it is first asked for.
  static const GaussianCells& instance();

  template <class Next>
  std::uint64_t draw(Next&& next) const {
    const std::uint64_t word = next();
    const std::uint8_t told = told_[word >> kShift];
    if (told < kCells) return told;
    if (told == kCells) return kNone;
    const Found found = locate(word);
    if (found.certain || fault(Fault::gaussian_cells_end_with_their_table)) return found.cell;
    std::vector<std::uint64_t> words{word};
    for (;;) {
      words.push_back(next());
      const Found more = locate(words);
      if (more.certain) return more.cell;
    }
  }

  /// Where a number is whose digits begin with one of these.
  struct Found {
    bool certain = false;
    std::uint64_t cell = kNone;
  };
  Found locate(std::uint64_t word) const;
  /// The same by edges to one more digit than there are words, computed anew.
  static Found locate(std::span<const std::uint64_t> words);

 private:
  GaussianCells();

  static constexpr std::size_t kCells = 128;    ///< with edges of their own here
  static constexpr std::uint8_t kUnsure = 255;  ///< there is an edge among these words
  static constexpr int kShift = 54;

  /// Words below `from` are certainly below an edge, words from `to` on certainly not.
  struct Edge {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  std::array<Edge, kCells + 1> edges_{};   ///< above each cell, the last one above all others
  std::array<std::uint8_t, 1024> told_{};  ///< by the first ten bits: cell, kCells for none
};

}  // namespace southwell::privacy
