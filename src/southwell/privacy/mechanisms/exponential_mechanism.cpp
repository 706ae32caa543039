#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/mechanisms/selection_weights.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy {
namespace {

/// floor(U total / 2^256) for a 256-bit uniform U made of four words, the lowest first.
Uint128 uniform_share(Uint128 total, RandomBits& bits) {
  const auto low = static_cast<std::uint64_t>(total);
  const auto high = static_cast<std::uint64_t>(total >> 64);
  // One step adds word * total (< 2^192) to what was carried (< 2^128) and drops the lowest word.
  Uint128 carried = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t word = bits.word();
    const Uint128 first = static_cast<Uint128>(word) * low + static_cast<std::uint64_t>(carried);
    carried = static_cast<Uint128>(word) * high + (carried >> 64) + (first >> 64);
  }
  return carried;
}

}  // namespace

ExponentialMechanism::ExponentialMechanism(std::uint64_t sensitivity, std::uint64_t scale)
    : sensitivity_(sensitivity), scale_(scale) {
  check_sensitivity("exponential_mechanism", sensitivity);
  check_scale("exponential_mechanism", scale, kMaxScale);
}

std::size_t ExponentialMechanism::release(const Sensitive<Scores>& scores, RandomBits& bits) const {
  const Scores& input = scores.reveal(ReleasePass());
  check_candidates("exponential_mechanism", input.size());
  const SelectionWeights weights(
      input, fault(Fault::exponential_scale_is_halved) ? (scale_ + 1) / 2 : scale_);
  std::size_t chosen = weights.cell(uniform_share(weights.total(), bits));
  if (fault(Fault::exponential_prefers_low_scores)) {
    Scores turned = input;
    for (std::int64_t& score : turned) score = -clamped_score(score);
    const SelectionWeights wrong(turned, scale_);
    chosen = wrong.cell(uniform_share(wrong.total(), bits));
  }
  if constexpr (kTapped) {
    chosen =
        tap_select({"exponential_mechanism", sensitivity_, scale_, bits.origin()}, input, chosen);
  }
  return chosen;
}

}  // namespace southwell::privacy
