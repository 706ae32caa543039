#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "southwell/data/dense_design.hpp"
#include "southwell/data/design.hpp"
#include "southwell/problem/direction.hpp"

namespace southwell::problem {

/// A column for each direction, the sum of its features' columns with their weights, as a dense
/// design of its own: what a solver works on that has chosen its features. A record's entry is a
/// function of that record. `of` is applied to every entry, and keeps 0.
template <data::Design D, class Of = std::identity>
data::DenseDesign<double> columns_of(const D& design, std::span<const Direction> directions,
                                     const Of& of = {}) {
  const std::size_t records = design.records();
  auto values = std::make_shared<double[]>(records * directions.size());
  for (std::size_t k = 0; k < directions.size(); ++k) {
    const Direction& direction = directions[k];
    const std::span<double> out(values.get() + k * records, records);
    for (std::size_t m = 0; m < direction.features.size(); ++m) {
      const std::size_t j = direction.features[m];
      const double weight = direction.weights[m];
      const auto block = design.block({j, j + 1});
      block.column(0).for_each([&](std::size_t i, double x) { out[i] += weight * x; });
    }
    for (double& x : out) x = of(x);
  }
  return {std::shared_ptr<const double[]>(std::move(values)), records, directions.size()};
}

}  // namespace southwell::problem
