#pragma once

#include <cstddef>

namespace southwell::solvers {

/// How large residuals are, learned from the room that they leave in a clip (RecordGradient). Each
/// release carries that room with noise of a known size, so this is post-processing: a filter of
/// one number, the logarithm of the residuals' sd, that believes a release as far as its noise
/// allows. It never rises above its start by more than that was in doubt: residuals that grow are
/// those of a descent that goes astray, and a clip that grew with them would let it.
class ResidualScale {
 public:
  /// `start` is what the residuals' sd is said to be, `doubt` the sd of its logarithm.
  ResidualScale(double start, double doubt);

  double value() const;
  /// A release at the clip `clip` value() sqrt(dims) said that the mean room is `room`, up to noise
  /// of sd `noise`.
  void observe(double room, double noise, double clip, std::size_t dims);

 private:
  double log_;
  double variance_;
  double largest_log_;
};

}  // namespace southwell::solvers
