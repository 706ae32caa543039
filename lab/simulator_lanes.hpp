#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/grid_score.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::lab {

// Fits of kLanes settings side by side: entry (i, k) of a table of lanes is [i * kLanes + k], in
// floats. Penalty, rule and step are the product's own templates; compiled once per instruction
// set.

inline constexpr std::size_t kLanes = 16;
using Lanes = std::array<double, kLanes>;
using FloatLanes = std::array<float, kLanes>;

/// slopes_ik = ell'(margins_ik, target_i) factor_k.
void lane_slopes(const problem::AnyLoss& loss, std::span<const float> target,
                 const FloatLanes& factor, const float* margins, float* slopes);

/// sums_jk = sum_i clamp(x_ij slopes_ik, -bound_j, bound_j) for the columns of a block.
void lane_clipped_sums(const data::DenseBlock<float>& block, std::span<const double> bound,
                       const float* slopes, float* sums);
void lane_clipped_sums(const data::SparseBlock& block, std::span<const double> bound,
                       const float* slopes, float* sums);

/// How the lanes choose a coordinate. A gradient is its sum times unit_k plus the l2 part.
struct LaneRule {
  enum class Noise {
    on_score,     ///< certified: sharpness_k score + noise_j; Gumbel noise is a softmax
    on_gradient,  ///< as published: the score, not below 0, at gradient + noise_j spread_k bound_j
  };
  problem::GreedyRule rule{};
  problem::AnyPenalty penalty;
  Noise noise{};
  double l2 = 0.0;
  Lanes unit{};
  Lanes sharpness{};
  Lanes spread{};
};

/// A few columns on the way to a choice.
struct LaneColumns {
  std::size_t first = 0;
  std::span<const double> smoothness;
  std::span<const double> bound;
  std::span<const double> noise;
  std::span<const double* const> coef;  ///< of each column, kLanes numbers
  const float* sums = nullptr;
};

/// The first largest score of each lane so far, and the gradient there, l2 part included.
struct LaneChoice {
  Lanes score;
  Lanes gradient;
  Lanes column;  ///< whole numbers
};
void lane_choose(const LaneRule& rule, const LaneColumns& columns, LaneChoice& choice);

/// One coordinate's turn in DP-CD, for all lanes: its column, and the one that moved before.
struct LaneTurn {
  const problem::AnyLoss& loss;
  std::span<const float> target;
  const FloatLanes& factor;  ///< of the slopes
  const FloatLanes& change;  ///< by which the coefficients of the column before have moved
  float bound = 0.0F;
};
/// Brings the margins up to date, then sums as lane_clipped_sums: in one pass over the margins.
void lane_turn(const LaneTurn& turn, const data::DenseColumn<float>& before,
               const data::DenseColumn<float>& column, float* margins, FloatLanes& sums);
void lane_turn(const LaneTurn& turn, const data::SparseColumn& before,
               const data::SparseColumn& column, float* margins, FloatLanes& sums);

/// solvers::take_step of every lane at its own gamma: coef_k and by how much it changed.
void lane_step(const problem::AnyPenalty& penalty, double smoothness, const Lanes& gamma,
               const Lanes& gradient, float* coef, FloatLanes& change);

/// No coefficient goes beyond it: a fit that comes there is lost, and its objective infinite.
inline constexpr double kMostCoefficient = 0x1p60;

}  // namespace southwell::lab
