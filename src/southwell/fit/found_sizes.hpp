#pragma once

#include <string>
#include <vector>

#include "southwell/fit/algorithm.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::fit {

/// What released second moments say against the declared scales, as warnings of the statement.
std::vector<std::string> size_warnings(const LinearModel& model, const Solved& solved);

}  // namespace southwell::fit
