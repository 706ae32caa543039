#include "southwell/fit/descent.hpp"

#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/fit/refinement.hpp"
#include "southwell/solvers/rounds/support_descent.hpp"

namespace southwell::fit {
namespace {

constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
constexpr double kAveraged = 0.5;
constexpr double kCenterAveraged = 0.75;

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
  centers_ = of.intercept && !of.center_given;
  clip_rule_.slope_limit = of.slopes.limit;
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
  std::vector<privacy::RoundsScheduleOptions::Releases> releases{
      {Draft::charged(iterations), centers_ ? 1.0 - rule_.center_part : 1.0}};
  if (centers_) {
    if (!problem::classifies(draft.loss)) draft.note("target_center", "private", Source::mechanism);
    releases.push_back({rule_.center_releases, rule_.center_part});
  }
  const privacy::Calibrated calibrated = draft.calibrated(privacy::rounds_schedule(
      {.selections = 0, .releases = releases, .relation = draft.relation, .bound = kBound}));
  cost_ = calibrated.costs[0];
  auto& mechanisms = draft.statement.mechanisms;
  if (centers_) {
    center_cost_ = calibrated.costs[1];
    mechanisms.push_back(
        {"release", "discrete_gaussian_release", center_cost_, rule_.center_releases});
  }
  mechanisms.push_back({"release", "discrete_gaussian_release", cost_, iterations});
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
  return descent_noise(schedule, clip_rule_, all.size(), all, c);
}

Solved Descent::solve(const Work& work) const {
  std::optional<solvers::ResidualScale> scale;
  if (tracks_) scale.emplace(work.slope_scale, work.slope_scale_doubt);
  solvers::ResidualScale* const tracked = scale ? &*scale : nullptr;
  std::uint32_t number = 0;
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
        std::vector<double> start = work.start;
        if (centers_) {
          solvers::PlainGreedyPoint point{start};
          std::vector<solvers::PathStep> path;
          solvers::SupportDescent<Design>(parts, work.penalty, clip_rule_, tracked, work.pool,
                                          work.bits)
              .run(descent(rule_.center_schedule, center_cost_, rule_.center_releases,
                           kCenterAveraged),
                   solvers::Support{}, point, path);
        }
        solvers::DescentOptions whole = descent(rule_.schedule, cost_, work.iterations, kAveraged);
        whole.progress = work.progress;
        solvers::Descended end = solvers::descend(parts, work.penalty, clip_rule_, whole,
                                                  std::move(start), tracked, work.pool, work.bits);
        return Solved{std::move(end.coef), {}, std::move(end.noise_sd)};
      },
      work.dataset.design);
}

}  // namespace southwell::fit
