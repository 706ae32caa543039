#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/problem/coordinate_problem.hpp"
#include "southwell/solvers/coordinate_release.hpp"
#include "southwell/solvers/path.hpp"

namespace southwell::solvers {

/// Coordinates uniform with replacement. Which ones is public: the bits are not used for noise.
class UniformCoordinates {
 public:
  UniformCoordinates(std::size_t size, privacy::RandomBits& bits);
  std::size_t next();

 private:
  std::size_t size_;
  std::unique_ptr<privacy::RandomBits> bits_;
};

/// UNSOUND: Gaussian noise in doubles, at `sigma` times C_j / n, for reproduction.
class PaperCdRelease {
 public:
  PaperCdRelease(double sigma, privacy::RandomBits& bits);

  template <class Problem>
  double measure(Problem& problem, std::size_t c) {
    const double clip = problem.coordinates().gradient_unit(c) *
                        static_cast<double>(problem::ProductClip::kBound);  // C_j / n
    return release_.release(problem.gradient_in_doubles(c), sigma_ * clip, *bits_);
  }

 private:
  double sigma_;
  privacy::paper::UnsoundGaussianRelease release_;
  std::unique_ptr<privacy::RandomBits> bits_;
};

struct CdOptions {
  std::uint64_t iterations = 1;  ///< T, exactly
  double step = 1.0;             ///< gamma: coordinate j moves by gamma / M_j
  core::Progress progress{};     ///< shares of T; may throw to stop
};

/// DP-CD (Mangold et al. 2021), proximal: a random coordinate, one release of its gradient, a step.
template <class Problem, class Release>
std::vector<PathStep> cd(Problem& problem, UniformCoordinates& choose, Release& release,
                         const CdOptions& options) {
  std::vector<PathStep> path;
  path.reserve(options.iterations);
  for (std::uint64_t t = 0; t < options.iterations; ++t) {
    const std::size_t j = choose.next();
    problem.refresh_gradient(j);  // an integer sum, unreadable here
    const double g = release.measure(problem, j);
    path.push_back(take_step(problem, j, g, options.step));
    core::report(options.progress, t + 1, options.iterations);
  }
  return path;
}

}  // namespace southwell::solvers
