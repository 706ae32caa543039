#include "lab/simulator_lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace southwell::lab {
namespace {

class LaneSlopes : public testing::TestWithParam<problem::AnyLoss> {};

TEST_P(LaneSlopes, AreTheDerivativesOfTheLoss) {
  std::mt19937_64 random(3);
  std::normal_distribution<float> normal(0.0F, 6.0F);
  const std::size_t records = 500;
  std::vector<float> target;
  std::vector<double> targets;
  std::vector<float> margins;
  for (std::size_t i = 0; i < records; ++i) {
    target.push_back(i % 2 == 0 ? 1.0F : -1.0F);
    for (std::size_t k = 0; k < kLanes; ++k) margins.push_back(normal(random));
    targets.insert(targets.end(), kLanes, static_cast<double>(target.back()));
  }
  for (std::size_t k = 0; k < kLanes; ++k) margins[k] = k % 2 == 0 ? 1e18F : -1e18F;
  FloatLanes factor;
  for (std::size_t k = 0; k < kLanes; ++k) factor[k] = 0.5F + static_cast<float>(k);
  std::vector<float> found(margins.size());
  lane_slopes(GetParam(), target, factor, margins.data(), found.data());

  const std::vector<double> exact(margins.begin(), margins.end());
  std::vector<double> expected(exact.size());
  problem::derivatives(GetParam(), exact, targets, expected);
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const double slope = static_cast<double>(found[e]) / static_cast<double>(factor[e % kLanes]);
    EXPECT_NEAR(slope, expected[e], 3e-7 * std::max(1.0, std::fabs(expected[e])))
        << "at margin " << margins[e] << ", target " << targets[e];
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, LaneSlopes,
                         testing::Values(problem::Squared{}, problem::Logistic{},
                                         problem::Huber(1.3), problem::SquaredHinge{}),
                         [](const auto& loss) {
                           return std::string(
                               std::visit([](const auto& each) { return each.kName; }, loss.param));
                         });

}  // namespace
}  // namespace southwell::lab
