#pragma once

#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "southwell/solvers/rounds/descent.hpp"
#include "southwell/solvers/rounds/whitening.hpp"

namespace southwell::solvers {

/// A descent in whitened features: its coordinates, its penalty, and the way there and back, for
/// all heads. Everything named must outlive it.
class FeatureMap {
 public:
  /// `features` are the coordinates that are mapped, an intercept among them.
  FeatureMap(const Whitening& whitening, const problem::Coordinates& features,
             const problem::AnyPenalty& penalty);

  /// Those of mapped records: all alike, none an intercept, none penalised for itself.
  problem::Coordinates coordinates() const;
  MappedSpace space() const;
  std::vector<double> there(const std::vector<double>& coef) const;
  Descended back(const Descended& mapped) const;

 private:
  std::vector<double> features_of(const std::vector<double>& mapped, std::size_t head) const;

  const Whitening& whitening_;
  const problem::Coordinates& features_;
  const problem::AnyPenalty& penalty_;
  std::vector<double> metric_;  ///< of a step, in units of the coefficients
};

}  // namespace southwell::solvers
