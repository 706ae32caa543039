#include "southwell/fit/norm_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/fault.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/fit/whitened_descent.hpp"
#include "southwell/problem/batch_problem.hpp"
#include "southwell/problem/gradient/moment_sums.hpp"
#include "southwell/solvers/rounds/privacy_noise.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::fit {
namespace {

constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
constexpr double kAveraged = 0.5;
/// The sd of that average's noise, as a part of the sd where all steps ended.
constexpr double kAverageNoise = 0.75;
/// A feature has at most so many times its share of a record's squared norm, where noise is stated.
constexpr double kMostShare = 10.0;
/// What margins leave of the curvature that an intercept meets, at least.
constexpr double kLeastSlope = 0.25;

/// A step of its own for every coordinate, always.
struct StepOfEach : solvers::FixedStep {
  explicit StepOfEach(std::vector<double> of_each) : steps(std::move(of_each)) {}
  template <class Problem>
  double step_of(const Problem&, std::size_t c) const {
    return steps[c];
  }

  std::vector<double> steps;
};

}  // namespace

void NormDescent::read(Draft& draft) {
  draft.note("iterate", "average");
  note_refinement(draft);
  calibrates_ = draft.spec.calibrate_probabilities;
}

Defaults NormDescent::automatic(const PublicFacts& of) {
  facts_ = of;
  whitening_ = whitening_choice(of);
  // In whitened features, with so much signal, a descent arrives: a factor would only add its
  // noise.
  calibrates_ = calibrates_.value_or(MarginFactor::pays(of) && !whitening_.whitens);
  factor_ = MarginFactor(of);
  const NormDescentRule rule = rule_at(of.record_norm);
  Defaults out;
  const bool follows = of.finds_norm && !whitening_.whitens;  // the norm, in how many there are
  out.iterations = follows ? norm_descent_iterations(of) : rule.iterations;
  out.clip = rule.clip;
  return out;
}

void NormDescent::calibrate(Draft& draft, std::uint64_t iterations, const Defaults&) {
  iterations_ = iterations;
  facts_.iterations = iterations;
  limit_ = draft.record_limit;
  draft.note("batch_size", static_cast<double>(draft.records));
  draft.limit_records(kLongestRecord * facts_.record_norm);
  draft.note("calibrate_probabilities", calibrates() ? "on" : "off");
  if (whitening_.whitens) draft.note("whitening", whitening_.why, Source::standard);
  const std::uint64_t moved = draft.relation == privacy::Relation::replace_one
                                  ? problem::kReplacedMoments
                                  : problem::kAddedMoments;
  const privacy::RoundsScheduleOptions::Releases last = factor_.releases();
  const double moments = whitening_.whitens ? whitening_.moments_part : 0.0;
  const double factor = calibrates() ? last.part : 0.0;
  privacy::Cost factor_cost{};
  std::vector<ReleaseUse> uses{
      {"moments", &moments_cost_, 1, {1, moments, moved}},
      {"release", &cost_, iterations, {Draft::charged(iterations), 1.0 - moments - factor}},
      {"calibrate", &factor_cost, last.count, {last.count, factor}}};
  if (calibrates() && fault(Fault::factor_is_not_charged)) uses.pop_back();
  const bool forgets = whitening_.whitens && fault(Fault::moments_are_not_charged);
  if (forgets) uses.erase(uses.begin());
  charge_releases(draft, std::move(uses));
  if (forgets) moments_cost_ = cost_;
  factor_.set_cost(fault(Fault::factor_is_not_charged) ? cost_ : factor_cost);
}

NormDescentRule NormDescent::rule_at(double record_norm) const {
  return whitens_at(record_norm)
             ? whitened_descent_rule(facts_, static_cast<double>(whitened_dims(facts_)))
             : norm_descent_rule(facts_, record_norm);
}

double NormDescent::unit(const problem::Coordinates& all, const NormDescentRule& rule,
                         std::size_t c) const {
  return all.is_intercept(c) ? 1.0 / rule.intercept_size : limit_.unit(all.feature(c));
}

NoiseSd NormDescent::noise_at(const NormDescentRule& rule, const problem::Coordinates& all,
                              std::size_t c) const {
  const double releases = static_cast<double>(iterations_);
  // Were the loss as curved as it can be for features that share a record's norm alike.
  const double size = all.is_intercept(c) ? 1.0
                                          : facts_.record_norm * limit_.unit(all.feature(c)) /
                                                std::sqrt(static_cast<double>(all.features()));
  const double scale = whitening_.whitens ? size : unit(all, rule, c);
  // Of the mean of all releases.
  const double gradient = rule.clip * scale * static_cast<double>(cost_.scale) /
                          (static_cast<double>(kBound) * facts_.records * std::sqrt(releases));
  const double time =
      releases * (all.is_intercept(c) && !whitening_.whitens ? rule.intercept_step
                                                             : rule.step / (scale * scale));
  const double curvature = all.options().curvature * size * size + all.l2(c);
  return {gradient, gradient * std::min(kAverageNoise * time, 1.0 / curvature)};
}

NoiseSd NormDescent::noise(const problem::Coordinates& all, std::size_t c, double) const {
  return noise_at(rule_at(facts_.record_norm), all, c);
}

/// All features are alike in units of a record, so that two responses tell it.
std::vector<double> NormDescent::stated_noise(const NormDescentRule& rule,
                                              const problem::Coordinates& all) const {
  const double curvature = all.options().curvature;
  const double noise =
      rule.clip * static_cast<double>(cost_.scale) / (static_cast<double>(kBound) * facts_.records);
  const auto sd = [&](double step, double least, double most) {
    const solvers::ImpulseResponse response(std::vector<solvers::ImpulseResponse::Release>(
                                                iterations_, {(1.0 - rule.momentum) * step, noise}),
                                            rule.momentum,
                                            solvers::first_averaged(iterations_, kAveraged));
    const std::optional<double> variance = solvers::steady_variance(response, least, most);
    return variance ? std::sqrt(*variance) : std::numeric_limits<double>::quiet_NaN();
  };
  const double share = std::min(1.0, kMostShare / static_cast<double>(all.features()));
  const double feature =
      sd(rule.step, facts_.l2, facts_.l2 + curvature * share * rule.norm * rule.norm);
  const double intercept =
      sd(rule.intercept_step, kLeastSlope * curvature, curvature) / rule.intercept_size;
  std::vector<double> out(all.size());
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = all.is_intercept(c) ? intercept : feature / unit(all, rule, c);
  }
  return out;
}

Solved NormDescent::solve_unmapped(const Work& work, const NormDescentRule& rule) const {
  const problem::Coordinates& all = work.coordinates;
  std::vector<double> units(all.size());
  std::vector<double> steps(all.size());
  for (std::size_t c = 0; c < units.size(); ++c) {
    units[c] = unit(all, rule, c);
    const double step =
        all.is_intercept(c) ? rule.intercept_step : rule.step / (units[c] * units[c]);
    steps[c] = (1.0 - rule.momentum) * step;
  }
  return std::visit(
      [&]<class Design>(const Design& design) {
        problem::BatchProblem<Design> batch(gradient_parts(design, work), work.penalty,
                                            {.clip_units = units,
                                             .clip = rule.clip,
                                             .slope_limit = rule.slope_limit,
                                             .batch = facts_.records},
                                            work.start, work.pool);
        solvers::CertifiedSgd mechanism({cost_.shift, cost_.scale}, solvers::CertifiedSgd::kAll,
                                        work.bits);
        StepOfEach each(steps);
        Solved out;
        out.coef = solvers::sgd(batch, mechanism, each,
                                {.iterations = work.iterations,
                                 .iterate = solvers::Iterate::average,
                                 .averaged = kAveraged,
                                 .momentum = rule.momentum,
                                 .progress = work.progress});
        out.null_coef = work.start;
        for (std::size_t c = 0; c < all.size(); ++c) {
          if (all.is_intercept(c)) out.null_coef[c] = out.coef[c];
        }
        out.noise_sd = stated_noise(rule, all);
        out.null_noise_sd.resize(all.size());
        for (std::size_t c = 0; c < all.size(); ++c) {
          if (all.is_intercept(c)) out.null_noise_sd[c] = out.noise_sd[c];
        }
        return out;
      },
      work.dataset.design);
}

Solved NormDescent::solve(const Work& work) const {
  NormDescentRule rule = norm_descent_rule(facts_, work.record_norm);
  std::optional<WhitenedDescent::Ended> whitened;
  if (whitening_.whitens) {
    whitened = WhitenedDescent{facts_, limit_, moments_cost_, cost_, kAveraged}.run(work);
  }
  MarginFactor::Descended descended{.norm_units = limit_, .norm = work.record_norm};
  if (whitened) {
    // A mapped record is as long as its own norm, in typical ones, makes it expect.
    const double mapped = whitened->rule.norm / work.record_norm;
    descended.time = whitened->rule.step * mapped * mapped;
    rule = whitened->rule;
  } else {
    descended.time = rule.step;
  }
  descended.time *= static_cast<double>(work.iterations);
  descended.slope_limit = rule.slope_limit;
  Solved solved = whitened ? std::move(whitened->solved) : solve_unmapped(work, rule);
  if (calibrates()) factor_.apply(solved, work, descended);
  return solved;
}

}  // namespace southwell::fit
