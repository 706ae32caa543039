#include "southwell/problem/gradient/wide_clip.hpp"

#include <bit>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/wide_clip.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {

// Plain loops: compilers make vectors of them, and few records come here.

/// grid_entry, whatever is in a record; what is no number becomes `nan_entry`.
HWY_INLINE std::int64_t any_entry(double x, double slope, double factor, double nan_entry) {
  constexpr auto kMost = static_cast<double>(kGridEntryBound);
  double entry = x * slope * factor;
  entry = entry == entry ? entry : nan_entry;
  entry = entry < kMost ? entry : kMost;
  entry = entry > -kMost ? entry : -kMost;
  return std::bit_cast<std::int64_t>(entry + ProductClip::kRound) -
         std::bit_cast<std::int64_t>(ProductClip::kRound);
}

template <class T>
void wide_squares(const RecordBlock<T>& of, const double* slopes, const double* factors,
                  double nan_entry, std::uint64_t* low, std::uint64_t* high) {
  for (std::size_t j = 0; j < of.features; ++j) {
    const T* const x = of.column(j);
    for (std::size_t k = 0; k < of.records; ++k) {
      const std::int64_t q = any_entry(static_cast<double>(x[k]), slopes[k], factors[j], nan_entry);
      const auto square = static_cast<std::uint64_t>(q * q);
      low[k] += square & 0xffffffffu;
      high[k] += square >> 32;
    }
  }
}

template <class T>
void wide_shares(const RecordBlock<T>& of, const double* slopes, const double* factors,
                 double nan_entry, const std::uint64_t* multipliers, const std::uint64_t* shifts,
                 std::int64_t* sums) {
  for (std::size_t j = 0; j < of.features; ++j) {
    const T* const x = of.column(j);
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < of.records; ++k) {
      const std::int64_t q = any_entry(static_cast<double>(x[k]), slopes[k], factors[j], nan_entry);
      const auto length = static_cast<std::uint64_t>(q < 0 ? -q : q);
      const auto kept = static_cast<std::int64_t>(length * multipliers[k] >> shifts[k]);
      sum += q < 0 ? -kept : kept;
    }
    sums[j] += sum;
  }
}

void wide_squares_f64(const RecordBlock<double>& of, const double* r, const double* f,
                      double nan_entry, std::uint64_t* low, std::uint64_t* high) {
  wide_squares(of, r, f, nan_entry, low, high);
}
void wide_squares_f32(const RecordBlock<float>& of, const double* r, const double* f,
                      double nan_entry, std::uint64_t* low, std::uint64_t* high) {
  wide_squares(of, r, f, nan_entry, low, high);
}
void wide_shares_f64(const RecordBlock<double>& of, const double* r, const double* f,
                     double nan_entry, const std::uint64_t* m, const std::uint64_t* s,
                     std::int64_t* sums) {
  wide_shares(of, r, f, nan_entry, m, s, sums);
}
void wide_shares_f32(const RecordBlock<float>& of, const double* r, const double* f,
                     double nan_entry, const std::uint64_t* m, const std::uint64_t* s,
                     std::int64_t* sums) {
  wide_shares(of, r, f, nan_entry, m, s, sums);
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
namespace {

double nan_entry() {
  return fault(Fault::clip_keeps_nan) ? static_cast<double>(kGridEntryBound) : 0.0;
}

}  // namespace

HWY_EXPORT(wide_squares_f64);
HWY_EXPORT(wide_squares_f32);
HWY_EXPORT(wide_shares_f64);
HWY_EXPORT(wide_shares_f32);

void add_wide_squares(const RecordBlock<double>& of, const double* slopes, const double* factors,
                      std::uint64_t* low, std::uint64_t* high) {
  HWY_DYNAMIC_DISPATCH(wide_squares_f64)(of, slopes, factors, nan_entry(), low, high);
}

void add_wide_squares(const RecordBlock<float>& of, const double* slopes, const double* factors,
                      std::uint64_t* low, std::uint64_t* high) {
  HWY_DYNAMIC_DISPATCH(wide_squares_f32)(of, slopes, factors, nan_entry(), low, high);
}

void add_wide_shares(const RecordBlock<double>& of, const double* slopes, const double* factors,
                     const std::uint64_t* multipliers, const std::uint64_t* shifts,
                     std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(wide_shares_f64)
  (of, slopes, factors, nan_entry(), multipliers, shifts, sums);
}

void add_wide_shares(const RecordBlock<float>& of, const double* slopes, const double* factors,
                     const std::uint64_t* multipliers, const std::uint64_t* shifts,
                     std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(wide_shares_f32)
  (of, slopes, factors, nan_entry(), multipliers, shifts, sums);
}

}  // namespace southwell::problem
#endif
