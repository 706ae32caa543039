#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "southwell/fit/fit_spec.hpp"

namespace southwell::bindings {

/// The public inputs of a fit, by the names of the interfaces, and `schema`, a table's. None, and
/// `auto` where there is an automatic value, mean absent, but for what is required: None is no loss
/// and no budget. Throws TypeError for an unknown name and for a value of another type; what the
/// values must be is for the planning to say.
fit::FitSpec fit_spec(const nanobind::dict& inputs);

/// The same where only some of the inputs apply: those of the names.
fit::FitSpec fit_spec(const nanobind::dict& inputs, const char* of, std::vector<std::string> names);

/// Their names.
std::vector<std::string> fit_input_names();
/// Their rows, for whoever writes them down: name, group, type, default, help, words, solvers.
nanobind::list fit_input_rows();

}  // namespace southwell::bindings
