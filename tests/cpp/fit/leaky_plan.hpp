#pragma once

#include <cmath>
#include <cstddef>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {

// Test doubles of a fit that looks at its records where it must not: the plan that such a fit would
// follow. The shipped code has no such fault in it, not even one that is switched off.

inline bool looks(const data::Dataset& dataset) {
  return !dataset.target.empty() && dataset.target[0] > 0.0;
}

/// The root mean square of the first feature, or 1 where it has none: a scale read from records.
inline double scale_in(const data::Dataset& dataset) {
  const double scale = std::visit(
      [](const auto& design) {
        core::ThreadPool pool(1);
        return std::sqrt(problem::column_smoothness(design, 1.0, 0.0, pool)[0]);
      },
      dataset.design);
  return scale > 1e-100 && scale < 1e100 ? scale : 1.0;
}

inline FitPlan leaky_plan(const data::Dataset& dataset, const FitPlan& plan) {
  FitSpec spec = plan->spec;
  bool changed = true;
  if (fault(Fault::fit_stops_early) && looks(dataset)) {
    spec.iterations = 1;
  } else if (fault(Fault::polish_ends_when_it_has_converged) && looks(dataset)) {
    spec.polish = false;
  } else if (fault(Fault::moments_are_released_on_a_whim) && looks(dataset)) {
    spec.second_moment = false;
  } else if (fault(Fault::fit_reads_its_scales_from_the_data)) {
    spec.feature_scale = {scale_in(dataset)};
  } else {
    changed = false;
  }
  if (fault(Fault::fit_refuses_nan)) {
    for (const double y : dataset.target) {
      if (std::isnan(y)) throw DataError("target: not a number");
    }
  }
  if (!changed) return plan;
  DataShape shape = DataShape::of(dataset);
  shape.features_counted = false;
  return plan_fit(spec, shape);
}

}  // namespace southwell::fit
