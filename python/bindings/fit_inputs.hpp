#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "southwell/model/fit_spec.hpp"

namespace southwell::bindings {

/// The public inputs of a fit, by the names of the interfaces. None, and `auto` where there is an
/// automatic value, mean absent. Throws TypeError for an unknown name and for a value of another
/// type; what the values must be is for the planning to say.
model::FitSpec fit_spec(const nanobind::dict& inputs);

/// Their names.
std::vector<std::string> fit_input_names();

}  // namespace southwell::bindings
