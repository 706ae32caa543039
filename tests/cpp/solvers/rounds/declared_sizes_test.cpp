#include "southwell/solvers/rounds/declared_sizes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace southwell::solvers {
namespace {

/// A diagonal, as a release of moments of all but the last, an intercept's.
ReleasedMoments moments(const std::vector<double>& squares, double noise_sd) {
  ReleasedMoments out{.dims = squares.size(),
                      .values = std::vector<double>(squares.size() * squares.size()),
                      .noise_sd = noise_sd};
  for (std::size_t k = 0; k < squares.size(); ++k) out.values[k * squares.size() + k] = squares[k];
  return out;
}

TEST(DeclaredSizes, SayWhichFeaturesAreLargerAndByHowMuchAtLeast) {
  DeclaredSizes sizes;
  sizes.observe(std::vector<std::size_t>{4, 7, 9}, moments({4.4, 0.9, 9.4, 0.8}, 0.1));
  const auto larger = sizes.larger();
  ASSERT_EQ(larger.size(), 2u);
  EXPECT_EQ(larger[0].feature, 9u);
  EXPECT_NEAR(larger[0].times, 3.0, 1e-12);
  EXPECT_EQ(larger[1].feature, 4u);
  EXPECT_NEAR(larger[1].times, 2.0, 1e-12);
  EXPECT_EQ(sizes.longer(), 1.0);
}

TEST(DeclaredSizes, BelieveNothingThatNoiseExplains) {
  DeclaredSizes sizes;
  sizes.observe(std::vector<std::size_t>{4, 7}, moments({4.4, 9.0, 0.1}, 2.0));
  sizes.observe(std::vector<std::size_t>{1, 2}, std::vector<double>{4.4, 1.0}, 1.0);
  EXPECT_TRUE(sizes.larger().empty());
  EXPECT_EQ(sizes.longer(), 1.0);
}

TEST(DeclaredSizes, KnowOfLongRecordsByWhatIsLeftOfTheIntercept) {
  DeclaredSizes sizes;
  sizes.observe(std::vector<std::size_t>{0, 1}, moments({1.0, 1.0, 0.02}, 0.005));
  EXPECT_NEAR(sizes.longer(), 5.0, 1e-12);
  DeclaredSizes without;  // an intercept
  without.observe(std::vector<std::size_t>{0, 1, 2}, moments({1.0, 1.0, 0.02}, 0.005));
  EXPECT_EQ(without.longer(), 1.0);
}

TEST(DeclaredSizes, KeepTheLargestThatWasSeenOfAFeature) {
  DeclaredSizes sizes;
  for (const double square : {4.0, 9.0, 4.0}) {
    sizes.observe(std::vector<std::size_t>{3}, std::vector<double>{square}, 0.0);
  }
  ASSERT_EQ(sizes.larger().size(), 1u);
  EXPECT_EQ(sizes.larger()[0].times, 3.0);
}

}  // namespace
}  // namespace southwell::solvers
