#pragma once

#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit_spec.hpp"

namespace southwell::fit {

/// With `allow_leaks`, and where a loss that classifies was given no classes: the labels that
/// occur, in order. The statement says that they are the data's. Otherwise `spec` as it is.
FitSpec with_classes_of(const data::Dataset& dataset, FitSpec spec);

}  // namespace southwell::fit
