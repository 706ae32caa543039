#include "southwell/solvers/rounds/shortening.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace southwell::solvers {
namespace {

double part_of(const Way& way) { return kept_way(way).part(); }

TEST(KeptWay, IsNextToNothingOfNoiseAndNearlyAllOfEffects) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const std::vector<double> from(20);
  const std::vector<double> units(20, 1.0);
  double of_noise = 0.0;
  for (int draw = 0; draw < 200; ++draw) {
    std::vector<double> to(20);
    for (double& each : to) each = normal(random);
    of_noise += part_of({.from = from, .to = to, .units = units, .squared_noise = 20.0}) / 200;
  }
  EXPECT_LT(of_noise, 0.25);
  const std::vector<double> far(20, 10.0);
  EXPECT_GT(part_of({.from = from, .to = far, .units = units, .squared_noise = 20.0}), 0.98);
}

TEST(KeptWay, IsAllOfWhatIsNotCountedOrTooFewToTell) {
  const std::vector<double> from{0.0, 0.0};
  const std::vector<double> to{0.1, 0.1};
  const std::vector<double> units{1.0, 1.0};
  EXPECT_EQ(part_of({.from = from, .to = to, .units = units, .squared_noise = 9.0}), 1.0);
  const std::vector<double> many_from(5);
  const std::vector<double> many_to{2.0, 2.0, 2.0, 2.0, 1e9};
  const std::vector<double> but_one{1.0, 1.0, 1.0, 1.0, 0.0};
  EXPECT_NEAR(part_of({many_from, many_to, but_one, 4.0}), 1.0 - 4.0 * 0.5 / 16.0, 1e-12);
}

TEST(KeptWay, OfWhatWasChosenIsLessForItsNoiseHelpedToChooseIt) {
  const std::vector<double> from(4);
  const std::vector<double> to(4, 2.0);
  const std::vector<double> units(4, 1.0);
  Way way{.from = from, .to = to, .units = units, .squared_noise = 4.0};
  EXPECT_NEAR(part_of(way), 1.0 - 4.0 * 0.5 / 16.0, 1e-12);
  way.shortening = Shortening::of_chosen;
  EXPECT_NEAR(part_of(way), 1.0 - 4.0 / 16.0, 1e-12);
}

}  // namespace
}  // namespace southwell::solvers
