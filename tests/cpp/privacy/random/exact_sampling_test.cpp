#include "southwell/privacy/random/exact_sampling.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "privacy/laws.hpp"
#include "southwell/core/error.hpp"
#include "southwell/privacy/random/discrete_noise.hpp"

namespace southwell::privacy {
namespace {

using testing::Paths;
using testing::Real;

TEST(UniformBelow, GivesEveryValueTheSameNumberOfWords) {
  struct Rejected {};
  for (unsigned bound = 1; bound < 256; ++bound) {
    std::vector<unsigned> words(bound, 0);
    for (unsigned word = 0; word < 256; ++word) {
      bool first = true;
      try {
        const auto value = uniform_below<std::uint8_t>(static_cast<std::uint8_t>(bound), [&] {
          if (!first) throw Rejected();
          first = false;
          return static_cast<std::uint8_t>(word);
        });
        ASSERT_LT(value, bound);
        ++words[value];
      } catch (const Rejected&) {
      }
    }
    for (const unsigned count : words) ASSERT_EQ(count, 256 / bound) << "bound " << bound;
  }
}

TEST(UniformBelow, CoversTheEndsOfTheWidestBounds) {
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 46,
                                    (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0}}) {
    ScriptedRandomBits bits(std::vector{~std::uint64_t{0}});
    EXPECT_EQ(ExactDraws(bits).below(bound), bound - 1);
    ScriptedRandomBits low(std::vector<std::uint64_t>{
        0, ~std::uint64_t{0}});  // 0 is rejected unless bound divides 2^64
    EXPECT_EQ(ExactDraws(low).below(bound), (bound & (bound - 1)) == 0 ? 0 : bound - 1);
  }
}

TEST(ExpChance, HasProbabilityExpMinusX) {
  const std::vector<std::array<std::uint64_t, 2>> cases = {
      {0, 1},
      {1, 1},
      {1, 2},
      {1, 7},
      {3, 4},
      {6, 7},
      {3, 2},
      {2, 1},
      {9, 4},
      {3, 1},
      {std::uint64_t{1} << 45, std::uint64_t{1} << 46}};
  for (const auto& fraction : cases) {
    const std::uint64_t a = fraction[0];
    const std::uint64_t b = fraction[1];
    Paths paths(Paths::Exponentials::by_series, 1e-22L);
    const auto law = paths.law([&](Paths& draws) { return draws.exp_chance(a, b); });
    const Real expected = std::exp(-static_cast<Real>(a) / static_cast<Real>(b));
    EXPECT_LT(law.cut, 1e-15L);
    EXPECT_NEAR(static_cast<double>(law.mass.at(true)), static_cast<double>(expected), 1e-15)
        << a << "/" << b;
  }
}

TEST(DiscreteLaplace, HasItsWholeLawAtSmallScales) {
  for (std::uint64_t scale = 1; scale <= 8; ++scale) {
    Paths paths(Paths::Exponentials::as_one, 1e-20L);
    const auto law = testing::given_success(
        paths.law([&](Paths& draws) { return discrete_laplace_round(draws, scale); }));
    EXPECT_LT(law.cut, 1e-15L);
    Real covered = 0;
    for (const auto& [x, mass] : law.mass) {
      covered += mass;
      const Real expected = testing::laplace_mass(static_cast<Real>(x), static_cast<Real>(scale));
      ASSERT_NEAR(static_cast<double>(mass / expected), 1.0, 1e-12)
          << "scale " << scale << " at " << static_cast<long>(x);
    }
    EXPECT_NEAR(static_cast<double>(covered), 1.0, 1e-15);
    EXPECT_GT(law.mass.size(), 20 * scale);
  }
}

TEST(DiscreteLaplace, HasItsLawWhenTheExponentialsRunTheirSeriesToo) {
  Paths paths(Paths::Exponentials::by_series, 1e-11L);
  const auto law = testing::given_success(
      paths.law([](Paths& draws) { return discrete_laplace_round(draws, 2); }));
  EXPECT_LT(law.cut, 1e-5L);
  for (int x = -6; x <= 6; ++x) {
    EXPECT_NEAR(static_cast<double>(law.mass.at(x)),
                static_cast<double>(testing::laplace_mass(x, 2)), 1e-5);
  }
}

TEST(DiscreteGaussian, HasItsWholeLawAtSmallScales) {
  for (std::uint64_t scale = 1; scale <= 5; ++scale) {
    Paths paths(Paths::Exponentials::as_one, 1e-19L);
    const auto law = testing::given_success(
        paths.law([&](Paths& draws) { return discrete_gaussian_round(draws, scale); }));
    EXPECT_LT(law.cut, 1e-13L);
    const Real variance = static_cast<Real>(scale * scale);
    Real total = 0;
    for (int x = -200; x <= 200; ++x) total += std::exp(-static_cast<Real>(x) * x / (2 * variance));
    const int far = static_cast<int>(6 * scale);
    for (int x = -far; x <= far; ++x) {
      const Real expected = std::exp(-static_cast<Real>(x) * x / (2 * variance)) / total;
      ASSERT_NEAR(static_cast<double>(law.mass.at(x)), static_cast<double>(expected), 1e-13)
          << "scale " << scale << " at " << x;
    }
  }
}

TEST(DiscreteGaussian, HasItsLawWhereCellsHoldSeveralNumbers) {
  constexpr std::uint64_t kScale = 33;  // cells of two numbers and of three
  Paths paths(Paths::Exponentials::as_one, 1e-10L);
  const auto law = testing::given_success(
      paths.law([](Paths& draws) { return discrete_gaussian_round(draws, kScale); }));
  EXPECT_LT(law.cut, 1e-4L);
  Real total = 0;
  for (int x = -500; x <= 500; ++x) total += std::exp(-static_cast<Real>(x) * x / (2 * 33 * 33));
  for (int x = -99; x <= 99; ++x) {
    const Real expected = std::exp(-static_cast<Real>(x) * x / (2 * 33 * 33)) / total;
    EXPECT_NEAR(static_cast<double>(law.mass.at(x) / expected), 1.0, 1e-4) << "at " << x;
  }
}

/// Counts per bin of the law of |x| / scale, whose continuous limit has the given upper tail.
template <class Draw, class Tail>
bool fits_at_large_scale(int draws, double scale, Draw&& draw, Tail&& tail) {
  constexpr int kBins = 40;  // 20 on each side, edges at multiples of 0.15
  std::vector<std::uint64_t> counts(kBins, 0);
  std::vector<Real> law(kBins);
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < kBins / 2; ++i) {
      const double next = i == kBins / 2 - 1 ? 0.0 : tail((i + 1) * 0.15);
      law[static_cast<std::size_t>(side * kBins / 2 + i)] = (tail(i * 0.15) - next) / 2;
    }
  }
  for (int i = 0; i < draws; ++i) {
    const double x = static_cast<double>(draw()) / scale;
    const int bin = std::min(kBins / 2 - 1, static_cast<int>(std::fabs(x) / 0.15));
    ++counts[static_cast<std::size_t>((x < 0 ? kBins / 2 : 0) + bin)];
  }
  return testing::fits(counts, law);
}

// 100 000 draws in 40 bins, limit 96. Power against a scale 5 % off: 1 - 1e-11 (non-centrality
// 231); 3 % off: .91 for Laplace, > .9999 for Gaussian. The discrete law's binning error is below
// 1e-8.
TEST(DiscreteLaplace, FitsItsLawAtLargeScales) {
  SeededRandomBits bits(11);
  for (const int log2 : {30, 37, 44}) {
    EXPECT_TRUE(fits_at_large_scale(
        100000, std::ldexp(1.0, log2),
        [&] { return discrete_laplace(std::uint64_t{1} << log2, bits); },
        [](double x) { return std::exp(-x); }));
  }
}

TEST(DiscreteGaussian, FitsItsLawAtLargeScales) {
  SeededRandomBits bits(12);
  for (const int log2 : {30, 37, 44}) {
    EXPECT_TRUE(fits_at_large_scale(
        100000, std::ldexp(1.0, log2),
        [&] { return discrete_gaussian(std::uint64_t{1} << log2, bits); },
        [](double x) { return std::erfc(x / std::sqrt(2.0)); }));
  }
}

// Mean of 35 000 |x| / scale: standard deviation 1 / sqrt(35 000) = .00535, limit 4.9 of them
// (two-sided 1e-6); a scale 5 % off lies 9.3 away: power .99999.
TEST(DiscreteLaplace, HasItsScaleWithinFivePercent) {
  SeededRandomBits bits(13);
  constexpr std::uint64_t kScale = (std::uint64_t{1} << 30) + 7;
  double sum = 0;
  for (int i = 0; i < 35000; ++i) {
    sum += std::fabs(static_cast<double>(discrete_laplace(kScale, bits))) / double{kScale};
  }
  EXPECT_NEAR(sum / 35000, 1.0, 4.9 / std::sqrt(35000.0));
}

// Variance of 35 000 draws: relative standard deviation sqrt(2 / 35 000) = .00756; sigma 5 % off
// moves it by .0975: power > .9999.
TEST(DiscreteGaussian, HasItsScaleWithinFivePercent) {
  SeededRandomBits bits(14);
  constexpr std::uint64_t kScale = (std::uint64_t{1} << 30) + 7;
  double sum = 0;
  for (int i = 0; i < 35000; ++i) {
    const double x = static_cast<double>(discrete_gaussian(kScale, bits)) / double{kScale};
    sum += x * x;
  }
  EXPECT_NEAR(sum / 35000, 1.0, 4.9 * std::sqrt(2 / 35000.0));
}

/// Draws that drive a sampler to the largest number it can form within `whole` units of the scale.
struct FarthestDraws {
  std::uint64_t whole;
  static std::uint64_t cell() { return 0; }
  std::uint64_t below(std::uint64_t n) { return n - 1; }
  bool chance(std::uint64_t, std::uint64_t) { return true; }
  bool exp_chance(std::uint64_t a, std::uint64_t b) { return a != b || whole-- > 0; }
};

TEST(DiscreteLaplace, DoesNotOverflowAtTheLargestScale) {
  // 2^25 units of 2^44 lie beyond 64 bits; 128 bits would hold 2^64 units.
  FarthestDraws draws{std::uint64_t{1} << 25};
  const auto noise = discrete_laplace_round(draws, kMaxScale);
  ASSERT_TRUE(noise.has_value());
  EXPECT_TRUE(*noise == -((Int128{1} << 69) + static_cast<Int128>(kMaxScale) - 1));
}

/// Draws that take the Gaussian to the far end of a far cell.
struct FarGaussianDraws {
  std::uint64_t far;
  std::uint64_t of_the_rest = 0;  ///< factors exp(-a / sigma), one for every 256 cells
  std::uint64_t cell() { return far; }
  std::uint64_t below(std::uint64_t n) { return n - 1; }
  bool chance(std::uint64_t, std::uint64_t) { return false; }
  bool exp_chance(std::uint64_t, std::uint64_t) {
    ++of_the_rest;
    return true;
  }
};

TEST(DiscreteGaussian, DoesNotOverflowAtTheLargestScale) {
  FarGaussianDraws draws{(std::uint64_t{1} << 26) - 1};  // of 2^40 numbers each: beyond 64 bits
  const auto noise = discrete_gaussian_round(draws, kMaxScale);
  ASSERT_TRUE(noise.has_value());
  EXPECT_TRUE(*noise == -((Int128{1} << 66) - 1));
  EXPECT_EQ(draws.of_the_rest, (std::uint64_t{1} << 18) - 1);
}

TEST(DiscreteNoise, AcceptsScalesFromOneTo2To44Only) {
  SeededRandomBits bits(1);
  for (const auto draw : {discrete_laplace, discrete_gaussian}) {
    EXPECT_THROW(draw(0, bits), InvalidArgument);
    EXPECT_THROW(draw(kMaxScale + 1, bits), InvalidArgument);
    EXPECT_NO_THROW(draw(1, bits));
    EXPECT_NO_THROW(draw(kMaxScale, bits));
  }
}

TEST(DiscreteNoise, GivesTheGoldenDrawsOfAFixedStream) {
  SeededRandomBits bits(42);
  std::vector<std::int64_t> drawn;
  for (const int log2 : {0, 3, 30, 44}) {
    for (int i = 0; i < 3; ++i) {
      drawn.push_back(static_cast<std::int64_t>(discrete_laplace(std::uint64_t{1} << log2, bits)));
      drawn.push_back(static_cast<std::int64_t>(discrete_gaussian(std::uint64_t{1} << log2, bits)));
    }
  }
  EXPECT_EQ(drawn, (std::vector<std::int64_t>{0,
                                              -2,
                                              0,
                                              2,
                                              1,
                                              1,
                                              -10,
                                              5,
                                              0,
                                              0,
                                              10,
                                              -4,
                                              -599589070,
                                              -2566975072,
                                              518626842,
                                              571492525,
                                              -351499300,
                                              -361736445,
                                              -16918345603008,
                                              109937565114,
                                              -12799861776225,
                                              20078544832108,
                                              9364197245783,
                                              13666562449040}));
}

}  // namespace
}  // namespace southwell::privacy
