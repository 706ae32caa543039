#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "southwell/problem/gradient/feature_margins.hpp"
#include "southwell/problem/support.hpp"
#include "southwell/solvers/path.hpp"
#include "southwell/solvers/rounds/declared_sizes.hpp"
#include "southwell/solvers/rounds/descent.hpp"
#include "southwell/solvers/rounds/feature_map.hpp"
#include "southwell/solvers/rounds/feature_moments.hpp"
#include "southwell/solvers/rounds/mapped_support.hpp"
#include "southwell/solvers/rounds/null_model.hpp"
#include "southwell/solvers/rounds/privacy_noise.hpp"
#include "southwell/solvers/rounds/pruning.hpp"
#include "southwell/solvers/rounds/second_moments.hpp"
#include "southwell/solvers/rounds/shortening.hpp"
#include "southwell/solvers/rounds/support.hpp"

namespace southwell::solvers {

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

  /// Learns how large the chosen features are, or how they go together.
  void measure(const MomentsRelease& options, const Support& support) {
    if (options.moments == Moments::together) {
      mapped_.forget();
      const problem::Coordinates chosen = parts_.coordinates.of_features(support.features());
      const ReleasedMoments released =
          release_moment_matrix(parts_.with(chosen), options, support.features(), pool_, bits_);
      sizes_.observe(support.features(), released);
      whitening_.emplace(released);
    } else {
      const MeanSquares released =
          release_second_moments(parts_, options, support.features(), pool_, bits_);
      sizes_.observe(support.features(), released.values, released.noise_sd);
      moments_.observe(support.features(), released.values, released.noise_sd);
    }
  }

  /// Learns how mapped records go together: how curved the loss is that the next descent meets.
  void measure_mapped(MomentsRelease options, const Support& support) {
    constexpr double kWide = 2.0;  // of the norm that mapped records are expected to have
    const problem::Coordinates chosen = parts_.coordinates.of_features(support.features());
    const data::DenseDesign<double>& design = mapped_on(chosen, support.features());
    const FeatureMap map{*whitening_, chosen, penalty_};
    const problem::Coordinates mapped = map.coordinates();
    const problem::RecordFactors none;  // mapped records are limited already
    options.norm = kWide * std::sqrt(std::max(1.0, whitening_->effective_dims()));
    const Support all = Support::of_all(mapped.features());
    whitening_->observe_mapped(release_moment_matrix(parts_on(design, mapped, none), options,
                                                     all.features(), pool_, bits_));
  }

  /// Moves `greedy` to where the descent ends, and notes that in `path`.
  template <class Greedy>
  void run(const DescentOptions& options, const Support& support, Greedy& greedy,
           std::vector<PathStep>& path) {
    const std::vector<std::size_t>& features = support.features();
    if (!null_.is_known()) null_.note(parts_.coordinates, greedy.coef(), noise_);
    std::vector<double> scales(features.size());
    for (std::size_t k = 0; k < scales.size(); ++k) scales[k] = moments_.scale(features[k]);
    const problem::Coordinates chosen = parts_.coordinates.of_features(features).scaled(scales);
    find_moved(chosen, features);
    const PrivacyNoise started = noise_.at(moved_);
    std::vector<double> start(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) start[k] = greedy.coef()[moved_[k]];
    DescentOptions own = options;
    if (!scales.empty()) {
      own.schedule.size =
          std::accumulate(scales.begin(), scales.end(), 0.0) / static_cast<double>(scales.size());
    }
    const bool whitens = whitening_ && !features.empty() && whitening_->dims() == chosen.width();
    if (whitens) {
      last_ = descend_mapped(chosen, features, own, start, started);
    } else {
      const problem::RecordFactors none;  // the columns are limited already
      last_ =
          problem::with_columns(parts_.design, features, parts_.factors, [&](const auto& design) {
            return solvers::descend(parts_on(design, chosen, none), penalty_, clip_rule_, own,
                                    start, scale_, pool_, bits_);
          });
      noise_ = unmapped_noise(chosen, started);
      if (own.shortening != Shortening::none) shorten_plain(chosen, own.shortening);
    }
    for (std::size_t k = 0; k < moved_.size(); ++k) {
      greedy.move(moved_[k], last_.coef[k]);
      path.push_back({moved_[k], last_.gradient[k], last_.coef[k]});
    }
    if (features.empty()) null_.note(parts_.coordinates, greedy.coef(), noise_);
  }

  /// The same on all features: where nothing is mapped, without a copy of them.
  template <class Greedy>
  void run_on_all(const DescentOptions& options, Greedy& greedy) {
    const Support all = Support::of_all(parts_.coordinates.features());
    if (whitening_) {
      std::vector<PathStep> path;  // of p numbers, which nobody wants
      return run(options, all, greedy, path);
    }
    if (!null_.is_known()) null_.note(parts_.coordinates, greedy.coef(), noise_);
    find_moved(parts_.coordinates, all.features());
    const PrivacyNoise started = noise_.at(moved_);
    last_ = descend(parts_, penalty_, clip_rule_, options, greedy.coef(), scale_, pool_, bits_);
    noise_ = unmapped_noise(parts_.coordinates, started);
    if (options.shortening != Shortening::none) {
      shorten_plain(parts_.coordinates, options.shortening);
    }
    for (std::size_t k = 0; k < moved_.size(); ++k) greedy.move(moved_[k], last_.coef[k]);
  }

  /// The same on what pruning leaves of the descent before, or on all where it leaves nothing. Both
  /// descents spoke of what remains, so it ends at their mean, weighed by their noise; the first,
  /// where it had more features to share the effects between, with half its weight.
  template <class Greedy>
  void run_on_remaining(const DescentOptions& options, const Pruning& pruning, Support& support,
                        Greedy& greedy, std::vector<PathStep>& path) {
    const std::vector<double> noise = noise_sd();
    const PrivacyNoise stated = noise_;
    const std::vector<double> coef = greedy.coef();
    Support rest;
    for (const std::size_t feature : support.features()) {
      if (remains(feature, pruning, coef, noise)) rest.add(feature);
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

    const PrivacyNoise stated_before = stated.at(moved_);
    const double trust = takes_some ? 0.5 : 1.0;
    for (std::size_t k = 0; k < moved_.size(); ++k) {
      const std::size_t c = moved_[k];
      const double own = last_.noise_sd[k] * last_.noise_sd[k];
      const double before = std::pow(noise[c], 2);
      const double both = trust * own + before;
      const double part = both > 0.0 ? trust * own / both : 0.5;   // of the descent before
      greedy.move(c, std::lerp(greedy.coef()[c], coef[c], part));  // within their bounds
      // The second began where the first ended, and may remember its noise: at most this.
      last_.noise_sd[k] = std::lerp(std::sqrt(own), std::sqrt(before), part);
      const double sd = std::lerp(noise_.sd(k), stated_before.sd(k), part);
      noise_.variance[k] = sd * sd;
      noise_.is_determined[k] = std::isfinite(sd) ? 1 : 0;
    }
  }

  /// The intercept of a regression once more, all coefficients in place: by itself it bears a clip
  /// so wide that it becomes the mean of what the features leave, where the clip of a descent on
  /// all of them would leave it near the median.
  template <class Greedy>
  void recenter(const DescentOptions& options, Greedy& greedy, std::vector<PathStep>& path) {
    std::vector<double> left(parts_.target.begin(), parts_.target.end());
    const std::vector<double> explained =
        problem::feature_margins(parts_, greedy.coef(), {0, left.size()});
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= explained[i];
    const problem::Coordinates alone = parts_.coordinates.of_features({});
    const auto design = problem::columns_of(parts_.design, {}, parts_.factors);
    auto parts = parts_on(design, alone, parts_.factors);
    parts.target = left;
    DescentOptions own = options;
    if (scale_ != nullptr) own.schedule.scale = scale_->value();
    const problem::AnyPenalty none = problem::None{};
    const std::size_t c = parts_.coordinates.features();
    const Descended end = descend(parts, none, {.corrects_attenuation = false}, own,
                                  {greedy.coef()[c]}, nullptr, pool_, bits_);
    greedy.move(c, end.coef[0]);
    path.push_back({c, end.gradient[0], end.coef[0]});
    const auto place = std::find(moved_.begin(), moved_.end(), c);
    if (place != moved_.end()) {
      last_.noise_sd[static_cast<std::size_t>(place - moved_.begin())] = end.noise_sd[0];
      recenter_noise(end.response);
    }
  }

  /// What was measured against what was declared.
  const DeclaredSizes& sizes() const { return sizes_; }

  /// The sd of the noise in every coordinate, 0 in those that the last descent left alone.
  std::vector<double> noise_sd() const {
    std::vector<double> out(parts_.coordinates.size());
    for (std::size_t k = 0; k < moved_.size(); ++k) out[moved_[k]] = last_.noise_sd[k];
    return out;
  }
  /// What is stated of it.
  const PrivacyNoise& privacy_noise() const { return noise_; }
  /// The same after the last descent on intercepts alone, of all coordinates: 0 where there was
  /// none.
  std::vector<double> null_noise_sd() const {
    std::vector<double> out(parts_.coordinates.size());
    for (std::size_t k = 0; k < null_.noise().coordinates.size(); ++k) {
      out[null_.noise().coordinates[k]] = null_.noise().sd(k);
    }
    return out;
  }

 private:
  /// What this fit's gradients are computed from, on another design.
  template <class Other>
  problem::GradientParts<Other> parts_on(const Other& design, const problem::Coordinates& all,
                                         const problem::RecordFactors& factors) const {
    return {design, parts_.target,  parts_.classes, parts_.loss,
            all,    parts_.weights, factors,        parts_.shards};
  }
  /// The records on these features as the last measured map has them.
  const data::DenseDesign<double>& mapped_on(const problem::Coordinates& chosen,
                                             const std::vector<std::size_t>& features) {
    return mapped_.records(parts_.design, parts_.factors, {features, chosen, whitening_->map()},
                           pool_);
  }

  /// The same on mapped records: coefficients are mapped there, and where it ends back.
  Descended descend_mapped(const problem::Coordinates& chosen,
                           const std::vector<std::size_t>& features, const DescentOptions& options,
                           const std::vector<double>& start, const PrivacyNoise& started) {
    const FeatureMap map{*whitening_, chosen, penalty_};
    const problem::Coordinates mapped = map.coordinates();
    const problem::RecordFactors no_factors;  // mapped records are limited already
    const problem::AnyPenalty none = problem::None{};
    Descended end =
        descend(parts_on(mapped_on(chosen, features), mapped, no_factors), none, clip_rule_,
                options, map.there(start), scale_, pool_, bits_, map.space());
    KeptWay kept;
    if (options.shortening != Shortening::none) {
      double noise = 0.0;
      for (const WhitenedCurvature& curvature : whitening_->curvatures()) {
        noise += end.response.along({.loss = curvature.counted}).variance;
      }
      const auto heads = static_cast<double>(mapped.heads());
      const std::vector<double> from = map.there(null_.on(chosen));
      const std::vector<double> units(mapped.size(), 1.0);
      // Times are long here, so that all effects count as arrived: what is short of that is safe.
      kept = shorten({.from = from,
                      .to = end.coef,
                      .units = units,
                      .squared_noise = heads * noise,
                      .shortening = options.shortening},
                     end);
    }
    noise_ = noise_of_whitened({chosen, started, end.response}, *whitening_, kept);
    null_.add_noise(noise_, parts_.coordinates, kept.part());
    return map.back(end);
  }
  PrivacyNoise unmapped_noise(const problem::Coordinates& all, const PrivacyNoise& started) const {
    // Of an intercept alone the curvature is known, but for the slopes of a classifier.
    const bool is_known = all.features() == 0 && clip_rule_.slope_limit == 0.0;
    return noise_of_each({all, started, last_.response}, {.least = is_known ? 1.0 : 0.0},
                         last_.noise_growth);
  }
  void recenter_noise(const ImpulseResponse& response) {
    std::vector<double> means;
    if (whitening_ && whitening_->dims() == moved_.size()) {
      means.assign(whitening_->means().begin(), whitening_->means().end() - 1);
      for (std::size_t k = 0; k < means.size(); ++k) means[k] *= parts_.coordinates.unit(moved_[k]);
    }
    solvers::recenter(noise_, response, means);
  }
  /// Of features that are taken to be as large as declared, and uncorrelated.
  void shorten_plain(const problem::Coordinates& of, Shortening shortening) {
    const ImpulseResponse::Response response = last_.response.along({});
    std::vector<double> units(of.size());
    double noise = 0.0;
    for (std::size_t c = 0; c < units.size(); ++c) {
      if (of.is_intercept(c)) continue;
      units[c] = of.unit(c);
      noise += response.variance * std::pow(of.unit(c) * of.unit(c) / of.smoothness(c), 2);
    }
    const std::vector<double> from = null_.on(of);
    const Way way{from, last_.coef, units, noise, 1.0 - response.start, shortening};
    const double part = shorten(way, last_).part();
    for (double& variance : noise_.variance) variance *= part * part;
    null_.add_noise(noise_, parts_.coordinates, part);
  }
  static KeptWay shorten(const Way& way, Descended& end) {
    KeptWay kept = kept_way(way);
    const double part = kept.part();
    for (std::size_t c = 0; c < way.from.size(); ++c) {
      end.coef[c] = std::lerp(way.from[c], end.coef[c], part);  // an intercept goes along
      if (way.units[c] != 0.0) end.noise_sd[c] *= part;
    }
    return kept;
  }
  void find_moved(const problem::Coordinates& chosen, const std::vector<std::size_t>& features) {
    const problem::Coordinates& all = parts_.coordinates;
    moved_.resize(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::size_t feature =
          chosen.is_intercept(k) ? all.features() : features[chosen.feature(k)];
      moved_[k] = chosen.head(k) * all.width() + feature;
    }
  }
  /// In one head at least.
  bool remains(std::size_t feature, const Pruning& pruning, const std::vector<double>& coef,
               const std::vector<double>& noise) const {
    const problem::Coordinates& all = parts_.coordinates;
    for (std::size_t head = 0; head < all.heads(); ++head) {
      const std::size_t c = head * all.width() + feature;
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
  DeclaredSizes sizes_;
  std::optional<Whitening> whitening_;  ///< of the support that was measured last
  MappedSupport mapped_;                ///< its records
  Descended last_;
  PrivacyNoise noise_;  ///< of the coordinates of `moved_`
  NullModel null_;
  std::vector<std::size_t> moved_;  ///< the fit's coordinate of each one of the last descent
};

}  // namespace southwell::solvers
