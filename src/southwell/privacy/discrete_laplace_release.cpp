#include "southwell/privacy/discrete_laplace_release.hpp"

#include <utility>

#include "southwell/privacy/exact_sampling.hpp"
#include "southwell/privacy/scale.hpp"

namespace southwell::privacy {

DiscreteLaplaceRelease::DiscreteLaplaceRelease(std::uint64_t sensitivity, std::uint64_t scale)
    : sensitivity_(sensitivity), scale_(scale) {
  check_sensitivity("discrete_laplace_release", sensitivity);
  check_scale("discrete_laplace_release", scale, kMaxScale);
}

Noise DiscreteLaplaceRelease::draw(RandomBits& bits, std::size_t size) const {
  return Noise::draw(cost(), bits, size);
}

std::int64_t DiscreteLaplaceRelease::release(const Sensitive<std::int64_t>& value,
                                             Noise&& noise) const {
  const std::int64_t& input = value.reveal(ReleasePass());
  return Noise::add("discrete_laplace_release", cost(), {&input, 1}, std::move(noise)).front();
}

std::vector<std::int64_t> DiscreteLaplaceRelease::release(
    const Sensitive<std::vector<std::int64_t>>& values, Noise&& noise) const {
  return Noise::add("discrete_laplace_release", cost(), values.reveal(ReleasePass()),
                    std::move(noise));
}

}  // namespace southwell::privacy
