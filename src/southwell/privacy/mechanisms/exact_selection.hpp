#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

// The selection algorithms over the draws they make; internal, as exact_sampling.hpp.

namespace southwell::privacy {

/// permute_and_flip.md. At least one candidate; ends at the largest score at the latest.
template <Draws D>
std::size_t permute_and_flip(D& draws, std::span<const std::int64_t> scores, std::uint64_t scale) {
  if (fault(Fault::flip_scale_is_halved)) scale = (scale + 1) / 2;
  const bool low = fault(Fault::flip_prefers_low_scores);
  const auto value = [&](std::size_t j) {
    const std::int64_t score =
        fault(Fault::flip_does_not_clamp) ? scores[j] : clamped_score(scores[j]);
    return low ? -score : score;
  };
  std::int64_t largest = value(0);
  for (std::size_t j = 1; j < scores.size(); ++j) largest = std::max(largest, value(j));
  std::vector<std::uint32_t> left(scores.size());
  std::iota(left.begin(), left.end(), 0u);
  for (;;) {
    const auto drawn = static_cast<std::size_t>(draws.below(left.size()));
    const std::uint32_t j = left[drawn];
    // Both within +-2^61, so the difference fits.
    if (draws.exp_chance(static_cast<std::uint64_t>(largest - value(j)), scale)) return j;
    if (fault(Fault::flip_replaces_what_it_drew)) continue;
    left[drawn] = left.back();
    left.pop_back();
  }
}

/// noisy_max.md: the first index of the largest score + noise, one call of `draw` for each score.
template <class Draw>
std::size_t first_largest_with_noise(std::span<const std::int64_t> scores, Draw&& draw) {
  std::size_t chosen = 0;
  Int128 best = 0;
  const Int128 shared = fault(Fault::noisy_max_shares_one_draw) ? draw() : Int128{0};
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const Int128 noise = fault(Fault::noisy_max_shares_one_draw) ? shared : draw();
    const std::int64_t score =
        fault(Fault::noisy_max_does_not_clamp) ? scores[j] : clamped_score(scores[j]);
    const Int128 noisy = noise + (fault(Fault::noisy_max_prefers_low_scores) ? -score : score);
    const bool ties_win = fault(Fault::noisy_max_gives_ties_to_the_last);
    if (j == 0 || noisy > best || (ties_win && noisy == best)) {
      best = noisy;
      chosen = j;
    }
  }
  return chosen;
}

}  // namespace southwell::privacy
