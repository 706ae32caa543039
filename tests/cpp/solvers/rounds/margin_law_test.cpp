#include "southwell/solvers/rounds/margin_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace southwell::solvers {
namespace {

TEST(MarginLaw, HasTheCurvatureOfTheLossAlongLongCoefficients) {
  EXPECT_NEAR(curvature_along({0.0, 0.0}), 1.0, 1e-3);
  for (const Margins& margins : {Margins{0.5, 0.0}, Margins{2.0, -3.0}, Margins{6.0, 1.0}}) {
    // The gradient along w of labels that do not depend on it, E z s(m), grows by it.
    const auto gradient = [&](double length) {
      double sum = 0.0;
      double weights = 0.0;
      for (double z = -8.0; z <= 8.0; z += 1e-3) {
        const double weight = std::exp(-0.5 * z * z);
        sum += weight * z / (1.0 + std::exp(-margins.middle - length * z));
        weights += weight;
      }
      return sum / weights;
    };
    const double slope = (gradient(margins.sd + 1e-3) - gradient(margins.sd - 1e-3)) / 2e-3;
    EXPECT_NEAR(curvature_along(margins), 4.0 * slope, 1e-3);
  }
}

TEST(MarginLaw, HasTheCurvatureOfTheLossAlongAndBesideWholeMargins) {
  EXPECT_NEAR(curvature_of_length({0.0, 0.0}), 1.0, 1e-12);
  EXPECT_NEAR(curvature_beside({0.0, 0.0}), 1.0, 1e-12);
  for (const Margins& margins : {Margins{0.5, 0.0}, Margins{2.0, -3.0}, Margins{3.0, 1.0}}) {
    double along = 0.0;
    double beside = 0.0;
    double weights = 0.0;
    for (double z = -8.0; z <= 8.0; z += 1e-3) {
      const double weight = std::exp(-0.5 * z * z);
      const double margin = margins.middle + margins.sd * z;
      const double s = 1.0 / (1.0 + std::exp(-margin));
      along += weight * 4.0 * s * (1.0 - s) * margin * margin;
      beside += weight * 4.0 * s * (1.0 - s);
      weights += weight;
    }
    const double square = margins.sd * margins.sd + margins.middle * margins.middle;
    EXPECT_NEAR(curvature_of_length(margins), along / weights / square, 2e-3);
    EXPECT_NEAR(curvature_beside(margins), beside / weights, 2e-3);
  }
}

}  // namespace
}  // namespace southwell::solvers
