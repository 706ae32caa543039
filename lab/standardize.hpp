#pragma once

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"

namespace southwell::lab {

/// Columns with mean 0 and variance 1 (divisor n), as in the paper's preprocessing; a constant
/// column becomes 0. Means and scales come from the records: this is not private.
template <class T>
data::DenseDesign<double> standardized(const data::DenseDesign<T>& design, core::ThreadPool& pool);

extern template data::DenseDesign<double> standardized(const data::DenseDesign<float>&,
                                                       core::ThreadPool&);
extern template data::DenseDesign<double> standardized(const data::DenseDesign<double>&,
                                                       core::ThreadPool&);

}  // namespace southwell::lab
