#include "southwell/privacy/mechanisms/permute_and_flip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "privacy/laws.hpp"
#include "privacy/mechanisms/selections.hpp"
#include "southwell/privacy/mechanisms/exact_selection.hpp"

namespace southwell::privacy {
namespace {

using testing::Paths;
using testing::Real;

std::vector<Real> enumerated(const Scores& scores, std::uint64_t scale) {
  Paths paths(Paths::Exponentials::as_one, 1e-25L);
  const auto law = paths.law([&](Paths& draws) { return permute_and_flip(draws, scores, scale); });
  std::vector<Real> masses(scores.size(), 0);
  for (const auto& [j, mass] : law.mass) masses[j] = mass;
  return masses;
}

TEST(PermuteAndFlip, HasItsWholeLawForSmallScores) {
  for (const Scores& scores : {Scores{0}, Scores{3, 3}, Scores{0, 1, 2}, Scores{5, -5, 5, 0},
                               Scores{-1, -2, -3, -4, -5}, Scores{0, -40, 7, 7, 2}}) {
    for (const std::uint64_t scale : {1u, 2u, 5u}) {
      const auto expected = testing::permute_and_flip_law(scores, static_cast<Real>(scale));
      const auto law = enumerated(scores, scale);
      for (std::size_t j = 0; j < scores.size(); ++j) {
        EXPECT_NEAR(static_cast<double>(law[j]), static_cast<double>(expected[j]), 1e-15);
      }
    }
  }
}

TEST(PermuteAndFlip, IsPureButNotBoundedRange) {
  // Scores (0, -2, -2, ..) and (-2, 0, 0, ..): neighbours for sensitivity 2; scale 4 charges 1.
  const PermuteAndFlip choose(2, 4);
  EXPECT_EQ(choose.cost(), (Cost{Cost::Kind::pure, 4, 4}));
  Scores one(6, -2);
  Scores other(6, 0);
  one[0] = 0;
  other[0] = -2;
  const auto p = enumerated(one, 4);
  const auto q = enumerated(other, 4);
  Real low = 0;
  Real high = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    low = std::min(low, std::log(p[j] / q[j]));
    high = std::max(high, std::log(p[j] / q[j]));
  }
  EXPECT_LE(high, 1.0L + 1e-12L);
  EXPECT_GE(low, -1.0L - 1e-12L);
  EXPECT_GT(high - low, 1.2L) << "charged as bounded range it would be undercharged";
}

TEST(PermuteAndFlip, IsPureBetweenAllNeighbours) {
  constexpr std::int64_t kSensitivity = 2;
  const PermuteAndFlip choose(kSensitivity, 3);
  const Real charged = static_cast<Real>(choose.cost().shift) / 3;
  const Scores scores = {0, -3, -1};
  const auto before = enumerated(scores, 3);
  for (std::int64_t a = -kSensitivity; a <= kSensitivity; ++a) {
    for (std::int64_t b = -kSensitivity; b <= kSensitivity; ++b) {
      for (std::int64_t c = -kSensitivity; c <= kSensitivity; ++c) {
        const auto after = enumerated({a, -3 + b, -1 + c}, 3);
        for (std::size_t j = 0; j < 3; ++j) {
          ASSERT_LE(std::fabs(std::log(before[j] / after[j])), charged + 1e-12L);
        }
      }
    }
  }
}

TEST(PermuteAndFlip, PrefersHighScores) {
  testing::expect_high_scores_are_preferred<PermuteAndFlip>(31);
}

TEST(PermuteAndFlip, TreatsTiesAlikeAndTakesTheOnlyCandidate) {
  for (const Real mass : enumerated(Scores(5, 17), 3)) {
    EXPECT_NEAR(static_cast<double>(mass), 0.2, 1e-15);
  }
  SeededRandomBits bits(32);
  EXPECT_EQ(PermuteAndFlip(1, 1).release(Sensitive<Scores>(Scores{-9}), bits), 0u);
}

TEST(PermuteAndFlip, WorksAtItsLimits) {
  SeededRandomBits bits(33);
  testing::expect_limits<PermuteAndFlip>(PermuteAndFlip::kMaxScale);
  testing::expect_no_candidates_and_too_many_are_refused<PermuteAndFlip>();
  const PermuteAndFlip choose(1, 1);
  Scores many(kMaxCandidates, std::numeric_limits<std::int64_t>::min());
  many[12345] = std::numeric_limits<std::int64_t>::max();  // 2^62 scales away after the clamp
  EXPECT_EQ(choose.release(Sensitive<Scores>(many), bits), 12345u);
}

TEST(PermuteAndFlip, ClampsScoresTo2To61) {
  testing::expect_scores_are_clamped<PermuteAndFlip>(34);
}

TEST(PermuteAndFlip, GivesTheGoldenSelectionsOfAFixedStream) {
  EXPECT_EQ(testing::golden_selections<PermuteAndFlip>(),
            (std::vector<std::size_t>{918, 507, 754, 274, 447, 847}));
}

}  // namespace
}  // namespace southwell::privacy
