#pragma once

#include <cstdint>
#include <vector>

#include "southwell/core/round_up.hpp"
#include "southwell/privacy/cost.hpp"

namespace southwell::privacy {

/// Renyi moments of discrete Gaussian noise on a sum over a secret Poisson sample, for either
/// relation; statement, proof and numerics in sampled_gaussian.md. Made for one cost and asked at
/// many orders: what an order needs is kept.
class SampledGaussian {
 public:
  static constexpr int kLargestAddOrder = 4096;
  static constexpr int kLargestReplaceOrder = 512;

  static bool is(const Cost& cost);
  explicit SampledGaussian(const Cost& cost);

  /// Upper bound on (alpha - 1) D_alpha at alpha = 1 + omega: the expansions at the two whole
  /// orders of the grid around alpha, joined by a line (the moment is convex), or the bound without
  /// sampling where that is less.
  double log_moment(double omega);

 private:
  double at_whole_order(std::size_t grid_index);
  double add_or_remove(int order) const;
  double replace(int order);
  double log_even_moment(int k);  ///< upper bound on log B_k
  double trapezoid(int k);        ///< the same by the trapezoidal rule, before its alias bound

  bool replaces_;
  bool all_;           ///< every record enters
  core::Enclosure s_;  ///< (K / sigma)^2
  core::Enclosure log_rate_;
  core::Enclosure log_rest_;  ///< log(1 - q)
  std::vector<int> grid_;
  std::vector<double> at_grid_;      ///< NaN: not asked yet
  std::vector<double> even_moment_;  ///< log B_2, log B_4, ...
  std::vector<double> log_sinh_;     ///< log(2 sinh(sqrt(s) x_n)) - s/2, rounded up
};

}  // namespace southwell::privacy
