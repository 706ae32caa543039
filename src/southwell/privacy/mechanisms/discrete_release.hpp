#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/random/noise.hpp"

namespace southwell::privacy {

/// Neighbours move the values by at most `sensitivity` in l1 norm: pure (sensitivity / scale)-DP.
/// Statement and proof in discrete_laplace_release.md.
struct LaplaceLaw {
  static constexpr std::string_view kMechanism = "discrete_laplace_release";
  static constexpr Cost::Kind kCost = Cost::Kind::discrete_laplace;
};

/// Neighbours move the values by at most `sensitivity` in l2 norm; `scale` is sigma.
/// Statement and proof in discrete_gaussian_release.md.
struct GaussianLaw {
  static constexpr std::string_view kMechanism = "discrete_gaussian_release";
  static constexpr Cost::Kind kCost = Cost::Kind::discrete_gaussian;
};

/// Releases whole numbers with exact discrete noise of a law. The two laws above are the only ones
/// that may read a sensitive value (core/sensitive.hpp), and each has a proof of its own.
template <class Law>
class DiscreteRelease {
 public:
  /// 1 <= sensitivity <= 2^61, 1 <= scale <= 2^44, both in grid units; others throw
  /// InvalidArgument.
  DiscreteRelease(std::uint64_t sensitivity, std::uint64_t scale);

  Cost cost() const { return {Law::kCost, sensitivity_, scale_}; }
  /// The noise of one release of `size` values. Call it before the first record is used.
  Noise draw(RandomBits& bits, std::size_t size = 1) const;
  /// The same on several threads, a part of the values from each of the streams: how many there are
  /// decides the noise, how many threads does not.
  Noise draw(std::span<const std::unique_ptr<RandomBits>> streams, std::size_t size,
             core::ThreadPool& pool) const;
  /// value + noise, saturated to 64 bits.
  std::int64_t release(const Sensitive<std::int64_t>& value, Noise&& noise) const;
  /// One release of a whole vector: `sensitivity` bounds the move of all its entries together.
  std::vector<std::int64_t> release(const Sensitive<std::vector<std::int64_t>>& values,
                                    Noise&& noise) const;

 private:
  std::uint64_t sensitivity_;
  std::uint64_t scale_;
};

// Instantiated in discrete_release.cpp: from here on nobody can specialise a member of them.
extern template class DiscreteRelease<LaplaceLaw>;
extern template class DiscreteRelease<GaussianLaw>;

using DiscreteLaplaceRelease = DiscreteRelease<LaplaceLaw>;
using DiscreteGaussianRelease = DiscreteRelease<GaussianLaw>;

}  // namespace southwell::privacy
