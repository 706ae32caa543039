#include "southwell/privacy/mechanisms/noisy_max.hpp"

#include "southwell/core/fault.hpp"
#include "southwell/privacy/mechanisms/exact_selection.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/discrete_noise.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy {

NoisyMax::NoisyMax(std::uint64_t sensitivity, std::uint64_t scale)
    : sensitivity_(sensitivity), scale_(scale) {
  check_sensitivity("noisy_max", sensitivity);
  check_scale("noisy_max", scale, kMaxScale);
}

std::size_t NoisyMax::release(const Sensitive<Scores>& scores, RandomBits& bits) const {
  const Scores& input = scores.reveal(ReleasePass());
  check_candidates("noisy_max", input.size());
  const std::uint64_t scale =
      fault(Fault::noisy_max_has_the_papers_scale) ? (scale_ + 1) / 2 : scale_;
  std::size_t chosen =
      first_largest_with_noise(input, [&] { return discrete_laplace(scale, bits); });
  if constexpr (kTapped) {
    chosen = tap_select({"noisy_max", sensitivity_, scale_, bits.origin()}, input, chosen);
  }
  return chosen;
}

}  // namespace southwell::privacy
