#pragma once

#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// Oracle, not part of what certifies: the composed privacy loss distribution of the dominating
/// pairs. delta(epsilon) = E[(1 - e^(epsilon - loss))+] is read off the complex moment
/// M(z) = E[e^(z loss)] by an inversion integral along the line through the best Renyi order, so
/// the number of uses enters as a power. Good to about 1e-5 relative. NaN for sampled events, whose
/// complex moment has no closed form.
double pld_delta(const Composition& composition, double epsilon);
/// The least epsilon with pld_delta <= delta; the basic epsilon at delta = 0.
double pld_epsilon(const Composition& composition, double delta);

}  // namespace southwell::privacy
