#include "southwell/privacy/random/discrete_noise.hpp"

#include <cstddef>
#include <optional>

#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {
namespace {

/// Rounds of a sampler until each number has one that succeeded; a draw takes at least `words`.
template <class Round>
void fill(std::span<Int128> out, std::size_t words, RandomBits& bits, Round&& round) {
  ExactDraws draws(bits);
  for (std::size_t i = 0; i < out.size(); ++i) {
    draws.expect(words * (out.size() - i));
    std::optional<Int128> drawn;
    while (!(drawn = round(draws))) {
    }
    out[i] = *drawn;
  }
}

}  // namespace

void fill_discrete_laplace(std::span<Int128> out, std::uint64_t scale, RandomBits& bits) {
  check_scale("discrete_laplace", scale, kMaxScale);
  constexpr std::size_t kWords = 4;  // place, its chance, steps out, sign
  fill(out, kWords, bits,
       [scale](ExactDraws& draws) { return discrete_laplace_round(draws, scale); });
}

void fill_discrete_gaussian(std::span<Int128> out, std::uint64_t scale, RandomBits& bits) {
  check_scale("discrete_gaussian", scale, kMaxScale);
  constexpr std::size_t kWords = 2;  // cell, place in it
  fill(out, kWords, bits,
       [scale](ExactDraws& draws) { return discrete_gaussian_round(draws, scale); });
}

Int128 discrete_laplace(std::uint64_t scale, RandomBits& bits) {
  Int128 out = 0;
  fill_discrete_laplace({&out, 1}, scale, bits);
  return out;
}

Int128 discrete_gaussian(std::uint64_t scale, RandomBits& bits) {
  Int128 out = 0;
  fill_discrete_gaussian({&out, 1}, scale, bits);
  return out;
}

}  // namespace southwell::privacy
