#include "lab/simulator_noise.hpp"

#include "southwell/core/log.hpp"
#include "southwell/privacy/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/random_bits.hpp"
#include "southwell/privacy/uniform_index.hpp"

namespace southwell::lab {
namespace {

/// In (0, 1), symmetric about one half.
double uniform(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

double laplace(std::uint64_t word) {
  const double size = -core::log(uniform(word));
  return (word & 1) != 0 ? -size : size;  // bit 0 is not among the 52 of `uniform`
}

/// The largest of s_j + G_j is at j with probability proportional to exp(s_j).
double gumbel(std::uint64_t word) { return -core::log(-core::log(uniform(word))); }

}  // namespace

GreedyNoise::GreedyNoise(std::uint64_t seed, std::size_t iterations, std::size_t columns,
                         Selection kind)
    : features(columns), selections(iterations * columns), releases(iterations) {
  privacy::SeededRandomBits bits(seed);
  const auto selecting = bits.stream(privacy::Purpose::selection, 0);
  const auto releasing = bits.stream(privacy::Purpose::release, 0);
  for (double& noise : selections) {
    const std::uint64_t word = selecting->word();
    noise = kind == Selection::gumbel ? gumbel(word) : laplace(word);
  }
  for (double& noise : releases) noise = laplace(releasing->word());
}

CoordinateNoise::CoordinateNoise(std::uint64_t seed, std::size_t iterations, std::size_t features)
    : coordinates(iterations), releases(iterations) {
  privacy::SeededRandomBits bits(seed);
  const auto choosing = bits.stream(privacy::Purpose::selection, 0);
  const auto releasing = bits.stream(privacy::Purpose::release, 0);
  for (std::uint32_t& j : coordinates) {
    j = static_cast<std::uint32_t>(privacy::uniform_index(features, *choosing));
  }
  privacy::paper::NormalInDoubles normal;
  for (double& noise : releases) noise = normal.next(*releasing);
}

}  // namespace southwell::lab
