#include "southwell/fit/coordinate_fit.hpp"

#include <numbers>

#include "southwell/fit/input_check.hpp"

namespace southwell::fit {

void refuse_batches(const FitSpec& spec, std::string_view used) {
  const ValidWith sgd = ValidWith::solver("sgd", used);
  Planning::refuse_if_given("batch_size", spec.batch_size, sgd);
  Planning::refuse_if_given("sampling", spec.sampling, sgd);
  Planning::refuse_if_given("iterate", spec.iterate, sgd);
}

privacy::Release read_release(Planning& planning, privacy::Release standard) {
  const auto& given = planning.spec.release;
  const auto other = standard == privacy::Release::laplace ? privacy::Release::gaussian
                                                           : privacy::Release::laplace;
  const std::string name = word("release", given, {release_word(standard), release_word(other)});
  planning.note("release", name, Planning::source_of(given.has_value()));
  return name == "laplace" ? privacy::Release::laplace : privacy::Release::gaussian;
}

std::string release_word(privacy::Release release) {
  return release == privacy::Release::laplace ? "laplace" : "gaussian";
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
