#include "lab/standardize.hpp"

#include <memory>
#include <utility>
#include <variant>

#include "southwell/data/standardize_column.hpp"

namespace southwell::lab {

data::DenseDesign<double> standardized(const data::AnyDesign& any, core::ThreadPool& pool) {
  return std::visit(
      [&](const auto& design) {
        const std::size_t n = design.records();
        auto storage = std::make_shared<double[]>(n * design.features());
        double* out = storage.get();
        pool.run_ranges(design.features(), 8, [&](std::size_t first, std::size_t last) {
          const auto block = design.block({first, last});
          for (std::size_t j = first; j < last; ++j) {
            double* column = out + j * n;
            block.column(j - first).for_each([&](std::size_t i, double x) { column[i] = x; });
            data::standardize_column({column, n});
          }
        });
        return data::DenseDesign<double>(std::move(storage), n, design.features());
      },
      any);
}

}  // namespace southwell::lab
