#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/accounting/composition.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::privacy {

// Budget -> noise. A plan says what will be done and how the uses stand to each other; calibration
// finds the largest common level x at which the whole plan costs no more than the budget, in the
// whole scales the mechanisms take. Statement, proof and limits in calibrate.md.

/// `count` uses of one mechanism at shift / scale = x weight, the scale rounded up.
struct PlannedUse {
  Cost::Kind kind;
  std::uint64_t shift;    ///< as in Cost
  std::uint64_t largest;  ///< the largest scale the mechanism takes
  double weight;
  std::uint64_t count;
  std::uint64_t sampled = 0;

  /// The cost at level x. Throws CalibrationError if the scale would exceed `largest`.
  Cost at(double level) const;
};
using Plan = std::vector<PlannedUse>;

enum class Selection { exponential, permute_and_flip, noisy_max };
inline constexpr std::array<std::string_view, 3> kSelectionNames{"exponential", "permute_and_flip",
                                                                 "noisy_max"};
enum class Release { laplace, gaussian };
inline constexpr std::array<std::string_view, 2> kReleaseNames{"laplace", "gaussian"};

struct GcdPlan {
  std::uint64_t iterations;
  Relation relation = Relation::replace_one;
  Selection selection = Selection::exponential;
  Release release = Release::laplace;
  /// selection's part: range / (range + release epsilon), or the same part of rho if the releases
  /// are Gaussian. In (0, 1).
  double share = 0.8;
  std::uint64_t bound = std::uint64_t{1} << 20;  ///< K, a record's largest share of a sum
  /// An uneven schedule: iteration t gets schedule[t] times the level. Empty: all alike. Else of
  /// length `iterations`, positive and finite.
  std::span<const double> schedule{};
};
/// Two uses per iteration: a selection, then a release.
Plan plan_gcd(const GcdPlan& options);

/// One release of a coordinate per iteration; the coordinate is random and public.
struct CdPlan {
  std::uint64_t iterations;
  Relation relation = Relation::replace_one;
  Release release = Release::laplace;
  std::uint64_t bound = std::uint64_t{1} << 20;
  std::span<const double> schedule{};
};
Plan plan_cd(const CdPlan& options);

/// One noisy sum per iteration over a Poisson sample of rate sampled / 2^32.
struct SgdPlan {
  std::uint64_t iterations;
  std::uint64_t sampled;
  Relation relation = Relation::replace_one;
  std::uint64_t bound = std::uint64_t{1} << 20;
  std::span<const double> schedule{};
};
Plan plan_sgd(const SgdPlan& options);

/// Rounds of refined gcd: selections, then releases of several kinds.
struct RoundsPlan {
  struct Releases {
    std::uint64_t count;
    double part;  ///< of rho, all of these together
  };
  std::uint64_t selections;  ///< may be none
  double share = 0.5;        ///< selections' part of rho; with the parts of all releases it makes 1
  std::span<const Releases> releases{};
  Relation relation = Relation::replace_one;
  std::uint64_t bound = std::uint64_t{1} << 20;
};
/// One use for all selections, by the exponential mechanism, then one for each kind of Gaussian
/// release.
Plan plan_rounds(const RoundsPlan& options);

struct Calibrated {
  std::vector<Cost> costs;  ///< one per use of the plan, with the scale to take
  Composition composition;  ///< of the plan and what happens beside it
  Spent spent;              ///< spent.epsilon <= budget.epsilon
};
/// Throws CalibrationError where no scales within the limits meet the budget, and InvalidArgument
/// on a bad budget or plan.
/// `beside` is what the same budget pays for at scales that are fixed already.
Calibrated calibrate(const Plan& plan, const Budget& budget, const Composition& beside = {});

/// The same by one accountant alone: what it would have allowed. `certified` is what calibrate gave
/// for this plan: a place to begin.
Calibrated calibrate_by(Accountant accountant, const Plan& plan, const Budget& budget,
                        const Calibrated& certified);

}  // namespace southwell::privacy
