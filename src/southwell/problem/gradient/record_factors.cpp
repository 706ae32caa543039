#include "southwell/problem/gradient/record_factors.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/record_factors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {

/// Plain loops, of which compilers make vectors: so many records that their squares stay in the
/// nearest cache, and four columns at once, added in their order.
template <class T>
void squares_of(const data::DenseDesign<T>& design, std::span<const double> per_unit,
                data::Range records, double* squares) {
  constexpr std::size_t kTogether = 2048;
  const auto block = design.block({0, design.features()});
  for (std::size_t first = records.first; first < records.last; first += kTogether) {
    const std::size_t size = std::min(kTogether, records.last - first);
    double* const out = squares + first;
    const auto column = [&](std::size_t j) { return block.column(j).values() + first; };
    const auto square = [](T x, double factor) {
      return RecordLimit::squared(static_cast<double>(x), factor);
    };
    std::size_t j = 0;
    for (; j + 4 <= design.features(); j += 4) {
      const T* const x0 = column(j);
      const T* const x1 = column(j + 1);
      const T* const x2 = column(j + 2);
      const T* const x3 = column(j + 3);
      const double f0 = per_unit[j];
      const double f1 = per_unit[j + 1];
      const double f2 = per_unit[j + 2];
      const double f3 = per_unit[j + 3];
      for (std::size_t k = 0; k < size; ++k) {
        out[k] =
            out[k] + square(x0[k], f0) + square(x1[k], f1) + square(x2[k], f2) + square(x3[k], f3);
      }
    }
    for (; j < design.features(); ++j) {
      const T* const x = column(j);
      const double factor = per_unit[j];
      for (std::size_t k = 0; k < size; ++k) out[k] += square(x[k], factor);
    }
  }
}

void squares_f64(const data::DenseDesign<double>& design, std::span<const double> per_unit,
                 data::Range records, double* squares) {
  squares_of(design, per_unit, records, squares);
}
void squares_f32(const data::DenseDesign<float>& design, std::span<const double> per_unit,
                 data::Range records, double* squares) {
  squares_of(design, per_unit, records, squares);
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
HWY_EXPORT(squares_f64);
HWY_EXPORT(squares_f32);

void add_squares(const data::DenseDesign<double>& design, std::span<const double> per_unit,
                 data::Range records, std::span<double> squares) {
  HWY_DYNAMIC_DISPATCH(squares_f64)(design, per_unit, records, squares.data());
}

void add_squares(const data::DenseDesign<float>& design, std::span<const double> per_unit,
                 data::Range records, std::span<double> squares) {
  HWY_DYNAMIC_DISPATCH(squares_f32)(design, per_unit, records, squares.data());
}

}  // namespace southwell::problem
#endif
