#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/int128.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"
#include "southwell/problem/gradient/record_block.hpp"
#include "southwell/problem/gradient/wide_clip.hpp"

namespace southwell::problem {

/// Grid entries and L2Shrink of a block of records, a record to a lane, with the same integers
/// (l2_clip.md). Entries are computed twice, for the sums of their squares and for what is left of
/// them, and are never in memory.
class BlockClip {
 public:
  /// For blocks of at most so many records.
  explicit BlockClip(std::size_t most);

  /// Finds what makes each record short enough, for whole bounds up to K. `each(use)` calls
  /// use(block, slopes, factors) for every part of the records' vectors, whose entries are x_kj
  /// slope_k factor_j.
  template <class Each>
  void shrink(std::size_t records, std::span<const double> bounds, const Each& each) {
    start(records);
    each([this](const auto& of, const double* slopes, const double* factors) {
      this->add_squares(of, slopes, factors);
    });
    if (!are_exact()) {
      start_wide();
      each([this](const auto& of, const double* slopes, const double* factors) {
        add_wide_squares(of, slopes, factors, low_.data(), high_.data());
      });
    }
    find_parts(bounds);
  }

  /// Whether all squares fit doubles.
  bool is_plain() const { return way_ != Way::in_whole_numbers; }
  /// The sum of the squares of record k's entries.
  Uint128 squares(std::size_t k) const;
  /// Of a plain block: the sum of what its first records leave of these whole bounds up to K,
  /// floor(sqrt(bound^2 - squares)), or 0.
  std::int64_t room(std::span<const double> bounds) const;
  /// sums_j += what is left of the entries of column j.
  void add(const RecordBlock<double>& of, const double* slopes, const double* factors,
           std::int64_t* sums) const;
  void add(const RecordBlock<float>& of, const double* slopes, const double* factors,
           std::int64_t* sums) const;
  /// out_k: what is left of record k's entry in the only column of the block.
  void write(const RecordBlock<double>& of, const double* slopes, double factor,
             std::int32_t* out) const;

 private:
  /// How shares are found: in doubles at once, in two steps where some record is so long that
  /// doubles would round, or in whole numbers where squares do not fit them or are none.
  enum class Way { at_once, in_two_steps, in_whole_numbers };

  void start(std::size_t records);
  void start_wide();
  /// Whether all squares added up without rounding, so that no entry had to be clamped.
  bool are_exact() const;
  void add_squares(const RecordBlock<double>& of, const double* slopes, const double* factors);
  void add_squares(const RecordBlock<float>& of, const double* slopes, const double* factors);
  void find_parts(std::span<const double> bounds);
  void find_shrinks(std::span<const double> bounds);
  template <class T>
  void add_any(const RecordBlock<T>& of, const double* slopes, const double* factors,
               std::int64_t* sums) const;

  std::size_t records_ = 0;
  Way way_ = Way::at_once;
  std::vector<double> squares_;
  std::vector<double> parts_;              ///< m / 2^s of each record, 1 where it stays as it is
  std::vector<double> low_parts_;          ///< in two steps: what the low 16 bits of m make of that
  std::vector<L2Shrink> shrinks_;          ///< where they are not found at once
  std::vector<std::uint64_t> low_, high_;  ///< in whole numbers: halves of squares
  std::vector<std::uint64_t> multipliers_, shifts_;  ///< likewise: m and s
};

}  // namespace southwell::problem
