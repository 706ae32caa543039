#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::lab {

// Fits of kLanes settings side by side: entry (i, k) of a table of lanes is [i * kLanes + k], in
// floats; compiled once per instruction set. What depends on the penalty is in
// simulator_penalty_lanes.hpp.

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

}  // namespace southwell::lab
