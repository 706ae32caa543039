#pragma once

#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/composition.hpp"
#include "southwell/privacy/accounting/schedule.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {

// Budget -> noise. Calibration finds the largest common level x at which a whole schedule
// costs no more than the budget, in the whole scales the mechanisms take. Statement, proof and
// limits in calibrate.md.

struct Calibrated {
  std::vector<Cost> costs;  ///< one per use of the schedule, with the scale to take
  Composition composition;  ///< of the schedule and what happens beside it
  Spent spent;              ///< spent.epsilon <= budget.epsilon
};
/// Throws CalibrationError where no scales within the limits meet the budget, and InvalidArgument
/// on a bad budget or schedule.
/// `beside` is what the same budget pays for at scales that are fixed already.
Calibrated calibrate(const Schedule& schedule, const Budget& budget,
                     const Composition& beside = {});

/// The same by one accountant alone: what it would have allowed. `certified` is what calibrate gave
/// for this schedule: a place to begin.
Calibrated calibrate_by(Accountant accountant, const Schedule& schedule, const Budget& budget,
                        const Calibrated& certified);

}  // namespace southwell::privacy
