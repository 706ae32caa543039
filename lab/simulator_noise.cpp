#include "lab/simulator_noise.hpp"

#include "southwell/core/log.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/privacy/random/uniform_index.hpp"

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

/// Standard noise of a law, one number after another.
class Draws {
 public:
  Draws(GreedyNoise::Law law, privacy::RandomBits& bits) : law_(law), bits_(bits) {}

  double next() {
    using Law = GreedyNoise::Law;
    if (law_ == Law::normal) return normal_.next(bits_);
    const std::uint64_t word = bits_.word();
    return law_ == Law::gumbel        ? gumbel(word)
           : law_ == Law::exponential ? -core::log(uniform(word))
                                      : laplace(word);
  }

 private:
  GreedyNoise::Law law_;
  privacy::RandomBits& bits_;
  privacy::paper::NormalInDoubles normal_;
};

}  // namespace

GreedyNoise::GreedyNoise(std::uint64_t seed, std::size_t iterations, std::size_t columns,
                         Law selection, Law release)
    : features(columns), selections(iterations * columns), releases(iterations) {
  privacy::SeededRandomBits bits(seed);
  const auto selecting = bits.stream(privacy::Purpose::selection, 0);
  const auto releasing = bits.stream(privacy::Purpose::release, 0);
  Draws selected(selection, *selecting);
  for (double& noise : selections) noise = selected.next();
  Draws released(release, *releasing);
  for (double& noise : releases) noise = released.next();
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
