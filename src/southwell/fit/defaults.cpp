#include "southwell/fit/defaults.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/normal.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/norm_rules.hpp"

namespace southwell::fit {
namespace {

/// delta(epsilon) of the Gaussian mechanism with sensitivity mu and unit noise, about: nothing is
/// certified with it.
double about_delta(double epsilon, double mu) {
  const double falls = core::normal_cdf(-epsilon / mu + 0.5 * mu);
  if (epsilon > 700.0)
    return falls;  // e^epsilon is beyond doubles, and what it takes off is little
  return falls - std::exp(epsilon) * core::normal_cdf(-epsilon / mu - 0.5 * mu);
}

double log_candidates(const PublicFacts& of) {
  return std::log(std::max<double>(3.0, static_cast<double>(of.coordinates)));
}

/// x: how far the signal of a coordinate stands out of the noise of a selection among all of them.
double signal(const PublicFacts& of) {
  return of.records * gaussian_equivalent(of.budget) / (std::sqrt(2.0) * 23.0 * log_candidates(of));
}

/// The same for a release of all coordinates together.
double per_coordinate(const PublicFacts& of) {
  return of.records * gaussian_equivalent(of.budget) / static_cast<double>(of.coordinates);
}

}  // namespace

double largest_smoothness(const problem::Coordinates& all) {
  double most = 0.0;
  for (std::size_t c = 0; c < all.width(); ++c) most = std::max(most, all.smoothness(c));
  return most;
}

double largest_scale(const problem::Coordinates::Options& declared) {
  return *std::max_element(declared.feature_scale.begin(), declared.feature_scale.end());
}

double data_part(const problem::Coordinates::Options& declared) {
  const double scale = largest_scale(declared);
  const double part = declared.curvature * scale * scale;
  return part / (part + declared.l2);
}

bool classifies(const PublicFacts& of) { return of.slopes.are_limited(); }

double strength(const PublicFacts& of) { return of.records * gaussian_equivalent(of.budget); }

double gaussian_equivalent(const privacy::Budget& budget) {
  constexpr double kSmallestDelta = 1e-12;  // stands for 0, which has no Gaussian equivalent
  const double delta = std::max(budget.delta, kSmallestDelta);
  double low = 1e-9;
  double high = 100.0;
  for (int step = 0; step < 200; ++step) {
    const double middle = std::sqrt(low * high);
    (about_delta(budget.epsilon, middle) > delta ? high : low) = middle;
  }
  return low;
}

namespace {

/// x, with what the l1 part asks of a feature beside the noise: one that pulls less than alpha is
/// not worth choosing. Of the slopes at 0, which a regression's are not known.
double signal_worth_it(const PublicFacts& of) {
  constexpr double kPull = 0.2;  // of a correlation: what stands out of the noise at x = 1
  const double asked = classifies(of) ? of.l1 / of.slopes.first : 0.0;
  return 1.0 / (1.0 / signal(of) + asked / kPull);
}

/// How many selections pay at this signal.
double selections_at(const PublicFacts& of, double x) {
  return (classifies(of) ? 5.0 : 7.0) * std::min(x * std::sqrt(x), std::sqrt(x));
}

/// Whether gcd's descents are in features whitened by released second moments: below that signal
/// the matrix says little, and records clipped for it make features look smaller than they are.
bool can_whiten(const PublicFacts& of) {
  return of.measures_features && !classifies(of) && signal(of) >= 1.0;
}
/// Time there, over kappa + 2 kappa^2, on a few features that were chosen and on all of them.
constexpr double kWhitenedTime = 0.5;
constexpr double kWhitenedTimeOfAll = 0.35;
/// All together at most, in units of 1 / M_j: what takes longest are directions that the ridge
/// holds back. In those that no record has, noise goes as far as there is time.
constexpr double kLongestWhitened = 30.0;
constexpr double kLongestWhitenedOfAll = 100.0;
constexpr double kLeastPerCoordinate = 6.0;  ///< n mu / p, for the same of all features by sgd
/// Of its budget to the second moments of mapped records, where they can tell directions apart.
double mapped_part(const PublicFacts& of, std::size_t dims) {
  constexpr double kPart = 0.05;
  constexpr double kLeast = 60.0;  // n mu for each direction
  return strength(of) >= kLeast * static_cast<double>(dims) ? kPart : 0.0;
}
/// Below that signal a selection is a guess.
constexpr double kGuess = 0.35;

/// On a few features that were chosen.
solvers::StepScheduleOptions support_schedule(const PublicFacts& of) {
  solvers::StepScheduleOptions schedule;
  schedule.clip =
      classifies(of) ? 0.7 : std::max(0.3, 0.36 * std::sqrt(std::max(signal(of), 0.36)));
  if (classifies(of)) {
    schedule.widest = 3.0;
    schedule.rare = 0.5;
  }
  schedule.momentum = can_whiten(of) ? 0.7 : 0.5;
  // Where a selection is a guess, what was chosen hardly moves.
  const double known = std::min(1.0, std::pow(signal(of) / kGuess, 2));
  schedule.longest = (can_whiten(of) ? kLongestWhitened : 7.0) * known;
  schedule.time = (can_whiten(of) ? kWhitenedTime : 0.7) * known;
  return schedule;
}

/// Its curvature is known: a Newton step is all it takes, and wide clips cost little.
InterceptRule intercept_rule(const PublicFacts& of, std::uint64_t releases) {
  InterceptRule rule;
  rule.first = support_schedule(of);
  if (classifies(of)) return rule;
  rule.first.momentum = 0.0;
  rule.first.longest = static_cast<double>(releases);
  // Below that many, the noise of a wide clip is more than what it mends.
  if (of.records * gaussian_equivalent(of.budget) >= 400.0) rule.last_part = 0.015;
  rule.last = rule.first;
  rule.last.clip = 2.0;
  rule.last.widest = 3.0;
  rule.last.longest = static_cast<double>(rule.last_releases);
  return rule;
}

}  // namespace

RefinedRule refined_gcd_rule(const PublicFacts& of) {
  const double candidates = log_candidates(of);
  const double x = signal(of);
  RefinedRule rule;
  const double steps = selections_at(of, signal_worth_it(of));
  const auto most = std::min<double>(60.0, static_cast<double>(of.features));
  rule.iterations = static_cast<std::uint64_t>(std::clamp(std::round(steps), 1.0, most));
  const std::uint64_t taken = of.iterations.value_or(rule.iterations);
  // Later rounds are for what correlation hides from the first.
  const std::uint64_t rounds = std::clamp<std::uint64_t>((taken + 1) / 2, 1, 3);
  rule.selections_per_gradient = (taken + rounds - 1) / rounds;
  // What selections that are not worth it would have cost goes to the releases.
  const double kept = std::max(1.0, steps) / std::max(1.0, selections_at(of, x));
  rule.share =
      candidates * kept / (candidates * kept + (classifies(of) ? 2.5 : 3.5) * std::pow(x, 0.25));
  const double wider = std::sqrt(std::max(x, 0.36));
  rule.clip = classifies(of) ? 0.35 : 0.2 * wider;
  rule.schedule = support_schedule(of);
  if (classifies(of)) {
    rule.early_releases = 12;
    rule.last_weight = 24.0;
    rule.descends_on_rest = of.l1 > 0.0;
  } else {
    rule.whitens = can_whiten(of);
    rule.moments_part = rule.whitens ? 0.2 : 0.04;
    if (rule.whitens) rule.mapped_moments_part = mapped_part(of, taken + 1);
    rule.early_releases = 20;
    rule.last_releases = 60;
  }
  rule.intercept = intercept_rule(of, rule.early_releases);
  return rule;
}

double record_limit(const PublicFacts& of) { return 2.0 * of.record_norm + 4.0; }

double clip_unit(const PublicFacts& of) { return std::sqrt(std::max(of.data_part, 1e-12)); }

RefinedDescentRule refined_sgd_rule(const PublicFacts& of) {
  RefinedDescentRule rule;
  rule.schedule.clip =
      classifies(of) ? 0.5 : std::clamp(0.4 * std::pow(per_coordinate(of) / 22.0, 0.45), 0.32, 3.2);
  rule.schedule.momentum = 0.8;
  rule.schedule.longest = 300.0;
  rule.schedule.time = classifies(of) ? 1.5 : 0.6;
  rule.schedule.follow = 1.3;
  rule.intercept = intercept_rule(of, rule.center_releases);
  constexpr std::size_t kMostWhitened = 128;
  rule.whitens =
      !classifies(of) && of.features < kMostWhitened && per_coordinate(of) >= kLeastPerCoordinate;
  if (rule.whitens) {
    rule.schedule.time = kWhitenedTimeOfAll;
    rule.schedule.longest = kLongestWhitenedOfAll;
    rule.mapped_moments_part = mapped_part(of, of.coordinates);
  }
  return rule;
}

CenterRule center_rule(const PublicFacts& of) {
  CenterRule rule;
  rule.schedule = intercept_rule(of, rule.releases).first;
  // Where targets are far from 0 nothing else finds the middle of them.
  rule.part = std::clamp(10.0 / strength(of), 0.03, 0.12);
  return rule;
}

namespace {

/// Whether records may be so much shorter than the root of the features that it pays to ask.
bool may_be_short(const PublicFacts& of) {
  constexpr std::size_t kMany = 100;
  return of.finds_norm && classifies(of) && of.features >= kMany;
}

}  // namespace

SolverChoice solver_choice(const PublicFacts& of) {
  if (of.budget.delta == 0.0) return {"gcd", "without a delta there are no Gaussian releases"};
  if (of.l1 > 0.0) return {"gcd", "the penalty makes coefficients 0, and gcd leaves them out"};
  if (of.by_norm) {
    constexpr double kLeast = 12.0;
    const double signal =
        strength(of) / (of.record_norm * of.record_norm * static_cast<double>(of.heads));
    const std::string said = "n mu / (R^2 heads) is " + core::rounded_text(signal, 3) +
                             " for records of norm R = " + core::rounded_text(of.record_norm, 3);
    // With less, releases neither tell how large residuals are nor how far predictions may go.
    constexpr double kLeastOfRegressions = 150.0;
    if (!classifies(of) && strength(of) < kLeastOfRegressions) {
      return {"gcd", "n mu is " + core::rounded_text(strength(of), 3) +
                         ", below 150: too little for a regression's whole gradients"};
    }
    const std::string mapped =
        whitening_choice(of).whitens ? ", in features that their second moments whiten" : "";
    if (signal >= kLeast) {
      return {"sgd", said + ", at least 12: enough for whole gradients" + mapped};
    }
    const double shortest = std::sqrt(strength(of) / (kLeast * static_cast<double>(of.heads)));
    if (may_be_short(of) && shortest >= 1.0) {
      return {
          "gcd",
          "a mechanism finds the norm R of records, and where it is at most " +
              core::rounded_text(shortest, 3) +
              ", n mu / (R^2 heads) is at least 12, enough for whole gradients by sgd; else gcd",
          shortest};
    }
    return {"gcd", said + ", below 12: too little for whole gradients"};
  }
  // Where a selection would be a guess, few coordinates together tell more than each by itself.
  const double least = classifies(of) ? 8.0 : signal(of) < kGuess ? 1.0 : 3.0;
  const std::string signal = "n mu / p is " + core::rounded_text(per_coordinate(of), 3) + ", ";
  const std::string limit = core::number_text(least);
  if (per_coordinate(of) >= least) {
    return {"sgd", signal + "at least " + limit + ": enough to release whole gradients"};
  }
  return {"gcd", signal + "below " + limit + ": too little to release whole gradients"};
}

Defaults gcd_defaults(const PublicFacts& of) {
  const double x = signal(of);
  Defaults out;
  const double steps = 8.0 * std::min(x, std::sqrt(x));
  // Without a delta, costs add up: T steps get epsilon / T each.
  out.iterations = static_cast<std::uint64_t>(
      std::clamp(std::round(of.budget.delta > 0.0 ? steps : 0.5 * steps), 1.0, 60.0));
  out.clip = std::clamp(std::sqrt(x), 0.6, 2.0);
  return out;
}

double laplace_share(const PublicFacts& of, std::uint64_t iterations) {
  // Noise of a selection is felt against the best of p candidates; that of a release stays in the
  // model the more, the fewer steps there are to come.
  const double candidates = log_candidates(of);
  return candidates / (candidates + 1.0 + 4.0 / static_cast<double>(iterations));
}

double gaussian_share(const PublicFacts& of) {
  const double candidates = log_candidates(of);
  return candidates / (candidates + 2.5);
}

Defaults cd_defaults(const PublicFacts& of) {
  // k passes touch every coordinate k times. With noise of sd 2 C sqrt(k p) / (n mu) in each, a
  // part k < 1 of the coordinates gains k and loses about (2 k p / (n mu))^2.
  const auto p = static_cast<double>(of.coordinates);
  const double signal = of.records * gaussian_equivalent(of.budget) / (2.0 * p);
  Defaults out;
  out.iterations = static_cast<std::uint64_t>(
      std::clamp(std::round(p * std::min(signal * signal, 2.0)), 1.0, 1e6));
  return out;
}

Defaults sgd_defaults(const PublicFacts& of) {
  const auto p = static_cast<double>(of.coordinates);
  const double signal = of.records * gaussian_equivalent(of.budget) / p;
  const double noise = 2.6 / signal;  // of a step of length 1, against the gradient
  Defaults out;
  out.iterations = 120;
  out.clip = std::sqrt(p) * std::clamp(0.5 * std::pow(signal / 22.0, 0.45), 0.4, 4.0);
  out.step =
      std::min(0.5, 1.0 / (static_cast<double>(out.iterations) * (noise + 2.0 * noise * noise))) /
      of.largest_smoothness;
  return out;
}

}  // namespace southwell::fit
