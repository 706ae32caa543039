#include "southwell/privacy/random/discrete_noise.hpp"

#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {

Int128 discrete_laplace(std::uint64_t scale, RandomBits& bits) {
  check_scale("discrete_laplace", scale, kMaxScale);
  ExactDraws draws(bits);
  for (;;) {
    if (const auto noise = discrete_laplace_round(draws, scale)) return *noise;
  }
}

Int128 discrete_gaussian(std::uint64_t scale, RandomBits& bits) {
  check_scale("discrete_gaussian", scale, kMaxScale);
  ExactDraws draws(bits);
  for (;;) {
    if (const auto noise = discrete_gaussian_round(draws, scale)) return *noise;
  }
}

}  // namespace southwell::privacy
