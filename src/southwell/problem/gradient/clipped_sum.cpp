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

/// ProductClip::of line by line, then the rest of the entries by itself.
template <bool Limited, bool Bounded, class T>
std::int64_t sum(const ProductClip& contribution, const T* x, WeightedSlopes of, std::size_t size) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const auto scale = hn::Set(d, contribution.scale());
  const auto whole_bound = hn::Set(d, static_cast<double>(ProductClip::kBound));
  const auto per_slope = hn::Set(d, contribution.per_slope());
  const auto round = hn::Set(d, ProductClip::kRound);
  const std::size_t lanes = hn::Lanes(d);
  auto total = hn::Zero(whole);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto slope = hn::LoadU(d, of.slopes + i);
    auto bound = whole_bound;
    if constexpr (Bounded) bound = hn::LoadU(d, of.bounds + i);
    auto most = bound;
    if constexpr (Limited) {
      const auto limit = hn::Mul(hn::Abs(slope), per_slope);
      most = hn::IfThenElse(hn::Lt(limit, bound), limit, bound);
    }
    auto share = hn::Mul(hn::Mul(load(d, x + i), slope), scale);
    share = hn::IfThenElseZero(hn::Eq(share, share), share);
    share = hn::Max(hn::Min(share, most), hn::Neg(most));
    const auto bits = hn::BitCast(whole, hn::Add(share, round));
    total = hn::Add(total, hn::Sub(bits, hn::BitCast(whole, round)));
  }
  std::int64_t rest = hn::GetLane(hn::SumOfLanes(whole, total));
  for (; i < size; ++i) rest += of.share(contribution, static_cast<double>(x[i]), i);
  return rest;
}

template <class T>
std::int64_t sum_of(const ProductClip& contribution, const T* x, WeightedSlopes of,
                    std::size_t size) {
  if (of.bounds == nullptr) {
    return contribution.is_limited() ? sum<true, false>(contribution, x, of, size)
                                     : sum<false, false>(contribution, x, of, size);
  }
  return contribution.is_limited() ? sum<true, true>(contribution, x, of, size)
                                   : sum<false, true>(contribution, x, of, size);
}

std::int64_t sum_f64(const ProductClip& contribution, const double* x, WeightedSlopes of,
                     std::size_t size) {
  return sum_of(contribution, x, of, size);
}
std::int64_t sum_f32(const ProductClip& contribution, const float* x, WeightedSlopes of,
                     std::size_t size) {
  return sum_of(contribution, x, of, size);
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
HWY_EXPORT(sum_f64);
HWY_EXPORT(sum_f32);

std::int64_t clipped_sum(const ProductClip& contribution, const double* x, WeightedSlopes slopes,
                         std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(sum_f64)(contribution, x, slopes, size);
}

std::int64_t clipped_sum(const ProductClip& contribution, const float* x, WeightedSlopes slopes,
                         std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(sum_f32)(contribution, x, slopes, size);
}

}  // namespace southwell::problem
#endif
