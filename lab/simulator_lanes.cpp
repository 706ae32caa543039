#include "lab/simulator_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/simulator_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the above.
#include <hwy/contrib/math/math-inl.h>

#include "southwell/problem/rule.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::lab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using problem::AnyLoss;
using problem::AnyPenalty;

// Chains of std::get_if where std::visit would do: a visitor is compiled for the plain instruction
// set.

/// out_k = ell'(margins_k, target) factor_k, of one record.
template <class Loss>
HWY_INLINE void record_slopes(const Loss& loss, double target, const double* HWY_RESTRICT factor,
                              const double* HWY_RESTRICT margins, double* HWY_RESTRICT out) {
  for (std::size_t k = 0; k < kLanes; ++k) {
    out[k] = loss.derivative(margins[k], target) * factor[k];
  }
}

/// A grid search is bound by this exponential: in floats, good to about 1e-7.
HWY_INLINE void record_slopes(const problem::Logistic&, double target,
                              const double* HWY_RESTRICT factor, const double* HWY_RESTRICT margins,
                              double* HWY_RESTRICT out) {
  const hn::CappedTag<float, kLanes> d;
  const std::size_t width = hn::Lanes(d);
  const auto most = hn::Set(d, 80.0F);  // beyond it the slope is 0 or 1 to 1e-34
  const auto one = hn::Set(d, 1.0F);
  HWY_ALIGN float wrong[kLanes];  // the probability of being so
  for (std::size_t k = 0; k < kLanes; ++k) wrong[k] = static_cast<float>(target * margins[k]);
  for (std::size_t k = 0; k < kLanes; k += width) {
    const auto right = hn::Max(hn::Min(hn::Load(d, wrong + k), most), hn::Neg(most));
    hn::Store(hn::Div(one, hn::Add(one, hn::Exp(d, right))), d, wrong + k);
  }
  for (std::size_t k = 0; k < kLanes; ++k) {
    out[k] = -target * factor[k] * static_cast<double>(wrong[k]);
  }
}

template <class Loss>
void slopes_of(const Loss& loss, std::span<const double> target, const double* factor,
               const double* margins, double* slopes) {
  for (std::size_t i = 0; i < target.size(); ++i) {
    record_slopes(loss, target[i], factor, margins + i * kLanes, slopes + i * kLanes);
  }
}

template <class Loss>
void slopes_if(const AnyLoss& loss, std::span<const double> target, const double* factor,
               const double* margins, double* slopes) {
  if (const Loss* const one = std::get_if<Loss>(&loss)) {
    slopes_of(*one, target, factor, margins, slopes);
  }
}

void slopes(const AnyLoss& loss, std::span<const double> target, const double* factor,
            const double* margins, double* out) {
  slopes_if<problem::Squared>(loss, target, factor, margins, out);
  slopes_if<problem::Logistic>(loss, target, factor, margins, out);
  slopes_if<problem::Huber>(loss, target, factor, margins, out);
  slopes_if<problem::SquaredHinge>(loss, target, factor, margins, out);
}

template <class V>
V clamped(V share, V bound) {
  return hn::Max(hn::Min(share, bound), hn::Neg(bound));
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
void add_column(const T* x, std::size_t size, const Row& row, double bound, const double* slopes,
                double* sums) {
  const hn::CappedTag<double, kLanes / 2> d;
  const std::size_t width = hn::Lanes(d);
  const auto most = hn::Set(d, bound);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    auto low = hn::LoadU(d, sums + k);
    auto high = hn::LoadU(d, sums + k + width);
    for (std::size_t e = 0; e < size; ++e) {
      const double* const own = slopes + row(e) * kLanes + k;
      const auto entry = hn::Set(d, static_cast<double>(x[e]));
      low = hn::Add(low, clamped(hn::Mul(entry, hn::LoadU(d, own)), most));
      high = hn::Add(high, clamped(hn::Mul(entry, hn::LoadU(d, own + width)), most));
    }
    hn::StoreU(low, d, sums + k);
    hn::StoreU(high, d, sums + k + width);
  }
}

/// Two columns share each read of the slopes.
template <class T>
void dense_sums(const T* x, const T* y, const double* bound, const double* slopes,
                std::size_t records, double* sums) {
  const hn::CappedTag<double, kLanes / 2> d;
  const std::size_t width = hn::Lanes(d);
  const auto most_x = hn::Set(d, bound[0]);
  const auto most_y = hn::Set(d, bound[1]);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    auto low_x = hn::Zero(d);
    auto high_x = hn::Zero(d);
    auto low_y = hn::Zero(d);
    auto high_y = hn::Zero(d);
    for (std::size_t i = 0; i < records; ++i) {
      const auto low = hn::LoadU(d, slopes + i * kLanes + k);
      const auto high = hn::LoadU(d, slopes + i * kLanes + k + width);
      const auto entry_x = hn::Set(d, static_cast<double>(x[i]));
      const auto entry_y = hn::Set(d, static_cast<double>(y[i]));
      low_x = hn::Add(low_x, clamped(hn::Mul(entry_x, low), most_x));
      high_x = hn::Add(high_x, clamped(hn::Mul(entry_x, high), most_x));
      low_y = hn::Add(low_y, clamped(hn::Mul(entry_y, low), most_y));
      high_y = hn::Add(high_y, clamped(hn::Mul(entry_y, high), most_y));
    }
    hn::StoreU(low_x, d, sums + k);
    hn::StoreU(high_x, d, sums + k + width);
    hn::StoreU(low_y, d, sums + kLanes + k);
    hn::StoreU(high_y, d, sums + kLanes + k + width);
  }
}

template <class T>
void dense_block(const data::DenseBlock<T>& block, const double* bound, const double* slopes,
                 double* sums) {
  const std::size_t columns = block.columns().size();
  const std::size_t records = block.records();
  std::size_t c = 0;
  for (; c + 2 <= columns; c += 2) {
    dense_sums(block.column(c).values(), block.column(c + 1).values(), bound + c, slopes, records,
               sums + c * kLanes);
  }
  for (; c < columns; ++c) {
    double* const own = sums + c * kLanes;
    for (std::size_t k = 0; k < kLanes; ++k) own[k] = 0.0;
    add_column(block.column(c).values(), records, EveryRow{}, bound[c], slopes, own);
  }
}

void dense_f64(const data::DenseBlock<double>& block, const double* bound, const double* slopes,
               double* sums) {
  dense_block(block, bound, slopes, sums);
}
void dense_f32(const data::DenseBlock<float>& block, const double* bound, const double* slopes,
               double* sums) {
  dense_block(block, bound, slopes, sums);
}

void sparse(const data::SparseBlock& block, const double* bound, const double* slopes,
            double* sums) {
  for (std::size_t c = 0; c < block.columns().size(); ++c) {
    const data::SparseColumn column = block.column(c);
    double* const own = sums + c * kLanes;
    for (std::size_t k = 0; k < kLanes; ++k) own[k] = 0.0;
    add_column(column.values().data(), column.size(), StoredRow{column.indices().data()}, bound[c],
               slopes, own);
  }
}

template <LaneRule::Noise Noise, class Rule, class Kinked>
void choose_among(const LaneRule& lanes, const Kinked& kinked, const LaneColumns& columns,
                  LaneChoice& choice) {
  const Rule rule{};
  for (std::size_t c = 0; c < columns.noise.size(); ++c) {
    const double smoothness = columns.smoothness[c];
    const double noise = columns.noise[c];
    const double inside = noise * columns.bound[c];
    const auto number = static_cast<double>(columns.first + c);
    const double* const sums = columns.sums + c * kLanes;
    const double* const coef = columns.coef[c];
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double gradient = sums[k] * lanes.unit[k] + lanes.l2 * coef[k];
      double score = 0.0;
      if constexpr (Noise == LaneRule::Noise::on_score) {
        score = rule.score(kinked, coef[k], gradient, smoothness) * lanes.sharpness[k] + noise;
      } else {
        // The published scores are those of the templates where a step is possible, 0 elsewhere.
        score = rule.score(kinked, coef[k], gradient + inside * lanes.spread[k], smoothness);
        score = score > 0.0 ? score : 0.0;
      }
      const bool better = score > choice.score[k];
      choice.score[k] = better ? score : choice.score[k];
      choice.gradient[k] = better ? gradient : choice.gradient[k];
      choice.column[k] = better ? number : choice.column[k];
    }
  }
}

template <class Rule, class Kinked>
void choose_by(const LaneRule& lanes, const Kinked& kinked, const LaneColumns& columns,
               LaneChoice& choice) {
  if (lanes.noise == LaneRule::Noise::on_score) {
    choose_among<LaneRule::Noise::on_score, Rule>(lanes, kinked, columns, choice);
  } else {
    choose_among<LaneRule::Noise::on_gradient, Rule>(lanes, kinked, columns, choice);
  }
}

template <class Penalty>
void choose_if(const LaneRule& lanes, const LaneColumns& columns, LaneChoice& choice) {
  const Penalty* const penalty = std::get_if<Penalty>(&lanes.penalty);
  if (penalty == nullptr) return;
  const auto kinked = penalty->kinked();
  switch (lanes.rule) {
    case problem::GreedyRule::gs_s:
      return choose_by<problem::GsS>(lanes, kinked, columns, choice);
    case problem::GreedyRule::gs_r:
      return choose_by<problem::GsR>(lanes, kinked, columns, choice);
    case problem::GreedyRule::gs_q:
      return choose_by<problem::GsQ>(lanes, kinked, columns, choice);
  }
}

void choose(const LaneRule& lanes, const LaneColumns& columns, LaneChoice& choice) {
  choose_if<problem::None>(lanes, columns, choice);
  choose_if<problem::L1>(lanes, columns, choice);
  choose_if<problem::L2>(lanes, columns, choice);
  choose_if<problem::ElasticNet>(lanes, columns, choice);
  choose_if<problem::Box>(lanes, columns, choice);
  choose_if<problem::Bounded>(lanes, columns, choice);
}

/// Slopes, then sums, of entry after entry.
template <class Loss, class T, class Row>
void turn_entries(const Loss& loss, const LaneTurn& turn, const T* x, std::size_t size,
                  const Row& row, double* margins, double* sums) {
  constexpr std::size_t kEntries = 32;  // their slopes stay in the nearest cache
  double slopes[kEntries * kLanes];
  for (std::size_t first = 0; first < size; first += kEntries) {
    const std::size_t count = first + kEntries < size ? kEntries : size - first;
    for (std::size_t e = 0; e < count; ++e) {
      const std::size_t i = row(first + e);
      record_slopes(loss, turn.target[i], turn.factor.data(), margins + i * kLanes,
                    slopes + e * kLanes);
    }
    add_column(x + first, count, EveryRow{}, turn.bound, slopes, sums);
  }
}

/// margins(row(e), k) += change_k x_e.
template <class T, class Row>
void move_margins(const T* x, std::size_t size, const Row& row, const double* change,
                  double* margins) {
  const hn::CappedTag<double, kLanes> d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t e = 0; e < size; ++e) {
    double* const own = margins + row(e) * kLanes;
    const auto moved = hn::Set(d, static_cast<double>(x[e]));
    for (std::size_t k = 0; k < kLanes; k += width) {
      const auto by = hn::Mul(moved, hn::LoadU(d, change + k));
      hn::StoreU(hn::Add(hn::LoadU(d, own + k), by), d, own + k);
    }
  }
}

/// Records in parts that stay in a near cache between moving and summing.
template <class Loss, class T>
void turn_of(const Loss& loss, const LaneTurn& turn, const data::DenseColumn<T>& before,
             const data::DenseColumn<T>& column, double* margins, double* sums) {
  constexpr std::size_t kRecords = 128;
  for (std::size_t first = 0; first < column.size(); first += kRecords) {
    const std::size_t count = first + kRecords < column.size() ? kRecords : column.size() - first;
    double* const own = margins + first * kLanes;
    move_margins(before.values() + first, count, EveryRow{}, turn.change.data(), own);
    const LaneTurn part{turn.loss, turn.target.subspan(first, count), turn.factor, turn.change,
                        turn.bound};
    turn_entries(loss, part, column.values() + first, count, EveryRow{}, own, sums);
  }
}

template <class Loss>
void turn_of(const Loss& loss, const LaneTurn& turn, const data::SparseColumn& before,
             const data::SparseColumn& column, double* margins, double* sums) {
  move_margins(before.values().data(), before.size(), StoredRow{before.indices().data()},
               turn.change.data(), margins);
  turn_entries(loss, turn, column.values().data(), column.size(),
               StoredRow{column.indices().data()}, margins, sums);
}

template <class Loss, class Column>
void turn_if(const LaneTurn& turn, const Column& before, const Column& column, double* margins,
             double* sums) {
  if (const Loss* const loss = std::get_if<Loss>(&turn.loss)) {
    double own[kLanes] = {};
    turn_of(*loss, turn, before, column, margins, own);
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] = own[k];
  }
}

template <class Column>
void any_turn(const LaneTurn& turn, const Column& before, const Column& column, double* margins,
              double* sums) {
  turn_if<problem::Squared>(turn, before, column, margins, sums);
  turn_if<problem::Logistic>(turn, before, column, margins, sums);
  turn_if<problem::Huber>(turn, before, column, margins, sums);
  turn_if<problem::SquaredHinge>(turn, before, column, margins, sums);
}

void turn_f64(const LaneTurn& turn, const data::DenseColumn<double>& before,
              const data::DenseColumn<double>& column, double* margins, double* sums) {
  any_turn(turn, before, column, margins, sums);
}
void turn_f32(const LaneTurn& turn, const data::DenseColumn<float>& before,
              const data::DenseColumn<float>& column, double* margins, double* sums) {
  any_turn(turn, before, column, margins, sums);
}
void turn_sparse(const LaneTurn& turn, const data::SparseColumn& before,
                 const data::SparseColumn& column, double* margins, double* sums) {
  any_turn(turn, before, column, margins, sums);
}

template <class Penalty>
void step_if(const AnyPenalty& any, double smoothness, const double* gamma, const double* gradient,
             double* coef, double* change) {
  const Penalty* const penalty = std::get_if<Penalty>(&any);
  if (penalty == nullptr) return;
  const auto kinked = penalty->kinked();
  for (std::size_t k = 0; k < kLanes; ++k) {
    const double step = gamma[k] / smoothness;
    double to = coef[k] - step * gradient[k];
    to = to < 0x1p500 ? to : 0x1p500;  // as in a fit
    to = to > -0x1p500 ? to : -0x1p500;
    to = kinked.prox(to, step);
    change[k] = to - coef[k];
    coef[k] = to;
  }
}

void step(const AnyPenalty& penalty, double smoothness, const double* gamma, const double* gradient,
          double* coef, double* change) {
  step_if<problem::None>(penalty, smoothness, gamma, gradient, coef, change);
  step_if<problem::L1>(penalty, smoothness, gamma, gradient, coef, change);
  step_if<problem::L2>(penalty, smoothness, gamma, gradient, coef, change);
  step_if<problem::ElasticNet>(penalty, smoothness, gamma, gradient, coef, change);
  step_if<problem::Box>(penalty, smoothness, gamma, gradient, coef, change);
  step_if<problem::Bounded>(penalty, smoothness, gamma, gradient, coef, change);
}

}  // namespace southwell::lab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::lab {
HWY_EXPORT(slopes);
HWY_EXPORT(dense_f64);
HWY_EXPORT(dense_f32);
HWY_EXPORT(sparse);
HWY_EXPORT(choose);
HWY_EXPORT(turn_f64);
HWY_EXPORT(turn_f32);
HWY_EXPORT(turn_sparse);
HWY_EXPORT(step);

void lane_slopes(const problem::AnyLoss& loss, std::span<const double> target, const Lanes& factor,
                 const double* margins, double* out) {
  HWY_DYNAMIC_DISPATCH(slopes)(loss, target, factor.data(), margins, out);
}

void lane_clipped_sums(const data::DenseBlock<double>& block, std::span<const double> bound,
                       const double* in, double* sums) {
  HWY_DYNAMIC_DISPATCH(dense_f64)(block, bound.data(), in, sums);
}

void lane_clipped_sums(const data::DenseBlock<float>& block, std::span<const double> bound,
                       const double* in, double* sums) {
  HWY_DYNAMIC_DISPATCH(dense_f32)(block, bound.data(), in, sums);
}

void lane_clipped_sums(const data::SparseBlock& block, std::span<const double> bound,
                       const double* in, double* sums) {
  HWY_DYNAMIC_DISPATCH(sparse)(block, bound.data(), in, sums);
}

void lane_choose(const LaneRule& rule, const LaneColumns& columns, LaneChoice& choice) {
  HWY_DYNAMIC_DISPATCH(choose)(rule, columns, choice);
}

void lane_turn(const LaneTurn& turn, const data::DenseColumn<double>& before,
               const data::DenseColumn<double>& column, double* margins, Lanes& sums) {
  HWY_DYNAMIC_DISPATCH(turn_f64)(turn, before, column, margins, sums.data());
}

void lane_turn(const LaneTurn& turn, const data::DenseColumn<float>& before,
               const data::DenseColumn<float>& column, double* margins, Lanes& sums) {
  HWY_DYNAMIC_DISPATCH(turn_f32)(turn, before, column, margins, sums.data());
}

void lane_turn(const LaneTurn& turn, const data::SparseColumn& before,
               const data::SparseColumn& column, double* margins, Lanes& sums) {
  HWY_DYNAMIC_DISPATCH(turn_sparse)(turn, before, column, margins, sums.data());
}

void lane_step(const problem::AnyPenalty& penalty, double smoothness, const Lanes& gamma,
               const Lanes& gradient, double* coef, Lanes& change) {
  HWY_DYNAMIC_DISPATCH(step)(penalty, smoothness, gamma.data(), gradient.data(), coef,
                             change.data());
}

}  // namespace southwell::lab
#endif
