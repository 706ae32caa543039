#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/problem/batch_problem.hpp"
#include "southwell/problem/gradient/moment_sums.hpp"
#include "southwell/problem/support.hpp"
#include "southwell/solvers/rounds/feature_moments.hpp"
#include "southwell/solvers/rounds/whitening.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::solvers {

/// Of each feature by itself, or of all of them together with an intercept: a matrix.
enum class Moments { each, together };

/// The release of the second moments of what was chosen.
struct MomentsRelease {
  privacy::DiscreteGaussianRelease release;
  std::uint32_t number = 0;  ///< within the fit, descents included: its noise is its own
  Moments moments = Moments::each;
  double norm = 0.0;  ///< at which records are clipped, of all features; 0: as declared
};

/// Of single features, in units of their declared scales and clipped (FeatureMoments).
struct MeanSquares {
  std::vector<double> values;
  double noise_sd = 0.0;  ///< of each
};

/// How large the chosen features are. Their second moments are a gradient as any other: that of the
/// squared loss at 0 where every target is -1, all slopes then being 1, and the features are
/// squares.
template <class Design>
MeanSquares release_second_moments(const problem::GradientParts<Design>& of,
                                   const MomentsRelease& options,
                                   std::span<const std::size_t> chosen, core::ThreadPool& pool,
                                   privacy::RandomBits& bits) {
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

  MeanSquares out{.values = std::vector<double>(chosen.size()),
                  .noise_sd = batch.room_of_noise(mechanism.noise_sd()) * clip};
  for (std::size_t k = 0; k < units.size(); ++k) {
    out.values[k] = mechanism.gradient(batch, k) / units[k];
  }
  return out;
}

/// The second moments of the chosen features together, whose coordinates `of` has. Every entry
/// beside the diagonal is released twice, as the matrix has it twice, and is the mean of both: so
/// noise of one size everywhere is calibrated to how far the whole matrix moves
/// (problem/gradient/moment_sums.md).
template <class Design>
ReleasedMoments release_moment_matrix(const problem::GradientParts<Design>& of,
                                      const MomentsRelease& options,
                                      std::span<const std::size_t> chosen, core::ThreadPool& pool,
                                      privacy::RandomBits& bits) {
  const problem::Coordinates& along = of.coordinates;
  ReleasedMoments out;
  out.dims = along.width();
  const auto dims = static_cast<double>(out.dims);
  out.norm = options.norm > 0.0 ? options.norm : std::sqrt(dims);
  if (options.norm > 0.0) out.declared = options.norm * options.norm / dims;
  const auto stream = bits.stream(privacy::Purpose::release, options.number);
  privacy::Noise noise = options.release.draw(*stream, out.dims * out.dims);
  const std::vector<std::int64_t> released =
      options.release.release(problem::moment_sums(of, chosen, out.norm, pool), std::move(noise));
  const double unit =
      out.norm * out.norm / (static_cast<double>(problem::kAddedMoments) * along.options().records);
  out.values.resize(released.size());
  for (std::size_t a = 0; a < out.dims; ++a) {
    for (std::size_t b = 0; b < out.dims; ++b) {
      out.values[a * out.dims + b] = 0.5 * unit *
                                     (static_cast<double>(released[a * out.dims + b]) +
                                      static_cast<double>(released[b * out.dims + a]));
    }
  }
  out.noise_sd = unit * static_cast<double>(options.release.cost().scale);
  return out;
}

}  // namespace southwell::solvers
