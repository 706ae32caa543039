#include "southwell/privacy/mechanisms/discrete_release.hpp"

#include <utility>

#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {

template <class Law>
DiscreteRelease<Law>::DiscreteRelease(std::uint64_t sensitivity, std::uint64_t scale)
    : sensitivity_(sensitivity), scale_(scale) {
  check_sensitivity(Law::kMechanism, sensitivity);
  check_scale(Law::kMechanism, scale, kMaxScale);
}

template <class Law>
Noise DiscreteRelease<Law>::draw(RandomBits& bits, std::size_t size) const {
  return Noise::draw(cost(), bits, size);
}

template <class Law>
Noise DiscreteRelease<Law>::draw(std::span<const std::unique_ptr<RandomBits>> streams,
                                 std::size_t size, core::ThreadPool& pool) const {
  return Noise::draw(cost(), streams, size, pool);
}

template <class Law>
std::int64_t DiscreteRelease<Law>::release(const Sensitive<std::int64_t>& value,
                                           Noise&& noise) const {
  const std::int64_t& input = value.reveal(ReleasePass());
  std::int64_t output = 0;
  Noise::add(Law::kMechanism, cost(), {&input, 1}, std::move(noise), {&output, 1});
  return output;
}

template <class Law>
std::vector<std::int64_t> DiscreteRelease<Law>::release(
    const Sensitive<std::vector<std::int64_t>>& values, Noise&& noise) const {
  const std::vector<std::int64_t>& input = values.reveal(ReleasePass());
  std::vector<std::int64_t> output(input.size());
  Noise::add(Law::kMechanism, cost(), input, std::move(noise), output);
  return output;
}

template class DiscreteRelease<LaplaceLaw>;
template class DiscreteRelease<GaussianLaw>;

}  // namespace southwell::privacy
