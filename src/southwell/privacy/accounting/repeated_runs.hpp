#pragma once

#include <cstdint>
#include <span>

#include "southwell/privacy/accounting/composition.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

// A mechanism that is run a secret random number of times, of which the best run alone is released:
// the cost of choosing among settings. Statement and proof in repeated_runs.md.

/// How the number of runs is distributed. A Poisson number may be 0; the others are truncated
/// negative binomial, from 1 on, with the shape eta = half_shape / 2 (2: geometric) and the
/// parameter gamma = 1 - left / 2^32.
class RunLaw {
 public:
  /// Throws InvalidArgument unless the mean is a whole number from 1 to 10^4: below 1 the bound
  /// does not hold.
  static RunLaw poisson(double mean);
  /// The law with this shape whose mean is this or a little less. Throws InvalidArgument for a mean
  /// below 1.01 or above 10^4 and for a shape above 1.
  static RunLaw negative_binomial(std::uint32_t half_shape, double mean);
  /// The same by its parameters, as a statement has them; its mean is to be within those bounds.
  static RunLaw with_left(std::uint32_t half_shape, std::uint32_t left);

  bool is_poisson() const { return left_ == 0; }
  double mean() const { return mean_; }  ///< rounded up
  std::uint32_t half_shape() const { return half_shape_; }
  std::uint32_t left() const { return left_; }
  /// E[x^N] for 0 <= x <= 1: the chance that no run is of a kind that a run is not with chance x.
  double chance_of_none(double x) const;

  /// The number of runs, exactly; it has no cap.
  std::uint64_t draw(RandomBits& bits) const;

 private:
  std::uint32_t half_shape_ = 0;
  std::uint32_t left_ = 0;
  double mean_ = 1.0;
};

/// epsilon at this delta of releasing the best run alone, rounded up, where one run costs what
/// `met` says (parts.hpp; the largest of them at every order), and of what was done once `beside`
/// the runs. Infinite at delta = 0.
double repeated_epsilon(std::span<const Composition> met, const RunLaw& law, double delta,
                        const Composition& beside = {});

}  // namespace southwell::privacy
