#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "southwell/solvers/rounds/whitening.hpp"

namespace southwell::solvers {

/// A feature that is larger than declared.
struct LargerFeature {
  std::size_t feature = 0;
  double times = 1.0;  ///< its declared scale, at least
};

/// What releases of second moments say against declared scales. Records are clipped before their
/// squares are summed, so that a moment is at most what it would be without: a large one is
/// believed, less four sds of its noise, once it is over (3/2)^2 of the declared square. An
/// intercept is 1 in every record, so that what clipping has left of its square says how much
/// longer than declared records are: believed once it is below 1/4 by four sds. Post-processing of
/// a paid release.
class DeclaredSizes {
 public:
  /// Second moments of single features, in units of their scales, with noise of sd `noise`.
  void observe(std::span<const std::size_t> features, std::span<const double> mean_squares,
               double noise);
  /// Of several features together, an intercept's last if there is one.
  void observe(std::span<const std::size_t> features, const ReleasedMoments& moments);

  /// The largest first.
  std::vector<LargerFeature> larger() const;
  /// How many times their declared norm most records have; 1 where nothing says that it is more.
  double longer() const { return longer_; }

 private:
  std::vector<LargerFeature> larger_;
  double longer_ = 1.0;
};

}  // namespace southwell::solvers
