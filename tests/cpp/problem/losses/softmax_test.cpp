#include "southwell/problem/losses/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace southwell::problem {
namespace {

TEST(Softmax, SlopesAreTheDerivativesOfTheLoss) {
  const std::vector<double> margins{0.3, -1.2, 2.0, 0.0};
  for (std::size_t own = 0; own < margins.size(); ++own) {
    std::vector<double> slopes(margins.size());
    softmax_slopes(margins, own, slopes);
    double sum = 0.0;
    for (std::size_t h = 0; h < margins.size(); ++h) {
      constexpr double kStep = 1e-5;
      std::vector<double> up = margins;
      std::vector<double> down = margins;
      up[h] += kStep;
      down[h] -= kStep;
      const double change = softmax_value(up, own) - softmax_value(down, own);
      EXPECT_NEAR(slopes[h], change / (2.0 * kStep), 1e-9);
      sum += slopes[h];
    }
    EXPECT_NEAR(sum, 0.0, 1e-15);
  }
  EXPECT_NEAR(softmax_value(std::vector<double>{0.0, 0.0, 0.0}, 1), std::log(3.0), 1e-15);
  EXPECT_EQ(softmax_value(std::vector<double>{1e6, 0.0}, 0), 0.0);
  EXPECT_EQ(softmax_value(std::vector<double>{-1e6, 1e6}, 0), 2e6);
}

TEST(Softmax, SlopesOfWhatIsNoNumberAreNone) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {std::nan(""), kInfinity}) {
    for (std::size_t at = 0; at < 3; ++at) {
      std::vector<double> margins{1.0, 2.0, 3.0};
      margins[at] = odd;
      std::vector<double> slopes(3);
      softmax_slopes(margins, 1, slopes);
      for (const double slope : slopes) EXPECT_TRUE(std::isnan(slope));
    }
  }
}

}  // namespace
}  // namespace southwell::problem
