#include "southwell/solvers/rounds/margin_correction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "southwell/solvers/rounds/margin_law.hpp"

namespace southwell::solvers {
namespace {

/// Two heads of three features and an intercept; the third feature of the first is at a bound.
struct HeadsProblem {
  problem::Coordinates all{{.features = 3,
                            .heads = 2,
                            .intercept = problem::Intercept::free,
                            .curvature = 0.25,
                            .l2 = 0.5,
                            .feature_scale = {1.0, 2.0, 1.0}}};
  std::vector<double> w{3.0, -1.0, 0.5, 0.3, 0.0, 0.0, 0.0, 5.0};
  const problem::Coordinates& coordinates() const { return all; }
  const std::vector<double>& coef() const { return w; }
  double penalty_along(std::size_t c) const { return all.l2(c) * w[c] * w[c]; }
  bool is_held(std::size_t c) const { return c == 2; }
};
struct HeadsMechanism {
  double first = -0.4;
  double gradient(const HeadsProblem&, std::size_t c) const { return c == 0 ? first : 0.1; }
};

TEST(MarginCorrection, IsANewtonStepAlongTheCoefficientsOfAHeadAndNoOtherWay) {
  const HeadsProblem problem;
  MarginCorrection margins(2);
  margins.observe(problem, HeadsMechanism{});
  const double flat = curvature_along({std::sqrt(9.0 + 4.0 + 0.25), 0.3});
  const double curved = 0.75 * 9.0 + 1.5 * 1.0;  // of the two that are free
  const double quadratic = 0.5 * 10.0;
  const double slope = -0.4 * 3.0 - 0.1 + quadratic;
  const double newton = curved / (flat * (curved - quadratic) + quadratic);
  ASSERT_GT(newton, 1.2);
  for (const std::size_t c : {0u, 1u}) {
    EXPECT_NEAR(margins.of(problem, c),
                (newton - 1.0) * slope / curved * problem.w[c] * problem.all.smoothness(c), 1e-12);
  }
  EXPECT_EQ(margins.of(problem, 2), 0.0) << "at a bound";
  EXPECT_EQ(margins.of(problem, 3), 0.0) << "an intercept is no direction";
  for (const std::size_t c : {4u, 5u, 6u, 7u}) {
    EXPECT_EQ(margins.of(problem, c), 0.0) << "a head that is 0";
    EXPECT_EQ(margins.noise_growth(problem, c), 1.0);
  }
  EXPECT_EQ(margins.noise_growth(problem, 2), 1.0) << "at a bound";
  const double toward = 0.75 * 9.0 / curved;
  EXPECT_NEAR(margins.noise_growth(problem, 0), std::sqrt(1.0 + (newton * newton - 1.0) * toward),
              1e-12);
}

TEST(MarginCorrection, TakesWhateverANoisyReleaseSays) {
  HeadsProblem problem;
  for (const double length : {1e-300, 2e-162, 1e-155, 1e-12, 1e3, 1e150, 1e200}) {
    for (const double released : {0.0, -0.4, 1e-300, 1e200, -1e300}) {
      problem.w = {length, -length, 0.0, length, 0.0, length, 0.0, 0.0};
      MarginCorrection margins(2);
      margins.observe(problem, HeadsMechanism{released});
      for (std::size_t c = 0; c < 8; ++c) {
        EXPECT_TRUE(std::isfinite(margins.of(problem, c))) << length << " " << released;
        EXPECT_TRUE(std::isfinite(margins.noise_growth(problem, c))) << length;
      }
    }
  }
}

}  // namespace
}  // namespace southwell::solvers
