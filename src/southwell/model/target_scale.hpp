#pragma once

#include <cstdint>
#include <span>

#include "southwell/model/solver_fit.hpp"
#include "southwell/privacy/cost.hpp"
#include "southwell/privacy/random_bits.hpp"

namespace southwell::model {

/// `target_scale = private`: the typical size of the target as a power of two, chosen by an
/// exponential mechanism that the budget pays for (docs/defaults.md).
class PrivateTargetScale {
 public:
  /// Notes what it will cost in the planning and the statement. Throws InvalidArgument where public
  /// numbers say that the choice would be a guess.
  explicit PrivateTargetScale(Planning& planning);

  /// The scale of this target.
  double find(std::span<const double> target, privacy::RandomBits& bits) const;

 private:
  privacy::Cost cost_;
};

}  // namespace southwell::model
