#include "southwell/problem/gradient/lane_sum.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/lane_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the above.
#include "southwell/problem/gradient/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, kBlockWidth>;

/// Records are the lanes of a vector, and the eight sums of a record stand in eight of them.
template <class T>
void dots(const RecordBlock<T>& of, const double* coef, double* sums, double* out) {
  constexpr std::size_t kLanes = LaneSum::kLanes;
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  std::fill_n(sums, kLanes * of.records, 0.0);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    double* const own = sums + lane * of.records;
    std::size_t j = lane;
    for (; j + 3 * kLanes < of.features; j += 4 * kLanes) {  // four streams of memory at once
      const T* const x0 = of.column(j);
      const T* const x1 = of.column(j + kLanes);
      const T* const x2 = of.column(j + 2 * kLanes);
      const T* const x3 = of.column(j + 3 * kLanes);
      // Those of the next turn are asked for: its runs are too short for the machine to guess.
      const bool has_next_lane = lane + 1 < kLanes && lane + 1 + 3 * kLanes < of.features;
      const std::size_t ahead = j + 7 * kLanes < of.features ? j + 4 * kLanes
                                : has_next_lane              ? lane + 1
                                                             : 0;
      const T* const next0 = of.column(ahead);
      const T* const next1 = of.column(ahead + kLanes);
      const T* const next2 = of.column(ahead + 2 * kLanes);
      const T* const next3 = of.column(ahead + 3 * kLanes);
      const auto w0 = hn::Set(d, coef[j]);
      const auto w1 = hn::Set(d, coef[j + kLanes]);
      const auto w2 = hn::Set(d, coef[j + 2 * kLanes]);
      const auto w3 = hn::Set(d, coef[j + 3 * kLanes]);
      for (std::size_t k = 0; k < of.records; k += step) {
        __builtin_prefetch(next0 + k);
        __builtin_prefetch(next1 + k);
        __builtin_prefetch(next2 + k);
        __builtin_prefetch(next3 + k);
        auto sum = hn::Add(hn::LoadU(d, own + k), hn::Mul(load(d, x0 + k), w0));
        sum = hn::Add(sum, hn::Mul(load(d, x1 + k), w1));
        sum = hn::Add(sum, hn::Mul(load(d, x2 + k), w2));
        sum = hn::Add(sum, hn::Mul(load(d, x3 + k), w3));
        hn::StoreU(sum, d, own + k);
      }
    }
    for (; j < of.features; j += kLanes) {
      const T* const x = of.column(j);
      const auto w = hn::Set(d, coef[j]);
      for (std::size_t k = 0; k < of.records; k += step) {
        hn::StoreU(hn::Add(hn::LoadU(d, own + k), hn::Mul(load(d, x + k), w)), d, own + k);
      }
    }
  }
  const auto lane = [&](std::size_t s, std::size_t k) {
    return hn::LoadU(d, sums + s * of.records + k);
  };
  for (std::size_t k = 0; k < of.records; k += step) {  // LaneSum::total
    const auto first = hn::Add(hn::Add(lane(0, k), lane(4, k)), hn::Add(lane(1, k), lane(5, k)));
    const auto last = hn::Add(hn::Add(lane(2, k), lane(6, k)), hn::Add(lane(3, k), lane(7, k)));
    hn::StoreU(hn::Add(first, last), d, out + k);
  }
}

void dots_f64(const RecordBlock<double>& of, const double* w, double* sums, double* out) {
  dots(of, w, sums, out);
}
void dots_f32(const RecordBlock<float>& of, const double* w, double* sums, double* out) {
  dots(of, w, sums, out);
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
HWY_EXPORT(dots_f64);
HWY_EXPORT(dots_f32);

void LaneSum::dots(const RecordBlock<double>& of, const double* w, double* sums, double* out) {
  HWY_DYNAMIC_DISPATCH(dots_f64)(of, w, sums, out);
}

void LaneSum::dots(const RecordBlock<float>& of, const double* w, double* sums, double* out) {
  HWY_DYNAMIC_DISPATCH(dots_f32)(of, w, sums, out);
}

}  // namespace southwell::problem
#endif
