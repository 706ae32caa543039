#pragma once

#include <compare>
#include <cstdint>

namespace southwell::privacy {

/// What one use of a mechanism costs: a kind and the two whole numbers of its ratio, so that the
/// accountant rounds once, in its own direction. Lists of these are what gets composed.
struct Cost {
  enum class Kind {
    pure,               ///< (shift / scale)-DP
    bounded_range,      ///< log-ratios of neighbours span at most shift / scale + kRangeSlack
    discrete_laplace,   ///< discrete Laplace noise of this scale on a value that moves by `shift`
    discrete_gaussian,  ///< discrete Gaussian noise of this sigma, l2 sensitivity `shift`
    /// Discrete Gaussian noise of sigma `scale` on a sum of shares of l2 norm at most `shift` over
    /// a secret sample: each record enters with probability sampled / 2^32. One kind per relation.
    sampled_gaussian_add_or_remove,
    sampled_gaussian_replace,
  };
  /// What the floating-point weights add to the range (exponential_mechanism.md).
  static constexpr double kRangeSlack = 1e-12;

  Kind kind;
  std::uint64_t shift;
  std::uint64_t scale;
  std::uint64_t sampled = 0;  ///< of the sampled kinds only

  friend auto operator<=>(const Cost&, const Cost&) = default;
};

}  // namespace southwell::privacy
