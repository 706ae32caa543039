#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/cost.hpp"

namespace southwell::privacy {

/// Renyi moments of discrete Gaussian noise on a sum over a secret Poisson sample, for either
/// relation; statement, proof and numerics in sampled_gaussian.md. Made for one cost and asked at
/// many orders: what does not depend on the order, or is asked again, is kept.
class SampledGaussian {
 public:
  static constexpr int kLargestAddOrder = 4096;
  /// Entries of the sum, at most: the lattice's part of the proof needs a limit.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 26;

  static bool is(const Cost& cost);
  explicit SampledGaussian(const Cost& cost);

  /// Upper bound on (alpha - 1) D_alpha at alpha = 1 + omega, or the bound without sampling where
  /// that is less.
  double log_moment(double omega);

 private:
  /// Adding or removing a record: whole orders, joined by lines (the moment is convex).
  double on_the_chord(double omega);
  double at_whole_order(std::size_t grid_index);
  double add_or_remove(int order);

  /// Replacing a record: the worst pair, u and -u, integrated at any real order.
  double worst_pair(double omega);
  /// At x: the densities 1 - q + q e^(-sqrt(s) x - s/2) of the nearer law and its log-ratio to the
  /// farther one, both rounded up.
  struct Node {
    double log_ratio;
    double density;
    double half_square;  ///< x^2 / 2, exact
    double steepness;    ///< -(d/dx) log density, rounded up
  };
  const Node& node(std::size_t index);
  /// Relative to the moment: by the rule, and because the noise lives on a lattice.
  double missed(double omega) const;
  double missed_by_rule(double omega) const;

  bool replaces_;
  bool all_;           ///< every record enters
  core::Enclosure s_;  ///< (K / sigma)^2
  double rate_;        ///< q, exact
  std::vector<int> grid_;
  std::vector<double> at_grid_;     ///< NaN: not asked yet
  std::vector<double> log_excess_;  ///< of the k-th power, from k = 2, rounded up
  double step_;                     ///< between nodes, a power of 2
  double strip_;                    ///< 4 pi sigma^2 / K, rounded down
  double support_;                  ///< most entries of the two shares together
  std::vector<Node> nodes_;         ///< at step_, 2 step_, ...
};

}  // namespace southwell::privacy
