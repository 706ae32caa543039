#include "southwell/privacy/tap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_laplace_release.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"

namespace southwell::privacy {
namespace {

using Sums = std::array<std::int64_t, 3>;
using Outputs = std::vector<std::vector<std::int64_t>>;

/// A small adaptive computation: what is measured depends on what was released before.
std::vector<std::int64_t> small_fit(const Sums& sums, RandomBits& bits) {
  const DiscreteLaplaceRelease measure(2, 20);
  const ExponentialMechanism choose(2, 10);
  std::vector<Noise> noise;
  for (int t = 0; t < 3; ++t) noise.push_back(measure.draw(bits));
  Sums offset{};
  std::vector<std::int64_t> trace;
  for (Noise& drawn : noise) {
    Scores scores;
    for (std::size_t j = 0; j < 3; ++j) scores.push_back(std::abs(sums[j] + offset[j]));
    const std::size_t j = choose.release(Sensitive(scores), bits);
    const std::int64_t value =
        measure.release(Sensitive<std::int64_t>(sums[j] + offset[j]), std::move(drawn));
    offset[j] -= value;
    trace.push_back(static_cast<std::int64_t>(j));
    trace.push_back(value);
  }
  return trace;
}

TEST(Tap, RecordsEverySelectAndRelease) {
  SeededRandomBits bits(81);
  Tap tap;
  const Sensitive<Scores> scores(Scores{3, 1});
  const std::size_t a = ExponentialMechanism(2, 3).release(scores, bits);
  const std::size_t b = PermuteAndFlip(4, 5).release(scores, bits);
  const std::size_t c = NoisyMax(6, 7).release(scores, bits);
  const DiscreteLaplaceRelease laplace(8, 9);
  const std::int64_t d = laplace.release(Sensitive<std::int64_t>(10), laplace.draw(bits));
  const DiscreteGaussianRelease gaussian(11, 12);
  const std::vector<std::int64_t> e =
      gaussian.release(Sensitive(std::vector<std::int64_t>{13, 14}), gaussian.draw(bits, 2));
  std::vector<paper::Coordinate> coordinates(2);
  coordinates[0].scale = 3.0;
  coordinates[1].scale = 2.5;
  const std::size_t f = paper::UnsoundNoisyMax(paper::Rule::gs_s)
                            .release(Sensitive(std::vector<double>{0.5, 0.0}), coordinates, bits);
  const double g = paper::UnsoundLaplaceRelease(1.5).release(Sensitive(0.5), bits);

  const auto index = [](std::size_t j) {
    return std::vector<std::int64_t>{static_cast<std::int64_t>(j)};
  };
  const auto bits_of = [](double scale) { return std::bit_cast<std::uint64_t>(scale); };
  const std::vector<TapCall> calls = {{"exponential_mechanism", 2, 3, Origin::seeded},
                                      {"permute_and_flip", 4, 5, Origin::seeded},
                                      {"noisy_max", 6, 7, Origin::seeded},
                                      {"discrete_laplace_release", 8, 9, Origin::seeded},
                                      {"discrete_gaussian_release", 11, 12, Origin::seeded},
                                      {"unsound_noisy_max", 0, bits_of(2.5), Origin::seeded},
                                      {"unsound_laplace_release", 0, bits_of(1.5), Origin::seeded}};
  const auto half = std::bit_cast<std::int64_t>(0.5);
  const Outputs inputs = {{3, 1}, {3, 1}, {3, 1}, {10}, {13, 14}, {half, 0}, {half}};
  const Outputs outputs = {
      index(a), index(b), index(c), {d}, e, index(f), {std::bit_cast<std::int64_t>(g)}};
  ASSERT_EQ(tap.records().size(), calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(tap.records()[i].call, calls[i]);
    EXPECT_EQ(tap.records()[i].input, inputs[i]);
    EXPECT_EQ(tap.records()[i].output, outputs[i]);
  }
}

TEST(Tap, ReplaysARunOnANeighbourWithItsOutputsForced) {
  SeededRandomBits bits(82);
  std::vector<TapRecord> run;
  std::vector<std::int64_t> trace;
  {
    Tap tap;
    trace = small_fit({10, -20, 15}, bits);
    run = tap.records();
  }
  Tap tap(run);
  EXPECT_EQ(small_fit({12, -21, 13}, bits), trace) << "each sum moved by at most 2";
  ASSERT_EQ(tap.records().size(), 6u);
  EXPECT_TRUE(tap.replayed_all());
  for (std::size_t i = 0; i < run.size(); ++i) {
    const TapRecord& here = tap.records()[i];
    EXPECT_EQ(here.call, run[i].call);
    EXPECT_EQ(here.output, run[i].output);
    for (std::size_t k = 0; k < here.input.size(); ++k) {
      EXPECT_LE(std::abs(here.input[k] - run[i].input[k]),
                static_cast<std::int64_t>(here.call.sensitivity));
    }
  }
}

TEST(Tap, SeesADeclaredSensitivityThatIsTooSmall) {
  SeededRandomBits bits(83);
  Tap first;
  small_fit({10, -20, 15}, bits);
  Tap second(first.records());
  small_fit({10, -23, 15}, bits);  // moved by 3, declared 2
  bool too_far = false;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < second.records()[i].input.size(); ++k) {
      too_far |= std::abs(second.records()[i].input[k] - first.records()[i].input[k]) > 2;
    }
  }
  EXPECT_TRUE(too_far);
}

TEST(Tap, NoticesARunThatTakesAnotherCourse) {
  SeededRandomBits bits(86);
  const Sensitive<Scores> scores(Scores{1, 2});
  std::vector<TapRecord> run;
  {
    Tap tap;
    NoisyMax(1, 1).release(scores, bits);
    NoisyMax(1, 1).release(scores, bits);
    run = tap.records();
  }
  Tap tap(run);
  EXPECT_THROW(PermuteAndFlip(1, 1).release(scores, bits), std::logic_error);
  NoisyMax(1, 1).release(scores, bits);
  EXPECT_FALSE(tap.replayed_all()) << "one call is missing";
  NoisyMax(1, 1).release(scores, bits);
  EXPECT_TRUE(tap.replayed_all());
  EXPECT_THROW(NoisyMax(1, 1).release(scores, bits), std::logic_error) << "one too many";
}

TEST(Tap, SeesItsOwnThreadAndLifetimeOnly) {
  SeededRandomBits bits(84);
  const Sensitive<Scores> scores(Scores{1, 2});
  Tap tap;
  std::jthread([&] {
    SeededRandomBits other(85);
    NoisyMax(1, 1).release(scores, other);
  }).join();
  EXPECT_TRUE(tap.records().empty());
  {
    Tap inner;
    NoisyMax(1, 1).release(scores, bits);
    EXPECT_EQ(inner.records().size(), 1u);
  }
  EXPECT_TRUE(tap.records().empty());
  NoisyMax(1, 1).release(scores, bits);
  EXPECT_EQ(tap.records().size(), 1u);
}

}  // namespace
}  // namespace southwell::privacy
