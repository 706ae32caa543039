#pragma once

#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// An upper bound on (alpha - 1) D_alpha of one event at the order alpha = 1 + omega, omega > 0
/// (Renyi differential privacy). It composes adaptively by addition. Statement, proof and numerics
/// in rdp.md.
double renyi_log_moment(const Cost& cost, double omega);

struct RenyiBound {
  double epsilon;
  double order;  ///< alpha that gave it
};

/// epsilon at this delta by Renyi composition, rounded up: least over the orders in (1, 1e6].
/// Infinite at delta = 0 (where basic composition is as good). Any order gives a valid bound, so
/// the search decides on tightness alone.
RenyiBound renyi_epsilon(const Composition& composition, double delta);

}  // namespace southwell::privacy
