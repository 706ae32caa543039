#include "southwell/problem/gradient/record_weights.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::problem {
namespace {

constexpr auto kMost = static_cast<std::uint64_t>(ProductClip::kBound);

/// One unit of so many records.
std::optional<data::Units> one_unit(std::size_t records) {
  return data::Units::of(std::vector<std::optional<std::string>>(records, "a"));
}

TEST(RecordWeights, AreAllOneWithoutUnitsAndClassWeights) {
  const std::vector<double> target{1.0, -1.0, 1.0};
  const RecordWeights weights(std::nullopt, {}, HeadTarget(target, {}));
  EXPECT_TRUE(weights.are_all_one());
  EXPECT_TRUE(weights.weights().empty());
  EXPECT_EQ(weights.bound(2), kMost);
}

TEST(RecordWeights, OfAUnitAddUpToOneRecordAndTheirBoundsToNoMore) {
  const std::vector<double> target(3000, 1.0);
  for (std::size_t c = 1; c <= target.size(); c += c < 200 ? 1 : 97) {
    const RecordWeights weights(one_unit(c), {}, HeadTarget(std::span(target).first(c), {}));
    EXPECT_EQ(weights.bound(0), kMost / c);
    EXPECT_LE(c * weights.bound(0), kMost);
    EXPECT_EQ(weights.weights()[c - 1], 1.0 / static_cast<double>(c));
  }
}

TEST(RecordWeights, OfAUnitWithMoreRecordsThanTheGridHasUnitsAddNothing) {
  const std::size_t c = kMost + 1;
  const std::vector<double> target(c);
  const RecordWeights weights(one_unit(c), {}, HeadTarget(target, {}));
  EXPECT_EQ(weights.bound(0), 0u);
}

TEST(RecordWeights, OfClassesNeverPassTheBoundOfTheUnit) {
  std::mt19937_64 random(3);
  const std::vector<double> classes{0.0, 1.0, 2.0};
  const std::vector<double> target{0.0, 1.0, 2.0, 7.0};  // the last counts as the first class
  for (int k = 0; k < 20'000; ++k) {
    std::uniform_real_distribution<double> exponent(-100.0, 100.0);
    const double size = k % 2 == 0 ? 1.0 : std::pow(10.0, exponent(random));
    std::vector<double> of_class;
    for (int j = 0; j < 3; ++j) {
      of_class.push_back(size * std::pow(2.0, exponent(random) / (k % 3 == 0 ? 1e5 : 20.0)));
    }
    const std::size_t c = 1 + random() % 4;
    const RecordWeights weights(one_unit(c), of_class,
                                HeadTarget(std::span(target).first(c), classes));
    const double largest = std::max({of_class[0], of_class[1], of_class[2]});
    for (std::size_t i = 0; i < c; ++i) {
      const double a = of_class[i % 3] / largest;
      EXPECT_LE(weights.bound(i), kMost / c);
      EXPECT_LE(static_cast<double>(weights.bound(i)), a * static_cast<double>(kMost / c));
      EXPECT_GE(static_cast<double>(weights.bound(i)) + 1.0, a * static_cast<double>(kMost / c));
      EXPECT_EQ(weights.weights()[i], a / static_cast<double>(c));
      EXPECT_LE(weights.weights()[i], 1.0);
    }
  }
}

TEST(RecordWeights, WithoutAnIdAreNothing) {
  const std::vector<std::optional<std::string>> ids{"a", std::nullopt, "b", "a"};
  const std::vector<double> target(4, 1.0);
  const std::vector<double> classes{-1.0, 1.0};
  const std::vector<double> of_class{1.0, 2.0};
  const RecordWeights weights(data::Units::of(ids), of_class, HeadTarget(target, classes));
  const std::vector<double> expected{0.5, 0.0, 1.0, 0.5};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(weights.weights()[i], expected[i]);
    EXPECT_EQ(weights.bounds()[i], expected[i] * static_cast<double>(kMost));
  }
}

}  // namespace
}  // namespace southwell::problem
