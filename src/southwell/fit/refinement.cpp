#include "southwell/fit/refinement.hpp"

#include <cmath>
#include <string>

#include "southwell/fit/input_check.hpp"

namespace southwell::fit {
namespace {

ValidWith refined_fit() {
  return {"a refined fit",
          "this one is not: refine is off, or delta is 0, or a clip, step, release, selection, "
          "batch_size, sampling, iterate or start was given, or a box without 0"};
}

std::string refine_of(const FitSpec& spec) {
  return word("refine", spec.refine, {"auto", "on", "off"});
}

/// What was given speaks of the algorithm as printed.
bool is_printed(const FitSpec& spec) {
  const bool boxed_off =
      spec.objective.lower.value_or(0.0) > 0.0 || spec.objective.upper.value_or(0.0) < 0.0;
  return spec.clip || spec.step || spec.release || spec.selection || spec.batch_size ||
         spec.sampling || spec.iterate || spec.start || boxed_off;
}

}  // namespace

bool wants_refinement(Planning& planning) {
  const FitSpec& spec = planning.spec;
  const std::string refine = refine_of(spec);
  if (refine == "on") {
    if (planning.mode == Mode::paper) refuse("refine", "on", "off in paper mode");
    if (planning.budget.delta == 0.0) {
      refuse("refine", "on, with delta = 0", "off: refinements need Gaussian releases and a delta");
    }
    if (is_printed(spec)) {
      refuse("refine",
             "on, and a clip, step, release, selection, batch_size, sampling, iterate, start or a "
             "box without 0",
             "one of them: a refined fit finds its own, from 0");
    }
  }
  planning.refined =
      refine == "on" || (refine == "auto" && !is_printed(spec) &&
                         planning.mode == Mode::certified && planning.budget.delta > 0.0);
  if (!planning.refined) {
    refuse_refinement(spec, refined_fit());
    return false;
  }
  planning.note("refine", "on", Planning::source_of(spec.refine.value_or("auto") != "auto"));
  return true;
}

bool read_switch(Planning& planning, const char* name, const std::optional<bool>& given,
                 bool automatic) {
  const bool on = given.value_or(automatic);
  planning.note(name, on ? "on" : "off", Planning::source_of(given.has_value()));
  return on;
}

namespace {

/// A switch that is valid with one loss, and is off for others.
bool read_switch_of_loss(Planning& planning, const char* name, const std::optional<bool>& given,
                         const char* loss, const char* why, bool automatic = true) {
  if (planning.spec.objective.loss == loss) return read_switch(planning, name, given, automatic);
  Planning::refuse_if_given(name, given, {std::string("the loss ") + loss, why});
  return false;
}

}  // namespace

bool wants_zeros(const FitSpec& spec) {
  return problem::kinked_part(problem::penalty_of(spec.objective)).l1 > 0.0;
}

bool read_clip_tracking(Planning& planning) {
  return read_switch_of_loss(planning, "clip_tracking", planning.spec.clip_tracking, "squared",
                             "residuals of others do not tell their scale");
}

bool read_margin_correction(Planning& planning) {
  return read_switch_of_loss(planning, "margin_correction", planning.spec.margin_correction,
                             "logistic", "the law of margins is its own",
                             !wants_zeros(planning.spec));
}

void refuse_rounds(const FitSpec& spec, const ValidWith& with) {
  Planning::refuse_if_given("polish", spec.polish, with);
  Planning::refuse_if_given("exclude_visited", spec.exclude_visited, with);
  Planning::refuse_if_given("prune", spec.prune, with);
  Planning::refuse_if_given("second_moment", spec.second_moment, with);
  Planning::refuse_if_given("selections_per_gradient", spec.selections_per_gradient, with);
}

void refuse_refinement(const FitSpec& spec, const ValidWith& with) {
  if (refine_of(spec) == "on") refuse_as_foreign("refine", "on", with.what, with.because);
  Planning::refuse_if_given("attenuation", spec.attenuation, with);
  Planning::refuse_if_given("clip_tracking", spec.clip_tracking, with);
  Planning::refuse_if_given("margin_correction", spec.margin_correction, with);
  refuse_rounds(spec, with);
}

}  // namespace southwell::fit
