#pragma once

#include <string>

#include "southwell/core/fault.hpp"
#include "southwell/model/solver_fit.hpp"
#include "southwell/privacy/calibrate.hpp"
#include "southwell/problem/clipped_gradient.hpp"
#include "southwell/solvers/coordinate_release.hpp"

namespace southwell::model {

// What the solvers that release one coordinate per iteration share. Internal: sources include it.

/// `release`: laplace or gaussian.
privacy::Release read_release(Planning& planning);
std::string mechanism_name(privacy::Release release);
solvers::CertifiedRelease::Mechanism release_mechanism(privacy::Release release,
                                                       const privacy::Cost& cost);
/// Of its noise, in grid units.
double release_sd(privacy::Release release, const privacy::Cost& cost);

template <class Design>
typename problem::ClippedGradient<Design>::Parts gradient_parts(const Design& design,
                                                                const SolverWork& work) {
  return {.design = design,
          .target = work.dataset.target,
          .classes = work.classes,
          .loss = work.loss,
          .coordinates = work.coordinates,
          .shards = work.shards};
}

/// The iterations that calibration counts.
inline std::uint64_t charged(std::uint64_t iterations) {
  return fault(Fault::fit_counts_half_its_iterations) ? (iterations + 1) / 2 : iterations;
}

}  // namespace southwell::model
