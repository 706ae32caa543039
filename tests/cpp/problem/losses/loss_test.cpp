#include "southwell/problem/losses/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::problem {
namespace {

const std::vector<AnyLoss> kLosses = {Squared{}, Logistic{}, Huber(0.7), Huber(3.0),
                                      SquaredHinge{}};

std::vector<double> targets_of(const AnyLoss& loss) {
  const bool classes = derivative_bound(loss) == 1.0 || name_of(loss) == "squared_hinge";
  return classes ? std::vector<double>{-1.0, 1.0} : std::vector<double>{-3.2, 0.0, 0.4, 11.0};
}

/// f(loss, target, margin) on a grid that avoids the corners of huber and squared hinge.
template <class F>
void for_each_case(F&& f) {
  for (const AnyLoss& any : kLosses) {
    std::visit(
        [&](const auto& loss) {
          for (const double y : targets_of(any)) {
            for (double z = -12.013; z < 12.0; z += 0.237) f(loss, y, z);
          }
        },
        any);
  }
}

TEST(Loss, DerivativeAgreesWithFiniteDifferences) {
  for_each_case([](const auto& loss, double y, double z) {
    const double h = 1e-5;
    const double slope = (loss.value(z + h, y) - loss.value(z - h, y)) / (2.0 * h);
    EXPECT_NEAR(loss.derivative(z, y), slope, 1e-8 * (1.0 + std::fabs(slope) + z * z))
        << loss.kName << " at margin " << z << ", target " << y;
  });
}

TEST(Loss, CurvatureAgreesWithFiniteDifferencesAndItsBound) {
  for_each_case([](const auto& loss, double y, double z) {
    const double h = 1e-5;
    const double bend = (loss.derivative(z + h, y) - loss.derivative(z - h, y)) / (2.0 * h);
    EXPECT_NEAR(loss.curvature(z, y), bend, 1e-8) << loss.kName << " at " << z << ", " << y;
    EXPECT_LE(loss.curvature(z, y), loss.kCurvature);
    EXPECT_GE(loss.curvature(z, y), 0.0);
    EXPECT_LE(std::fabs(loss.derivative(z, y)), loss.derivative_bound());
  });
  EXPECT_EQ(Logistic{}.curvature(0.0, 1.0), Logistic::kCurvature) << "the bound is attained";
}

TEST(Loss, FenchelYoungHoldsWithEqualityAtTheDerivative) {
  for_each_case([](const auto& loss, double y, double z) {
    const double u = loss.derivative(z, y);
    EXPECT_NEAR(loss.value(z, y) + loss.conjugate(u, y), z * u, 1e-12 * (1.0 + z * z + y * y))
        << loss.kName << " at " << z << ", " << y;
    for (const double other : {-2.5, -0.5, 0.3, 0.9, 4.0}) {
      EXPECT_GE(loss.value(z, y) + loss.conjugate(other, y), z * other - 1e-12 * (1.0 + z * z))
          << loss.kName;
    }
  });
}

TEST(Loss, NoSlopeBeyondTheDerivativesRangeHasAFiniteConjugate) {
  EXPECT_TRUE(std::isinf(Logistic{}.conjugate(0.1, 1.0)));  // y = 1: slopes are in [-1, 0]
  EXPECT_TRUE(std::isinf(Logistic{}.conjugate(-1.1, 1.0)));
  EXPECT_EQ(Logistic{}.conjugate(-1.0, 1.0), 0.0);
  EXPECT_EQ(Logistic{}.conjugate(0.0, -1.0), 0.0);
  EXPECT_TRUE(std::isinf(Huber(2.0).conjugate(2.1, 0.0)));
  EXPECT_TRUE(std::isinf(SquaredHinge{}.conjugate(0.5, 1.0)));
}

TEST(Loss, FlippingMarginAndTargetFlipsTheDerivative) {
  for_each_case([](const auto& loss, double y, double z) {
    EXPECT_EQ(loss.value(-z, -y), loss.value(z, y)) << loss.kName;
    EXPECT_EQ(loss.derivative(-z, -y), -loss.derivative(z, y)) << loss.kName;
    EXPECT_EQ(loss.curvature(-z, -y), loss.curvature(z, y)) << loss.kName;
  });
}

TEST(Loss, LogisticNeitherOverflowsNorLosesItsTail) {
  EXPECT_EQ(Logistic{}.value(-1e6, 1.0), 1e6);
  EXPECT_EQ(Logistic{}.derivative(-1e6, 1.0), -1.0);
  EXPECT_NEAR(Logistic{}.value(40.0, 1.0) / std::exp(-40.0), 1.0, 1e-14);
  EXPECT_NEAR(Logistic{}.derivative(40.0, 1.0) / -std::exp(-40.0), 1.0, 1e-14);
}

TEST(Loss, SaysWhichTargetsItTakes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const AnyLoss& loss : kLosses) {
    check_target(loss, targets_of(loss));
    EXPECT_THROW(check_target(loss, std::vector<double>{1.0, nan}), DataError);
  }
  EXPECT_THROW(check_target(Logistic{}, std::vector<double>{1.0, 0.0}), DataError);
  EXPECT_THROW(check_target(SquaredHinge{}, std::vector<double>{2.0}), DataError);
}

TEST(Loss, IsMadeByNameAndRefusesWhatDoesNotExist) {
  for (const AnyLoss& loss : kLosses)
    EXPECT_EQ(make_loss(name_of(loss), 1.0).index(), loss.index());
  EXPECT_THROW(make_loss("absolute", 1.0), InvalidArgument);
  for (const double width : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(make_loss("huber", width), InvalidArgument) << width;
  }
}

TEST(Loss, MeansAndVectorsAreThoseOfSingleRecords) {
  const std::vector<double> margins = {0.3, -2.0, 5.0};
  const std::vector<double> target = {1.0, -1.0, -1.0};
  for (const AnyLoss& any : kLosses) {
    std::visit(
        [&](const auto& loss) {
          std::vector<double> slopes(3), bends(3);
          derivatives(any, margins, target, slopes);
          curvatures(any, margins, target, bends);
          double value = 0.0;
          double conjugate = 0.0;
          for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(slopes[i], loss.derivative(margins[i], target[i]));
            EXPECT_EQ(bends[i], loss.curvature(margins[i], target[i]));
            value += loss.value(margins[i], target[i]) / 3.0;
            conjugate += loss.conjugate(slopes[i], target[i]) / 3.0;
          }
          EXPECT_NEAR(mean_value(any, margins, target), value, 1e-14 * value);
          EXPECT_NEAR(mean_conjugate(any, slopes, target), conjugate, 1e-13);
        },
        any);
  }
}

}  // namespace
}  // namespace southwell::problem
