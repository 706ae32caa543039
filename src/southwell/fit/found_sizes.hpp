#pragma once

#include <string>
#include <vector>

#include "southwell/fit/algorithm.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::fit {

/// Leaves a fit where it began, because its target scale is far too large for its targets.
void stay_at_start(Solved& solved, const std::vector<double>& start);
/// What the statement and the shells say then.
std::string too_large_warning(double target_scale);

/// What released second moments say against the declared scales, as warnings of the statement.
std::vector<std::string> size_warnings(const LinearModel& model, const Solved& solved);

}  // namespace southwell::fit
