#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_laplace_release.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"
#include "southwell/problem/greedy_problem.hpp"
#include "southwell/solvers/coordinate_release.hpp"
#include "southwell/solvers/path.hpp"

namespace southwell::solvers {

/// The selections and releases of a certified fit.
class CertifiedGreedy {
 public:
  using Select =
      std::variant<privacy::ExponentialMechanism, privacy::PermuteAndFlip, privacy::NoisyMax>;

  CertifiedGreedy(Select select, CertifiedRelease release, privacy::RandomBits& bits);

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
    return release_.measure(problem, c);
  }

 private:
  Select select_;
  CertifiedRelease release_;
  std::unique_ptr<privacy::RandomBits> selection_bits_;
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
    path.push_back(take_step(problem, j, g, options.step));
    core::report(options.progress, t + 1, options.iterations);
  }
  return path;  // line 5: w^T is problem.coef()
}

}  // namespace southwell::solvers
