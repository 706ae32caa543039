#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/problem/batch_problem.hpp"
#include "southwell/problem/support.hpp"
#include "southwell/solvers/rounds/feature_moments.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::solvers {

/// The release of the second moments of what was chosen.
struct MomentsRelease {
  privacy::DiscreteGaussianRelease release;
  std::uint32_t number = 0;  ///< within the fit, descents included: its noise is its own
};

/// Tells `moments` how large the chosen features are. Their second moments are a gradient as any
/// other: that of the squared loss at 0 where every target is -1, all slopes then being 1, and the
/// features are squares.
template <class Design>
void release_second_moments(const problem::GradientParts<Design>& of, const MomentsRelease& options,
                            std::span<const std::size_t> chosen, FeatureMoments& moments,
                            core::ThreadPool& pool, privacy::RandomBits& bits) {
  const problem::Coordinates along = of.coordinates.of_features(chosen);
  const double records = along.options().records;
  const problem::Coordinates squares({.features = chosen.size(), .records = records});
  const auto design =
      problem::columns_of(of.design, chosen, of.factors, [](double x) { return x * x; });
  const std::vector<double> target(of.target.size(), -1.0);
  const problem::AnyLoss loss = problem::Squared{};
  const problem::AnyPenalty penalty = problem::None{};
  std::vector<double> units(chosen.size());
  for (std::size_t k = 0; k < units.size(); ++k) units[k] = std::pow(along.unit(k), 2);
  const double clip = FeatureMoments::kClip * std::sqrt(static_cast<double>(chosen.size()));
  const problem::RecordFactors none;  // the columns are limited already
  const problem::GradientParts<data::DenseDesign<double>> parts{
      design, target, {}, loss, squares, of.weights, none, of.shards};
  problem::BatchProblem<data::DenseDesign<double>> batch(
      parts, penalty, {.clip_units = units, .clip = clip, .batch = records},
      std::vector<double>(chosen.size()), pool);
  CertifiedSgd mechanism(options.release, CertifiedSgd::kAll, bits, options.number);
  mechanism.measure(batch);

  std::vector<double> mean_squares(chosen.size());
  for (std::size_t k = 0; k < units.size(); ++k) {
    mean_squares[k] = mechanism.gradient(batch, k) / units[k];
  }
  moments.observe(chosen, mean_squares, batch.room_of_noise(mechanism.noise_sd()) * clip);
}

}  // namespace southwell::solvers
