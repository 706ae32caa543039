#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::privacy {

// What a fit will do, and how its uses of mechanisms stand to each other: decided before a record
// is used, and before the noise is. Calibration (calibrate.hpp) finds the level.

/// `count` uses of one mechanism at shift / scale = x weight, the scale rounded up.
struct ScheduledUse {
  Cost::Kind kind;
  std::uint64_t shift;    ///< as in Cost
  std::uint64_t largest;  ///< the largest scale the mechanism takes
  double weight;
  std::uint64_t count;
  std::uint64_t sampled = 0;

  /// The cost at level x. Throws CalibrationError if the scale would exceed `largest`.
  Cost at(double level) const;
};
using Schedule = std::vector<ScheduledUse>;

enum class Selection { exponential, permute_and_flip, noisy_max };
inline constexpr std::array<std::string_view, 3> kSelectionNames{"exponential", "permute_and_flip",
                                                                 "noisy_max"};
enum class Release { laplace, gaussian };
inline constexpr std::array<std::string_view, 2> kReleaseNames{"laplace", "gaussian"};

struct GcdScheduleOptions {
  std::uint64_t iterations;
  Relation relation = Relation::replace_one;
  Selection selection = Selection::exponential;
  Release release = Release::laplace;
  /// selection's part: range / (range + release epsilon), or the same part of rho if the releases
  /// are Gaussian. In (0, 1).
  double share = 0.8;
  std::uint64_t bound = std::uint64_t{1} << 20;  ///< K, a record's largest share of a sum
  /// Uneven iterations: iteration t gets factors[t] times the level. Empty: all alike. Else of
  /// length `iterations`, positive and finite.
  std::span<const double> factors{};
};
/// Two uses per iteration: a selection, then a release.
Schedule gcd_schedule(const GcdScheduleOptions& options);

/// One release of a coordinate per iteration; the coordinate is random and public.
struct CdScheduleOptions {
  std::uint64_t iterations;
  Relation relation = Relation::replace_one;
  Release release = Release::laplace;
  std::uint64_t bound = std::uint64_t{1} << 20;
  std::span<const double> factors{};
};
Schedule cd_schedule(const CdScheduleOptions& options);

/// One noisy sum per iteration over a Poisson sample of rate sampled / 2^32.
struct SgdScheduleOptions {
  std::uint64_t iterations;
  std::uint64_t sampled;
  Relation relation = Relation::replace_one;
  std::uint64_t bound = std::uint64_t{1} << 20;
  std::span<const double> factors{};
};
Schedule sgd_schedule(const SgdScheduleOptions& options);

/// Rounds of refined gcd: selections, then releases of several kinds.
struct RoundsScheduleOptions {
  struct Releases {
    std::uint64_t count;
    double part;                    ///< of rho, all of these together
    std::uint64_t sensitivity = 0;  ///< 0: that of a sum of shares
  };
  std::uint64_t selections;  ///< may be none
  double share = 0.5;        ///< selections' part of rho; with the parts of all releases it makes 1
  std::span<const Releases> releases{};
  Relation relation = Relation::replace_one;
  std::uint64_t bound = std::uint64_t{1} << 20;
};
/// One use for all selections, by the exponential mechanism, then one for each kind of Gaussian
/// release.
Schedule rounds_schedule(const RoundsScheduleOptions& options);

}  // namespace southwell::privacy
