#include "southwell/problem/gradient/l2_clip.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "southwell/core/fault.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/l2_clip.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// grid_entry line by line, then the rest of the entries by itself. A square is below 2^62: its two
/// halves are added up apart, below 2^58 each.
Uint128 entries(const double* x, double slope, const double* factors, std::size_t size,
                std::int32_t* out) {
  Uint128 sum = 0;
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR  // one lane has no halves
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const hn::RebindToUnsigned<decltype(d)> square;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const hn::Repartition<std::int32_t, decltype(d)> halves;
  const auto r = hn::Set(d, slope);
  const auto most = hn::Set(d, static_cast<double>(kGridEntryBound));
  const auto round = hn::Set(d, ProductClip::kRound);
  const auto low_half = hn::Set(square, 0xffffffffu);
  const std::size_t lanes = hn::Lanes(d);
  auto low = hn::Zero(square);
  auto high = hn::Zero(square);
  for (; k + lanes <= size; k += lanes) {
    auto entry = hn::Mul(hn::Mul(hn::LoadU(d, x + k), r), hn::LoadU(d, factors + k));
    entry = hn::IfThenElseZero(hn::Eq(entry, entry), entry);
    entry = hn::Max(hn::Min(entry, most), hn::Neg(most));
    const auto rounded = hn::Add(entry, round);
    hn::StoreU(hn::DemoteTo(narrow, hn::Sub(rounded, round)), narrow, out + k);
    const auto bits = hn::BitCast(whole, rounded);
    // The low halves hold the entry, as 32 bits with a sign.
    const auto q = hn::BitCast(halves, hn::Sub(bits, hn::BitCast(whole, round)));
    const auto squares = hn::BitCast(square, hn::MulEven(q, q));
    low = hn::Add(low, hn::And(squares, low_half));
    high = hn::Add(high, hn::ShiftRight<32>(squares));
  }
  sum = hn::GetLane(hn::SumOfLanes(square, low));
  sum += static_cast<Uint128>(hn::GetLane(hn::SumOfLanes(square, high))) << 32;
#endif
  for (; k < size; ++k) {
    out[k] = grid_entry(x[k], slope, factors[k]);
    const std::int64_t entry = out[k];
    sum += static_cast<std::uint64_t>(entry * entry);
  }
  return sum;
}

/// L2Shrink::of line by line, for the entries that fill whole vectors; returns how many these are.
std::size_t add_shrunk([[maybe_unused]] std::int64_t* sums, [[maybe_unused]] const std::int32_t* q,
                       [[maybe_unused]] std::size_t size, [[maybe_unused]] std::uint64_t multiplier,
                       [[maybe_unused]] int shift) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::int64_t> d;
  const hn::RebindToUnsigned<decltype(d)> positive;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const hn::Repartition<std::uint32_t, decltype(d)> halves;
  const std::size_t lanes = hn::Lanes(d);
  const auto m = hn::BitCast(halves, hn::Set(positive, multiplier));
  for (; k + lanes <= size; k += lanes) {
    auto v = hn::PromoteTo(d, hn::LoadU(narrow, q + k));
    if (shift > 0) {
      const auto sign = hn::BroadcastSignBit(v);
      const auto length = hn::BitCast(halves, hn::Sub(hn::Xor(v, sign), sign));
      const auto product = hn::BitCast(positive, hn::MulEven(length, m));
      const auto kept = hn::BitCast(d, hn::ShiftRightSame(product, shift));
      v = hn::Sub(hn::Xor(kept, sign), sign);
    }
    hn::StoreU(hn::Add(hn::LoadU(d, sums + k), v), d, sums + k);
  }
#endif
  return k;
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
namespace {

constexpr auto kBound = static_cast<std::uint64_t>(ProductClip::kBound);
constexpr int kLeastWidth = 21;  ///< of a root above K

/// The least r with r^2 >= square, for square < 2^88.
std::uint64_t root_rounded_up(Uint128 square) {
  auto r = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));  // within 2^-8 of it
  while (static_cast<Uint128>(r) * r < square) ++r;
  while (r > 0 && static_cast<Uint128>(r - 1) * (r - 1) >= square) --r;
  if (fault(Fault::clip_root_is_rounded_down)) --r;
  return r;
}

}  // namespace

HWY_EXPORT(entries);
HWY_EXPORT(add_shrunk);

std::int32_t grid_entry(double x, double slope, double factor) {
  constexpr auto kMost = static_cast<double>(kGridEntryBound);
  double entry = x * slope * factor;
  entry = entry == entry ? entry : (fault(Fault::clip_keeps_nan) ? kMost : 0.0);
  entry = entry < kMost ? entry : kMost;
  entry = entry > -kMost ? entry : -kMost;
  // The bound is whole, so rounding after the clamp is the clamp after rounding.
  return static_cast<std::int32_t>(entry + ProductClip::kRound - ProductClip::kRound);
}

Uint128 grid_entries(const double* x, double slope, const double* factors, std::size_t size,
                     std::int32_t* out) {
  return HWY_DYNAMIC_DISPATCH(entries)(x, slope, factors, size, out);
}

L2Shrink::L2Shrink(Uint128 squares, std::uint64_t bound) {
  if (fault(Fault::clip_bound_is_one_more)) ++bound;
  if (fault(Fault::clip_bound_is_one_less)) --bound;
  if (squares <= static_cast<Uint128>(bound) * bound || fault(Fault::clip_keeps_long_records)) {
    return;
  }
  const std::uint64_t root = root_rounded_up(squares);
  // 2^(width - 1) < root <= 2^width, so that K 2^shift / root is below 2^31. A root below K comes
  // with a smaller bound.
  const auto width = std::max(static_cast<int>(std::bit_width(root - 1)), kLeastWidth);
  shift_ = 31 + width - static_cast<int>(std::bit_width(kBound));
  // Most dividends fit 64 bits, where a division is short.
  const auto dividend = static_cast<Uint128>(bound) << shift_;
  multiplier_ = shift_ <= 43 ? static_cast<std::uint64_t>(dividend) / root
                             : static_cast<std::uint64_t>(dividend / root);
}

std::int32_t L2Shrink::of(std::int32_t q) const {
  if (shift_ == 0) return q;
  const auto length = static_cast<std::uint64_t>(q < 0 ? -std::int64_t{q} : std::int64_t{q});
  std::uint64_t product = length * multiplier_;  // < 2^31 * 2^31
  if (fault(Fault::clip_share_is_rounded_to_nearest)) product += std::uint64_t{1} << (shift_ - 1);
  const auto kept = static_cast<std::int32_t>(product >> shift_);
  return q < 0 ? -kept : kept;
}

void L2Shrink::add_to(std::int64_t* sums, const std::int32_t* q, std::size_t size) const {
  std::size_t k = 0;
  if (!fault(Fault::clip_share_is_rounded_to_nearest)) {
    k = HWY_DYNAMIC_DISPATCH(add_shrunk)(sums, q, size, multiplier_, shift_);
  }
  for (; k < size; ++k) sums[k] += of(q[k]);
}

}  // namespace southwell::problem
#endif
