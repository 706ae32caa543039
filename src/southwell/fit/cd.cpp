#include "southwell/fit/cd.hpp"

#include <variant>

#include "southwell/fit/coordinate_release.hpp"
#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/problem/coordinate_problem.hpp"
#include "southwell/solvers/cd.hpp"

namespace southwell::fit {

void Cd::read(Draft& draft) {
  if (draft.mode == Mode::paper) return;
  // Laplace noise composes badly over many steps, but it is all there is without a delta.
  release_ = note_release(
      draft, draft.budget.delta > 0.0 ? privacy::Release::gaussian : privacy::Release::laplace);
}

void Cd::calibrate(Draft& draft, std::uint64_t iterations, const Defaults&) {
  if (draft.mode == Mode::paper) {
    const double multiplier =
        privacy::paper_gaussian_multiplier(draft.budget.epsilon, draft.budget.delta, iterations);
    paper_sigma_ = 2.0 * multiplier;  // replacing a record moves a mean by 2 C_j / n
    draft.note("noise_multiplier", multiplier, Source::standard);
    draft.statement.accountant = "Renyi composition of Gaussian noise in doubles";
    return;
  }
  certified_ = draft.calibrated(
      privacy::cd_schedule({.iterations = Draft::charged(iterations),
                            .relation = draft.relation,
                            .release = release_,
                            .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}));
  draft.statement.mechanisms.push_back(
      {"release", mechanism_name(release_), certified_->costs[0], iterations});
}

NoiseSd Cd::noise(const problem::Coordinates& all, std::size_t c, double step) const {
  const double units = certified_
                           ? release_sd(release_, certified_->costs[0])
                           : paper_sigma_ * static_cast<double>(problem::ProductClip::kBound);
  const double gradient = units * all.gradient_unit(c);
  return {gradient, gradient * (step / all.smoothness(c))};
}

Solved Cd::solve(const Work& work) const {
  solvers::UniformCoordinates choose(work.coordinates.size(), work.bits);
  const auto run = [&]<class Design>(const Design& design, auto release) {
    problem::CoordinateProblem<Design> problem(gradient_parts(design, work), work.penalty,
                                               work.start, work.pool);
    auto path =
        solvers::cd(problem, choose, release,
                    {.iterations = work.iterations, .step = work.step, .progress = work.progress});
    return solved_along(problem.coef(), std::move(path));
  };
  return std::visit(
      [&](const auto& design) {
        if (!certified_) return run(design, solvers::PaperCdRelease(paper_sigma_, work.bits));
        return run(design,
                   solvers::CertifiedRelease(release_mechanism(release_, certified_->costs[0]),
                                             work.iterations, work.bits));
      },
      work.dataset.design);
}

}  // namespace southwell::fit
