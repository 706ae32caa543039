#include "southwell/fit/gcd.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/fit/coordinate_release.hpp"
#include "southwell/fit/inputs.hpp"
#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/problem/greedy_problem.hpp"
#include "southwell/solvers/gcd.hpp"

namespace southwell::fit {
namespace {

/// The mechanisms' own names, in the order of privacy::Selection.
constexpr std::array kSelectionMechanisms{"exponential_mechanism", "permute_and_flip", "noisy_max"};

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

void Gcd::read(Draft& draft) {
  draft.statement.rule = draft.note_word("rule");
  rule_ = problem::make_rule(draft.statement.rule);
  if (draft.mode == Mode::paper) return;
  const std::string selection = draft.note_word("selection");
  selection_ =
      static_cast<privacy::Selection>(*core::index_of(privacy::kSelectionNames, selection));
  if (draft.spec.release) release_ = note_release(draft, privacy::Release::laplace);
}

privacy::Calibrated Gcd::calibrated(const Draft& draft, std::uint64_t iterations,
                                    privacy::Release release, double share) const {
  return draft.calibrated(
      privacy::gcd_schedule({.iterations = Draft::charged(iterations),
                             .relation = draft.relation,
                             .selection = selection_,
                             .release = release,
                             .share = share,
                             .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}));
}

/// Of Laplace and Gaussian releases those with less noise where the sds of releases and selections
/// stand to each other as with Laplace's automatic share. A share that was given is one of Laplace
/// releases.
privacy::Release Gcd::automatic_release(const Draft& draft, std::uint64_t iterations) const {
  if (draft.spec.share || draft.budget.delta == 0.0) return privacy::Release::laplace;
  const double share = laplace_share(of_, iterations);
  const double rest = (1.0 - share) / share;
  const auto selection_scale = [&](privacy::Release release, double part) {
    try {
      return static_cast<double>(calibrated(draft, iterations, release, part).costs[0].scale);
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

double Gcd::automatic_share(privacy::Release release, std::uint64_t iterations) const {
  if (release == privacy::Release::laplace) return laplace_share(of_, iterations);
  const double share = gaussian_share(of_);
  return share / (share + pure_part() * (1.0 - share));
}

/// rho of a selection is range^2 / 8, or range^2 / 2 if it is pure: so much of the odds is left.
double Gcd::pure_part() const { return selection_ == privacy::Selection::exponential ? 1.0 : 0.25; }

void Gcd::calibrate(Draft& draft, std::uint64_t iterations, const Defaults&) {
  Statement& statement = draft.statement;
  if (draft.mode == Mode::paper) {
    const double query =
        privacy::paper_query_epsilon(draft.budget.epsilon, draft.budget.delta, iterations);
    paper_noise_ = 2.0 / query;  // replacing a record moves a mean by 2 C_j / n
    draft.note("query_epsilon", query, Source::standard);
    statement.accountant = "advanced composition as in the paper; its premise does not hold";
    return;
  }
  if (!draft.spec.release) {
    release_ = note_release(draft, automatic_release(draft, iterations));
  }
  const double share = draft.spec.share.value_or(automatic_share(release_, iterations));
  draft.note("share", share);
  certified_ = calibrated(draft, iterations, release_, share);
  statement.mechanisms.push_back({"select",
                                  kSelectionMechanisms[static_cast<std::size_t>(selection_)],
                                  certified_->costs[0], iterations});
  statement.mechanisms.push_back(
      {"release", mechanism_name(release_), certified_->costs[1], iterations});
}

NoiseSd Gcd::noise(const problem::Coordinates& all, std::size_t c, double step) const {
  const double gradient =
      certified_ ? release_sd(release_, certified_->costs[1]) * all.gradient_unit(c)
                 : std::numbers::sqrt2 * paper_noise_ *
                       static_cast<double>(problem::ProductClip::kBound) * all.gradient_unit(c);
  return {gradient, gradient * (step / all.smoothness(c))};
}

Solved Gcd::solve(const Work& work) const {
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
