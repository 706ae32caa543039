#pragma once

#include "southwell/fit/fit_spec.hpp"

namespace southwell::fit {

/// The inputs of a fit on a raw table: what its schema declares of features, target and units is
/// filled in. Throws InvalidArgument for an input that was also given otherwise, and differs, and
/// for a loss that does not fit the target.
FitSpec with_table_inputs(FitSpec spec);

}  // namespace southwell::fit
