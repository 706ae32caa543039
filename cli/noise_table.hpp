#pragma once

#include "southwell/fit/fit_plan.hpp"

namespace southwell::cli {

/// What the noise of a planned fit will do to coefficients, for the scales that were declared, by
/// name; where a schema makes the features also in the units of its table. A long list is cut.
void print_noise(const fit::FitPlan& plan);

}  // namespace southwell::cli
