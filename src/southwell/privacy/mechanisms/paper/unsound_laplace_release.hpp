#pragma once

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy::paper {

/// Laplace noise of the given scale in doubles, by inversion: its support has gaps that depend on
/// the scale, so adding it to a secret double can give the secret away (Mironov 2012).
double laplace_in_doubles(double scale, RandomBits& bits);

/// UNSOUND: gradient + Laplace noise in doubles, Alg. 1, line 4, to the letter, for reproducing the
/// paper. Floating point breaks its claim (unsound_laplace_release.md), so it states no cost: a fit
/// that uses it says `guarantee: none (paper mode)`. The noise is a draw of its own, independent of
/// the selection's, although the appendix writes both with one symbol.
class UnsoundLaplaceRelease {
 public:
  /// scale > 0 and finite, else InvalidArgument.
  explicit UnsoundLaplaceRelease(double scale);
  double release(const Sensitive<double>& gradient, RandomBits& bits) const;

 private:
  double scale_;
};

}  // namespace southwell::privacy::paper
