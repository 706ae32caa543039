#include "southwell/privacy/random/noise.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "southwell/core/fault.hpp"
#include "southwell/privacy/random/discrete_noise.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy {

std::int64_t internal::saturated_sum(Int128 noise, std::int64_t value) {
  constexpr Int128 kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr Int128 kHighest = std::numeric_limits<std::int64_t>::max();
  if (fault(Fault::release_saturates_the_noise)) noise = std::clamp(noise, kLowest, kHighest);
  const Int128 sum = noise + value;
  if (fault(Fault::release_wraps_around)) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(sum));
  }
  return static_cast<std::int64_t>(std::clamp(sum, kLowest, kHighest));
}

namespace {

void draw_into(std::span<Int128> values, const Cost& cost, RandomBits& bits) {
  if (cost.kind == Cost::Kind::discrete_gaussian) {
    fill_discrete_gaussian(values, cost.scale, bits);
  } else {
    fill_discrete_laplace(values, cost.scale, bits);
  }
}

}  // namespace

Noise Noise::draw(Cost cost, RandomBits& bits, std::size_t size) {
  std::vector<Int128> values(size);
  draw_into(values, cost, bits);
  return {cost, bits.origin(), std::move(values)};
}

Noise Noise::draw(Cost cost, std::span<const std::unique_ptr<RandomBits>> streams, std::size_t size,
                  core::ThreadPool& pool) {
  std::vector<Int128> values(size);
  const std::size_t parts = streams.size();
  pool.run(parts, [&](std::size_t part) {
    const std::size_t first = size * part / parts;
    const std::size_t last = size * (part + 1) / parts;
    draw_into(std::span(values).subspan(first, last - first), cost, *streams[part]);
  });
  return {cost, streams.front()->origin(), std::move(values)};
}

void Noise::add(std::string_view mechanism, Cost cost, std::span<const std::int64_t> input,
                Noise&& noise, std::span<std::int64_t> output) {
  if (noise.size() != input.size() || noise.size() == 0) {
    throw std::logic_error(std::string(mechanism) + ": the noise is for another size, or was used");
  }
  if (fault(Fault::noise_of_another_kind_is_accepted)) noise.cost_.kind = cost.kind;
  if (noise.cost_ != cost && !fault(Fault::noise_of_another_scale_is_accepted)) {
    throw std::logic_error(std::string(mechanism) + ": the noise was drawn for another mechanism");
  }
  if (noise.drawn_in_.has_ended() && !fault(Fault::noise_survives_a_fork)) {
    throw std::logic_error(std::string(mechanism) + ": the noise was drawn before a fork");
  }
  const std::vector<Int128> values =
      fault(Fault::noise_is_used_twice) ? noise.values_ : std::exchange(noise.values_, {});
  for (std::size_t i = 0; i < input.size(); ++i) {
    const Int128 added = fault(Fault::release_adds_no_noise) ? Int128{0} : values[i];
    output[i] = internal::saturated_sum(added, input[i]);
  }
  if constexpr (kTapped) {
    tap_release({std::string(mechanism), cost.shift, cost.scale, noise.origin_}, input, output);
  }
}

}  // namespace southwell::privacy
