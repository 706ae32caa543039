#pragma once

#include <cstddef>
#include <span>

#include "lab/simulator_lanes.hpp"
#include "southwell/problem/grid_score.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::lab {

// The choice and the step of kLanes settings side by side: penalty, rule and step are the product's
// own templates, compiled once per instruction set.

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

/// solvers::take_step of every lane at its own gamma: coef_k and by how much it changed.
void lane_step(const problem::AnyPenalty& penalty, double smoothness, const Lanes& gamma,
               const Lanes& gradient, float* coef, FloatLanes& change);

/// No coefficient goes beyond it: a fit that comes there is lost, and its objective infinite.
inline constexpr double kMostCoefficient = 0x1p60;

}  // namespace southwell::lab
