#include "southwell/fit/sgd_fit.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "southwell/fit/input_check.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/problem/batch_problem.hpp"
#include "southwell/solvers/rounds/rounds.hpp"

namespace southwell::fit {
namespace {

constexpr std::uint64_t kAll = solvers::CertifiedSgd::kAll;
constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
constexpr double kAveraged = 0.5;
constexpr double kCentreAveraged = 0.75;

ValidWith batches() { return {"mode certified", "the paper takes one uniform record per step"}; }

/// batch / records in units of 2^-32, rounded down but never to 0: exactly what the sampler uses.
std::uint64_t rate(std::uint64_t batch, std::uint64_t records) {
  if (batch == records) return kAll;
  const double part = static_cast<double>(batch) / static_cast<double>(records);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ldexp(part, 32)));
}

}  // namespace

void SgdFit::read(Planning& planning) {
  const FitSpec& spec = planning.spec;
  const ValidWith gcd = ValidWith::solver("gcd", kName);
  Planning::refuse_if_given("rule", spec.rule, gcd);
  Planning::refuse_if_given("selection", spec.selection, gcd);
  Planning::refuse_if_given("share", spec.share, gcd);
  Planning::refuse_if_given("release", spec.release,
                            {"solver gcd or cd", "this fit uses sgd, whose noise is Gaussian"});
  const bool paper = planning.mode == Mode::paper;
  const std::string iterate = word("iterate", spec.iterate,
                                   paper ? std::vector<std::string>{"last", "average"}
                                         : std::vector<std::string>{"average", "last"});
  iterate_ = iterate == "last" ? solvers::Iterate::last : solvers::Iterate::average;
  planning.note("iterate", iterate, Planning::source_of(spec.iterate.has_value()));
  if (paper) {
    refuse_refinement(spec, {"mode certified"});
    Planning::refuse_if_given("batch_size", spec.batch_size, batches());
    Planning::refuse_if_given("sampling", spec.sampling, batches());
    return;
  }
  word("sampling", spec.sampling, {"poisson"});
  if (!wants_refinement(planning)) return;
  refuse_rounds(spec, gcd);

  refined_.emplace();
  refined_->clip_rule.corrects_attenuation = read_switch(planning, "attenuation", spec.attenuation);
  refined_->tracks = read_clip_tracking(planning);
  refined_->corrects_margins = read_margin_correction(planning);
}

Defaults SgdFit::automatic(const DefaultsOf& of) {
  if (!refined_) return sgd_defaults(of);
  refined_->rule = refined_sgd_rule(of);
  refined_->rule.pace.corrects_margins = refined_->corrects_margins;

  refined_->centres = of.intercept && !of.centre_given;
  refined_->clip_rule.slope_limit = of.slopes.limit;
  Defaults out;
  out.iterations = refined_->rule.iterations;
  out.clip = refined_->rule.pace.clip * clip_unit(of) *
             (of.slopes.are_limited() ? of.slopes.limit : 1.0) *
             std::sqrt(static_cast<double>(of.coordinates));
  return out;
}

void SgdFit::calibrate(Planning& planning, std::uint64_t iterations, const Defaults&) {
  iterations_ = iterations;
  Statement& statement = planning.statement;
  if (planning.mode == Mode::paper) {
    sampled_ = rate(1, planning.records);
    const privacy::Calibrated published =
        privacy::calibrate(privacy::plan_sgd({.iterations = iterations,
                                              .sampled = sampled_,
                                              .relation = privacy::Relation::add_or_remove_one,
                                              .bound = kBound}),
                           planning.budget);
    paper_sigma_ = static_cast<double>(published.costs[0].scale) / static_cast<double>(kBound);
    planning.note("batch_size", 1.0, Source::standard);
    planning.note("noise_multiplier", paper_sigma_, Source::standard);
    statement.accountant =
        "Renyi composition of the subsampled Gaussian at rate 1/n, as for adding a record";
    return;
  }
  const std::uint64_t size = planning.spec.batch_size.value_or(planning.records);
  if (size < 1 || size > planning.records) {
    refuse("batch_size", std::to_string(size),
           "a whole number from 1 to the number of records, " + std::to_string(planning.records));
  }
  planning.note("batch_size", static_cast<double>(size),
                Planning::source_of(planning.spec.batch_size.has_value()));
  sampled_ = rate(size, planning.records);
  if (sampled_ < kAll) {
    planning.note("sampling", "poisson", Planning::source_of(planning.spec.sampling.has_value()));
  } else {
    Planning::refuse_if_given("sampling", planning.spec.sampling,
                              {"a batch_size below the number of records"});
  }
  batch_ = std::ldexp(static_cast<double>(sampled_), -32) * static_cast<double>(planning.records);
  sensitivity_ = privacy::sum_sensitivity(planning.relation, kBound);
  const std::uint64_t charged = Planning::charged(iterations);
  if (refined_) return calibrate_refined(planning, charged);
  // Without sampling: T vectors of l2 sensitivity 2K or K with Gaussian noise.
  const privacy::Plan plan = sampled_ == kAll
                                 ? privacy::plan_cd({.iterations = charged,
                                                     .relation = planning.relation,
                                                     .release = privacy::Release::gaussian,
                                                     .bound = kBound})
                                 : privacy::plan_sgd({.iterations = charged,
                                                      .sampled = sampled_,
                                                      .relation = planning.relation,
                                                      .bound = kBound});
  const privacy::Cost cost = planning.calibrated(plan).costs[0];
  scale_ = cost.scale;
  statement.mechanisms.push_back({"release", "discrete_gaussian_release", cost, iterations});
}

void SgdFit::calibrate_refined(Planning& planning, std::uint64_t charged) {
  const RefinedDescentRule& rule = refined_->rule;
  std::vector<privacy::RoundsPlan::Releases> releases{
      {charged, refined_->centres ? 1.0 - rule.centre_part : 1.0}};
  if (refined_->centres) {
    if (planning.is_regression) planning.note("target_center", "private", Source::mechanism);
    releases.push_back({rule.centre_releases, rule.centre_part});
  }
  const privacy::Calibrated calibrated = planning.calibrated(privacy::plan_rounds(
      {.selections = 0, .releases = releases, .relation = planning.relation, .bound = kBound}));
  scale_ = calibrated.costs[0].scale;
  auto& mechanisms = planning.statement.mechanisms;
  if (refined_->centres) {
    refined_->centre_cost = calibrated.costs[1];
    mechanisms.push_back(
        {"release", "discrete_gaussian_release", calibrated.costs[1], rule.centre_releases});
  }
  mechanisms.push_back({"release", "discrete_gaussian_release", calibrated.costs[0], iterations_});
}

double SgdFit::clip_of(const problem::Coordinates& coordinates, std::size_t c) const {
  return scale_ > 0 ? coordinates.clip(c) : coordinates.clip();
}

double SgdFit::gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const {
  if (scale_ == 0) return paper_sigma_ * coordinates.clip();
  const double sd = static_cast<double>(scale_) * clip_of(coordinates, c) /
                    (static_cast<double>(kBound) * batch_);
  if (!refined_) return sd;
  return sd / (refined_->clip_rule.attenuation(refined_->rule.pace.clip, coordinates.size()) *
               std::sqrt(static_cast<double>(iterations_)));
}

double SgdFit::step_length(const problem::Coordinates& coordinates, std::size_t c,
                           double step) const {
  if (!refined_) return step;
  solvers::PaceOptions pace = refined_->rule.pace;
  pace.noise = static_cast<double>(scale_) /
               (static_cast<double>(kBound) * batch_ * std::sqrt(static_cast<double>(iterations_)));
  return std::min(1.0, step * pace.total_time(coordinates.size())) / coordinates.smoothness(c);
}

Solved SgdFit::solve_refined(const SolverWork& work) const {
  std::optional<solvers::ResidualScale> scale;
  if (refined_->tracks) scale.emplace(work.slope_scale, work.slope_scale_doubt);
  solvers::ResidualScale* const tracked = scale ? &*scale : nullptr;
  const solvers::ClipRule& clip_rule = refined_->clip_rule;
  std::uint32_t number = 0;
  const auto descent = [&](solvers::PaceOptions pace, const privacy::Cost& cost,
                           std::uint64_t releases, double averaged) {
    pace.scale = clip_rule.slope_limit > 0.0 ? clip_rule.slope_limit : work.slope_scale;
    pace.releases = releases;
    pace.step = work.step;
    pace.noise = static_cast<double>(cost.scale) /
                 (static_cast<double>(kBound) * batch_ * std::sqrt(static_cast<double>(releases)));
    return solvers::DescentOptions{.release = {cost.shift, cost.scale},
                                   .pace = pace,
                                   .averaged = averaged,
                                   .number = number++,
                                   .progress = {}};
  };
  return std::visit(
      [&]<class Design>(const Design& design) {
        const problem::GradientParts<Design> parts = gradient_parts(design, work);
        std::vector<double> start = work.start;
        if (refined_->centres) {
          solvers::PlainGreedyPoint point{start};
          std::vector<solvers::PathStep> path;
          solvers::SupportDescent<Design>(parts, work.penalty, clip_rule, tracked, work.pool,
                                          work.bits)
              .run(descent(refined_->rule.centre_pace, refined_->centre_cost,
                           refined_->rule.centre_releases, kCentreAveraged),
                   solvers::Support{}, point, path);
        }
        solvers::DescentOptions whole = descent(
            refined_->rule.pace, {privacy::Cost::Kind::discrete_gaussian, sensitivity_, scale_},
            work.iterations, kAveraged);
        whole.progress = work.progress;
        solvers::Descended end = solvers::descend(parts, work.penalty, clip_rule, whole,
                                                  std::move(start), tracked, work.pool, work.bits);
        const std::size_t size = end.coef.size();
        Solved solved{std::move(end.coef), {}, std::vector<bool>(size, true)};
        solved.noise_sd = std::move(end.noise_sd);
        return solved;
      },
      work.dataset.design);
}

Solved SgdFit::solve(const SolverWork& work) const {
  if (refined_) return solve_refined(work);
  const double clip = work.coordinates.clip();
  std::vector<double> units(work.coordinates.size());
  for (std::size_t c = 0; c < units.size(); ++c) units[c] = clip_of(work.coordinates, c) / clip;
  const auto run = [&]<class Design>(const Design& design, auto mechanism) {
    problem::BatchProblem<Design> problem(gradient_parts(design, work), work.penalty,
                                          {.clip_units = units, .clip = clip, .batch = batch_},
                                          work.start, work.pool);
    solvers::FixedStep step{work.step};
    std::vector<double> coef = solvers::sgd(
        problem, mechanism, step,
        {.iterations = work.iterations, .iterate = iterate_, .progress = work.progress});
    return Solved{std::move(coef), {}, std::vector<bool>(units.size(), true)};
  };
  return std::visit(
      [&](const auto& design) {
        if (scale_ == 0) {
          return run(
              design,
              solvers::PaperSgd(std::vector<double>(units.size(), paper_sigma_ * clip), work.bits));
        }
        return run(design,
                   solvers::CertifiedSgd(privacy::DiscreteGaussianRelease(sensitivity_, scale_),
                                         sampled_, work.bits));
      },
      work.dataset.design);
}

}  // namespace southwell::fit
