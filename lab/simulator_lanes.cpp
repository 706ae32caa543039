#include "lab/simulator_lanes.hpp"

#include <algorithm>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/simulator_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::lab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using problem::AnyLoss;

// std::get_if of each loss where std::visit would do: a visitor is compiled for the plain
// instruction set. The losses are those of the variant, so that none is forgotten.

using Half = hn::CappedTag<float, kLanes / 2>;
constexpr Half kHalf;
using V = hn::Vec<Half>;

HWY_INLINE V clamped(V share, V bound) { return hn::Max(hn::Min(share, bound), hn::Neg(bound)); }

// The derivatives of the losses; simulator_lanes_test holds them to the losses' own.
HWY_INLINE V slope(const problem::Squared&, V margin, V target) { return hn::Sub(margin, target); }
/// A grid search is bound by this exponential. For |x| <= 64; a whole part and a polynomial, good
/// to 2e-7 near 0 and to 4e-6 at the ends.
HWY_INLINE V power_of_two(V x) {
  const hn::RebindToSigned<Half> whole_numbers;
  const V whole = hn::Round(x);
  const V part = hn::Sub(x, whole);
  V out = hn::Set(kHalf, 1.3276471e-3F);
  out = hn::MulAdd(out, part, hn::Set(kHalf, 9.6755413e-3F));
  out = hn::MulAdd(out, part, hn::Set(kHalf, 5.5507133e-2F));
  out = hn::MulAdd(out, part, hn::Set(kHalf, 0.24022120F));
  out = hn::MulAdd(out, part, hn::Set(kHalf, 0.69314697F));
  out = hn::MulAdd(out, part, hn::Set(kHalf, 1.0000001F));
  const auto exponent = hn::ShiftLeft<23>(hn::ConvertTo(whole_numbers, whole));
  return hn::BitCast(kHalf, hn::Add(hn::BitCast(whole_numbers, out), exponent));
}

HWY_INLINE V slope(const problem::Logistic&, V margin, V target) {
  const V most = hn::Set(kHalf, 58.0F);  // the slope is 0 or 1 to 1e-17, and no number is subnormal
  const V in_twos = hn::Mul(target, hn::Set(kHalf, std::numbers::log2e_v<float>));
  const V right = power_of_two(clamped(hn::Mul(in_twos, margin), most));
  const V times = hn::Add(hn::Set(kHalf, 1.0F), right);
#if HWY_ARCH_X86  // where an estimate has 12 bits, and a step of Newton's 24
  V wrong = hn::ApproximateReciprocal(times);
  wrong = hn::Mul(wrong, hn::NegMulAdd(times, wrong, hn::Set(kHalf, 2.0F)));
#else
  const V wrong = hn::Div(hn::Set(kHalf, 1.0F), times);
#endif
  return hn::Mul(hn::Neg(target), wrong);
}
HWY_INLINE V slope(const problem::Huber& loss, V margin, V target) {
  return clamped(hn::Sub(margin, target), hn::Set(kHalf, static_cast<float>(loss.width())));
}
HWY_INLINE V slope(const problem::SquaredHinge&, V margin, V target) {
  const V short_by = hn::NegMulAdd(target, margin, hn::Set(kHalf, 1.0F));
  return hn::Neg(hn::Mul(target, hn::Max(short_by, hn::Zero(kHalf))));
}

template <class Loss>
void slopes_if(const AnyLoss& any, std::span<const float> target, const float* factor,
               const float* margins, float* out) {
  const Loss* const loss = std::get_if<Loss>(&any);
  if (loss == nullptr) return;
  const std::size_t width = hn::Lanes(kHalf);
  for (std::size_t i = 0; i < target.size(); ++i) {
    const V own = hn::Set(kHalf, target[i]);
    for (std::size_t k = 0; k < kLanes; k += width) {
      const V slopes = slope(*loss, hn::LoadU(kHalf, margins + i * kLanes + k), own);
      hn::StoreU(hn::Mul(slopes, hn::LoadU(kHalf, factor + k)), kHalf, out + i * kLanes + k);
    }
  }
}

template <class... Each>
void slopes_of(const std::variant<Each...>& loss, std::span<const float> target,
               const float* factor, const float* margins, float* out) {
  (slopes_if<Each>(loss, target, factor, margins, out), ...);
}

void slopes(const AnyLoss& loss, std::span<const float> target, const float* factor,
            const float* margins, float* out) {
  slopes_of(loss, target, factor, margins, out);
}

/// Where the lanes of a column's entry e are.
struct EveryRow {
  std::size_t operator()(std::size_t e) const { return e; }
};
struct StoredRow {
  const std::int32_t* indices;
  std::size_t operator()(std::size_t e) const { return static_cast<std::size_t>(indices[e]); }
};

/// sums_k += sum_e clamp(x_e slopes(row(e), k), -bound, bound).
template <class T, class Row>
void add_column(const T* x, std::size_t size, const Row& row, float bound, const float* slopes,
                float* sums) {
  const std::size_t width = hn::Lanes(kHalf);
  const V most = hn::Set(kHalf, bound);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    V low = hn::LoadU(kHalf, sums + k);
    V high = hn::LoadU(kHalf, sums + k + width);
    for (std::size_t e = 0; e < size; ++e) {
      const float* const own = slopes + row(e) * kLanes + k;
      const V entry = hn::Set(kHalf, static_cast<float>(x[e]));
      low = hn::Add(low, clamped(hn::Mul(entry, hn::LoadU(kHalf, own)), most));
      high = hn::Add(high, clamped(hn::Mul(entry, hn::LoadU(kHalf, own + width)), most));
    }
    hn::StoreU(low, kHalf, sums + k);
    hn::StoreU(high, kHalf, sums + k + width);
  }
}

HWY_INLINE void add_to(float* sums, V more) {
  hn::StoreU(hn::Add(hn::LoadU(kHalf, sums), more), kHalf, sums);
}

/// Two columns share each read of the slopes.
void add_columns(const float* x, const float* y, const double* bound, const float* slopes,
                 std::size_t records, float* sums) {
  const std::size_t width = hn::Lanes(kHalf);
  const V most_x = hn::Set(kHalf, static_cast<float>(bound[0]));
  const V most_y = hn::Set(kHalf, static_cast<float>(bound[1]));
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    V low_x = hn::Zero(kHalf);
    V high_x = hn::Zero(kHalf);
    V low_y = hn::Zero(kHalf);
    V high_y = hn::Zero(kHalf);
    for (std::size_t i = 0; i < records; ++i) {
      const V low = hn::LoadU(kHalf, slopes + i * kLanes + k);
      const V high = hn::LoadU(kHalf, slopes + i * kLanes + k + width);
      const V entry_x = hn::Set(kHalf, x[i]);
      const V entry_y = hn::Set(kHalf, y[i]);
      low_x = hn::Add(low_x, clamped(hn::Mul(entry_x, low), most_x));
      high_x = hn::Add(high_x, clamped(hn::Mul(entry_x, high), most_x));
      low_y = hn::Add(low_y, clamped(hn::Mul(entry_y, low), most_y));
      high_y = hn::Add(high_y, clamped(hn::Mul(entry_y, high), most_y));
    }
    add_to(sums + k, low_x);
    add_to(sums + k + width, high_x);
    add_to(sums + kLanes + k, low_y);
    add_to(sums + kLanes + k + width, high_y);
  }
}

/// By parts of the records, whose slopes stay in the nearest cache; sums of sums also lose less.
void dense(const data::DenseBlock<float>& block, const double* bound, const float* slopes,
           float* sums) {
  constexpr std::size_t kRecords = 256;
  const std::size_t columns = block.columns().size();
  const std::size_t records = columns == 0 ? 0 : block.column(0).size();
  std::fill(sums, sums + columns * kLanes, 0.0F);
  for (std::size_t first = 0; first < records; first += kRecords) {
    const std::size_t count = first + kRecords < records ? kRecords : records - first;
    const float* const own = slopes + first * kLanes;
    std::size_t c = 0;
    for (; c + 2 <= columns; c += 2) {
      add_columns(block.column(c).values() + first, block.column(c + 1).values() + first, bound + c,
                  own, count, sums + c * kLanes);
    }
    if (c == columns) continue;
    add_column(block.column(c).values() + first, count, EveryRow{}, static_cast<float>(bound[c]),
               own, sums + c * kLanes);
  }
}

void sparse(const data::SparseBlock& block, const double* bound, const float* slopes, float* sums) {
  std::fill(sums, sums + block.columns().size() * kLanes, 0.0F);
  for (std::size_t c = 0; c < block.columns().size(); ++c) {
    const data::SparseColumn column = block.column(c);
    add_column(column.values().data(), column.size(), StoredRow{column.indices().data()},
               static_cast<float>(bound[c]), slopes, sums + c * kLanes);
  }
}

/// sums_k += sum_e clamp(x_e ell'(margins(row(e), k)) factor_k, -bound, bound).
template <class Loss, class T, class Row>
void add_turn(const Loss& loss, const LaneTurn& turn, const T* x, std::size_t size, const Row& row,
              const float* margins, float* sums) {
  const std::size_t width = hn::Lanes(kHalf);
  const V most = hn::Set(kHalf, turn.bound);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    const V factor_low = hn::LoadU(kHalf, turn.factor.data() + k);
    const V factor_high = hn::LoadU(kHalf, turn.factor.data() + k + width);
    V low = hn::LoadU(kHalf, sums + k);
    V high = hn::LoadU(kHalf, sums + k + width);
    for (std::size_t e = 0; e < size; ++e) {
      const float* const own = margins + row(e) * kLanes + k;
      const V target = hn::Set(kHalf, turn.target[row(e)]);
      const V entry = hn::Set(kHalf, static_cast<float>(x[e]));
      const V slope_low = hn::Mul(slope(loss, hn::LoadU(kHalf, own), target), factor_low);
      const V slope_high = hn::Mul(slope(loss, hn::LoadU(kHalf, own + width), target), factor_high);
      low = hn::Add(low, clamped(hn::Mul(entry, slope_low), most));
      high = hn::Add(high, clamped(hn::Mul(entry, slope_high), most));
    }
    hn::StoreU(low, kHalf, sums + k);
    hn::StoreU(high, kHalf, sums + k + width);
  }
}

/// margins(row(e), k) += change_k x_e.
template <class T, class Row>
void move_margins(const T* x, std::size_t size, const Row& row, const float* change,
                  float* margins) {
  const std::size_t width = hn::Lanes(kHalf);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    const V low = hn::LoadU(kHalf, change + k);
    const V high = hn::LoadU(kHalf, change + k + width);
    for (std::size_t e = 0; e < size; ++e) {
      float* const own = margins + row(e) * kLanes + k;
      const V entry = hn::Set(kHalf, static_cast<float>(x[e]));
      hn::StoreU(hn::MulAdd(entry, low, hn::LoadU(kHalf, own)), kHalf, own);
      hn::StoreU(hn::MulAdd(entry, high, hn::LoadU(kHalf, own + width)), kHalf, own + width);
    }
  }
}

/// Records in parts that stay in the nearest cache between moving and summing.
template <class Loss>
void turn_of(const Loss& loss, const LaneTurn& turn, const data::DenseColumn<float>& before,
             const data::DenseColumn<float>& column, float* margins, float* sums) {
  constexpr std::size_t kRecords = 256;
  for (std::size_t first = 0; first < column.size(); first += kRecords) {
    const std::size_t count = first + kRecords < column.size() ? kRecords : column.size() - first;
    float* const own = margins + first * kLanes;
    move_margins(before.values() + first, count, EveryRow{}, turn.change.data(), own);
    const LaneTurn part{turn.loss, turn.target.subspan(first, count), turn.factor, turn.change,
                        turn.bound};
    add_turn(loss, part, column.values() + first, count, EveryRow{}, own, sums);
  }
}

template <class Loss>
void turn_of(const Loss& loss, const LaneTurn& turn, const data::SparseColumn& before,
             const data::SparseColumn& column, float* margins, float* sums) {
  move_margins(before.values().data(), before.size(), StoredRow{before.indices().data()},
               turn.change.data(), margins);
  add_turn(loss, turn, column.values().data(), column.size(), StoredRow{column.indices().data()},
           margins, sums);
}

template <class Loss, class Column>
void turn_if(const LaneTurn& turn, const Column& before, const Column& column, float* margins,
             float* sums) {
  if (const Loss* const loss = std::get_if<Loss>(&turn.loss)) {
    turn_of(*loss, turn, before, column, margins, sums);
  }
}

template <class Column, class... Each>
void turn_by(const std::variant<Each...>&, const LaneTurn& turn, const Column& before,
             const Column& column, float* margins, float* sums) {
  (turn_if<Each>(turn, before, column, margins, sums), ...);
}

template <class Column>
void any_turn(const LaneTurn& turn, const Column& before, const Column& column, float* margins,
              float* sums) {
  std::fill(sums, sums + kLanes, 0.0F);
  turn_by(turn.loss, turn, before, column, margins, sums);
}

void turn_dense(const LaneTurn& turn, const data::DenseColumn<float>& before,
                const data::DenseColumn<float>& column, float* margins, float* sums) {
  any_turn(turn, before, column, margins, sums);
}
void turn_sparse(const LaneTurn& turn, const data::SparseColumn& before,
                 const data::SparseColumn& column, float* margins, float* sums) {
  any_turn(turn, before, column, margins, sums);
}

}  // namespace southwell::lab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::lab {
HWY_EXPORT(slopes);
HWY_EXPORT(dense);
HWY_EXPORT(sparse);
HWY_EXPORT(turn_dense);
HWY_EXPORT(turn_sparse);

void lane_slopes(const problem::AnyLoss& loss, std::span<const float> target,
                 const FloatLanes& factor, const float* margins, float* out) {
  HWY_DYNAMIC_DISPATCH(slopes)(loss, target, factor.data(), margins, out);
}

void lane_clipped_sums(const data::DenseBlock<float>& block, std::span<const double> bound,
                       const float* in, float* sums) {
  HWY_DYNAMIC_DISPATCH(dense)(block, bound.data(), in, sums);
}

void lane_clipped_sums(const data::SparseBlock& block, std::span<const double> bound,
                       const float* in, float* sums) {
  HWY_DYNAMIC_DISPATCH(sparse)(block, bound.data(), in, sums);
}

void lane_turn(const LaneTurn& turn, const data::DenseColumn<float>& before,
               const data::DenseColumn<float>& column, float* margins, FloatLanes& sums) {
  HWY_DYNAMIC_DISPATCH(turn_dense)(turn, before, column, margins, sums.data());
}

void lane_turn(const LaneTurn& turn, const data::SparseColumn& before,
               const data::SparseColumn& column, float* margins, FloatLanes& sums) {
  HWY_DYNAMIC_DISPATCH(turn_sparse)(turn, before, column, margins, sums.data());
}

}  // namespace southwell::lab
#endif
