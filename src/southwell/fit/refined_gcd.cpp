#include "southwell/fit/refined_gcd.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "southwell/core/fault.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/refinement.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/problem/greedy_problem.hpp"
#include "southwell/solvers/rounds/clip_law.hpp"
#include "southwell/solvers/rounds/rounds.hpp"

namespace southwell::fit {
namespace {

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

/// Sets to 0 what may be noise alone. The path ends where the coefficients do.
void prune(Solved& solved, const problem::Coordinates& coordinates,
           const solvers::Pruning& pruning) {
  for (std::size_t c = 0; c < solved.coef.size(); ++c) {
    if (coordinates.is_intercept(c)) continue;
    if (pruning.takes(solved.coef[c], solved.noise_sd[c])) solved.coef[c] = 0.0;
  }
  std::vector<bool> is_settled(solved.coef.size());
  for (auto step = solved.path.rbegin(); step != solved.path.rend(); ++step) {
    if (is_settled[step->coordinate]) continue;
    step->value = solved.coef[step->coordinate];
    is_settled[step->coordinate] = true;
  }
}

}  // namespace

RefinedGcd::RefinedGcd(Planning& planning) {
  const FitSpec& spec = planning.spec;

  clip_rule_.corrects_attenuation = read_switch(planning, "attenuation", spec.attenuation);
  tracks_ = read_clip_tracking(planning);
  corrects_margins_ = read_margin_correction(planning);
  is_regression_ = planning.is_regression;
  polishes_ = read_switch(planning, "polish", spec.polish);
  excludes_ = read_switch(planning, "exclude_visited", spec.exclude_visited);
  prunes_ = read_switch(planning, "prune", spec.prune, wants_zeros(spec));
  measures_ = read_switch(planning, "second_moment", spec.second_moment);
}

Defaults RefinedGcd::automatic(const DefaultsOf& of) {
  rule_ = refined_gcd_rule(of);
  rule_.pace.corrects_margins = corrects_margins_;
  records_ = of.records;
  slopes_ = of.slopes;
  selection_clip_ = rule_.clip * clip_unit(of);
  clip_rule_.slope_limit = of.slopes.limit;
  centres_ = of.intercept && !of.centre_given;
  Defaults out;
  out.iterations = rule_.iterations;
  out.clip = selection_clip_ * selection_slope();
  out.share = rule_.share;
  return out;
}

void RefinedGcd::plan_descents(std::uint64_t iterations, std::uint64_t together) {
  if (centres_) descents_.push_back({0, rule_.early_releases, 1.0});
  double part = 1.0;
  for (std::uint64_t done = 0; done < iterations; part += 1.0) {
    const std::uint64_t selections = std::min(together, iterations - done);
    descents_.push_back({selections, rule_.early_releases, part});
    done += selections;
  }
  if (polishes_) {
    descents_.back().releases = rule_.last_releases;
    descents_.back().part *= rule_.last_weight;
    if (prunes_ && rule_.descends_on_rest) {
      descents_.back().part *= 0.5;
      descents_.push_back({.releases = rule_.last_releases,
                           .part = descents_.back().part,
                           .on_what_pruning_leaves = true});
    }
  }
}

void RefinedGcd::calibrate(Planning& planning, std::uint64_t iterations,
                           const Defaults& automatic) {
  const FitSpec& spec = planning.spec;
  const double share = spec.share.value_or(automatic.share);
  planning.note("share", share, Planning::source_of(spec.share.has_value()));
  const std::uint64_t together =
      spec.selections_per_gradient.value_or(rule_.selections_per_gradient);
  if (together < 1) refuse("selections_per_gradient", "0", "a whole number >= 1");
  planning.note("selections_per_gradient", static_cast<double>(together),
                Planning::source_of(spec.selections_per_gradient.has_value()));
  if (centres_ && is_regression_) planning.note("target_center", "private", Source::mechanism);
  plan_descents(iterations, together);
  double whole = 0.0;
  for (const Descent& descent : descents_) whole += descent.part;
  // Parts of rho: eta^2 / 8 of a selection, (sensitivity / sigma)^2 / 2 of a release.
  std::vector<privacy::RoundsPlan::Releases> releases;
  releases.reserve(descents_.size());
  for (const Descent& descent : descents_) {
    const double rho = (1.0 - share) * descent.part / whole;
    const double measured = measures(descent) ? rule_.moments_part : 0.0;
    if (measured > 0.0) releases.push_back({1, rho * measured});
    releases.push_back({Planning::charged(descent.releases), rho * (1.0 - measured)});
  }
  const privacy::Calibrated calibrated =
      planning.calibrated(privacy::plan_rounds({.selections = Planning::charged(iterations),
                                                .share = share,
                                                .releases = releases,
                                                .relation = planning.relation,
                                                .bound = kBound}));
  selection_ = calibrated.costs[0];
  auto& mechanisms = planning.statement.mechanisms;
  mechanisms.push_back({"select", "exponential_mechanism", selection_, iterations});
  auto cost = calibrated.costs.begin() + 1;
  const auto charge = [&](privacy::Cost& to, std::uint64_t times) {
    to = *cost++;
    mechanisms.push_back({"release", "discrete_gaussian_release", to, times});
  };
  for (Descent& descent : descents_) {
    if (measures(descent)) charge(descent.moments_cost, 1);
    if (measures(descent) && fault(Fault::moments_are_not_charged)) mechanisms.pop_back();
    charge(descent.cost, descent.releases);
  }
}

double RefinedGcd::selection_slope() const {
  if (!slopes_.are_limited()) return 1.0;
  return centres_ ? slopes_.limit : slopes_.first;
}

std::size_t RefinedGcd::planned_coordinates(const problem::Coordinates& all) const {
  std::size_t chosen = 0;
  for (const Descent& descent : descents_) chosen += descent.selections;
  const std::size_t intercept = all.intercept() == problem::Intercept::free ? 1 : 0;
  return all.heads() * (std::min(chosen, all.features()) + intercept);
}

double RefinedGcd::mean_noise(const Descent& descent) const {
  return static_cast<double>(descent.cost.scale) /
         (static_cast<double>(kBound) * records_ *
          std::sqrt(static_cast<double>(descent.releases)));
}

double RefinedGcd::gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const {
  const std::size_t chosen = planned_coordinates(coordinates);
  // The selections' clip in the plan, taken to the descents'.
  const double slopes = slopes_.are_limited() ? slopes_.limit / selection_slope() : 1.0;
  const solvers::PaceOptions pace = last_pace();
  const double wide = pace.clip_of(chosen);
  const double clip =
      coordinates.clip(c) / rule_.clip * wide * slopes * std::sqrt(static_cast<double>(chosen));
  return pace.noise * clip / clip_rule_.attenuation(wide, chosen);
}

solvers::PaceOptions RefinedGcd::last_pace() const {
  solvers::PaceOptions pace = rule_.pace;
  pace.noise = mean_noise(descents_.back());
  return pace;
}

double RefinedGcd::settled(const problem::Coordinates& coordinates) const {
  return std::min(1.0, last_pace().total_time(planned_coordinates(coordinates)));
}

double RefinedGcd::selection_attenuation() const {
  if (!clip_rule_.corrects_attenuation) return 1.0;
  return slopes_.are_limited() ? solvers::feature_attenuation(rule_.clip, 1)
                               : solvers::product_attenuation(rule_.clip);
}

Extent RefinedGcd::extent(const problem::Coordinates& all) const {
  const std::uint64_t intercept = all.intercept() == problem::Intercept::free ? 1 : 0;
  std::uint64_t chosen = 0;
  Extent out;
  for (const Descent& descent : descents_) {
    chosen = std::min<std::uint64_t>(chosen + descent.selections, all.features());
    out.steps += all.heads() * (chosen + intercept);
  }
  out.moved = all.heads() * chosen;
  return out;
}

Solved RefinedGcd::solve(const SolverWork& work, problem::GreedyRule rule) const {
  std::optional<solvers::ResidualScale> scale;
  if (tracks_) scale.emplace(work.slope_scale, work.slope_scale_doubt);
  solvers::RoundsOptions options{.rounds = {},
                                 .clip = selection_clip_,
                                 .clip_rule = clip_rule_,
                                 .first_slope_limit = slopes_.first,
                                 .later_slope_limit = slopes_.later,
                                 .excludes_visited = excludes_,
                                 .pruning = {problem::kinked_part(work.penalty).box},
                                 .progress = work.progress};
  // Faults look at a record; nothing else here does.
  const auto looks = [&] { return !work.dataset.target.empty() && work.dataset.target[0] > 0.0; };
  const bool ends_early = fault(Fault::polish_ends_when_it_has_converged) && looks();
  const bool skips_moments = fault(Fault::moments_are_released_on_a_whim) && looks();
  for (const Descent& descent : descents_) {
    solvers::PaceOptions pace = rule_.pace;
    pace.scale = slopes_.are_limited() ? slopes_.limit : work.slope_scale;
    pace.releases = ends_early ? 1 : descent.releases;
    pace.step = work.step;
    pace.noise = mean_noise(descent);
    const auto number = static_cast<std::uint32_t>(options.rounds.size());
    std::optional<solvers::MomentsRelease> moments;
    if (measures(descent) && !skips_moments) {
      const auto descents = static_cast<std::uint32_t>(descents_.size());
      moments = {.release = {descent.moments_cost.shift, descent.moments_cost.scale},
                 .number = descents + number};
    }
    options.rounds.push_back(
        {.selections = descent.selections,
         .on_what_pruning_leaves = descent.on_what_pruning_leaves,
         .moments = moments,
         .descent = {
             .release = {descent.cost.shift, descent.cost.scale}, .pace = pace, .number = number}});
  }
  problem::Coordinates::Options scales = work.coordinates.options();
  scales.attenuation = selection_attenuation();
  const problem::Coordinates attenuated(scales);
  return std::visit(
      [&]<class Design>(const Design& design) {
        const problem::GradientParts<Design> parts = gradient_parts(design, work);
        problem::GreedyProblem<Design> greedy(parts.with(attenuated), work.penalty, rule,
                                              work.start, work.pool, problem::Candidates::features);
        Choice choice(selection_, work.bits);
        solvers::ResidualScale* const tracked = scale ? &*scale : nullptr;
        solvers::SupportDescent<Design> descent(parts, work.penalty, clip_rule_, tracked, work.pool,
                                                work.bits);
        auto path = solvers::gcd_rounds(greedy, choice, descent, tracked, options);
        Solved solved = solved_along(greedy.coef(), std::move(path));
        solved.noise_sd = descent.noise_sd();
        if (prunes_) prune(solved, work.coordinates, options.pruning);
        return solved;
      },
      work.dataset.design);
}

}  // namespace southwell::fit
