#include "southwell/model/refinement.hpp"

#include <string>

#include "southwell/model/input_check.hpp"

namespace southwell::model {
namespace {

constexpr const char* kRefined =
    "a refined fit: refine is off, or delta is 0, or a clip, step, release, selection, batch_size "
    "or iterate was given";

}  // namespace

bool wants_refinement(const Planning& planning) {
  const FitSpec& spec = planning.spec;
  const std::string refine = word("refine", spec.refine, {"auto", "on", "off"});
  const bool printed = spec.clip || spec.step || spec.release || spec.selection ||
                       spec.batch_size || spec.sampling || spec.iterate;
  if (refine == "on") {
    if (planning.mode == Mode::paper) refuse("refine", "on", "off in paper mode");
    if (planning.budget.delta == 0.0) {
      refuse("refine", "on, with delta = 0", "off: refinements need Gaussian releases and a delta");
    }
    if (printed) {
      refuse("refine", "on, and a clip, step, release, selection, batch_size or iterate",
             "one of them: a refined fit finds its own");
    }
    return true;
  }
  const bool refined = refine == "auto" && !printed && planning.mode == Mode::certified &&
                       planning.budget.delta > 0.0;
  if (!refined) refuse_refinement(spec, kRefined);
  return refined;
}

bool read_switch(Planning& planning, const char* name, const std::optional<bool>& given) {
  const bool on = given.value_or(true);
  planning.note(name, on ? "on" : "off", Planning::source_of(given.has_value()));
  return on;
}

void refuse_rounds(const FitSpec& spec, const char* belongs_to) {
  Planning::refuse_if_given("polish", spec.polish, belongs_to);
  Planning::refuse_if_given("exclude_visited", spec.exclude_visited, belongs_to);
  Planning::refuse_if_given("selections_per_gradient", spec.selections_per_gradient, belongs_to);
}

void refuse_refinement(const FitSpec& spec, const char* belongs_to) {
  if (spec.refine == "on") refuse("refine", "on", "off or auto for this solver");
  Planning::refuse_if_given("attenuation", spec.attenuation, belongs_to);
  Planning::refuse_if_given("clip_tracking", spec.clip_tracking, belongs_to);
  refuse_rounds(spec, belongs_to);
}

}  // namespace southwell::model
