#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace southwell::lab {

/// The noise of one simulated run of DP-GCD, in units of its scales: the same for all settings.
struct GreedyNoise {
  enum class Law { gumbel, exponential, laplace, normal };
  /// Laws of the noise in selections and in releases.
  GreedyNoise(std::uint64_t seed, std::size_t iterations, std::size_t features, Law selection,
              Law release);

  std::span<const double> selection(std::size_t t) const {
    return std::span(selections).subspan(t * features, features);
  }
  std::size_t features;
  std::vector<double> selections;  ///< iteration after iteration
  std::vector<double> releases;    ///< one per iteration
};

/// The same for DP-CD: which coordinate has its turn, and standard normal noise.
struct CoordinateNoise {
  CoordinateNoise(std::uint64_t seed, std::size_t iterations, std::size_t features);

  std::vector<std::uint32_t> coordinates;
  std::vector<double> releases;
};

}  // namespace southwell::lab
