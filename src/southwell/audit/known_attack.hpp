#pragma once

#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::audit {

/// What an attack on these mechanisms is known to reach at this delta: an epsilon that no
/// accountant may claim to be below, up to kAttackError. Two fixed inputs are taken for every
/// mechanism, and their privacy losses added up on a grid: nothing of privacy/accounting is used.
double known_attack(const privacy::Composition& composition, double delta);

/// By how much of itself that figure may be too large: losses are rounded to the grid.
inline constexpr double kAttackError = 0.01;

}  // namespace southwell::audit
