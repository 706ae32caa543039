#pragma once

#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// Oracle, not part of what certifies: zero-concentrated privacy. rho of the events added up, then
/// converted at the best order. Infinite for sampled events and at delta = 0.
double zcdp_rho(const Cost& cost);
double zcdp_epsilon(const Composition& composition, double delta);

}  // namespace southwell::privacy
