#include "lab/standardize.hpp"

#include <memory>
#include <utility>

#include "southwell/data/standardize_column.hpp"

namespace southwell::lab {

template <class T>
data::DenseDesign<double> standardized(const data::DenseDesign<T>& design, core::ThreadPool& pool) {
  const std::size_t n = design.records();
  auto storage = std::make_shared_for_overwrite<double[]>(n * design.features());
  double* out = storage.get();
  pool.run_ranges(design.features(), 8, [&](std::size_t first, std::size_t last) {
    const auto block = design.block({first, last});
    for (std::size_t j = first; j < last; ++j) {
      double* column = out + j * n;
      block.column(j - first).for_each([&](std::size_t i, double x) { column[i] = x; });
      data::standardize_column({column, n});
    }
  });
  return {std::move(storage), n, design.features()};
}

template data::DenseDesign<double> standardized(const data::DenseDesign<float>&, core::ThreadPool&);
template data::DenseDesign<double> standardized(const data::DenseDesign<double>&,
                                                core::ThreadPool&);

}  // namespace southwell::lab
