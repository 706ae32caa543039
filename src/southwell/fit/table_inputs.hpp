#pragma once

#include <optional>

#include "southwell/fit/fit_spec.hpp"

namespace southwell::fit {

/// The inputs of a fit on a raw table: what its schema declares of features, target and units is
/// filled in. Throws InvalidArgument for an input that was also given otherwise, and differs, and
/// for a loss that does not fit the target.
FitSpec with_table_inputs(FitSpec spec);

/// What a schema says of a regression's target. Bounds may be far wider than the targets are: both
/// are where a fit starts, and not what it trusts.
struct DeclaredTarget {
  double center = 0.0;
  double scale = 1.0;
};
/// Nothing without a schema, and for classes.
std::optional<DeclaredTarget> declared_target(const FitSpec& spec);

}  // namespace southwell::fit
