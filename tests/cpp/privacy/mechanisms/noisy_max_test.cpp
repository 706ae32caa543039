#include "southwell/privacy/mechanisms/noisy_max.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "privacy/laws.hpp"
#include "privacy/mechanisms/selections.hpp"
#include "southwell/privacy/mechanisms/exact_selection.hpp"

namespace southwell::privacy {
namespace {

using testing::Real;

/// The law of the selection among three: all noises within +-reach, through the code under test.
std::vector<Real> enumerated(const Scores& scores, std::uint64_t scale, int reach) {
  std::vector<Real> masses(scores.size(), 0);
  std::vector<Real> pmf;
  for (int x = -reach; x <= reach; ++x) {
    pmf.push_back(testing::laplace_mass(x, static_cast<Real>(scale)));
  }
  std::array<int, 3> noise{};
  const auto mass = [&](std::size_t i) { return pmf[static_cast<std::size_t>(noise[i] + reach)]; };
  for (noise[0] = -reach; noise[0] <= reach; ++noise[0]) {
    for (noise[1] = -reach; noise[1] <= reach; ++noise[1]) {
      for (noise[2] = -reach; noise[2] <= reach; ++noise[2]) {
        std::size_t next = 0;
        const std::size_t j =
            first_largest_with_noise(scores, [&] { return Int128{noise[next < 3 ? next++ : 2]}; });
        masses[j] += mass(0) * mass(1) * mass(2);
      }
    }
  }
  return masses;
}

TEST(NoisyMax, GivesTiesToTheLowestIndex) {
  const auto none = [] { return Int128{0}; };
  EXPECT_EQ(first_largest_with_noise(Scores{4, 7, 7, 1}, none), 1u);
  EXPECT_EQ(first_largest_with_noise(Scores(5, -3), none), 0u);
  int call = 0;
  EXPECT_EQ(first_largest_with_noise(Scores{4, 7, 7, 1}, [&] { return Int128{call++}; }), 2u);
}

TEST(NoisyMax, IsPureBetweenAllNeighbours) {
  constexpr std::int64_t kSensitivity = 1;
  const NoisyMax choose(kSensitivity, 2);
  EXPECT_EQ(choose.cost(), (Cost{Cost::Kind::pure, 2, 2}));
  const Scores scores = {0, 3, 1};
  const auto before = enumerated(scores, 2, 45);
  Real widest = 0;
  for (std::int64_t a = -kSensitivity; a <= kSensitivity; ++a) {
    for (std::int64_t b = -kSensitivity; b <= kSensitivity; ++b) {
      for (std::int64_t c = -kSensitivity; c <= kSensitivity; ++c) {
        const auto after = enumerated({a, 3 + b, 1 + c}, 2, 45);
        for (std::size_t j = 0; j < 3; ++j) {
          widest = std::max(widest, std::fabs(std::log(before[j] / after[j])));
        }
      }
    }
  }
  EXPECT_LE(widest, 1.0L + 1e-6L);
  EXPECT_GT(widest, 0.6L) << "more than half of the charge: the paper's scale would not do";
}

// Two scores that move towards each other, gap 3 scales at the paper's scale, epsilon 1: its true
// log-ratio is 1.49. 30 000 samples a side: the excess is 23 standard deviations (power 1).
TEST(NoisyMax, KeepsItsPromiseWhenScoresMoveInOppositeDirections) {
  SeededRandomBits bits(41);
  constexpr std::int64_t kSensitivity = 1000;
  constexpr std::uint64_t kSamples = 30000;
  const NoisyMax choose(kSensitivity, scale_for(2 * kSensitivity, 1.0, NoisyMax::kMaxScale));
  const auto zeros = [&](const Scores& scores) {
    const Sensitive<Scores> sensitive(scores);
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i)
      count += choose.release(sensitive, bits) == 0 ? 1u : 0u;
    return count;
  };
  const std::uint64_t far = zeros({0, 3 * kSensitivity});
  const std::uint64_t near = zeros({kSensitivity, 2 * kSensitivity});
  EXPECT_FALSE(testing::shows_more_than(1.0L, near, far, kSamples));
}

// Eight equal scores: with independent noise the selection is uniform but for ties.
TEST(NoisyMax, DrawsANoiseForEachCandidate) {
  SeededRandomBits bits(43);
  const Sensitive<Scores> scores(Scores(8, 5));
  const NoisyMax choose(1, std::uint64_t{1} << 30);
  std::vector<std::uint64_t> counts(8, 0);
  for (int i = 0; i < 8000; ++i) ++counts[choose.release(scores, bits)];
  EXPECT_TRUE(testing::fits(counts, std::vector<Real>(8, 0.125L)));
}

TEST(NoisyMax, PrefersHighScores) { testing::expect_high_scores_are_preferred<NoisyMax>(44); }

TEST(NoisyMax, WorksAtItsLimits) {
  SeededRandomBits bits(45);
  constexpr std::uint64_t kLargest = NoisyMax::kMaxScale;
  testing::expect_limits<NoisyMax>(kLargest);
  testing::expect_no_candidates_and_too_many_are_refused<NoisyMax>();
  EXPECT_EQ(NoisyMax(1, 1).release(Sensitive<Scores>(Scores{-9}), bits), 0u);
  const Scores ends = {std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(NoisyMax(1, kLargest).release(Sensitive<Scores>(ends), bits), 1u);
  Scores many(kMaxCandidates, 0);
  many[777] = kScoreBound;
  EXPECT_EQ(NoisyMax(1, 1).release(Sensitive<Scores>(many), bits), 777u);
}

TEST(NoisyMax, ClampsScoresTo2To61) { testing::expect_scores_are_clamped<NoisyMax>(46); }

TEST(NoisyMax, GivesTheGoldenSelectionsOfAFixedStream) {
  EXPECT_EQ(testing::golden_selections<NoisyMax>(),
            (std::vector<std::size_t>{537, 468, 918, 414, 608, 946}));
}

}  // namespace
}  // namespace southwell::privacy
