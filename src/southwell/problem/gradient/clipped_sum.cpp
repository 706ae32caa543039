#include "southwell/problem/gradient/clipped_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/clipped_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the above.
#include "southwell/problem/gradient/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
using Wholes = hn::RebindToSigned<Lanes>;
using Numbers = hn::Vec<Lanes>;

/// ProductClip::most of the records from i on.
template <bool Limited, bool Bounded>
HWY_INLINE Numbers most_at(WeightedSlopes of, std::size_t i, Numbers slope, double per_slope) {
  const Lanes d;
  auto bound = hn::Set(d, static_cast<double>(ProductClip::kBound));
  if constexpr (Bounded) bound = hn::LoadU(d, of.bounds + i);
  if constexpr (!Limited) return bound;
  const auto limit = hn::Mul(hn::Abs(slope), hn::Set(d, per_slope));
  return hn::IfThenElse(hn::Lt(limit, bound), limit, bound);
}

/// ProductClip::of line by line.
HWY_INLINE hn::Vec<Wholes> share_of(Numbers x, Numbers slope, Numbers most, Numbers scale) {
  const Wholes whole;
  const auto round = hn::Set(Lanes(), ProductClip::kRound);
  auto share = hn::Mul(hn::Mul(x, slope), scale);
  share = hn::IfThenElseZero(hn::Eq(share, share), share);
  share = hn::Max(hn::Min(share, most), hn::Neg(most));
  return hn::Sub(hn::BitCast(whole, hn::Add(share, round)), hn::BitCast(whole, round));
}

template <bool Limited, bool Bounded, class T>
void add(const RecordBlock<T>& of, const ProductClip* contributions, WeightedSlopes slopes,
         std::int64_t* sums) {
  const Lanes d;
  const Wholes whole;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t last = of.records - of.records % lanes;
  const double per_slope = contributions[0].per_slope();
  const auto finish = [&](std::size_t j, hn::Vec<Wholes> total) {
    std::int64_t sum = hn::GetLane(hn::SumOfLanes(whole, total));
    for (std::size_t i = last; i < of.records; ++i) {  // by itself
      sum += slopes.share(contributions[j], static_cast<double>(of.column(j)[i]), i);
    }
    sums[j] += sum;
  };
  std::size_t j = 0;
  for (; j + 4 <= of.features; j += 4) {  // four streams of memory at once
    const T* const x0 = of.column(j);
    const T* const x1 = of.column(j + 1);
    const T* const x2 = of.column(j + 2);
    const T* const x3 = of.column(j + 3);
    const auto scale0 = hn::Set(d, contributions[j].scale());
    const auto scale1 = hn::Set(d, contributions[j + 1].scale());
    const auto scale2 = hn::Set(d, contributions[j + 2].scale());
    const auto scale3 = hn::Set(d, contributions[j + 3].scale());
    auto total0 = hn::Zero(whole);
    auto total1 = hn::Zero(whole);
    auto total2 = hn::Zero(whole);
    auto total3 = hn::Zero(whole);
    for (std::size_t i = 0; i < last; i += lanes) {
      const auto slope = hn::LoadU(d, slopes.slopes + i);
      const auto most = most_at<Limited, Bounded>(slopes, i, slope, per_slope);
      total0 = hn::Add(total0, share_of(load(d, x0 + i), slope, most, scale0));
      total1 = hn::Add(total1, share_of(load(d, x1 + i), slope, most, scale1));
      total2 = hn::Add(total2, share_of(load(d, x2 + i), slope, most, scale2));
      total3 = hn::Add(total3, share_of(load(d, x3 + i), slope, most, scale3));
    }
    finish(j, total0);
    finish(j + 1, total1);
    finish(j + 2, total2);
    finish(j + 3, total3);
  }
  for (; j < of.features; ++j) {
    const T* const x = of.column(j);
    const auto scale = hn::Set(d, contributions[j].scale());
    auto total = hn::Zero(whole);
    for (std::size_t i = 0; i < last; i += lanes) {
      const auto slope = hn::LoadU(d, slopes.slopes + i);
      const auto most = most_at<Limited, Bounded>(slopes, i, slope, per_slope);
      total = hn::Add(total, share_of(load(d, x + i), slope, most, scale));
    }
    finish(j, total);
  }
}

template <class T>
void add_any(const RecordBlock<T>& of, const ProductClip* contributions, WeightedSlopes slopes,
             std::int64_t* sums) {
  const bool limited = contributions[0].is_limited();
  if (slopes.bounds == nullptr) {
    return limited ? add<true, false>(of, contributions, slopes, sums)
                   : add<false, false>(of, contributions, slopes, sums);
  }
  return limited ? add<true, true>(of, contributions, slopes, sums)
                 : add<false, true>(of, contributions, slopes, sums);
}

void add_f64(const RecordBlock<double>& of, const ProductClip* contributions, WeightedSlopes slopes,
             std::int64_t* sums) {
  add_any(of, contributions, slopes, sums);
}
void add_f32(const RecordBlock<float>& of, const ProductClip* contributions, WeightedSlopes slopes,
             std::int64_t* sums) {
  add_any(of, contributions, slopes, sums);
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
HWY_EXPORT(add_f64);
HWY_EXPORT(add_f32);

void add_clipped(const RecordBlock<double>& of, const ProductClip* contributions,
                 WeightedSlopes slopes, std::int64_t* sums) {
  if (of.features > 0) HWY_DYNAMIC_DISPATCH(add_f64)(of, contributions, slopes, sums);
}

void add_clipped(const RecordBlock<float>& of, const ProductClip* contributions,
                 WeightedSlopes slopes, std::int64_t* sums) {
  if (of.features > 0) HWY_DYNAMIC_DISPATCH(add_f32)(of, contributions, slopes, sums);
}

}  // namespace southwell::problem
#endif
