#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/problem/support.hpp"
#include "southwell/solvers/descent.hpp"
#include "southwell/solvers/feature_moments.hpp"
#include "southwell/solvers/path.hpp"
#include "southwell/solvers/pruning.hpp"

namespace southwell::solvers {

/// The release of the second moments of what was chosen.
struct MomentsRelease {
  privacy::DiscreteGaussianRelease release;
  std::uint32_t number = 0;  ///< within the fit, descents included: its noise is its own
};

/// One round of refined DP-GCD, fixed before a record is used.
struct Round {
  std::uint64_t selections = 0;
  bool is_on_rest = false;  ///< it descends on what pruning leaves
  std::optional<MomentsRelease> moments{};
  DescentOptions descent;
};

struct RoundsOptions {
  std::vector<Round> rounds;
  double clip = 1.0;  ///< of selections, in units of the residuals' scale
  ClipRule clip_rule{};
  double first_slope_limit = 0.0;  ///< of selections at coefficients that are all 0; 0: none
  double later_slope_limit = 0.0;  ///< of selections once a feature has moved; 0: none
  bool excludes_visited = true;
  Pruning pruning{};
  core::Progress progress{};
};

/// What was chosen, in its order; public. Each feature is in one direction: its own, or one that it
/// shares with others.
class Support {
 public:
  bool has(std::size_t feature) const {
    return std::any_of(directions_.begin(), directions_.end(),
                       [&](const auto& direction) { return direction.has(feature); });
  }
  void add(problem::Direction direction) { directions_.push_back(std::move(direction)); }
  std::size_t size() const { return directions_.size(); }
  const std::vector<problem::Direction>& directions() const { return directions_; }

 private:
  std::vector<problem::Direction> directions_;
};

/// Coefficients alone, for a descent of a fit that chooses nothing.
struct PlainGreedyPoint {
  std::vector<double>& values;

  const std::vector<double>& coef() const { return values; }
  void move(std::size_t c, double value) { values[c] = value; }
};

/// Line 4 of a round: averaged gradient descent on the chosen features alone.
template <class Design>
class SupportDescent {
 public:
  /// Everything named must outlive it. `scale` is learned if there is one.
  SupportDescent(const problem::GradientParts<Design>& parts, const problem::AnyPenalty& penalty,
                 const ClipRule& clip_rule, ResidualScale* scale, core::ThreadPool& pool,
                 privacy::RandomBits& bits)
      : parts_(parts),
        penalty_(penalty),
        clip_rule_(clip_rule),
        scale_(scale),
        pool_(pool),
        bits_(bits) {}

  /// Learns how large the chosen features are. Their second moments are a gradient as any other:
  /// that of the squared loss at 0 where every target is -1, all slopes then being 1, and the
  /// features are squares.
  void measure(const MomentsRelease& options, const Support& support) {
    const std::vector<problem::Direction>& chosen = support.directions();
    const problem::Coordinates along = parts_.coordinates.along(chosen);
    const double records = along.options().records;
    const problem::Coordinates squares({.features = chosen.size(), .records = records});
    const auto design = problem::columns_of(parts_.design, chosen, [](double x) { return x * x; });
    const std::vector<double> target(parts_.target.size(), -1.0);
    const problem::AnyLoss loss = problem::Squared{};
    const problem::AnyPenalty penalty = problem::None{};
    std::vector<double> units(chosen.size());
    for (std::size_t k = 0; k < units.size(); ++k) units[k] = std::pow(along.unit(k), 2);
    const double clip = FeatureMoments::kClip * std::sqrt(static_cast<double>(chosen.size()));
    const problem::GradientParts<data::DenseDesign<double>> parts{design, target,  {},
                                                                  loss,   squares, parts_.shards};
    problem::BatchProblem<data::DenseDesign<double>> batch(
        parts, penalty, {.clip_units = units, .clip = clip, .batch = records},
        std::vector<double>(chosen.size()), pool_);
    CertifiedSgd mechanism(options.release, CertifiedSgd::kAll, bits_, options.number);
    mechanism.measure(batch);

    std::vector<std::size_t> features(chosen.size());
    std::vector<double> mean_squares(chosen.size());
    for (std::size_t k = 0; k < units.size(); ++k) {
      features[k] = chosen[k].features.front();
      mean_squares[k] = mechanism.gradient(batch, k) / units[k];
    }
    moments_.see(features, mean_squares, batch.room_of_noise(mechanism.noise_sd()) * clip);
  }

  /// Moves `greedy` to where the descent ends, and notes that in `path`.
  template <class Greedy>
  void run(const DescentOptions& options, const Support& support, Greedy& greedy,
           std::vector<PathStep>& path) {
    const std::vector<problem::Direction>& directions = support.directions();
    std::vector<double> scales(directions.size());
    for (std::size_t k = 0; k < scales.size(); ++k) {
      scales[k] = moments_.scale(directions[k].features.front());
    }
    const problem::Coordinates chosen = parts_.coordinates.along(directions).scaled(scales);
    const auto design = problem::columns_of(parts_.design, directions);
    find_wholes(chosen, directions);
    std::vector<double> start(chosen.size());
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      start[c] = greedy.coef()[wholes_[c].front().coordinate] / wholes_[c].front().weight;
    }
    const problem::GradientParts<data::DenseDesign<double>> parts{
        design, parts_.target, parts_.classes, parts_.loss, chosen, parts_.shards};
    DescentOptions own = options;
    if (!scales.empty()) {
      own.pace.size =
          std::accumulate(scales.begin(), scales.end(), 0.0) / static_cast<double>(scales.size());
    }
    last_ = descend(parts, penalty_, clip_rule_, own, std::move(start), scale_, pool_, bits_);

    for (std::size_t c = 0; c < chosen.size(); ++c) {
      for (const Whole& whole : wholes_[c]) {
        const double value = whole.weight * last_.coef[c];
        greedy.move(whole.coordinate, value);
        path.push_back({whole.coordinate, whole.weight * last_.gradient[c], value});
      }
    }
  }

  /// The same on what pruning leaves of the descent before, or on all where it leaves nothing. Both
  /// descents spoke of what is left, so it ends at their mean, weighed by their noise; the first,
  /// where it had more features to share the effects between, with half its weight.
  template <class Greedy>
  void run_on_rest(const DescentOptions& options, const Pruning& pruning, Support& support,
                   Greedy& greedy, std::vector<PathStep>& path) {
    const std::vector<double> noise = noise_sd();
    const std::vector<double> coef = greedy.coef();
    Support rest;
    for (const problem::Direction& direction : support.directions()) {
      if (is_left(direction, pruning, coef, noise)) rest.add(direction);
    }
    const bool takes_some = rest.size() > 0 && rest.size() < support.size();
    if (takes_some) {
      for (std::size_t c = 0; c < coef.size(); ++c) {
        const bool is_out = noise[c] > 0.0 && !parts_.coordinates.is_intercept(c) &&
                            !rest.has(parts_.coordinates.feature(c));
        if (is_out) greedy.move(c, 0.0);
      }
      support = rest;
    }
    run(options, support, greedy, path);

    const double trust = takes_some ? 0.5 : 1.0;
    for (std::size_t k = 0; k < wholes_.size(); ++k) {
      const Whole& first = wholes_[k].front();
      const double own = last_.noise_sd[k] * last_.noise_sd[k];
      const double before = std::pow(noise[first.coordinate] / first.weight, 2);
      const double both = trust * own + before;
      const double part = both > 0.0 ? trust * own / both : 0.5;  // of the descent before
      for (const Whole& whole : wholes_[k]) {
        const std::size_t c = whole.coordinate;
        greedy.move(c, std::lerp(greedy.coef()[c], coef[c], part));  // within their bounds
      }
      // The second began where the first ended, and may remember its noise: at most this.
      last_.noise_sd[k] = std::lerp(std::sqrt(own), std::sqrt(before), part);
    }
  }

  /// The sd of the noise in every coordinate, 0 in those that the last descent left alone.
  std::vector<double> noise_sd() const {
    std::vector<double> out(parts_.coordinates.size());
    for (std::size_t k = 0; k < wholes_.size(); ++k) {
      for (const Whole& each : wholes_[k]) {
        out[each.coordinate] = std::fabs(each.weight) * last_.noise_sd[k];
      }
    }
    return out;
  }

 private:
  /// A coordinate of the fit in one of a descent.
  struct Whole {
    std::size_t coordinate = 0;
    double weight = 1.0;
  };

  void find_wholes(const problem::Coordinates& chosen,
                   const std::vector<problem::Direction>& directions) {
    const problem::Coordinates& all = parts_.coordinates;
    wholes_.assign(chosen.size(), {});
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      const std::size_t first = chosen.head(c) * all.width();
      if (chosen.is_intercept(c)) {
        wholes_[c].push_back({first + all.features(), 1.0});
        continue;
      }
      const problem::Direction& direction = directions[chosen.feature(c)];
      for (std::size_t m = 0; m < direction.features.size(); ++m) {
        wholes_[c].push_back({first + direction.features[m], direction.weights[m]});
      }
    }
  }
  /// In one head at least. All features of a direction are the same multiple of their noise.
  bool is_left(const problem::Direction& direction, const Pruning& pruning,
               std::span<const double> coef, std::span<const double> noise) const {
    const problem::Coordinates& all = parts_.coordinates;
    for (std::size_t head = 0; head < all.heads(); ++head) {
      const std::size_t c = head * all.width() + direction.features.front();
      if (!pruning.takes(coef[c], noise[c])) return true;
    }
    return false;
  }

  const problem::GradientParts<Design>& parts_;
  const problem::AnyPenalty& penalty_;
  const ClipRule& clip_rule_;
  ResidualScale* scale_;
  core::ThreadPool& pool_;
  privacy::RandomBits& bits_;
  FeatureMoments moments_;
  Descended last_;
  std::vector<std::vector<Whole>> wholes_;  ///< what each coordinate of the last descent moves
};

/// DP-GCD in rounds: several selections from one gradient, then descent on all that was chosen.
/// Where it starts, all features have the coefficient 0. Its candidates are features: an intercept
/// is in every round. So whatever is chosen, and however few candidates still differ (a box
/// narrower than a unit of scores, no feature left to visit), the first choice is a feature, and no
/// descent after it is without one. The number of selections and releases of every round is fixed
/// in `options`.
template <class Problem, class Mechanisms, class Descent>
std::vector<PathStep> gcd_rounds(Problem& problem, Mechanisms& mechanisms, Descent& descent,
                                 const ResidualScale* scale, const RoundsOptions& options) {
  std::vector<PathStep> path;
  Support support;
  bool at_zero =
      std::all_of(problem.coef().begin(), problem.coef().end(), [](double w) { return w == 0.0; });
  std::uint64_t events = 0;
  std::uint64_t done = 0;
  for (const Round& round : options.rounds) {
    events += round.selections + (round.moments ? 1 : 0) + round.descent.pace.releases;
  }
  for (const Round& round : options.rounds) {
    if (round.selections > 0) {
      const double limit = at_zero              ? options.first_slope_limit
                           : support.size() > 0 ? options.later_slope_limit
                                                : options.clip_rule.slope_limit;
      const double unit = limit > 0.0        ? limit
                          : scale != nullptr ? scale->value()
                                             : round.descent.pace.scale;
      problem.set_clip(options.clip * unit, limit);
      problem.refresh_gradient();  // line 2: integer sums, unreadable here
    }
    problem::Direction batch;  // of signed features
    for (std::uint64_t b = 0; b < round.selections; ++b) {
      core::report(options.progress, ++done, events);
      const std::size_t candidate = mechanisms.choose(problem);  // line 3
      const std::size_t c = problem.coordinate(candidate);
      const std::size_t feature = problem.coordinates().feature(c);
      if (options.excludes_visited) problem.exclude(feature);
      if (support.has(feature) || batch.has(feature)) continue;
      if (problem.sign(candidate) == 0) {
        support.add(problem::Direction(feature));
      } else {
        batch.add(feature, problem.sign(candidate) / problem.coordinates().feature_scale(c));
      }
    }
    if (!batch.features.empty()) support.add(std::move(batch).normalised());
    if (round.moments) {
      descent.measure(*round.moments, support);
      core::report(options.progress, ++done, events);
    }
    DescentOptions own = round.descent;
    own.progress = [&](double share) {
      if (!options.progress) return;
      const double released = share * static_cast<double>(own.pace.releases);
      options.progress((static_cast<double>(done) + released) / static_cast<double>(events));
    };
    if (round.is_on_rest) {
      descent.run_on_rest(own, options.pruning, support, problem, path);
    } else {
      descent.run(own, support, problem, path);  // line 4
    }
    done += own.pace.releases;
    at_zero = false;
  }
  return path;
}

}  // namespace southwell::solvers
