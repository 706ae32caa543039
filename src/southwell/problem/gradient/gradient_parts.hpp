#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "southwell/data/design.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/gradient/record_factors.hpp"
#include "southwell/problem/gradient/record_weights.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::problem {

/// What a gradient of integers is computed from. Everything named must outlive it.
template <class Design>
struct GradientParts {
  const Design& design;
  std::span<const double> target;
  std::span<const double> classes;  ///< empty: a regression
  const AnyLoss& loss;
  const Coordinates& coordinates;
  const RecordWeights& weights;
  const RecordFactors& factors;
  std::size_t shards = 1;  ///< row blocks that are summed apart: threads, disks, machines
  Multiclass multiclass = Multiclass::one_against_rest;  ///< of whole gradients

  /// The same with other scales.
  GradientParts with(const Coordinates& other) const {
    return {design, target, classes, loss, other, weights, factors, shards, multiclass};
  }
};

/// `records` cut into that many row blocks.
inline std::vector<data::Range> shards_of(std::size_t records, std::size_t shards) {
  std::vector<data::Range> out;
  out.reserve(shards);
  for (std::size_t s = 0; s < shards; ++s) {
    out.push_back({records * s / shards, records * (s + 1) / shards});
  }
  return out;
}

}  // namespace southwell::problem
