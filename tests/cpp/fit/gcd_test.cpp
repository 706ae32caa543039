#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit_plan.hpp"

namespace southwell::fit {
namespace {

/// selection/release of DP-GCD as printed.
std::string mechanisms_of(const FitSpec& spec, std::size_t features) {
  const DataShape shape{
      .records = 1000, .features = features, .features_counted = false, .feature_names = {}};
  const FitPlan plan = plan_fit(spec, shape);
  const auto& uses = plan->statement.mechanisms;
  return uses.at(0).name + "/" + uses.at(1).name;
}

TEST(FitPlan, TakesTheReleaseThatHasLeastNoiseWithinTheBudget) {
  FitSpec spec = small_spec("squared");
  const std::string laplace = "exponential_mechanism/discrete_laplace_release";
  const std::string gaussian = "exponential_mechanism/discrete_gaussian_release";
  for (const auto& [iterations, expected] :
       {std::pair{1, laplace}, {2, laplace}, {10, gaussian}, {40, gaussian}}) {
    spec.iterations = static_cast<std::uint64_t>(iterations);
    EXPECT_EQ(mechanisms_of(spec, 1000), expected) << iterations;
  }
  spec.delta = 0.0;
  EXPECT_EQ(mechanisms_of(spec, 1000), laplace);
  spec.delta = 1e-6;
  // A given share is that of Laplace releases, unless a release is given too.
  spec.share = 0.7;
  EXPECT_EQ(mechanisms_of(spec, 1000), laplace);
  spec.selection = "noisy_max";
  spec.release = "gaussian";
  EXPECT_EQ(mechanisms_of(spec, 1000), "noisy_max/discrete_gaussian_release");
}

TEST(FitPlan, TakesTheOnlyReleaseThatKeepsATinyBudget) {
  FitSpec spec = small_spec("squared");
  spec.epsilon = 1e-5;
  spec.delta = 1e-12;
  spec.iterations = 1;
  EXPECT_EQ(mechanisms_of(spec, 1000), "exponential_mechanism/discrete_laplace_release");
  spec.delta = 1e-9;
  spec.iterations = 60;
  EXPECT_EQ(mechanisms_of(spec, 1000), "exponential_mechanism/discrete_gaussian_release");
  spec.release = "laplace";
  EXPECT_THROW(mechanisms_of(spec, 1000), CalibrationError);
}

TEST(FitPlan, HasLessNoiseWithGaussianReleasesWhereItTakesThem) {
  FitSpec spec = small_spec("squared");
  spec.iterations = 10;
  const DataShape shape{
      .records = 1000, .features = 1000, .features_counted = false, .feature_names = {}};
  const auto scales = [&](const char* release, double share) {
    spec.selection = "exponential";
    spec.release = release;
    spec.share = share;
    const FitPlan plan = plan_fit(spec, shape);
    const auto& uses = plan->statement.mechanisms;
    return std::pair(static_cast<double>(uses[0].cost.scale),
                     static_cast<double>(uses[1].cost.scale));
  };
  const auto [selected, laplace] = scales("laplace", 0.8);
  const auto [other, sigma] = scales("gaussian", 1.0 / (1.0 + 2.0 / 16.0));
  EXPECT_NEAR(other / selected, sigma / (std::sqrt(2.0) * laplace), 1e-6) << "proportions";
  EXPECT_LT(other, 0.95 * selected);
}

}  // namespace
}  // namespace southwell::fit
