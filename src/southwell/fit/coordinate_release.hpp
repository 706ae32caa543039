#pragma once

#include <string>

#include "southwell/fit/draft.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/solvers/coordinate_release.hpp"

namespace southwell::fit {

// What the algorithms share that release the gradient of one coordinate at a time: the choice
// between Laplace and Gaussian noise.

/// `release`, noted: what was given, or `standard`.
privacy::Release note_release(Draft& draft, privacy::Release standard);
std::string mechanism_name(privacy::Release release);
solvers::CertifiedRelease::Mechanism release_mechanism(privacy::Release release,
                                                       const privacy::Cost& cost);
/// Of its noise, in grid units.
double release_sd(privacy::Release release, const privacy::Cost& cost);

}  // namespace southwell::fit
