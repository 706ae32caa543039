#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "southwell/fit/fit_spec.hpp"

namespace southwell::cli {

/// --loss, --penalty and what belongs to them. Returns --loss, for whoever requires it.
CLI::Option* add_objective_options(CLI::App& command, problem::ObjectiveSpec& objective);

/// --intercept and --no-intercept.
void add_intercept_flags(CLI::App& command, const std::function<void(bool)>& set);

}  // namespace southwell::cli
