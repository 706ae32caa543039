#include "southwell/privacy/mechanisms/permute_and_flip.hpp"

#include "southwell/core/fault.hpp"
#include "southwell/privacy/mechanisms/exact_selection.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy {

PermuteAndFlip::PermuteAndFlip(std::uint64_t sensitivity, std::uint64_t scale)
    : sensitivity_(sensitivity), scale_(scale) {
  check_sensitivity("permute_and_flip", sensitivity);
  check_scale("permute_and_flip", scale, kMaxScale);
}

Cost PermuteAndFlip::cost() const {
  return {
      fault(Fault::flip_is_charged_as_bounded_range) ? Cost::Kind::bounded_range : Cost::Kind::pure,
      2 * sensitivity_, scale_};
}

std::size_t PermuteAndFlip::release(const Sensitive<Scores>& scores, RandomBits& bits) const {
  const Scores& input = scores.reveal(ReleasePass());
  check_candidates("permute_and_flip", input.size());
  ExactDraws draws(bits);
  std::size_t chosen = permute_and_flip(draws, input, scale_);
  if constexpr (kTapped) {
    chosen = tap_select({"permute_and_flip", sensitivity_, scale_, bits.origin()}, input, chosen);
  }
  return chosen;
}

}  // namespace southwell::privacy
