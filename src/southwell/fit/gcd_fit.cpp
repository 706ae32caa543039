#include "southwell/fit/gcd_fit.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/fit/coordinate_fit.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/problem/greedy_problem.hpp"
#include "southwell/solvers/gcd.hpp"

namespace southwell::fit {
namespace {

ValidWith certified_mode() {
  return {"mode certified", "the paper has one noisy max and one Laplace release"};
}

privacy::Selection selection_from(const std::string& name) {
  if (name == "exponential") return privacy::Selection::exponential;
  if (name == "permute_and_flip") return privacy::Selection::permute_and_flip;
  return privacy::Selection::noisy_max;
}

solvers::CertifiedGreedy::Select select(privacy::Selection selection, const privacy::Cost& cost) {
  const std::uint64_t sensitivity = cost.shift / 2;  // a selection is charged twice that
  switch (selection) {
    case privacy::Selection::exponential:
      return privacy::ExponentialMechanism(sensitivity, cost.scale);
    case privacy::Selection::permute_and_flip:
      return privacy::PermuteAndFlip(sensitivity, cost.scale);
    case privacy::Selection::noisy_max:
      break;
  }
  return privacy::NoisyMax(sensitivity, cost.scale);
}

}  // namespace

void GcdFit::read(Planning& planning) {
  const FitSpec& spec = planning.spec;
  refuse_batches(spec, kName);
  planning.statement.rule = word("rule", spec.rule, {"gs_s", "gs_r", "gs_q"});
  rule_ = problem::make_rule(planning.statement.rule);
  planning.note("rule", planning.statement.rule, Planning::source_of(spec.rule.has_value()));
  if (wants_refinement(planning)) {
    refined_.emplace(planning);
    return;
  }
  if (planning.mode == Mode::paper) {
    Planning::refuse_if_given("selection", spec.selection, certified_mode());
    Planning::refuse_if_given("release", spec.release, certified_mode());
    Planning::refuse_if_given("share", spec.share, certified_mode());
    return;
  }
  const std::string selection =
      word("selection", spec.selection, {"exponential", "permute_and_flip", "noisy_max"});
  selection_ = selection_from(selection);
  planning.note("selection", selection, Planning::source_of(spec.selection.has_value()));
  if (spec.release) release_ = read_release(planning, privacy::Release::laplace);
}

privacy::Calibrated GcdFit::calibrated(const Planning& planning, std::uint64_t iterations,
                                       privacy::Release release, double share) const {
  return planning.calibrated(
      privacy::plan_gcd({.iterations = Planning::charged(iterations),
                         .relation = planning.relation,
                         .selection = selection_,
                         .release = release,
                         .share = share,
                         .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}));
}

/// Of Laplace and Gaussian releases those with less noise where the sds of releases and selections
/// stand to each other as with Laplace's automatic share. A share that was given is one of Laplace
/// releases.
privacy::Release GcdFit::automatic_release(const Planning& planning,
                                           std::uint64_t iterations) const {
  if (planning.spec.share || planning.budget.delta == 0.0) return privacy::Release::laplace;
  const double share = laplace_share(of_, iterations);
  const double rest = (1.0 - share) / share;
  const auto selection_scale = [&](privacy::Release release, double part) {
    try {
      return static_cast<double>(calibrated(planning, iterations, release, part).costs[0].scale);
    } catch (const CalibrationError&) {
      return std::numeric_limits<double>::infinity();
    }
  };
  const double laplace = selection_scale(privacy::Release::laplace, share);
  const double gaussian =
      selection_scale(privacy::Release::gaussian, 1.0 / (1.0 + 2.0 * pure_part() * rest * rest));
  return gaussian < laplace || std::isinf(laplace) ? privacy::Release::gaussian
                                                   : privacy::Release::laplace;
}

double GcdFit::automatic_share(privacy::Release release, std::uint64_t iterations) const {
  if (release == privacy::Release::laplace) return laplace_share(of_, iterations);
  const double share = gaussian_share(of_);
  return share / (share + pure_part() * (1.0 - share));
}

/// rho of a selection is range^2 / 8, or range^2 / 2 if it is pure: so much of the odds is left.
double GcdFit::pure_part() const {
  return selection_ == privacy::Selection::exponential ? 1.0 : 0.25;
}

void GcdFit::calibrate(Planning& planning, std::uint64_t iterations, const Defaults& automatic) {
  if (refined_) return refined_->calibrate(planning, iterations, automatic);
  Statement& statement = planning.statement;
  if (planning.mode == Mode::paper) {
    const double query =
        privacy::paper_query_epsilon(planning.budget.epsilon, planning.budget.delta, iterations);
    paper_noise_ = 2.0 / query;  // replacing a record moves a mean by 2 C_j / n
    planning.note("query_epsilon", query, Source::standard);
    statement.accountant = "advanced composition as in the paper; its premise does not hold";
    return;
  }
  if (!planning.spec.release) {
    release_ = automatic_release(planning, iterations);
    planning.note("release", release_word(release_), Source::standard);
  }
  const double share = planning.spec.share.value_or(automatic_share(release_, iterations));
  planning.note("share", share, Planning::source_of(planning.spec.share.has_value()));
  certified_ = calibrated(planning, iterations, release_, share);
  constexpr std::array kSelections{"exponential_mechanism", "permute_and_flip", "noisy_max"};
  statement.mechanisms.push_back({"select", kSelections[static_cast<std::size_t>(selection_)],
                                  certified_->costs[0], iterations});
  statement.mechanisms.push_back(
      {"release", mechanism_name(release_), certified_->costs[1], iterations});
}

double GcdFit::gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const {
  if (refined_) return refined_->gradient_noise_sd(coordinates, c);
  if (certified_) return release_sd(release_, certified_->costs[1]) * coordinates.gradient_unit(c);
  return std::numbers::sqrt2 * paper_noise_ * static_cast<double>(problem::ProductClip::kBound) *
         coordinates.gradient_unit(c);
}

Solved GcdFit::solve(const SolverWork& work) const {
  if (refined_) return refined_->solve(work, rule_);
  const auto run = [&]<class Design>(const Design& design, auto mechanisms) {
    problem::GreedyProblem<Design> greedy(gradient_parts(design, work), work.penalty, rule_,
                                          work.start, work.pool);
    auto path =
        solvers::gcd(greedy, mechanisms,
                     {.iterations = work.iterations, .step = work.step, .progress = work.progress});
    return solved_along(greedy.coef(), std::move(path));
  };
  return std::visit(
      [&](const auto& design) {
        if (!certified_) {
          return run(design, solvers::PaperGreedy(work.coordinates, work.penalty, rule_,
                                                  paper_noise_, work.bits));
        }
        return run(design,
                   solvers::CertifiedGreedy(select(selection_, certified_->costs[0]),
                                            {release_mechanism(release_, certified_->costs[1]),
                                             work.iterations, work.bits},
                                            work.bits));
      },
      work.dataset.design);
}

}  // namespace southwell::fit
