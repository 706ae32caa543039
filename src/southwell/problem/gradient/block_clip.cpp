#include "southwell/problem/gradient/block_clip.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/wide_clip.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/problem/gradient/block_clip.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the above.
#include "southwell/problem/gradient/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, kBlockWidth>;
using Numbers = hn::Vec<Lanes>;

/// grid_entry of what needs no clamp, as a double.
HWY_INLINE Numbers entry(Numbers x, Numbers slope, Numbers factor) {
  const auto round = hn::Set(Lanes(), ProductClip::kRound);
  return hn::Sub(hn::Add(hn::Mul(hn::Mul(x, slope), factor), round), round);
}

template <class T>
void squares(const RecordBlock<T>& of, const double* slopes, const double* factors, double* sums) {
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + 4 <= of.features; j += 4) {
    const T* const x0 = of.column(j);
    const T* const x1 = of.column(j + 1);
    const T* const x2 = of.column(j + 2);
    const T* const x3 = of.column(j + 3);
    const auto f0 = hn::Set(d, factors[j]);
    const auto f1 = hn::Set(d, factors[j + 1]);
    const auto f2 = hn::Set(d, factors[j + 2]);
    const auto f3 = hn::Set(d, factors[j + 3]);
    of.ask_for_next(j);
    of.ask_for_next(j + 1);
    of.ask_for_next(j + 2);
    of.ask_for_next(j + 3);
    for (std::size_t k = 0; k < of.records; k += step) {
      const auto slope = hn::LoadU(d, slopes + k);
      const auto q0 = entry(load(d, x0 + k), slope, f0);
      const auto q1 = entry(load(d, x1 + k), slope, f1);
      const auto q2 = entry(load(d, x2 + k), slope, f2);
      const auto q3 = entry(load(d, x3 + k), slope, f3);
      // Fused or not: whole numbers below 2^53 are exact, and larger ones are not used.
      auto sum = hn::MulAdd(q0, q0, hn::LoadU(d, sums + k));
      sum = hn::MulAdd(q1, q1, sum);
      sum = hn::MulAdd(q2, q2, sum);
      sum = hn::MulAdd(q3, q3, sum);
      hn::StoreU(sum, d, sums + k);
    }
  }
  for (; j < of.features; ++j) {
    const T* const x = of.column(j);
    const auto factor = hn::Set(d, factors[j]);
    for (std::size_t k = 0; k < of.records; k += step) {
      const auto q = entry(load(d, x + k), hn::LoadU(d, slopes + k), factor);
      hn::StoreU(hn::MulAdd(q, q, hn::LoadU(d, sums + k)), d, sums + k);
    }
  }
}

/// What each record's entries are multiplied by: the m / 2^s of L2Shrink for squares up to 2^46.
void parts(const double* squares, const double* bounds, std::size_t size, double* out) {
  const Lanes d;
  const auto one = hn::Set(d, 1.0);
  for (std::size_t k = 0; k < size; k += hn::Lanes(d)) {
    const auto square = hn::LoadU(d, squares + k);
    const auto bound = hn::LoadU(d, bounds + k);
    const auto root = hn::Max(hn::Ceil(hn::Sqrt(square)), one);
    auto power = hn::Set(d, 0x1p33);
    power = hn::IfThenElse(hn::Le(root, hn::Set(d, 0x1p22)), hn::Set(d, 0x1p32), power);
    power = hn::IfThenElse(hn::Le(root, hn::Set(d, 0x1p21)), hn::Set(d, 0x1p31), power);
    const auto multiplier = hn::Floor(hn::Div(hn::Mul(bound, power), root));
    const auto is_short = hn::Le(square, hn::Mul(bound, bound));
    hn::StoreU(hn::IfThenElse(is_short, one, hn::Div(multiplier, power)), d, out + k);
  }
}

/// q times a part of so many bits that the product would be rounded, cut off towards zero: whole
/// numbers of the high bits first, then of what these leave and the low ones.
HWY_INLINE Numbers cut_off(Numbers q, Numbers high, Numbers low) {
  const auto first = hn::Mul(q, high);
  const auto whole = hn::Trunc(first);
  return hn::Add(whole, hn::Trunc(hn::Add(hn::Sub(first, whole), hn::Mul(q, low))));
}

/// `low_parts`: null where shares are found at once.
template <bool TwoSteps, class T>
void shares(const RecordBlock<T>& of, const double* slopes, const double* factors,
            const double* parts, const double* low_parts, std::int64_t* sums) {
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  const auto whole = [&](Numbers sum) {
    return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, sum)));
  };
  std::size_t j = 0;
  for (; j + 4 <= of.features; j += 4) {
    const T* const x0 = of.column(j);
    const T* const x1 = of.column(j + 1);
    const T* const x2 = of.column(j + 2);
    const T* const x3 = of.column(j + 3);
    const auto f0 = hn::Set(d, factors[j]);
    const auto f1 = hn::Set(d, factors[j + 1]);
    const auto f2 = hn::Set(d, factors[j + 2]);
    const auto f3 = hn::Set(d, factors[j + 3]);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    auto sum3 = hn::Zero(d);
    for (std::size_t k = 0; k < of.records; k += step) {
      const auto slope = hn::LoadU(d, slopes + k);
      const auto part = hn::LoadU(d, parts + k);
      const auto share = [&](const T* x, Numbers factor) {
        const auto q = entry(load(d, x + k), slope, factor);
        if constexpr (TwoSteps) return cut_off(q, part, hn::LoadU(d, low_parts + k));
        return hn::Trunc(hn::Mul(q, part));
      };
      sum0 = hn::Add(sum0, share(x0, f0));
      sum1 = hn::Add(sum1, share(x1, f1));
      sum2 = hn::Add(sum2, share(x2, f2));
      sum3 = hn::Add(sum3, share(x3, f3));
    }
    sums[j] += whole(sum0);
    sums[j + 1] += whole(sum1);
    sums[j + 2] += whole(sum2);
    sums[j + 3] += whole(sum3);
  }
  for (; j < of.features; ++j) {
    const T* const x = of.column(j);
    const auto factor = hn::Set(d, factors[j]);
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < of.records; k += step) {
      const auto q = entry(load(d, x + k), hn::LoadU(d, slopes + k), factor);
      const auto part = hn::LoadU(d, parts + k);
      if constexpr (TwoSteps) {
        sum = hn::Add(sum, cut_off(q, part, hn::LoadU(d, low_parts + k)));
      } else {
        sum = hn::Add(sum, hn::Trunc(hn::Mul(q, part)));
      }
    }
    sums[j] += whole(sum);
  }
}

void written(const RecordBlock<double>& of, const double* slopes, double factor,
             const double* parts, std::int32_t* out) {
  const Lanes d;
  const hn::Rebind<std::int32_t, Lanes> narrow;
  const double* const x = of.column(0);
  for (std::size_t k = 0; k < of.records; k += hn::Lanes(d)) {
    const auto q = entry(load(d, x + k), hn::LoadU(d, slopes + k), hn::Set(d, factor));
    const auto share = hn::Trunc(hn::Mul(q, hn::LoadU(d, parts + k)));
    hn::StoreU(hn::DemoteTo(narrow, share), narrow, out + k);
  }
}

double room(const double* squares, const double* bounds, std::size_t size) {
  const Lanes d;
  const std::size_t whole = size - size % hn::Lanes(d);
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < whole; k += hn::Lanes(d)) {
    const auto bound = hn::LoadU(d, bounds + k);
    const auto left = hn::Sub(hn::Mul(bound, bound), hn::LoadU(d, squares + k));
    sum = hn::Add(sum, hn::Floor(hn::Sqrt(hn::Max(left, hn::Zero(d)))));
  }
  double rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (std::size_t k = whole; k < size; ++k) {
    const double left = bounds[k] * bounds[k] - squares[k];
    rest += std::floor(std::sqrt(std::max(left, 0.0)));
  }
  return rest;
}

// A name of their own for HWY_EXPORT.
void squares_f64(const RecordBlock<double>& of, const double* r, const double* f, double* sums) {
  squares(of, r, f, sums);
}
void squares_f32(const RecordBlock<float>& of, const double* r, const double* f, double* sums) {
  squares(of, r, f, sums);
}
void shares_f64(const RecordBlock<double>& of, const double* r, const double* f,
                const double* parts, const double* low_parts, std::int64_t* sums) {
  low_parts == nullptr ? shares<false>(of, r, f, parts, low_parts, sums)
                       : shares<true>(of, r, f, parts, low_parts, sums);
}
void shares_f32(const RecordBlock<float>& of, const double* r, const double* f, const double* parts,
                const double* low_parts, std::int64_t* sums) {
  low_parts == nullptr ? shares<false>(of, r, f, parts, low_parts, sums)
                       : shares<true>(of, r, f, parts, low_parts, sums);
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::problem {
namespace {

constexpr double kExact = 0x1p53;       ///< whole numbers below it add up without rounding
constexpr double kMostSquare = 0x1p46;  ///< up to it parts are exact, and so are shares

/// In the library that users install: no.
bool has_faulty_shrink() {
  return fault(Fault::clip_root_is_rounded_down) || fault(Fault::clip_bound_is_one_more) ||
         fault(Fault::clip_bound_is_one_less) || fault(Fault::clip_keeps_long_records) ||
         fault(Fault::clip_share_is_rounded_to_nearest);
}

}  // namespace

HWY_EXPORT(squares_f64);
HWY_EXPORT(squares_f32);
HWY_EXPORT(parts);
HWY_EXPORT(room);
HWY_EXPORT(shares_f64);
HWY_EXPORT(shares_f32);
HWY_EXPORT(written);

BlockClip::BlockClip(std::size_t most) : squares_(most), parts_(most), low_parts_(most) {}

void BlockClip::start(std::size_t records) {
  records_ = records;
  std::fill_n(squares_.begin(), records, 0.0);
  way_ = Way::at_once;
}

void BlockClip::start_wide() {
  way_ = Way::in_whole_numbers;
  low_.assign(records_, 0);
  high_.assign(records_, 0);
}

bool BlockClip::are_exact() const {
  if (fault(Fault::block_trusts_rounded_squares)) return true;
  bool exact = true;
  for (std::size_t k = 0; k < records_; ++k) exact &= squares_[k] < kExact;  // false for NaN
  return exact;
}

void BlockClip::add_squares(const RecordBlock<double>& of, const double* slopes,
                            const double* factors) {
  HWY_DYNAMIC_DISPATCH(squares_f64)(of, slopes, factors, squares_.data());
}

void BlockClip::add_squares(const RecordBlock<float>& of, const double* slopes,
                            const double* factors) {
  HWY_DYNAMIC_DISPATCH(squares_f32)(of, slopes, factors, squares_.data());
}

Uint128 BlockClip::squares(std::size_t k) const {
  if (is_plain()) return static_cast<std::uint64_t>(squares_[k]);
  return low_[k] + (static_cast<Uint128>(high_[k]) << 32);
}

std::int64_t BlockClip::room(std::span<const double> bounds) const {
  const double sum = HWY_DYNAMIC_DISPATCH(room)(squares_.data(), bounds.data(), bounds.size());
  return static_cast<std::int64_t>(sum);
}

void BlockClip::find_parts(std::span<const double> bounds) {
  if (!is_plain()) return find_shrinks(bounds);
  bool are_short = !has_faulty_shrink();
  for (std::size_t k = 0; k < records_; ++k) {
    are_short &= squares_[k] <= kMostSquare || fault(Fault::block_trusts_long_records);
  }
  if (are_short) {
    HWY_DYNAMIC_DISPATCH(parts)(squares_.data(), bounds.data(), records_, parts_.data());
    return;
  }
  way_ = Way::in_two_steps;
  find_shrinks(bounds);
  constexpr int kLow = 16;
  for (std::size_t k = 0; k < records_; ++k) {
    const auto high = static_cast<double>(multipliers_[k] >> kLow << kLow);
    const auto low = static_cast<double>(multipliers_[k]) - high;
    parts_[k] = std::ldexp(high, -static_cast<int>(shifts_[k]));
    low_parts_[k] = std::ldexp(low, -static_cast<int>(shifts_[k]));
  }
}

void BlockClip::find_shrinks(std::span<const double> bounds) {
  shrinks_.clear();
  multipliers_.clear();
  shifts_.clear();
  for (std::size_t k = 0; k < records_; ++k) {
    shrinks_.emplace_back(squares(k), static_cast<std::uint64_t>(bounds[k]));
    multipliers_.push_back(shrinks_.back().multiplier());
    shifts_.push_back(static_cast<std::uint64_t>(shrinks_.back().shift()));
  }
}

template <class T>
void BlockClip::add_any(const RecordBlock<T>& of, const double* slopes, const double* factors,
                        std::int64_t* sums) const {
  if (fault(Fault::clip_share_is_rounded_to_nearest)) {
    for (std::size_t j = 0; j < of.features; ++j) {
      for (std::size_t k = 0; k < of.records; ++k) {
        const auto x = static_cast<double>(of.column(j)[k]);
        sums[j] += shrinks_[k].of(grid_entry(x, slopes[k], factors[j]));
      }
    }
    return;
  }
  if (!is_plain()) {
    return add_wide_shares(of, slopes, factors, multipliers_.data(), shifts_.data(), sums);
  }
  const double* const low_parts = way_ == Way::in_two_steps ? low_parts_.data() : nullptr;
  if constexpr (std::is_same_v<T, double>) {
    HWY_DYNAMIC_DISPATCH(shares_f64)(of, slopes, factors, parts_.data(), low_parts, sums);
  } else {
    HWY_DYNAMIC_DISPATCH(shares_f32)(of, slopes, factors, parts_.data(), low_parts, sums);
  }
}

void BlockClip::add(const RecordBlock<double>& of, const double* slopes, const double* factors,
                    std::int64_t* sums) const {
  add_any(of, slopes, factors, sums);
}

void BlockClip::add(const RecordBlock<float>& of, const double* slopes, const double* factors,
                    std::int64_t* sums) const {
  add_any(of, slopes, factors, sums);
}

void BlockClip::write(const RecordBlock<double>& of, const double* slopes, double factor,
                      std::int32_t* out) const {
  if (way_ == Way::at_once) {
    return HWY_DYNAMIC_DISPATCH(written)(of, slopes, factor, parts_.data(), out);
  }
  for (std::size_t k = 0; k < of.records; ++k) {
    out[k] = shrinks_[k].of(grid_entry(of.column(0)[k], slopes[k], factor));
  }
}

}  // namespace southwell::problem
#endif
