#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "privacy/laws.hpp"
#include "privacy/mechanisms/selections.hpp"
#include "southwell/core/error.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/mechanisms/selection_weights.hpp"
#include "support/other_float_environments.hpp"

namespace southwell::privacy {
namespace {

using testing::Real;

constexpr Uint128 kOne = Uint128{1} << 104;  // weight 1

Scores mixed_scores(std::size_t size, std::int64_t spread) {
  SeededRandomBits bits(size);
  Scores scores(size);
  for (auto& score : scores) {
    score =
        static_cast<std::int64_t>(bits.word() % static_cast<std::uint64_t>(spread)) - spread / 2;
  }
  return scores;
}

TEST(SelectionWeights, AddUpToTheirTotal) {
  for (const std::size_t size : {1u, 2u, 7u, 511u, 512u, 513u, 1024u, 5000u}) {
    for (const std::int64_t spread : {1, 1000, 100000}) {
      const Scores scores = mixed_scores(size, spread);
      const SelectionWeights weights(scores, 1000);
      const std::vector<Uint128> all = weights.all();
      ASSERT_EQ(all.size(), size);
      EXPECT_TRUE(std::accumulate(all.begin(), all.end(), Uint128{0}) == weights.total());
    }
  }
}

TEST(SelectionWeights, AreWithinTheirErrorOfTheIdealOnes) {
  for (const std::uint64_t scale : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1000003},
                                    (std::uint64_t{1} << 46) - 1, std::uint64_t{1} << 46}) {
    Scores scores = {0};
    for (int i = 0; i <= 40000; ++i) {  // from the largest score to far beyond the floor
      scores.push_back(-static_cast<std::int64_t>(static_cast<Real>(scale) * i / 1000.0L));
    }
    const std::vector<Uint128> all = SelectionWeights(scores, scale).all();
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const Real away = std::min(36.0L, -static_cast<Real>(scores[j]) / static_cast<Real>(scale));
      const Real ratio = static_cast<Real>(all[j]) / std::ldexp(1.0L, 104) * std::exp(away);
      ASSERT_LT(std::fabs(ratio - 1), 1.5e-14L) << "scale " << scale << " at " << away;
      ASSERT_TRUE(all[j] >= Uint128{1} << 52 && all[j] <= kOne);
    }
    EXPECT_TRUE(all[0] == kOne);
  }
}

TEST(SelectionWeights, PutEveryNumberBelowTheTotalIntoItsCell) {
  for (const std::size_t size : {1u, 2u, 511u, 512u, 513u, 1100u}) {
    const Scores scores = mixed_scores(size, 40000);
    const SelectionWeights weights(scores, 1000);
    const std::vector<Uint128> all = weights.all();
    Uint128 first = 0;
    for (std::size_t j = 0; j < size; ++j) {
      ASSERT_EQ(weights.cell(first), j);
      ASSERT_EQ(weights.cell(first + all[j] / 2), j);
      ASSERT_EQ(weights.cell(first + all[j] - 1), j);
      first += all[j];
    }
  }
}

TEST(SelectionWeights, HaveTheSameBitsOnEveryInstructionSet) {
  const Scores scores = mixed_scores(1500, 80000);
  const std::vector<Uint128> expected = SelectionWeights(scores, 1001).all();
  const Uint128 total = SelectionWeights(scores, 1001).total();
  const auto supported = hwy::SupportedTargets();
  int tried = 0;
  for (auto left = supported; left != 0; left &= left - 1) {
    hwy::GetChosenTarget().Update(left & -left);
    const SelectionWeights weights(scores, 1001);
    EXPECT_TRUE(weights.all() == expected && weights.total() == total);
    ++tried;
  }
  hwy::GetChosenTarget().Update(supported);
  EXPECT_GE(tried, 1);
}

TEST(SelectionWeights, HaveTheSameBitsInEveryFloatEnvironment) {
  const Scores scores = mixed_scores(1500, 80000);
  for (const std::uint64_t scale : {3u, 1001u, 999983u}) {
    const SelectionWeights expected(scores, scale);
    const std::vector<Uint128> all = expected.all();
    test::for_each_other_float_environment([&] {
      const SelectionWeights weights(scores, scale);
      EXPECT_TRUE(weights.all() == all && weights.total() == expected.total());
    });
  }
}

/// Largest minus smallest log-ratio of two laws given by integer weights.
Real range_between(const std::vector<Uint128>& a, const std::vector<Uint128>& b) {
  Real low = std::numeric_limits<Real>::infinity();
  Real high = -low;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const Real ratio = std::log(static_cast<Real>(a[j])) - std::log(static_cast<Real>(b[j]));
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  return high - low;
}

TEST(ExponentialMechanism, HasTheRangeItChargesBetweenAllNeighbours) {
  constexpr std::int64_t kSensitivity = 3;
  constexpr std::uint64_t kScale = 4;
  const ExponentialMechanism choose(kSensitivity, kScale);
  const Cost cost = choose.cost();
  EXPECT_EQ(cost.kind, Cost::Kind::bounded_range);
  const Real charged =
      static_cast<Real>(cost.shift) / static_cast<Real>(cost.scale) + Cost::kRangeSlack;
  Real widest = 0;
  // Every move of three scores by at most the sensitivity, also across the floor at 36 scales.
  for (const std::int64_t far : {0, -1, -100, -143, -144, -145, -1000}) {
    const Scores scores = {0, far, -2};
    const auto before = SelectionWeights(scores, kScale).all();
    for (std::int64_t a = -kSensitivity; a <= kSensitivity; ++a) {
      for (std::int64_t b = -kSensitivity; b <= kSensitivity; ++b) {
        for (std::int64_t c = -kSensitivity; c <= kSensitivity; ++c) {
          const Scores moved = {a, far + b, -2 + c};
          widest = std::max(widest, range_between(before, SelectionWeights(moved, kScale).all()));
        }
      }
    }
  }
  EXPECT_LE(widest, charged);
  EXPECT_GT(widest, charged - 1e-9L) << "the bound is attained";
}

std::vector<std::uint64_t> histogram(const auto& mechanism, const Scores& scores, int samples,
                                     RandomBits& bits) {
  const Sensitive<Scores> sensitive(scores);
  std::vector<std::uint64_t> counts(scores.size(), 0);
  for (int i = 0; i < samples; ++i) ++counts[mechanism.release(sensitive, bits)];
  return counts;
}

// 10 000 draws: chi-square rejects the right law with probability 1e-6; between the two laws below
// the non-centrality is 241 at 3 degrees of freedom, limit 31 (power 1).
TEST(ExponentialMechanism, IsToldApartFromPermuteAndFlip) {
  SeededRandomBits bits(21);
  const Scores scores = {40, 30, 25, 0};
  const auto exponential = testing::exponential_law(scores, 20);
  const auto flip = testing::permute_and_flip_law(scores, 20);
  const auto by_exponential = histogram(ExponentialMechanism(10, 20), scores, 10000, bits);
  EXPECT_TRUE(testing::fits(by_exponential, exponential));
  EXPECT_FALSE(testing::fits(by_exponential, flip));
  const auto by_flip = histogram(PermuteAndFlip(10, 20), scores, 10000, bits);
  EXPECT_TRUE(testing::fits(by_flip, flip));
  EXPECT_FALSE(testing::fits(by_flip, exponential));
}

TEST(ExponentialMechanism, PrefersHighScores) {
  SeededRandomBits bits(22);
  const auto counts = histogram(ExponentialMechanism(1, 10), {0, 100, -100}, 1000, bits);
  EXPECT_GT(counts[1], 990u);
}

TEST(ExponentialMechanism, ReachesTheLastOfManyBlocks) {
  SeededRandomBits bits(23);
  Scores scores(1300, 0);
  scores.back() = 1000;
  EXPECT_EQ(histogram(ExponentialMechanism(1, 10), scores, 100, bits).back(), 100u);
}

TEST(ExponentialMechanism, TreatsTiesAlike) {
  SeededRandomBits bits(24);
  const auto counts = histogram(ExponentialMechanism(1, 10), Scores(8, -5), 8000, bits);
  EXPECT_TRUE(testing::fits(counts, std::vector<Real>(8, 0.125L)));
  for (const Uint128 weight : SelectionWeights(Scores(2000, 7), 3).all()) {
    ASSERT_TRUE(weight == kOne);
  }
}

TEST(ExponentialMechanism, TakesTheOnlyCandidateAndDrawsFourWords) {
  ScriptedRandomBits bits({0, 0, 0, 0, ~0ull, ~0ull, ~0ull, ~0ull});
  const Sensitive<Scores> one(Scores{-7});
  EXPECT_EQ(ExponentialMechanism(1, 1).release(one, bits), 0u);
  EXPECT_EQ(ExponentialMechanism(1, 1).release(one, bits), 0u);
  EXPECT_EQ(bits.left(), 0u);
}

TEST(ExponentialMechanism, SplitsTheUniformNumberWhereTheWeightsDo) {
  const Sensitive<Scores> two(Scores{5, 5});
  const ExponentialMechanism choose(1, 1);
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  ScriptedRandomBits below({~0ull, ~0ull, ~0ull, kHalf - 1});  // the lowest word comes first
  EXPECT_EQ(choose.release(two, below), 0u);
  ScriptedRandomBits at({0, 0, 0, kHalf});
  EXPECT_EQ(choose.release(two, at), 1u);
}

TEST(ExponentialMechanism, TakesTwoToThe23CandidatesAndNoMore) {
  SeededRandomBits bits(25);
  Scores scores(kMaxCandidates, 0);
  scores.back() = std::int64_t{1} << 40;
  const ExponentialMechanism choose(1, 100);
  EXPECT_EQ(choose.release(Sensitive<Scores>(scores), bits), kMaxCandidates - 1);
  std::fill(scores.begin(), scores.end(), 9);
  EXPECT_TRUE(SelectionWeights(scores, 100).total() == kOne << 23) << "2^127: the largest total";
  EXPECT_LT(choose.release(Sensitive<Scores>(scores), bits), kMaxCandidates);
  scores.push_back(0);
  EXPECT_THROW(choose.release(Sensitive<Scores>(scores), bits), InvalidArgument);
  EXPECT_THROW(choose.release(Sensitive<Scores>(Scores{}), bits), InvalidArgument);
}

TEST(ExponentialMechanism, ClampsScoresTo2To61) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  const auto clamped =
      SelectionWeights(Scores{kScoreBound, -kScoreBound, kScoreBound - 5}, 7).all();
  EXPECT_TRUE(SelectionWeights(Scores{kHighest, kLowest, kScoreBound - 5}, 7).all() == clamped);
  EXPECT_TRUE(clamped[0] == kOne);
  EXPECT_TRUE(clamped[1] < kOne >> 51) << "the floor";
  const auto both = SelectionWeights(Scores{kHighest, kScoreBound}, 7).all();
  EXPECT_TRUE(both[0] == both[1]);
}

TEST(ExponentialMechanism, RefusesWhatItsProofDoesNotCover) {
  testing::expect_limits<ExponentialMechanism>(ExponentialMechanism::kMaxScale);
}

TEST(ExponentialMechanism, GivesTheGoldenSelectionsOfAFixedStream) {
  SeededRandomBits bits(42);
  const Sensitive<Scores> scores(mixed_scores(10000, 5000));
  std::vector<std::size_t> chosen;
  for (int i = 0; i < 6; ++i)
    chosen.push_back(ExponentialMechanism(10, 1000).release(scores, bits));
  EXPECT_EQ(chosen, (std::vector<std::size_t>{1536, 7594, 5202, 8765, 1206, 131}));
}

}  // namespace
}  // namespace southwell::privacy
