#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "southwell/data/dense_design.hpp"
#include "southwell/data/design.hpp"
#include "southwell/problem/gradient/record_factors.hpp"

namespace southwell::problem {

/// The columns of the chosen features, in their order, as a dense design of its own: what a solver
/// works on that has chosen its features. Entries are as the model has them, limited; `of` is
/// applied to every one, and keeps 0.
template <data::Design D, class Of = std::identity>
data::DenseDesign<double> columns_of(const D& design, std::span<const std::size_t> features,
                                     const RecordFactors& factors, const Of& of = {}) {
  const std::size_t records = design.records();
  auto values = std::make_shared<double[]>(records * features.size());
  for (std::size_t k = 0; k < features.size(); ++k) {
    const std::span<double> out(values.get() + k * records, records);
    const auto block = design.block({features[k], features[k] + 1});
    block.column(0).for_each([&](std::size_t i, double x) { out[i] = of(factors.limited(i, x)); });
  }
  return {std::shared_ptr<const double[]>(std::move(values)), records, features.size()};
}

}  // namespace southwell::problem
