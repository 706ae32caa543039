#pragma once

// What holds of every mechanism that selects, or of every one that has a sensitivity and a scale.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy::testing {

template <class Mechanism>
void expect_limits(std::uint64_t largest_scale) {
  EXPECT_NO_THROW(Mechanism(kMaxSensitivity, largest_scale));
  EXPECT_THROW(Mechanism(1, 0), InvalidArgument);
  EXPECT_THROW(Mechanism(1, largest_scale + 1), InvalidArgument);
  EXPECT_THROW(Mechanism(0, 1), InvalidArgument);
  EXPECT_THROW(Mechanism(kMaxSensitivity + 1, 1), InvalidArgument);
}

template <class Mechanism>
void expect_no_candidates_and_too_many_are_refused() {
  SeededRandomBits bits(45);
  const Mechanism choose(1, 1);
  EXPECT_THROW(choose.release(Sensitive<Scores>(Scores{}), bits), InvalidArgument);
  EXPECT_THROW(choose.release(Sensitive<Scores>(Scores(kMaxCandidates + 1)), bits),
               InvalidArgument);
}

template <class Mechanism>
void expect_high_scores_are_preferred(std::uint64_t seed) {
  SeededRandomBits bits(seed);
  const Sensitive<Scores> scores(Scores{0, 1000, -1000});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Mechanism(1, 10).release(scores, bits), 1u);
}

/// Both scores count as 2^61, so the first wins at least every second time: not once in 60 draws
/// has probability below 2^-60.
template <class Mechanism>
void expect_scores_are_clamped(std::uint64_t seed) {
  SeededRandomBits bits(seed);
  const Sensitive<Scores> scores(Scores{kScoreBound, 2 * kScoreBound});
  int first = 0;
  for (int i = 0; i < 60; ++i) first += Mechanism(1, 1).release(scores, bits) == 0 ? 1 : 0;
  EXPECT_GT(first, 0);
}

/// Six selections among a thousand scores.
template <class Mechanism>
std::vector<std::size_t> golden_selections() {
  SeededRandomBits bits(42);
  Scores scores(1000);
  for (std::size_t j = 0; j < scores.size(); ++j) scores[j] = static_cast<std::int64_t>(j * j % 97);
  std::vector<std::size_t> chosen;
  for (int i = 0; i < 6; ++i) {
    chosen.push_back(Mechanism(1, 8).release(Sensitive<Scores>(scores), bits));
  }
  return chosen;
}

}  // namespace southwell::privacy::testing
