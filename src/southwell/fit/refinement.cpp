#include "southwell/fit/refinement.hpp"

#include <cmath>
#include <cstddef>

#include "southwell/problem/gradient/contribution.hpp"

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

void charge_releases(Draft& draft, std::vector<ReleaseUse> uses) {
  std::erase_if(uses, [](const ReleaseUse& use) { return use.releases.part == 0.0; });
  std::vector<privacy::RoundsScheduleOptions::Releases> releases;
  releases.reserve(uses.size());
  for (const ReleaseUse& use : uses) releases.push_back(use.releases);
  const privacy::Calibrated calibrated = draft.calibrated(privacy::rounds_schedule(
      {.selections = 0,
       .releases = releases,
       .relation = draft.relation,
       .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}));
  for (std::size_t k = 0; k < uses.size(); ++k) {
    *uses[k].cost = calibrated.costs[k];
    draft.statement.mechanisms.push_back(
        {uses[k].step, "discrete_gaussian_release", calibrated.costs[k], uses[k].count});
  }
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
