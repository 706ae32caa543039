#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "southwell/data/dense_design.hpp"
#include "southwell/data/design.hpp"
#include "southwell/data/large_vector.hpp"
#include "southwell/problem/gradient/record_factors.hpp"

namespace southwell::problem {

/// The entries of the chosen features, in their order, of some neighbouring records: as the model
/// has them, limited. Of feature k they start at out[k * stride]; `of` is applied to every one, and
/// keeps 0.
template <data::Design D, class Of = std::identity>
void write_columns(const D& design, std::span<const std::size_t> features,
                   const RecordFactors& factors, data::Range records, double* out,
                   std::size_t stride, const Of& of = {}) {
  for (std::size_t k = 0; k < features.size(); ++k) {
    double* const own = out + k * stride;
    const auto block = design.block({features[k], features[k] + 1});
    const auto column = block.column(0);
    std::fill_n(own, records.size(), 0.0);
    column.for_each(records, [&](std::size_t i, double x) {
      own[i - records.first] = of(factors.limited(i, x));
    });
  }
}

/// All records' as a dense design of its own: what a solver works on that has chosen its features.
template <data::Design D, class Of = std::identity>
data::DenseDesign<double> columns_of(const D& design, std::span<const std::size_t> features,
                                     const RecordFactors& factors, const Of& of = {}) {
  const std::size_t records = design.records();
  auto values = data::shared_table<double>(records * features.size());
  write_columns(design, features, factors, {0, records}, values.get(), records, of);
  return {std::shared_ptr<const double[]>(std::move(values)), records, features.size()};
}

template <class D>
inline constexpr bool kIsDense = false;
template <class T>
inline constexpr bool kIsDense<data::DenseDesign<T>> = true;

/// use(design of the chosen features): their columns where they are, if that is how the model has
/// them, and otherwise a copy. The numbers are the same.
template <data::Design D, class Use>
auto with_columns(const D& design, std::span<const std::size_t> features,
                  const RecordFactors& factors, const Use& use) {
  if constexpr (kIsDense<D>) {
    if (factors.are_all_one()) return use(design.of_columns(features));
  }
  return use(columns_of(design, features, factors));
}

}  // namespace southwell::problem
