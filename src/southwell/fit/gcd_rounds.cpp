#include "southwell/fit/gcd_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "southwell/core/fault.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/problem/greedy_problem.hpp"
#include "southwell/solvers/rounds/clip_law.hpp"
#include "southwell/solvers/rounds/rounds.hpp"

namespace southwell::fit {
namespace {

constexpr double kAveraged = 0.75;  // DescentOptions'
constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
/// Selections by the exponential mechanism.
class Choice {
 public:
  Choice(const privacy::Cost& cost, privacy::RandomBits& bits)
      : mechanism_(cost.shift / 2, cost.scale),
        bits_(bits.stream(privacy::Purpose::selection, 0)) {}
  template <class Problem>
  std::size_t choose(Problem& problem) {
    return mechanism_.release(problem.scores(), *bits_);
  }

 private:
  privacy::ExponentialMechanism mechanism_;
  std::unique_ptr<privacy::RandomBits> bits_;
};

/// Sets to 0 what may be noise alone.
void prune(Solved& solved, const problem::Coordinates& coordinates,
           const solvers::Pruning& pruning) {
  for (std::size_t c = 0; c < solved.coef.size(); ++c) {
    if (coordinates.is_intercept(c)) continue;
    if (pruning.takes(solved.coef[c], solved.assumed_noise_sd[c])) solved.coef[c] = 0.0;
  }
  end_path(solved);
}

/// The start, with the intercept that the first round found.
std::vector<double> null_of(const Work& work, const std::vector<solvers::PathStep>& path,
                            bool centers) {
  std::vector<double> coef = work.start;
  for (std::size_t k = 0; centers && k < work.coordinates.heads(); ++k) {
    coef[path[k].coordinate] = path[k].value;
  }
  return coef;
}

}  // namespace

void GcdRounds::read(Draft& draft) {
  const FitSpec& spec = draft.spec;
  draft.statement.rule = draft.note_word("rule");
  rule_ = problem::make_rule(draft.statement.rule);
  note_refinement(draft);
  clip_rule_.corrects_attenuation = draft.note_switch("attenuation", spec.attenuation);
  tracks_ = note_clip_tracking(draft);
  corrects_margins_ = note_margin_correction(draft);
  polishes_ = draft.note_switch("polish", spec.polish);
  excludes_ = draft.note_switch("exclude_visited", spec.exclude_visited);
  prunes_ = draft.note_switch("prune", spec.prune, wants_zeros(spec));
  measures_ = draft.note_switch("second_moment", spec.second_moment);
}

Defaults GcdRounds::automatic(const PublicFacts& of) {
  PublicFacts own = of;
  own.measures_features = measures_;
  refined_ = refined_gcd_rule(own);
  refined_.schedule.corrects_margins = corrects_margins_;
  records_ = of.records;
  record_limit_ = record_limit(of);
  slopes_ = of.slopes;
  selection_clip_ = refined_.clip * clip_unit(of);
  clip_rule_.slope_limit = of.slopes.limit;
  centers_ = of.intercept && !of.center_given;
  Defaults out;
  out.iterations = refined_.iterations;
  out.clip = selection_clip_ * slope_of_clip();
  out.share = refined_.share;
  return out;
}

void GcdRounds::plan_stages(std::uint64_t iterations, std::uint64_t together) {
  if (centers_) {
    stages_.push_back(
        {.on = On::intercept_first, .releases = refined_.early_releases, .part = 1.0});
  }
  double turn = 1.0;
  for (std::uint64_t done = 0; done < iterations; turn += 1.0) {
    const std::uint64_t selections = std::min(together, iterations - done);
    stages_.push_back(
        {.selections = selections, .releases = refined_.early_releases, .part = turn});
    done += selections;
  }
  stages_.back().is_stated = true;
  if (polishes_) {
    stages_.back().releases = refined_.last_releases;
    stages_.back().part *= refined_.last_weight;
    if (prunes_ && refined_.descends_on_rest) {
      stages_.back().part *= 0.5;
      stages_.push_back(
          {.on = On::remaining, .releases = refined_.last_releases, .part = stages_.back().part});
    }
  }
  if (centers_ && refined_.intercept.last_part > 0.0) {
    const double part = refined_.intercept.last_part;
    stages_.push_back({.on = On::intercept_last,
                       .releases = refined_.intercept.last_releases,
                       .part = parts_of_stages() * part / (1.0 - part)});
  }
}

double GcdRounds::parts_of_stages() const {
  double whole = 0.0;
  for (const Stage& stage : stages_) whole += stage.part;
  return whole;
}

void GcdRounds::calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic) {
  const double share = draft.spec.share.value_or(automatic.share);
  draft.note("share", share);
  const std::uint64_t together =
      draft.spec.selections_per_gradient.value_or(refined_.selections_per_gradient);
  draft.note("selections_per_gradient", static_cast<double>(together));
  if (centers_ && !problem::classifies(draft.loss)) {
    draft.note("target_center", "private", Source::mechanism);
  }
  plan_stages(iterations, together);
  draft.limit_records(record_limit_);
  const double whole = parts_of_stages();
  // Parts of rho: eta^2 / 8 of a selection, (sensitivity / sigma)^2 / 2 of a release.
  std::vector<privacy::RoundsScheduleOptions::Releases> releases;
  releases.reserve(stages_.size());
  const std::uint64_t moved = draft.relation == privacy::Relation::replace_one
                                  ? problem::kReplacedMoments
                                  : problem::kAddedMoments;
  for (const Stage& stage : stages_) {
    const double rho = (1.0 - share) * stage.part / whole;
    const double measured = measures(stage) ? refined_.moments_part : 0.0;
    const double mapped = measures_mapped(stage) ? refined_.mapped_moments_part : 0.0;
    if (measured > 0.0) releases.push_back({1, rho * measured, refined_.whitens ? moved : 0});
    if (mapped > 0.0) releases.push_back({1, rho * mapped, moved});
    releases.push_back({Draft::charged(stage.releases), rho * (1.0 - measured - mapped)});
  }
  const privacy::Calibrated calibrated =
      draft.calibrated(privacy::rounds_schedule({.selections = Draft::charged(iterations),
                                                 .share = share,
                                                 .releases = releases,
                                                 .relation = draft.relation,
                                                 .bound = kBound}));
  selection_ = calibrated.costs[0];
  auto& mechanisms = draft.statement.mechanisms;
  mechanisms.push_back({"select", "exponential_mechanism", selection_, iterations});
  auto cost = calibrated.costs.begin() + 1;
  const auto charge = [&](privacy::Cost& to, std::uint64_t times) {
    to = *cost++;
    mechanisms.push_back({"release", "discrete_gaussian_release", to, times});
  };
  for (Stage& stage : stages_) {
    if (measures(stage)) charge(stage.moments_cost, 1);
    if (measures(stage) && fault(Fault::moments_are_not_charged)) mechanisms.pop_back();
    if (measures_mapped(stage)) charge(stage.mapped_cost, 1);
    if (measures_mapped(stage) && fault(Fault::moments_are_not_charged)) {
      mechanisms.pop_back();
    }
    charge(stage.cost, stage.releases);
  }
}

double GcdRounds::slope_of_clip() const {
  if (!slopes_.are_limited()) return 1.0;
  return centers_ ? slopes_.limit : slopes_.first;
}

std::size_t GcdRounds::planned_coordinates(const problem::Coordinates& all) const {
  std::size_t chosen = 0;
  for (const Stage& stage : stages_) chosen += stage.selections;
  const std::size_t intercept = all.intercept() == problem::Intercept::free ? 1 : 0;
  return all.heads() * (std::min(chosen, all.features()) + intercept);
}

double GcdRounds::mean_noise(const Stage& stage) const {
  return static_cast<double>(stage.cost.scale) /
         (static_cast<double>(kBound) * records_ * std::sqrt(static_cast<double>(stage.releases)));
}

solvers::StepScheduleOptions GcdRounds::schedule_of(const Stage& stage, double scale,
                                                    double step) const {
  solvers::StepScheduleOptions schedule = refined_.schedule;
  if (stage.on == On::intercept_first) schedule = refined_.intercept.first;
  if (stage.on == On::intercept_last) schedule = refined_.intercept.last;
  schedule.scale = slopes_.are_limited() ? slopes_.limit : scale;
  schedule.releases = stage.releases;
  schedule.step = step;
  schedule.noise = mean_noise(stage);
  return schedule;
}

NoiseSd GcdRounds::noise(const problem::Coordinates& all, std::size_t c, double step) const {
  const double scale = all.clip() / (selection_clip_ * slope_of_clip());
  // Of the last descent on what was chosen.
  const auto last = std::find_if(stages_.rbegin(), stages_.rend(), is_on_features);
  return descent_noise(schedule_of(*last, scale, step), clip_rule_, planned_coordinates(all),
                       kAveraged, all, c);
}

double GcdRounds::selection_attenuation() const {
  if (!clip_rule_.corrects_attenuation) return 1.0;
  return slopes_.are_limited() ? solvers::feature_attenuation(refined_.clip, 1)
                               : solvers::product_attenuation(refined_.clip);
}

Extent GcdRounds::extent(const problem::Coordinates& all, std::uint64_t) const {
  const std::uint64_t intercept = all.intercept() == problem::Intercept::free ? 1 : 0;
  std::uint64_t chosen = 0;
  Extent out;
  for (const Stage& stage : stages_) {
    chosen = std::min<std::uint64_t>(chosen + stage.selections, all.features());
    out.steps += all.heads() * ((is_on_features(stage) ? chosen : 0) + intercept);
  }
  out.moved = all.heads() * chosen;
  if (refined_.whitens) out.together = all.heads() * (chosen + intercept);
  return out;
}

std::vector<solvers::Round> GcdRounds::rounds(const Work& work) const {
  std::vector<solvers::Round> out;
  for (const Stage& stage : stages_) {
    const auto number = static_cast<std::uint32_t>(out.size());
    const auto descents = static_cast<std::uint32_t>(stages_.size());
    const auto measured = [&](const privacy::Cost& cost, std::uint32_t own) {
      return solvers::MomentsRelease{
          .release = {cost.shift, cost.scale},
          .number = own,
          .moments = refined_.whitens ? solvers::Moments::together : solvers::Moments::each};
    };
    std::optional<solvers::MomentsRelease> moments;
    if (measures(stage) && !fault(Fault::moments_are_charged_and_skipped)) {
      moments = measured(stage.moments_cost, descents + number);
    }
    std::optional<solvers::MomentsRelease> mapped;
    if (moments && measures_mapped(stage)) {
      mapped = measured(stage.mapped_cost, 2 * descents + number);
    }
    out.push_back({.selections = stage.selections,
                   .on_what_pruning_leaves = stage.on == On::remaining,
                   .on_the_intercept = stage.on == On::intercept_last,
                   .moments = moments,
                   .mapped_moments = mapped,
                   .descent = {.release = {stage.cost.shift, stage.cost.scale},
                               .schedule = schedule_of(stage, work.slope_scale, work.step),
                               .number = number}});
  }
  // What bounds hold, and what is pruned, does not follow noise.
  const problem::Interval box = problem::kinked_part(work.penalty).box;
  if (!slopes_.are_limited() && !prunes_ && std::isinf(box.lo) && std::isinf(box.hi)) {
    const auto last = std::find_if(stages_.rbegin(), stages_.rend(), is_on_features);
    out[static_cast<std::size_t>(stages_.rend() - last) - 1].descent.shortening =
        solvers::Shortening::of_chosen;
  }
  return out;
}

Solved GcdRounds::solve(const Work& work) const {
  std::optional<solvers::ResidualScale> scale;
  if (tracks_) scale.emplace(work.slope_scale, work.slope_scale_doubt);
  const solvers::RoundsOptions options{.rounds = rounds(work),
                                       .clip = selection_clip_,
                                       .clip_rule = clip_rule_,
                                       .first_slope_limit = slopes_.first,
                                       .later_slope_limit = slopes_.later,
                                       .excludes_visited = excludes_,
                                       .pruning = {problem::kinked_part(work.penalty).box},
                                       .progress = work.progress};
  problem::Coordinates::Options scales = work.coordinates.options();
  scales.attenuation = selection_attenuation();
  const problem::Coordinates attenuated(scales);
  return std::visit(
      [&]<class Design>(const Design& design) {
        const problem::GradientParts<Design> parts = gradient_parts(design, work);
        problem::GreedyProblem<Design> greedy(parts.with(attenuated), work.penalty, rule_,
                                              work.start, work.pool, problem::Candidates::features);
        Choice choice(selection_, work.bits);
        solvers::ResidualScale* const tracked = scale ? &*scale : nullptr;
        solvers::SupportDescent<Design> descent(parts, work.penalty, clip_rule_, tracked, work.pool,
                                                work.bits);
        auto path = solvers::gcd_rounds(greedy, choice, descent, tracked, options);
        Solved solved{.coef = greedy.coef(),
                      .path = {},
                      .noise_sd = {},
                      .null_coef = null_of(work, path, centers_),
                      .slope_scale = scale ? scale->value() : work.slope_scale,
                      .assumed_noise_sd = descent.noise_sd(),
                      .larger = descent.sizes().larger(),
                      .longer_records = descent.sizes().longer()};
        solved.path = std::move(path);
        state_noise(solved, descent.privacy_noise());
        solved.null_noise_sd = descent.null_noise_sd();
        if (prunes_) prune(solved, work.coordinates, options.pruning);
        return solved;
      },
      work.dataset.design);
}

}  // namespace southwell::fit
