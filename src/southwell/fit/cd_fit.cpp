#include "southwell/fit/cd_fit.hpp"

#include <variant>

#include "southwell/fit/coordinate_fit.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/problem/coordinate_problem.hpp"
#include "southwell/solvers/cd.hpp"

namespace southwell::fit {

void CdFit::read(Planning& planning) {
  const FitSpec& spec = planning.spec;
  const ValidWith gcd = ValidWith::solver("gcd", kName);
  refuse_rounds(spec, gcd);
  refuse_refinement(spec, ValidWith::solver("gcd or sgd", kName));
  refuse_batches(spec, kName);
  Planning::refuse_if_given("rule", spec.rule, gcd);
  Planning::refuse_if_given("selection", spec.selection, gcd);
  Planning::refuse_if_given("share", spec.share, gcd);
  if (planning.mode == Mode::paper) {
    Planning::refuse_if_given("release", spec.release,
                              {"mode certified", "the paper has one Gaussian release"});
    return;
  }
  // Laplace noise composes badly over many steps, but it is all there is without a delta.
  release_ = read_release(planning, planning.budget.delta > 0.0 ? privacy::Release::gaussian
                                                                : privacy::Release::laplace);
}

void CdFit::calibrate(Planning& planning, std::uint64_t iterations, const Defaults&) {
  if (planning.mode == Mode::paper) {
    const double multiplier = privacy::paper_gaussian_multiplier(planning.budget.epsilon,
                                                                 planning.budget.delta, iterations);
    paper_sigma_ = 2.0 * multiplier;  // replacing a record moves a mean by 2 C_j / n
    planning.note("noise_multiplier", multiplier, Source::standard);
    planning.statement.accountant = "Renyi composition of Gaussian noise in doubles";
    return;
  }
  certified_ = planning.calibrated(
      privacy::plan_cd({.iterations = Planning::charged(iterations),
                        .relation = planning.relation,
                        .release = release_,
                        .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}));
  planning.statement.mechanisms.push_back(
      {"release", mechanism_name(release_), certified_->costs[0], iterations});
}

double CdFit::gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const {
  const double units = certified_
                           ? release_sd(release_, certified_->costs[0])
                           : paper_sigma_ * static_cast<double>(problem::ProductClip::kBound);
  return units * coordinates.gradient_unit(c);
}

Solved CdFit::solve(const SolverWork& work) const {
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
