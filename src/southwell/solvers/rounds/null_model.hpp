#pragma once

#include <cstddef>
#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/solvers/rounds/privacy_noise.hpp"

namespace southwell::solvers {

/// The model without features, as far as a fit has found it: its intercepts are those of before a
/// feature moved. The intercept at which features end goes with them, and not with none: where they
/// have means, it is far from it.
class NullModel {
 public:
  bool is_known() const { return !intercepts_.empty(); }
  /// `coef` and `noise` are those of a fit in which no feature has moved.
  void note(const problem::Coordinates& all, const std::vector<double>& coef, PrivacyNoise noise);
  const PrivacyNoise& noise() const { return noise_; }
  /// On some of the features.
  std::vector<double> on(const problem::Coordinates& some) const;
  /// To the noise of coefficients of which all but `part` is taken from here.
  void add_noise(PrivacyNoise& noise, const problem::Coordinates& all, double part) const;

 private:
  std::vector<double> intercepts_;  ///< of each head
  PrivacyNoise noise_;
};

}  // namespace southwell::solvers
