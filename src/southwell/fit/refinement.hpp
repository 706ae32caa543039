#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/fit/algorithm.hpp"
#include "southwell/fit/draft.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/solvers/rounds/descent.hpp"

namespace southwell::fit {

// What the refined algorithms share.

/// Writes down that the fit is refined.
void note_refinement(Draft& draft);
/// Whether the clip follows the residuals: of the squared loss alone.
bool note_clip_tracking(Draft& draft);
/// Whether gradients are corrected for what margins do to them: of the logistic loss alone, and
/// with an l1 part only if asked to, because margins are then short.
bool note_margin_correction(Draft& draft);
/// Whether the penalty has an l1 part, which makes coefficients 0 and keeps the others short.
bool wants_zeros(const FitSpec& spec);

/// Releases of a kind: how the statement calls them, where what one costs goes, and their plan.
struct ReleaseUse {
  const char* step;
  privacy::Cost* cost;
  std::uint64_t count;
  privacy::RoundsScheduleOptions::Releases releases;
};
/// Calibrates a fit of releases alone, in the order in which they happen, and states them. What has
/// no part of the budget does not happen.
void charge_releases(Draft& draft, std::vector<ReleaseUse> uses);

/// The noise of a descent of `chosen` coordinates, before its first release, that ends at the mean
/// of the `averaged` part of its iterates; `all` are the fit's.
NoiseSd descent_noise(const solvers::StepScheduleOptions& schedule,
                      const solvers::ClipRule& clip_rule, std::size_t chosen, double averaged,
                      const problem::Coordinates& all, std::size_t c);

}  // namespace southwell::fit
