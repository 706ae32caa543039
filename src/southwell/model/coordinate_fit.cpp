#include "southwell/model/coordinate_fit.hpp"

#include <numbers>

#include "southwell/model/input_check.hpp"

namespace southwell::model {

privacy::Release read_release(Planning& planning) {
  const auto& given = planning.spec.release;
  const std::string name = word("release", given, {"laplace", "gaussian"});
  planning.note("release", name, Planning::source_of(given.has_value()));
  return name == "laplace" ? privacy::Release::laplace : privacy::Release::gaussian;
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

}  // namespace southwell::model
