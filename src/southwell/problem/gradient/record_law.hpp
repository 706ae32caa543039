#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/int128.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"
#include "southwell/problem/gradient/record_numbers.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::problem {

/// What a record's share of a whole gradient is a function of beside its features: its target,
/// weight, bound and factor, and what is public (record_gradient.md).
class RecordLaw {
 public:
  template <class Design>
  RecordLaw(const GradientParts<Design>& parts, bool room)
      : target_(parts.target, parts.classes),
        loss_(parts.loss),
        is_softmax_(parts.multiclass == Multiclass::softmax && parts.coordinates.heads() > 1),
        coordinates_(parts.coordinates),
        weights_(parts.weights),
        factors_(parts.factors),
        per_clip_(parts.coordinates.size()),
        has_room_(room) {}

  /// The clips of every coordinate, and the slope limit of ProductClip.
  void set_clips(std::span<const double> clips, double slope_limit);

  std::size_t records() const { return target_.records(); }
  std::size_t heads() const { return coordinates_.heads(); }
  std::size_t width() const { return coordinates_.width(); }
  bool has_intercept() const { return coordinates_.intercept() == Intercept::free; }
  bool has_room() const { return has_room_; }
  const RecordFactors& factors() const { return factors_; }
  /// K / clip of every coordinate.
  const double* per_clip() const { return per_clip_.data(); }

  /// The slopes of these records at their margins, times their weights: record after record, and
  /// head after head in each. `targets` is room for as many.
  void find_slopes(const RecordNumbers& records, std::span<const double> margins,
                   std::span<double> targets, std::span<double> slopes) const;
  /// The l2 bound of record i with these weighted slopes: at most that of its weight.
  std::uint64_t bound(std::size_t i, std::span<const double> slopes) const;
  /// The same of all these records, and the bounds of their weights alone.
  void find_bounds(const RecordNumbers& records, std::span<const double> slopes,
                   std::span<double> bounds, std::span<double> of_weights) const;
  /// What record i leaves of its weight's bound: floor(sqrt(B_i^2 - squares)), 0 where it was
  /// shrunk.
  std::int64_t room(std::size_t i, Uint128 squares) const;

 private:
  HeadTarget target_;
  const AnyLoss& loss_;
  bool is_softmax_;  ///< of several heads
  const Coordinates& coordinates_;
  const RecordWeights& weights_;
  const RecordFactors& factors_;
  std::vector<double> per_clip_;
  double per_slope_ = 0.0;  ///< K over the slope limit; 0: no limit
  bool has_room_;
};

}  // namespace southwell::problem
