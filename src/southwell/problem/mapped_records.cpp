#include "southwell/problem/mapped_records.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace southwell::problem {

data::DenseDesign<double> mapped_records(const data::DenseDesign<double>& design,
                                         const Coordinates& coordinates,
                                         std::span<const double> map, core::ThreadPool& pool) {
  constexpr std::size_t kTogether = 512;  // records, so that their features stay in the cache
  const std::size_t records = design.records();
  const std::size_t features = design.features();
  const std::size_t dims = coordinates.width();
  auto values = std::make_shared_for_overwrite<double[]>(records * dims);
  const auto block = design.block({0, features});
  const auto map_piece = [&](std::size_t first, std::size_t last) {
    for (std::size_t b = 0; b < dims; ++b) {
      double* const out = values.get() + b * records;
      std::fill(out + first, out + last, dims > features ? map[b * dims + features] : 0.0);
      for (std::size_t a = 0; a < features; ++a) {
        const double factor = map[b * dims + a] / coordinates.unit(a);
        const double* const x = block.column(a).values();
        for (std::size_t i = first; i < last; ++i) out[i] += factor * x[i];
      }
    }
  };
  pool.run_ranges((records + kTogether - 1) / kTogether, 8, [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      map_piece(k * kTogether, std::min((k + 1) * kTogether, records));
    }
  });
  return {std::shared_ptr<const double[]>(std::move(values)), records, dims};
}

}  // namespace southwell::problem
