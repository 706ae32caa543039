#pragma once

#include "southwell/fit/solver_fit.hpp"

namespace southwell::fit {

/// Whether a fit is refined, and notes it if so: `refine` is on, or is auto and nothing was given
/// that speaks of the algorithm as printed. Public inputs alone decide. Throws InvalidArgument
/// where they contradict each other, and where an input of refinements is given without one.
bool wants_refinement(Planning& planning);

/// Notes a refinement that is on unless it was turned off.
bool read_switch(Planning& planning, const char* name, const std::optional<bool>& given,
                 bool automatic = true);

/// Whether the penalty has an l1 part, which makes coefficients 0 and keeps the others short.
bool wants_zeros(const FitSpec& spec);
/// Whether the clip follows the residuals: of the squared loss alone.
bool read_clip_tracking(Planning& planning);
/// Whether gradients are corrected for what margins do to them: of the logistic loss alone, and
/// with an l1 part only if asked to, because margins are then short.
bool read_margin_correction(Planning& planning);
/// Refuses what only refinements of gcd have.
void refuse_rounds(const FitSpec& spec, const ValidWith& with);
/// Refuses every input of refinements, but refine = off and auto.
void refuse_refinement(const FitSpec& spec, const ValidWith& with);

}  // namespace southwell::fit
