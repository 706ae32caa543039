#pragma once

#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"

namespace southwell::lab {

/// Columns with mean 0 and variance 1 (divisor n), as in the paper's preprocessing; a constant
/// column becomes 0, missing and infinite values stay as they are. Means and scales come from the
/// records: this is not private.
data::DenseDesign<double> standardized(const data::AnyDesign& design, core::ThreadPool& pool);

}  // namespace southwell::lab
