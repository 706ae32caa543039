#include "lab/simulator_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/simulator_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "southwell/problem/rule.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::lab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using problem::AnyLoss;
using problem::AnyPenalty;

// Chains of std::get_if where std::visit would do: a visitor is compiled for the plain instruction
// set.

template <class Loss>
void slopes_of(const Loss& loss, std::span<const double> target, const double* factor,
               const double* margins, double* slopes) {
  for (std::size_t i = 0; i < target.size(); ++i) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      slopes[i * kLanes + k] = loss.derivative(margins[i * kLanes + k], target[i]) * factor[k];
    }
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

/// Several columns share each read of the slopes.
template <std::size_t kColumns, class T>
void dense_sums(const T* const* x, const double* bound, const double* slopes, std::size_t records,
                double* sums) {
  const hn::CappedTag<double, kLanes / 2> d;
  const std::size_t width = hn::Lanes(d);
  using V = hn::Vec<decltype(d)>;
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    V low[kColumns];
    V high[kColumns];
    V most[kColumns];
    for (std::size_t c = 0; c < kColumns; ++c) {
      low[c] = high[c] = hn::Zero(d);
      most[c] = hn::Set(d, bound[c]);
    }
    for (std::size_t i = 0; i < records; ++i) {
      const V slope_low = hn::LoadU(d, slopes + i * kLanes + k);
      const V slope_high = hn::LoadU(d, slopes + i * kLanes + k + width);
      for (std::size_t c = 0; c < kColumns; ++c) {
        const V entry = hn::Set(d, static_cast<double>(x[c][i]));
        low[c] = hn::Add(low[c], clamped(hn::Mul(entry, slope_low), most[c]));
        high[c] = hn::Add(high[c], clamped(hn::Mul(entry, slope_high), most[c]));
      }
    }
    for (std::size_t c = 0; c < kColumns; ++c) {
      hn::StoreU(low[c], d, sums + c * kLanes + k);
      hn::StoreU(high[c], d, sums + c * kLanes + k + width);
    }
  }
}

template <class T>
void dense_block(const data::DenseBlock<T>& block, const double* bound, const double* slopes,
                 double* sums) {
  const std::size_t columns = block.columns().size();
  const std::size_t records = block.records();
  std::size_t c = 0;
  for (; c + 2 <= columns; c += 2) {
    const T* const x[] = {block.column(c).values(), block.column(c + 1).values()};
    dense_sums<2>(x, bound + c, slopes, records, sums + c * kLanes);
  }
  for (; c < columns; ++c) {
    const T* const x[] = {block.column(c).values()};
    dense_sums<1>(x, bound + c, slopes, records, sums + c * kLanes);
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
    double sum[kLanes] = {};
    for (std::size_t e = 0; e < column.size(); ++e) {
      const double x = column.values()[e];
      const double* const slope = slopes + static_cast<std::size_t>(column.indices()[e]) * kLanes;
      for (std::size_t k = 0; k < kLanes; ++k) {
        double share = x * slope[k];
        share = share < bound[c] ? share : bound[c];
        share = share > -bound[c] ? share : -bound[c];
        sum[k] += share;
      }
    }
    for (std::size_t k = 0; k < kLanes; ++k) sums[c * kLanes + k] = sum[k];
  }
}

template <LaneRule::Noise kNoise, class Rule, class Kinked>
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
      if constexpr (kNoise == LaneRule::Noise::on_score) {
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

}  // namespace southwell::lab
#endif
