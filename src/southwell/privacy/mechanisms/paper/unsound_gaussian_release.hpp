#pragma once

#include <optional>
#include <span>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy::paper {

/// Standard normal numbers in doubles, by Marsaglia's polar method: their support has gaps, so
/// adding them to a secret double can give the secret away (Mironov 2012).
class NormalInDoubles {
 public:
  double next(RandomBits& bits);

 private:
  std::optional<double> kept_;  ///< they come in pairs
};

/// UNSOUND: gradient + Gaussian noise in doubles, as DP-CD and DP-SGD have it in the paper's
/// experiments, for reproducing them. Floating point breaks its claim
/// (unsound_gaussian_release.md), so it states no cost: a fit that uses it says `guarantee: none
/// (paper mode)`.
class UnsoundGaussianRelease {
 public:
  double release(const Sensitive<double>& gradient, double sigma, RandomBits& bits);
  /// The whole vector, with a sigma for each entry.
  void release(const Sensitive<std::vector<double>>& gradient, std::span<const double> sigma,
               RandomBits& bits, std::span<double> out);

 private:
  void add(std::span<const double> input, std::span<const double> sigma, RandomBits& bits,
           std::span<double> out);
  NormalInDoubles normal_;
};

}  // namespace southwell::privacy::paper
