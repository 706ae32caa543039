#pragma once

#include <functional>

#include "command.hpp"
#include "southwell/fit/fit_spec.hpp"

namespace southwell::cli {

/// --loss, --penalty and what belongs to them. Returns --loss, for whoever requires it.
Option add_objective_options(const Command& command, problem::ObjectiveSpec& objective);

/// --intercept and --no-intercept.
void add_intercept_flags(const Command& command, const std::function<void(bool)>& set);

}  // namespace southwell::cli
