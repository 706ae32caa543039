#include "southwell/problem/gradient/lane_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/lane_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the above.
#include "southwell/problem/gradient/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A narrow machine goes over the entries, which are in its cache by then, once for each part of
/// the eight sums.
template <class T>
double dot(const T* x, const double* w, std::size_t size) {
  const hn::CappedTag<double, LaneSum::kLanes> d;
  const std::size_t whole = size - size % LaneSum::kLanes;
  LaneSum sum;
  for (std::size_t part = 0; part < LaneSum::kLanes; part += hn::Lanes(d)) {
    auto lanes = hn::Zero(d);
    for (std::size_t j = part; j < whole; j += LaneSum::kLanes) {
      lanes = hn::Add(lanes, hn::Mul(load(d, x + j), hn::LoadU(d, w + j)));
    }
    hn::StoreU(lanes, d, sum.lanes() + part);
  }
  for (std::size_t j = whole; j < size; ++j) sum.add(j, static_cast<double>(x[j]) * w[j]);
  return sum.total();
}

double dot_f64(const double* x, const double* w, std::size_t size) { return dot(x, w, size); }
double dot_f32(const float* x, const double* w, std::size_t size) { return dot(x, w, size); }

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
HWY_EXPORT(dot_f64);
HWY_EXPORT(dot_f32);

double LaneSum::dot(const double* x, const double* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(dot_f64)(x, w, size);
}

double LaneSum::dot(const float* x, const double* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(dot_f32)(x, w, size);
}

}  // namespace southwell::problem
#endif
