#include "southwell/fit/whitened_descent.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "southwell/core/fault.hpp"
#include "southwell/problem/mapped_records.hpp"
#include "southwell/solvers/rounds/clip_law.hpp"
#include "southwell/solvers/rounds/feature_map.hpp"
#include "southwell/solvers/rounds/margin_law.hpp"
#include "southwell/solvers/rounds/privacy_noise.hpp"
#include "southwell/solvers/rounds/second_moments.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::fit {
namespace {

using solvers::Whitening;

constexpr std::uint32_t kNumber = 2;  ///< of the moments' noise: descent and factor are 0 and 1

/// In units of the norm of records.
problem::Coordinates in_norm_units(const problem::Coordinates& all,
                                   const problem::RecordLimit& norm_units) {
  problem::Coordinates::Options options = all.options();
  options.smoothness_from_data.clear();
  options.feature_scale.clear();
  for (std::size_t j = 0; j < options.features; ++j) {
    options.feature_scale.push_back(norm_units.unit(j));
  }
  return problem::Coordinates(std::move(options));
}

/// The margin of a record that is the mean of all, and that alone as an intercept: what the model
/// says without features. Where records were clipped, so was the 1 of an intercept.
std::vector<double> null_of(const std::vector<double>& coef, const problem::Coordinates& all,
                            const Whitening& whitening) {
  constexpr double kLeastOfOne = 0.1;
  std::vector<double> null(coef.size());
  if (all.intercept() == problem::Intercept::none) return null;
  const double one = std::max(whitening.means().back(), kLeastOfOne);
  null.back() = coef.back();
  for (std::size_t j = 0; j < all.features(); ++j) {
    null.back() += coef[j] * all.unit(j) * whitening.means()[j] / one;
  }
  return null;
}

/// Of that the noise: the intercept's, and that of the features at their means.
std::vector<double> null_noise_of(const Solved& solved, const problem::Coordinates& all,
                                  const Whitening& whitening) {
  std::vector<double> out(solved.coef.size());
  if (all.intercept() == problem::Intercept::none || solved.covariance.empty()) return out;
  const std::size_t size = solved.coef.size();
  std::vector<double> slopes;  // of the null model's intercept in each coefficient
  for (std::size_t a = 0; a < size; ++a) {
    std::vector<double> unit(size);
    unit[a] = 1.0;
    slopes.push_back(null_of(unit, all, whitening).back());
  }
  double variance = 0.0;
  for (std::size_t k = 0; k < size * size; ++k) {
    variance += slopes[k / size] * slopes[k % size] * solved.covariance[k];
  }
  out.back() = std::sqrt(std::max(0.0, variance));
  return out;
}

/// How the loss is curved where the descent ended, less what the clip of records takes of it:
/// margins and features are about normal.
solvers::MarginCurvature curvature_at(const std::vector<double>& mapped, double middle,
                                      const Whitening& whitening) {
  solvers::MarginCurvature out{.way = mapped};
  double square = 0.0;
  const std::size_t dims = whitening.dims();
  for (std::size_t b = 0; b < dims; ++b) {
    const auto direction = whitening.directions().subspan(b * dims, dims);
    const double along =
        std::inner_product(direction.begin(), direction.end(), mapped.begin(), 0.0);
    square += along * along * whitening.curvatures()[b].about;
  }
  const solvers::Margins margins{std::sqrt(std::max(0.0, square - middle * middle)), middle};
  const auto counted = static_cast<std::size_t>(std::max(1.0, whitening.effective_dims()));
  const double left = solvers::feature_attenuation(1.0, counted);
  out.beside = left * solvers::curvature_beside(margins);
  out.along = left * solvers::curvature_of_length(margins);
  return out;
}

/// One fit's descent, in mapped records.
class Mapped {
 public:
  Mapped(const WhitenedDescent& of, const Work& work, const problem::Coordinates& units,
         const Whitening& whitening)
      : of_(of),
        work_(work),
        units_(units),
        whitening_(whitening),
        map_(whitening, units, work.penalty),
        rule_(whitened_descent_rule(of.facts, std::max(1.0, whitening.effective_dims()))) {}

  /// All features of the design.
  template <class Design>
  WhitenedDescent::Ended descend(const Design& of, std::span<const std::size_t> features) const {
    const problem::Coordinates mapped = map_.coordinates();
    const auto design = problem::mapped_records(of, work_.factors,
                                                {features, units_, whitening_.map()}, work_.pool);
    const problem::RecordFactors none;  // mapped records are limited already
    const problem::GradientParts<data::DenseDesign<double>> parts{.design = design,
                                                                  .target = work_.dataset.target,
                                                                  .classes = work_.classes,
                                                                  .loss = work_.loss,
                                                                  .coordinates = mapped,
                                                                  .weights = work_.weights,
                                                                  .factors = none,
                                                                  .shards = work_.shards};
    const problem::AnyPenalty free = problem::None{};
    problem::BatchProblem<data::DenseDesign<double>> batch(
        parts, free,
        {.clip_units = std::vector<double>(mapped.size(), 1.0),
         .clip = rule_.clip,
         .slope_limit = rule_.slope_limit,
         .batch = of_.facts.records,
         .joint_prox = map_.space().joint_prox},
        map_.there(work_.start), work_.pool);
    solvers::CertifiedSgd mechanism({of_.release.shift, of_.release.scale},
                                    solvers::CertifiedSgd::kAll, work_.bits);
    solvers::FixedStep step{(1.0 - rule_.momentum) * rule_.step};
    const std::vector<double> end = solvers::sgd(batch, mechanism, step,
                                                 {.iterations = work_.iterations,
                                                  .iterate = solvers::Iterate::average,
                                                  .averaged = of_.averaged,
                                                  .momentum = rule_.momentum,
                                                  .progress = work_.progress});
    return {.solved = solved_at(end), .rule = rule_};
  }

 private:
  Solved solved_at(const std::vector<double>& end) const {
    Solved out;
    const std::vector<double> none(end.size());
    out.coef = map_.back({.coef = end, .gradient = none, .noise_sd = none, .response = {}}).coef;
    out.null_coef = null_of(out.coef, units_, whitening_);
    std::vector<std::size_t> all(out.coef.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const solvers::PrivacyNoise start = solvers::PrivacyNoise{}.at(all);
    const double middle =
        units_.intercept() == problem::Intercept::none ? 0.0 : out.null_coef.back();
    const solvers::ImpulseResponse response = impulse_response();
    out.noise_sd.assign(out.coef.size(), 0.0);
    solvers::PrivacyNoise noise = noise_of_whitened({units_, start, response}, whitening_, {},
                                                    curvature_at(end, middle, whitening_));
    // Right for records that are about normal, and a third of what it is on heavy tails, which
    // nothing that was released tells apart (docs/research/uncertainty.md): so it is not stated.
    noise.is_determined.assign(noise.is_determined.size(), 0);
    state_noise(out, noise);
    out.null_noise_sd = null_noise_of(out, units_, whitening_);
    return out;
  }
  /// In units in which the loss is curved by 1.
  solvers::ImpulseResponse impulse_response() const {
    const double curvature = units_.options().curvature;
    const double noise = rule_.clip * static_cast<double>(of_.release.scale) /
                         (static_cast<double>(problem::ProductClip::kBound) * of_.facts.records);
    const double step = (1.0 - rule_.momentum) * rule_.step;
    return {std::vector<solvers::ImpulseResponse::Release>(work_.iterations,
                                                           {step * curvature, noise / curvature}),
            rule_.momentum, solvers::first_averaged(work_.iterations, of_.averaged)};
  }

  const WhitenedDescent& of_;
  const Work& work_;
  const problem::Coordinates& units_;
  const Whitening& whitening_;
  solvers::FeatureMap map_;
  NormDescentRule rule_;
};

}  // namespace

std::optional<WhitenedDescent::Ended> WhitenedDescent::run(const Work& work) const {
  return std::visit(
      [&]<class Design>(const Design& design) -> std::optional<Ended> {
        const bool maps = can_be_whitened(facts, work.record_norm);
        if (!maps && fault(Fault::moments_are_charged_and_skipped)) return std::nullopt;
        const problem::Coordinates units = in_norm_units(work.coordinates, norm_units);
        std::vector<std::size_t> features(design.features());
        std::iota(features.begin(), features.end(), std::size_t{0});
        const double ones = units.intercept() == problem::Intercept::none ? 0.0 : 1.0;
        const solvers::ReleasedMoments released =
            solvers::release_moment_matrix(gradient_parts(design, work).with(units),
                                           {.release = {moments.shift, moments.scale},
                                            .number = kNumber,
                                            .moments = solvers::Moments::together,
                                            .norm = std::hypot(work.record_norm, ones)},
                                           features, work.pool, work.bits);
        if (!maps) return std::nullopt;
        const Whitening whitening(released);
        return Mapped(*this, work, units, whitening).descend(design, features);
      },
      work.dataset.design);
}

}  // namespace southwell::fit
