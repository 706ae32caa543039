#include "southwell/fit/refinement.hpp"

#include <cmath>

namespace southwell::fit {

void note_refinement(Draft& draft) {
  const bool asked = draft.spec.refine.value_or("auto") != "auto";
  draft.note("refine", "on", asked ? Source::user : Source::standard);
}

bool note_clip_tracking(Draft& draft) {
  return problem::slopes_are_residuals(draft.loss) &&
         draft.note_switch("clip_tracking", draft.spec.clip_tracking);
}

bool note_margin_correction(Draft& draft) {
  return problem::has_margin_law(draft.loss) &&
         draft.note_switch("margin_correction", draft.spec.margin_correction,
                           !wants_zeros(draft.spec));
}

bool wants_zeros(const FitSpec& spec) {
  return problem::kinked_part(problem::penalty_of(spec.objective)).l1 > 0.0;
}

NoiseSd descent_noise(const solvers::StepScheduleOptions& schedule,
                      const solvers::ClipRule& clip_rule, std::size_t chosen, double averaged,
                      const problem::Coordinates& all, std::size_t c) {
  const solvers::StepSchedule planned(schedule, chosen, nullptr);
  const double attenuation = clip_rule.attenuation(schedule.clip_of(chosen), chosen);
  // Were features as large as declared, and uncorrelated.
  const auto along = planned.planned_response(averaged, attenuation).along({});
  const double size = all.unit(c) / all.smoothness(c);
  return {planned.gradient_noise_sd(all, c) / attenuation, size * std::sqrt(along.variance)};
}

}  // namespace southwell::fit
