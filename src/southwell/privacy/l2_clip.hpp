#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace southwell::privacy {

/// A record's gradient as a vector of whole numbers of l2 norm at most `bound`, exactly; statement
/// and proof in l2_clip.md. A sum over records then moves by at most sum_sensitivity(relation,
/// bound) in l2 norm between neighbours.
class L2Clip {
 public:
  static constexpr std::uint64_t kMaxBound = std::uint64_t{1} << 30;
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 26;

  /// `clip` > 0 and finite is the norm that becomes `bound` (1 to kMaxBound); else InvalidArgument.
  L2Clip(std::uint64_t bound, double clip);

  std::uint64_t bound() const { return bound_; }
  /// One record's share; NaN counts as 0, infinities and huge values as the largest. `in` and `out`
  /// have the same length, at most kMaxEntries (else InvalidArgument). Depends on nothing but `in`.
  void share(std::span<const double> in, std::span<std::int32_t> out) const;

 private:
  std::uint64_t bound_;
  double factor_;  ///< bound / clip
};

}  // namespace southwell::privacy
