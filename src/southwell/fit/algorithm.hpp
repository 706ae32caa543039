#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/progress.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/defaults.hpp"
#include "southwell/fit/draft.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "southwell/solvers/path.hpp"
#include "southwell/solvers/rounds/declared_sizes.hpp"

namespace southwell::solvers {
struct PrivacyNoise;
}

namespace southwell::fit {

/// The noise of a fit, as plans and models state it.
struct NoiseSd {
  double gradient = 0.0;  ///< in a released gradient
  double coef = 0.0;      ///< what that leaves in a coefficient
};

/// What the model of a fit holds at most, whatever is chosen.
struct Extent {
  std::uint64_t moved = 0;  ///< coordinates that a step can go into
  std::uint64_t steps = 0;  ///< of the path
  /// Coordinates whose noise goes together: those of a descent in whitened features.
  std::uint64_t together = 0;
};

/// Everything an algorithm runs on.
struct Work {
  const data::Dataset& dataset;
  const problem::AnyLoss& loss;
  const problem::AnyPenalty& penalty;
  std::span<const double> classes;
  const problem::Coordinates& coordinates;
  const problem::RecordWeights& weights;
  const problem::RecordFactors& factors;
  const std::vector<double>& start;
  std::uint64_t iterations;
  double step;
  double slope_scale;        ///< how large slopes are said to be at the start
  double slope_scale_doubt;  ///< the sd of its logarithm
  double record_norm;        ///< typical, as declared or found
  problem::Multiclass multiclass;
  std::size_t shards;
  const core::Progress& progress;
  core::ThreadPool& pool;
  privacy::RandomBits& bits;
};

struct Solved {
  std::vector<double> coef;
  std::vector<solvers::PathStep> path;
  /// Of the privacy noise in every coefficient; 0 where no step went into it, not a number where it
  /// is not determined.
  std::vector<double> noise_sd;
  // Of refined algorithms, for the choice between what they end with and less of it.
  std::vector<double> null_coef{};         ///< before a feature moved: at most an intercept
  std::vector<double> null_noise_sd{};     ///< of that; empty: it has none
  double slope_scale = 1.0;                ///< how large slopes are said to be at the end
  std::vector<double> assumed_noise_sd{};  ///< for rules: were the loss as curved as declared
  // Of whitened descents, whose noise goes together: the covariance of these coordinates'.
  std::vector<std::size_t> noisy{};
  std::vector<double> covariance{};  ///< row after row
  // What releases said against declared scales (solvers/rounds/declared_sizes.hpp).
  std::vector<solvers::LargerFeature> larger{};
  double longer_records = 1.0;
};

/// One algorithm of a fit, from its inputs to its model. It is asked in this order; `draft` is
/// where it notes what it decides.
template <class A>
concept Algorithm =
    std::default_initializable<A> && std::copyable<A> &&
    requires(A deciding, const A& decided, Draft& draft, const PublicFacts& of,
             const Defaults& automatic, std::uint64_t iterations, const problem::Coordinates& all,
             std::size_t coordinate, double step, const Work& work) {
      { A::kSolver } -> std::convertible_to<std::string_view>;  // what users call it
      { A::kHelp } -> std::convertible_to<std::string_view>;    // what that is
      { A::kIsRefined } -> std::convertible_to<bool>;           // or as printed
      // Why there is nothing to choose of its mechanisms in paper mode.
      { A::kInThePaper } -> std::convertible_to<std::string_view>;
      deciding.read(draft);  // the inputs of its own
      { deciding.automatic(of) } -> std::same_as<Defaults>;
      deciding.calibrate(draft, iterations, automatic);  // its mechanisms, for the statement
      { decided.noise(all, coordinate, step) } -> std::same_as<NoiseSd>;
      { decided.extent(all, iterations) } -> std::same_as<Extent>;
      { decided.solve(work) } -> std::same_as<Solved>;
    };

template <class Design>
problem::GradientParts<Design> gradient_parts(const Design& design, const Work& work) {
  return {.design = design,
          .target = work.dataset.target,
          .classes = work.classes,
          .loss = work.loss,
          .coordinates = work.coordinates,
          .weights = work.weights,
          .factors = work.factors,
          .shards = work.shards,
          .multiclass = work.multiclass};
}

/// States the noise of a refined algorithm.
void state_noise(Solved& solved, const solvers::PrivacyNoise& noise);

/// The path ends where the coefficients do: what was done to them after it is its last step.
void end_path(Solved& solved);

/// Of an algorithm that moves one coordinate an iteration.
inline Extent extent_along(const problem::Coordinates& all, std::uint64_t iterations) {
  return {.moved = std::min<std::uint64_t>(iterations, all.size()), .steps = iterations};
}

/// What an algorithm as printed ends with. The noise of its steps is known, and what other steps
/// make of it is not: with correlated features coefficients spread up to 14 times as far as one
/// step's noise (docs/research/uncertainty.md), so that of no coefficient is determined.
Solved solved_along(std::vector<double> coef, std::vector<solvers::PathStep> path);

}  // namespace southwell::fit
