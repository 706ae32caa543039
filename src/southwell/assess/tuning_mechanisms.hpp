#pragma once

#include <cstddef>
#include <vector>

#include "southwell/assess/tuning_spec.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/statement.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/accounting/repeated_runs.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::assess {

// What tuning costs, piece by piece, for whoever plans it.

/// The least noise of one choice that the budget allows: it runs on a part of its own.
privacy::Cost choice_within(const privacy::Budget& budget);
/// The same of one score.
privacy::Cost score_within(const privacy::Budget& budget);

/// What a planned fit does to the part that it is fitted on.
std::vector<model::MechanismUse> uses_of(const fit::FitPlan& plan);
bool are_same(const std::vector<model::MechanismUse>& a, const std::vector<model::MechanismUse>& b);

/// What all fits do, that of the setting `own` last: one after the other, or one of them in a run.
/// Settings whose runs cost the same are listed once.
std::vector<model::MechanismUse> mechanisms_of_fits(std::size_t own,
                                                    const std::vector<const fit::FitPlan*>& fits,
                                                    Way way);

/// Laws of the number of runs, each drawing one of so many candidates: of each kind the one with
/// the least mean that tries one of the best fifth in nine of ten cases.
std::vector<privacy::RunLaw> laws_that_try(std::size_t candidates);

}  // namespace southwell::assess
