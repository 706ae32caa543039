#pragma once

#include <cmath>

#include "southwell/problem/penalties/interval.hpp"

namespace southwell::solvers {

/// Which coefficients may be noise alone: those within twice the noise that is stated for them. A
/// function of what was released and of its public noise: post-processing.
struct Pruning {
  problem::Interval box;  ///< of every coefficient

  bool takes(double coef, double noise_sd) const {
    const double noise = 2.0 * noise_sd;
    // Against a bound nearer than that, a coefficient says nothing by being small.
    const double room = coef > 0.0 ? box.hi : -box.lo;
    return room >= noise && std::fabs(coef) < noise;
  }
};

}  // namespace southwell::solvers
