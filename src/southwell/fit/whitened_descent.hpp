#pragma once

#include <optional>

#include "southwell/fit/algorithm.hpp"
#include "southwell/fit/norm_rules.hpp"
#include "southwell/privacy/accounting/cost.hpp"

namespace southwell::fit {

/// Descent by the norm of a record where that is the norm of a mapped one: in features that one
/// released matrix of second moments whitens, an intercept among them (docs/research/rules.md).
struct WhitenedDescent {
  const PublicFacts& facts;
  const problem::RecordLimit& norm_units;  ///< in which records have the norm `Work::record_norm`
  privacy::Cost moments;
  privacy::Cost release;
  double averaged = 0.5;  ///< the part of the iterates, from the last back, that it ends at

  struct Ended {
    Solved solved;
    NormDescentRule rule;  ///< that it followed, in mapped features
  };
  /// Releases the second moments, and descends in what they whiten if records of the norm that was
  /// declared or found are dense. Else nothing is returned: their release is paid for in any case.
  std::optional<Ended> run(const Work& work) const;
};

}  // namespace southwell::fit
