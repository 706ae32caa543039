#include "southwell/fit/descent.hpp"

#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/fault.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/solvers/rounds/support_descent.hpp"

namespace southwell::fit {
namespace {

constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
constexpr double kAveraged = 0.5;
constexpr double kCenterAveraged = 0.75;

solvers::MomentsRelease matrix(const privacy::Cost& cost, std::uint32_t number) {
  return {
      .release = {cost.shift, cost.scale}, .number = number, .moments = solvers::Moments::together};
}

}  // namespace

void Descent::read(Draft& draft) {
  draft.note("iterate", "average");
  note_refinement(draft);
  clip_rule_.corrects_attenuation = draft.note_switch("attenuation", draft.spec.attenuation);
  tracks_ = note_clip_tracking(draft);
  corrects_margins_ = note_margin_correction(draft);
}

Defaults Descent::automatic(const PublicFacts& of) {
  rule_ = refined_sgd_rule(of);
  rule_.schedule.corrects_margins = corrects_margins_;
  records_ = of.records;
  record_limit_ = record_limit(of);
  centers_ = of.intercept && !of.center_given;
  clip_rule_.slope_limit = of.slopes.limit;
  slopes_are_limited_ = of.slopes.are_limited();
  Defaults out;
  out.iterations = rule_.iterations;
  out.clip = rule_.schedule.clip * clip_unit(of) *
             (of.slopes.are_limited() ? of.slopes.limit : 1.0) *
             std::sqrt(static_cast<double>(of.coordinates));
  clip_per_slope_ = out.clip;
  return out;
}

void Descent::calibrate(Draft& draft, std::uint64_t iterations, const Defaults&) {
  iterations_ = iterations;
  draft.note("batch_size", static_cast<double>(draft.records));
  draft.limit_records(record_limit_);
  recenters_ = centers_ && rule_.intercept.last_part > 0.0;
  if (centers_ && !problem::classifies(draft.loss))
    draft.note("target_center", "private", Source::mechanism);
  const double center = centers_ ? rule_.center_part : 0.0;
  const double moments = rule_.whitens ? rule_.moments_part : 0.0;
  const double last = recenters_ ? rule_.intercept.last_part : 0.0;
  const std::uint64_t moved = draft.relation == privacy::Relation::replace_one
                                  ? problem::kReplacedMoments
                                  : problem::kAddedMoments;
  const double mapped = rule_.mapped_moments_part;
  const double rest = 1.0 - center - moments - mapped - last;
  std::vector<ReleaseUse> uses{
      {"center", &center_cost_, rule_.center_releases, {rule_.center_releases, center}},
      {"moments", &moments_cost_, 1, {1, moments, moved}},
      {"moments", &mapped_cost_, 1, {1, mapped, moved}},
      // A model file must have the one of the descent, and all its iterations.
      {"release", &cost_, iterations, {Draft::charged(iterations), rest}},
      {"center",
       &last_cost_,
       rule_.intercept.last_releases,
       {rule_.intercept.last_releases, last}}};
  const bool forgets = mapped > 0.0 && fault(Fault::moments_are_not_charged);
  if (forgets) uses.erase(uses.begin() + 2);
  charge_releases(draft, std::move(uses));
  if (forgets) mapped_cost_ = moments_cost_;
}

double Descent::mean_noise(const privacy::Cost& cost, std::uint64_t releases) const {
  return static_cast<double>(cost.scale) /
         (static_cast<double>(kBound) * records_ * std::sqrt(static_cast<double>(releases)));
}

NoiseSd Descent::noise(const problem::Coordinates& all, std::size_t c, double step) const {
  solvers::StepScheduleOptions schedule = rule_.schedule;
  schedule.releases = iterations_;
  schedule.step = step;
  schedule.scale =
      clip_rule_.slope_limit > 0.0 ? clip_rule_.slope_limit : all.clip() / clip_per_slope_;
  schedule.noise = mean_noise(cost_, iterations_);
  return descent_noise(schedule, clip_rule_, all.size(), kAveraged, all, c);
}

Solved Descent::solve(const Work& work) const {
  std::optional<solvers::ResidualScale> scale;
  if (tracks_) scale.emplace(work.slope_scale, work.slope_scale_doubt);
  solvers::ResidualScale* const tracked = scale ? &*scale : nullptr;
  std::uint32_t number = 0;  // of the next descent, or release of moments: its noise is its own
  const auto descent = [&](solvers::StepScheduleOptions schedule, const privacy::Cost& cost,
                           std::uint64_t releases, double averaged) {
    schedule.scale = clip_rule_.slope_limit > 0.0 ? clip_rule_.slope_limit : work.slope_scale;
    schedule.releases = releases;
    schedule.step = work.step;
    schedule.noise = mean_noise(cost, releases);
    return solvers::DescentOptions{.release = {cost.shift, cost.scale},
                                   .schedule = schedule,
                                   .averaged = averaged,
                                   .number = number++,
                                   .progress = {}};
  };
  return std::visit(
      [&]<class Design>(const Design& design) {
        const problem::GradientParts<Design> parts = gradient_parts(design, work);
        std::vector<double> coef = work.start;
        solvers::PlainGreedyPoint point{coef};
        std::vector<solvers::PathStep> path;  // not kept: it would be p numbers a step
        solvers::SupportDescent<Design> steps(parts, work.penalty, clip_rule_, tracked, work.pool,
                                              work.bits);
        if (centers_) {
          steps.run(
              descent(rule_.intercept.first, center_cost_, rule_.center_releases, kCenterAveraged),
              solvers::Support{}, point, path);
        }
        Solved solved{.coef = {}, .path = {}, .noise_sd = {}, .null_coef = coef};
        solvers::DescentOptions whole = descent(rule_.schedule, cost_, work.iterations, kAveraged);
        whole.progress = work.progress;
        // What bounds hold does not follow noise.
        const problem::Interval box = problem::kinked_part(work.penalty).box;
        if (!slopes_are_limited_ && std::isinf(box.lo) && std::isinf(box.hi)) {
          whole.shortening = solvers::Shortening::of_all;
        }
        if (rule_.whitens) {
          const solvers::Support all = solvers::Support::of_all(design.features());
          steps.measure(matrix(moments_cost_, number++), all);
          if (measures_mapped()) steps.measure_mapped(matrix(mapped_cost_, number++), all);
        }
        steps.run_on_all(whole, point);
        if (recenters_) {
          steps.recenter(descent(rule_.intercept.last, last_cost_, rule_.intercept.last_releases,
                                 kCenterAveraged),
                         point, path);
        }
        solved.coef = std::move(coef);
        state_noise(solved, steps.privacy_noise());
        solved.null_noise_sd = steps.null_noise_sd();
        solved.slope_scale = scale ? scale->value() : work.slope_scale;
        solved.larger = steps.sizes().larger();
        solved.longer_records = steps.sizes().longer();
        return solved;
      },
      work.dataset.design);
}

}  // namespace southwell::fit
