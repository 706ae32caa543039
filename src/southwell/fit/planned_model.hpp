#pragma once

#include <cstdint>

#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::fit {

/// The model of a fit before it is fitted: all but coefficients and path.
LinearModel empty_model(const Decisions& plan);

/// No model file of this fit is longer, whatever is chosen and released: every number with all the
/// digits it can have, every coefficient that can move, every step of the path.
std::uint64_t longest_text(const Decisions& plan);

/// Refuses a fit whose model could not be written, or not be read back: DataError for its names,
/// InvalidArgument for its length.
void check_planned_model(const Decisions& plan);

}  // namespace southwell::fit
