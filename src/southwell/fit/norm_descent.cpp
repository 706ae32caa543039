#include "southwell/fit/norm_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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
#include "southwell/solvers/rounds/support_descent.hpp"
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

/// Of features beyond number, as far as the law of the room is concerned: a record's norm is then
/// what it typically is.
constexpr std::size_t kManyFeatures = 1'000'000;
constexpr std::uint32_t kCenter =
    3;  ///< of its noise: 0 is the descent's, 1 the factor's, 2 the moments'
constexpr double kCenterAveraged = 0.75;
constexpr std::size_t kTold = 3;  ///< releases that tell the residuals' scale, before features do

/// A step of its own for every coordinate, always; and a clip that follows the residuals, if their
/// scale is learned.
struct NormSteps : solvers::FixedStep {
  NormSteps(std::vector<double> of_each, const NormDescentRule& by, double slope_scale,
            solvers::ResidualScale* learned)
      : steps(std::move(of_each)), rule(by), start(slope_scale), scale(learned) {}

  template <class Problem>
  void prepare(Problem& problem) {
    clips.push_back(rule.clip * (scale != nullptr ? scale->value() : start));
    if (scale != nullptr) problem.set_clip(clips.back());
  }
  template <class Problem>
  double step_of(const Problem&, std::size_t c) const {
    return steps[c];
  }
  template <class Problem, class Mechanism>
  void learn(const Problem& problem, const Mechanism& mechanism) {
    if (scale == nullptr) return;
    scale->observe(problem.room_of(mechanism.released().back()),
                   problem.room_of_noise(mechanism.noise_sd()), rule.slope_limit, kManyFeatures);
  }

  std::vector<double> steps;
  const NormDescentRule& rule;
  double start;
  solvers::ResidualScale* scale;
  std::vector<double> clips;  ///< of the releases so far
};

}  // namespace

struct NormDescent::Descended {
  Solved solved;
  std::vector<double> noise;    ///< of each release
  double scale_at_first = 1.0;  ///< of the slopes, as soon as some releases have told it
};

void NormDescent::read(Draft& draft) {
  draft.note("iterate", "average");
  note_refinement(draft);
  tracks_ = problem::slopes_are_residuals(draft.loss);
  calibrates_ = draft.spec.calibrate_probabilities;
}

Defaults NormDescent::automatic(const PublicFacts& of) {
  facts_ = of;
  whitening_ = whitening_choice(of);
  // In whitened features, with so much signal, a descent arrives: a factor would only add its
  // noise.
  calibrates_ = calibrates_.value_or(MarginFactor::pays(of) && !whitening_.whitens);
  factor_ = MarginFactor(of);
  centers_ = !of.slopes.are_limited() && of.intercept && !of.center_given;
  center_ = center_rule(of);
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
  if (centers_) draft.note("target_center", "private", Source::mechanism);
  if (whitening_.whitens) draft.note("whitening", whitening_.why, Source::standard);
  const std::uint64_t moved = draft.relation == privacy::Relation::replace_one
                                  ? problem::kReplacedMoments
                                  : problem::kAddedMoments;
  const privacy::RoundsScheduleOptions::Releases last = factor_.releases();
  const double center = centers_ ? center_.part : 0.0;
  const double moments = whitening_.whitens ? whitening_.moments_part : 0.0;
  const double factor = calibrates() ? last.part : 0.0;
  const double rest = 1.0 - center - moments - factor;
  privacy::Cost factor_cost{};
  std::vector<ReleaseUse> uses{
      {"moments", &moments_cost_, 1, {1, moments, moved}},
      {"center", &center_cost_, center_.releases, {center_.releases, center}},
      {"release", &cost_, iterations, {Draft::charged(iterations), rest}},
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

double NormDescent::release_noise(double clip) const {
  return clip * static_cast<double>(cost_.scale) / (static_cast<double>(kBound) * facts_.records);
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
  const double gradient =
      release_noise(all.clip()) * scale / (rule.attenuation * std::sqrt(releases));
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
                                              const problem::Coordinates& all,
                                              const std::vector<double>& noise) const {
  const double curvature = all.options().curvature;
  const auto sd = [&](double step, double least, double most) {
    std::vector<solvers::ImpulseResponse::Release> releases;
    releases.reserve(noise.size());
    for (const double each : noise) releases.push_back({(1.0 - rule.momentum) * step, each});
    const solvers::ImpulseResponse response(std::move(releases), rule.momentum,
                                            solvers::first_averaged(iterations_, kAveraged));
    const std::optional<double> variance = solvers::steady_variance(response, least, most);
    return variance ? std::sqrt(*variance) : std::numeric_limits<double>::quiet_NaN();
  };
  const double share = std::min(1.0, kMostShare / static_cast<double>(all.features()));
  const double feature =
      sd(rule.step, facts_.l2, facts_.l2 + curvature * share * rule.norm * rule.norm);
  const double least = facts_.slopes.are_limited() ? kLeastSlope : 1.0;
  const double intercept =
      sd(rule.intercept_step, least * curvature, curvature) / rule.intercept_size;
  std::vector<double> out(all.size());
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = all.is_intercept(c) ? intercept : feature / unit(all, rule, c);
  }
  return out;
}

template <class Design>
void NormDescent::center(const problem::GradientParts<Design>& parts, const Work& work,
                         solvers::ResidualScale* scale, std::vector<double>& coef) const {
  solvers::StepScheduleOptions schedule = center_.schedule;
  schedule.scale = work.slope_scale;
  schedule.releases = center_.releases;
  schedule.noise =
      static_cast<double>(center_cost_.scale) / (static_cast<double>(kBound) * facts_.records *
                                                 std::sqrt(static_cast<double>(center_.releases)));
  solvers::PlainGreedyPoint point{coef};
  std::vector<solvers::PathStep> path;  // not kept
  solvers::SupportDescent<Design>(parts, work.penalty, {}, scale, work.pool, work.bits)
      .run({.release = {center_cost_.shift, center_cost_.scale},
            .schedule = schedule,
            .averaged = kCenterAveraged,
            .number = kCenter,
            .progress = {}},
           solvers::Support{}, point, path);
}

template <class Design>
NormDescent::Descended NormDescent::descend(const problem::GradientParts<Design>& parts,
                                            const Work& work) const {
  const NormDescentRule rule = norm_descent_rule(facts_, work.record_norm);
  const problem::Coordinates& all = work.coordinates;
  std::vector<double> units(all.size());
  std::vector<double> steps(all.size());
  for (std::size_t c = 0; c < units.size(); ++c) {
    units[c] = unit(all, rule, c);
    const double step =
        all.is_intercept(c) ? rule.intercept_step : rule.step / (units[c] * units[c]);
    steps[c] = (1.0 - rule.momentum) * step;
  }
  std::optional<solvers::ResidualScale> scale;
  if (tracks_) scale.emplace(work.slope_scale, work.slope_scale_doubt);
  solvers::ResidualScale* const learned = scale ? &*scale : nullptr;
  std::vector<double> start = work.start;
  if (centers_) center(parts, work, learned, start);
  Descended out;
  const bool is_limited = facts_.slopes.are_limited();
  problem::BatchProblem<Design> batch(parts, work.penalty,
                                      {.clip_units = units,
                                       .clip = rule.clip * work.slope_scale,
                                       .slope_limit = is_limited ? rule.slope_limit : 0.0,
                                       .attenuation = rule.attenuation,
                                       .batch = facts_.records,
                                       .room = tracks_},
                                      std::move(start), work.pool);
  solvers::CertifiedSgd mechanism({cost_.shift, cost_.scale}, solvers::CertifiedSgd::kAll,
                                  work.bits);
  NormSteps each(steps, rule, work.slope_scale, learned);
  out.solved.coef = solvers::sgd(batch, mechanism, each,
                                 {.iterations = work.iterations,
                                  .iterate = solvers::Iterate::average,
                                  .averaged = kAveraged,
                                  .momentum = rule.momentum,
                                  .progress = work.progress});
  out.solved.null_coef = work.start;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all.is_intercept(c)) out.solved.null_coef[c] = out.solved.coef[c];
  }
  out.solved.slope_scale = scale ? scale->value() : work.slope_scale;
  out.scale_at_first = each.clips[std::min<std::size_t>(kTold, each.clips.size() - 1)] / rule.clip;
  out.noise.reserve(each.clips.size());
  for (const double clip : each.clips) {
    out.noise.push_back(release_noise(clip) / rule.attenuation);
  }
  out.solved.noise_sd = stated_noise(rule, all, out.noise);
  out.solved.null_noise_sd.resize(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all.is_intercept(c)) out.solved.null_noise_sd[c] = out.solved.noise_sd[c];
  }
  return out;
}

Solved NormDescent::solve(const Work& work) const {
  if (!whitening_.whitens) return solve_unmapped(work);
  std::optional<WhitenedDescent::Ended> whitened =
      WhitenedDescent{facts_, limit_, moments_cost_, cost_, kAveraged}.run(work);
  if (!whitened) return solve_unmapped(work);
  if (calibrates()) {
    // A mapped record is as long as its own norm, in typical ones, makes it expect.
    const double mapped = whitened->rule.norm / work.record_norm;
    const double time = whitened->rule.step * static_cast<double>(work.iterations);
    factor_.apply(whitened->solved, work,
                  {.norm_units = limit_,
                   .norm = work.record_norm,
                   .time = time * mapped * mapped,
                   .slope_limit = whitened->rule.slope_limit});
  }
  return std::move(whitened->solved);
}

Solved NormDescent::solve_unmapped(const Work& work) const {
  const NormDescentRule rule = norm_descent_rule(facts_, work.record_norm);
  Descended done =
      std::visit([&](const auto& design) { return descend(gradient_parts(design, work), work); },
                 work.dataset.design);
  Solved& solved = done.solved;
  if (!calibrates()) return std::move(solved);
  const double time = rule.step * static_cast<double>(work.iterations);
  MarginFactor::Descended before{.norm_units = limit_,
                                 .norm = rule.norm,
                                 .time = time / rule.attenuation,
                                 .slope_limit = rule.slope_limit * solved.slope_scale,
                                 .slope_scale = solved.slope_scale};
  if (!facts_.slopes.are_limited()) {
    // How large predictions are: what they explain, and twice the noise in them.
    const double mean = std::accumulate(done.noise.begin(), done.noise.end(), 0.0) /
                        std::pow(static_cast<double>(done.noise.size()), 1.5);
    const double noise = kAverageNoise * time * rule.norm * mean;
    const double explained = std::pow(done.scale_at_first, 2) - std::pow(solved.slope_scale, 2);
    before.unit = std::sqrt(std::max(0.0, explained) + 2.0 * noise * noise);
  }
  factor_.apply(solved, work, before);
  return std::move(solved);
}

}  // namespace southwell::fit
