#include "southwell/problem/mapped_records.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "southwell/data/large_vector.hpp"
#include "southwell/problem/support.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/mapped_records.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {

/// out_k += the sum of factor_a x_a[k] in the order of a: plain loops, of which compilers make
/// vectors of the machine's width.
void add_columns(const double* x, std::size_t stride, const double* factors, std::size_t count,
                 std::size_t size, double* out) {
  std::size_t a = 0;
  for (; a + 4 <= count; a += 4) {
    const double* const x0 = x + a * stride;
    const double* const x1 = x0 + stride;
    const double* const x2 = x1 + stride;
    const double* const x3 = x2 + stride;
    const double f0 = factors[a];
    const double f1 = factors[a + 1];
    const double f2 = factors[a + 2];
    const double f3 = factors[a + 3];
    for (std::size_t k = 0; k < size; ++k) {
      out[k] = out[k] + f0 * x0[k] + f1 * x1[k] + f2 * x2[k] + f3 * x3[k];
    }
  }
  for (; a < count; ++a) {
    const double* const own = x + a * stride;
    for (std::size_t k = 0; k < size; ++k) out[k] += factors[a] * own[k];
  }
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
HWY_EXPORT(add_columns);

template <class Design>
data::DenseDesign<double> mapped_records(const Design& design, const RecordFactors& factors,
                                         const RecordMap& map, core::ThreadPool& pool) {
  constexpr std::size_t kTogether = 512;  // records, so that their features stay in the cache
  const std::size_t records = design.records();
  const std::size_t features = map.features.size();
  const std::size_t dims = map.coordinates.width();
  std::vector<double> in_units(dims * features);
  for (std::size_t e = 0; e < in_units.size(); ++e) {
    const std::size_t a = e % features;
    in_units[e] = map.matrix[e / features * dims + a] / map.coordinates.unit(a);
  }
  auto values = data::shared_table<double>(records * dims);
  const auto map_piece = [&](data::Range piece, double* columns) {
    write_columns(design, map.features, factors, piece, columns, kTogether);
    for (std::size_t b = 0; b < dims; ++b) {
      double* const out = values.get() + b * records + piece.first;
      std::fill_n(out, piece.size(), dims > features ? map.matrix[b * dims + features] : 0.0);
      HWY_DYNAMIC_DISPATCH(add_columns)
      (columns, kTogether, in_units.data() + b * features, features, piece.size(), out);
    }
  };
  pool.run_ranges((records + kTogether - 1) / kTogether, 8, [&](std::size_t from, std::size_t to) {
    std::vector<double> columns(features * kTogether);
    for (std::size_t k = from; k < to; ++k) {
      map_piece({k * kTogether, std::min((k + 1) * kTogether, records)}, columns.data());
    }
  });
  return {std::shared_ptr<const double[]>(std::move(values)), records, dims};
}

template data::DenseDesign<double> mapped_records(const data::DenseDesign<double>&,
                                                  const RecordFactors&, const RecordMap&,
                                                  core::ThreadPool&);
template data::DenseDesign<double> mapped_records(const data::DenseDesign<float>&,
                                                  const RecordFactors&, const RecordMap&,
                                                  core::ThreadPool&);
template data::DenseDesign<double> mapped_records(const data::SparseDesign&, const RecordFactors&,
                                                  const RecordMap&, core::ThreadPool&);

}  // namespace southwell::problem
#endif
