#include "southwell/fit/coordinate_release.hpp"

#include <numbers>

namespace southwell::fit {

privacy::Release note_release(Draft& draft, privacy::Release standard) {
  privacy::Release release = standard;
  if (const auto& given = draft.spec.release) {
    release = *given == privacy::kReleaseNames[0] ? privacy::Release::laplace
                                                  : privacy::Release::gaussian;
  }
  draft.note("release", std::string(privacy::kReleaseNames[static_cast<std::size_t>(release)]));
  return release;
}

std::string mechanism_name(privacy::Release release) {
  return release == privacy::Release::laplace ? "discrete_laplace_release"
                                              : "discrete_gaussian_release";
}

solvers::CertifiedRelease::Mechanism release_mechanism(privacy::Release release,
                                                       const privacy::Cost& cost) {
  if (release == privacy::Release::laplace) {
    return privacy::DiscreteLaplaceRelease(cost.shift, cost.scale);
  }
  return privacy::DiscreteGaussianRelease(cost.shift, cost.scale);
}

double release_sd(privacy::Release release, const privacy::Cost& cost) {
  const auto scale = static_cast<double>(cost.scale);
  return release == privacy::Release::gaussian ? scale : std::numbers::sqrt2 * scale;
}

}  // namespace southwell::fit
