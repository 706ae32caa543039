#pragma once

#include <cmath>
#include <cstdint>

#include "southwell/core/exp.hpp"
#include "southwell/core/log.hpp"

namespace southwell::data {

/// Random numbers for synthetic data: fast, repeatable, the same on every machine. Never for
/// privacy: anyone who knows the seed knows the draws.
///
/// Each (seed, stream) is a xoshiro256++ generator of its own, so columns can be drawn in any order
/// and by any number of threads.
class SyntheticRandom {
 public:
  SyntheticRandom(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t z = mixed(seed) ^ mixed(stream + kGolden);
    for (auto& word : state_) word = mixed(z += kGolden);
  }

  std::uint64_t bits() {
    const std::uint64_t result = rotated(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotated(state_[3], 45);
    return result;
  }

  /// On [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// On 0 .. bound - 1, bound >= 1, without bias.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound
    std::uint64_t draw = bits();
    while (draw < unfair) draw = bits();
    return draw % bound;
  }

  /// Mean 0, variance 1, by Marsaglia's polar method with our own logarithm.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u = 0.0;
    double v = 0.0;
    double s = 0.0;
    do {
      u = 2.0 * uniform() - 1.0;
      v = 2.0 * uniform() - 1.0;
      s = u * u + v * v;
    } while (s >= 1.0 || s == 0.0);
    const double scale = std::sqrt(-2.0 * core::log(s) / s);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
  }

  /// exp of a normal with this mean and standard deviation.
  double log_normal(double mean, double deviation) {
    return core::exp(mean + deviation * normal());
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

  static std::uint64_t rotated(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  static std::uint64_t mixed(std::uint64_t z) {  // splitmix64's finaliser
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_[4];
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace southwell::data
