#pragma once

#include <cstddef>
#include <span>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/gradient/record_factors.hpp"

namespace southwell::problem {

/// Public: what every record is multiplied by.
struct RecordMap {
  std::span<const std::size_t> features;  ///< the chosen ones, in their order
  const Coordinates& coordinates;         ///< of these, in units of whose scales they are
  std::span<const double> matrix;         ///< symmetric, row after row
};

/// The chosen features of every record by itself, limited, with a last feature 1 where there is an
/// intercept, times the matrix.
template <class Design>
data::DenseDesign<double> mapped_records(const Design& design, const RecordFactors& factors,
                                         const RecordMap& map, core::ThreadPool& pool);

}  // namespace southwell::problem
