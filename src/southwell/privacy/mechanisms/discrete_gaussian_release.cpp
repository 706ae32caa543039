#include "southwell/privacy/mechanisms/discrete_gaussian_release.hpp"

#include <utility>

#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {

DiscreteGaussianRelease::DiscreteGaussianRelease(std::uint64_t sensitivity, std::uint64_t scale)
    : sensitivity_(sensitivity), scale_(scale) {
  check_sensitivity("discrete_gaussian_release", sensitivity);
  check_scale("discrete_gaussian_release", scale, kMaxScale);
}

Noise DiscreteGaussianRelease::draw(RandomBits& bits, std::size_t size) const {
  return Noise::draw(cost(), bits, size);
}

std::int64_t DiscreteGaussianRelease::release(const Sensitive<std::int64_t>& value,
                                              Noise&& noise) const {
  const std::int64_t& input = value.reveal(ReleasePass());
  std::int64_t output = 0;
  Noise::add("discrete_gaussian_release", cost(), {&input, 1}, std::move(noise), {&output, 1});
  return output;
}

std::vector<std::int64_t> DiscreteGaussianRelease::release(
    const Sensitive<std::vector<std::int64_t>>& values, Noise&& noise) const {
  const std::vector<std::int64_t>& input = values.reveal(ReleasePass());
  std::vector<std::int64_t> output(input.size());
  Noise::add("discrete_gaussian_release", cost(), input, std::move(noise), output);
  return output;
}

}  // namespace southwell::privacy
