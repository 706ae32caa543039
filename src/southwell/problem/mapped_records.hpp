#pragma once

#include <span>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/problem/coordinates.hpp"

namespace southwell::problem {

/// Every record of a design by itself, in units of the scales of `coordinates` and with a last
/// feature 1 where they have an intercept, times a public symmetric matrix (row after row).
data::DenseDesign<double> mapped_records(const data::DenseDesign<double>& design,
                                         const Coordinates& coordinates,
                                         std::span<const double> map, core::ThreadPool& pool);

}  // namespace southwell::problem
