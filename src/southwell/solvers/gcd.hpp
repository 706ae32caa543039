#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/privacy/discrete_gaussian_release.hpp"
#include "southwell/privacy/discrete_laplace_release.hpp"
#include "southwell/privacy/exponential_mechanism.hpp"
#include "southwell/privacy/noisy_max.hpp"
#include "southwell/privacy/paper/unsound_laplace_release.hpp"
#include "southwell/privacy/paper/unsound_noisy_max.hpp"
#include "southwell/privacy/permute_and_flip.hpp"
#include "southwell/problem/greedy_problem.hpp"

namespace southwell::solvers {

/// One iteration, as everybody may see it.
struct PathStep {
  std::size_t coordinate;
  double gradient;  ///< as released, with the penalty's quadratic part
  double value;     ///< of the coefficient, after the step
};

/// The selections and releases of a certified fit. All noise of the releases is drawn here, before
/// a record is used: the time of a draw is correlated with its size.
class CertifiedGreedy {
 public:
  using Select =
      std::variant<privacy::ExponentialMechanism, privacy::PermuteAndFlip, privacy::NoisyMax>;
  using Release = std::variant<privacy::DiscreteLaplaceRelease, privacy::DiscreteGaussianRelease>;

  CertifiedGreedy(Select select, Release release, std::uint64_t iterations,
                  privacy::RandomBits& bits);

  template <class Problem>
  std::size_t choose(Problem& problem) {
    return std::visit(
        [&](const auto& mechanism) {
          return mechanism.release(problem.scores(), *selection_bits_);
        },
        select_);
  }
  template <class Problem>
  double measure(Problem& problem, std::size_t c) {
    const std::int64_t released = std::visit(
        [&](const auto& mechanism) {
          return mechanism.release(problem.gradient_sum(c), std::move(noise_[used_]));
        },
        release_);
    ++used_;
    return problem.gradient_of(c, released);
  }

 private:
  Select select_;
  Release release_;
  std::unique_ptr<privacy::RandomBits> selection_bits_;
  std::vector<privacy::Noise> noise_;
  std::size_t used_ = 0;
};

/// UNSOUND: the published selections and releases, for reproduction: noise in doubles inside the
/// rule, at scale `noise` times C_j / n in both. Selection and release draw independent noise.
class PaperGreedy {
 public:
  PaperGreedy(const problem::Coordinates& coordinates, const problem::AnyPenalty& penalty,
              problem::GreedyRule rule, double noise, privacy::RandomBits& bits);

  template <class Problem>
  std::size_t choose(Problem& problem) {
    for (std::size_t c = 0; c < public_.size(); ++c) public_[c].coef = problem.coef()[c];
    return select_.release(problem.gradient_in_doubles(), public_, *selection_bits_);
  }
  template <class Problem>
  double measure(Problem& problem, std::size_t c) {
    return privacy::paper::UnsoundLaplaceRelease(public_[c].scale)
        .release(problem.gradient_in_doubles(c), *release_bits_);
  }

 private:
  privacy::paper::UnsoundNoisyMax select_;
  std::vector<privacy::paper::Coordinate> public_;
  std::unique_ptr<privacy::RandomBits> selection_bits_;
  std::unique_ptr<privacy::RandomBits> release_bits_;
};

struct GcdOptions {
  std::uint64_t iterations = 1;  ///< T, exactly
  double step = 1.0;             ///< gamma: coordinate j moves by gamma / M_j
  core::Progress progress{};     ///< shares of T; may throw to stop
};

/// DP-GCD, Alg. 1 (smooth) and Alg. 2 (proximal): they differ only in the penalty.
template <class Problem, class Mechanisms>
std::vector<PathStep> gcd(Problem& problem, Mechanisms& mechanisms, const GcdOptions& options) {
  std::vector<PathStep> path;
  path.reserve(options.iterations);
  for (std::uint64_t t = 0; t < options.iterations; ++t) {  // line 2
    problem.refresh_gradient();                             //   integer sums, unreadable here
    const std::size_t j = mechanisms.choose(problem);       // line 3
    const double g = mechanisms.measure(problem, j);        // line 4
    const double step = options.step / problem.smoothness(j);
    problem.move(j, problem.prox(j, problem.coef()[j] - step * g, step));
    path.push_back({j, g, problem.coef()[j]});
    core::report(options.progress, t + 1, options.iterations);
  }
  return path;  // line 5: w^T is problem.coef()
}

}  // namespace southwell::solvers
