#pragma once

#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// The pure epsilon of one event; infinite for Gaussian noise. Of bounded range it is the range.
core::Enclosure pure_epsilon(const Cost& cost);

/// Basic composition, rounded up: the sum of the pure epsilons. Statement and proof in basic.md.
double basic_epsilon(const Composition& composition);

}  // namespace southwell::privacy
