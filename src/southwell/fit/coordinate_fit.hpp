#pragma once

#include <string>

#include "southwell/fit/solver_fit.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/solvers/coordinate_release.hpp"

namespace southwell::fit {

// What the solvers that release one coordinate per iteration share. Internal: sources include it.

/// Refuses what belongs to a solver of whole gradients; `used` is the one in use.
void refuse_batches(const FitSpec& spec, std::string_view used);
/// `release`: laplace or gaussian.
privacy::Release read_release(Planning& planning, privacy::Release standard);
/// laplace, gaussian
std::string release_word(privacy::Release release);
std::string mechanism_name(privacy::Release release);
solvers::CertifiedRelease::Mechanism release_mechanism(privacy::Release release,
                                                       const privacy::Cost& cost);
/// Of its noise, in grid units.
double release_sd(privacy::Release release, const privacy::Cost& cost);

}  // namespace southwell::fit
