#include "lab/constants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "lab/small_data.hpp"
#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

const Constant& named(const Constants& all, const std::string& name) {
  const auto at = std::find_if(all.scalars.begin(), all.scalars.end(),
                               [&](const Constant& c) { return c.name == name; });
  if (at == all.scalars.end()) throw InvalidArgument("no constant " + name);
  return *at;
}

std::vector<double> random_coef(std::mt19937_64& random, std::size_t p, double scale) {
  std::normal_distribution<double> normal(0.0, scale);
  std::vector<double> w(p);
  for (double& v : w) v = normal(random);
  return w;
}

TEST(Constants, OrthogonalColumnsHaveStrongConvexityOne) {
  core::ThreadPool pool(1);
  const auto dataset = dense_dataset({2, 3, 2, -3, -2, 3, -2, -3}, {1, 2, 3, 5});
  const Constants found = constants(dataset, objective("squared", "none", {}), pool);
  EXPECT_EQ(found.smoothness, (std::vector<double>{4.0, 9.0}));
  EXPECT_EQ(found.smoothness_worth, Worth::exact);
  EXPECT_NEAR(named(found, "mu_m2").value, 1.0, 1e-14);
  EXPECT_EQ(named(found, "mu_m2").worth, Worth::exact);
  EXPECT_NEAR(named(found, "mu_m1").value, 0.5, 1e-14);
  EXPECT_EQ(named(found, "mu_m1").worth, Worth::lower_bound);
  const auto& w = found.optimum.at.coef;
  EXPECT_NEAR(named(found, "norm_m1").value, 2 * std::fabs(w[0]) + 3 * std::fabs(w[1]), 1e-14);
  EXPECT_NEAR(named(found, "norm_m2").value, std::hypot(2 * w[0], 3 * w[1]), 1e-14);
  // The gradient at 0 is -mean(x y): sums 1.25 * 2 and -0.75 * 3, over the roots 2 and 3.
  EXPECT_NEAR(named(found, "gradient_norm").value, 1.25, 1e-14);
}

TEST(Constants, StrongConvexityAndRadiusHoldAtRandomPoints) {
  core::ThreadPool pool(1);
  std::mt19937_64 random(8);
  for (const auto& spec :
       {objective("squared", "l2", 0.2), objective("logistic", "l2", 0.2),
        objective("squared", "l1", 0.3), objective("squared_hinge", "l2", 0.1)}) {
    const bool classes = spec.loss != "squared";
    const auto dataset = random_dataset(40, 6, classes ? Targets::classes : Targets::numbers, 4);
    const Constants found = constants(dataset, spec, pool);
    const auto& best = found.optimum.at.coef;
    const double mu = named(found, "mu_m2").value;
    const double radius = named(found, "r_m1").value;
    int inside = 0;
    for (int round = 0; round < 2000; ++round) {
      std::vector<double> w = random_coef(random, best.size(), 0.6);
      for (std::size_t j = 0; j < w.size(); ++j) w[j] += best[j];
      const double f = evaluate(dataset, spec, {w, 0.0}).objective();
      double one = 0.0;
      double two = 0.0;
      for (std::size_t j = 0; j < w.size(); ++j) {
        one += std::sqrt(found.smoothness[j]) * std::fabs(w[j] - best[j]);
        two += found.smoothness[j] * (w[j] - best[j]) * (w[j] - best[j]);
      }
      EXPECT_GE(f - found.optimum.objective, 0.5 * mu * two - 1e-9) << spec.loss << spec.penalty;
      if (f <= found.optimum.objective_at_zero) {
        ++inside;
        EXPECT_LE(one, radius) << spec.loss << spec.penalty;
      }
    }
    EXPECT_GT(inside, 50) << "the level set was not visited";
    EXPECT_GE(radius, named(found, "r_m1_lower").value);
  }
}

TEST(Constants, TheCurvatureAtTheOptimumIsThatOfFiniteDifferences) {
  core::ThreadPool pool(1);
  const auto dataset = random_dataset(60, 1, Targets::classes, 2);
  const auto spec = objective("logistic", "l2", 0.1);
  const Constants found = constants(dataset, spec, pool);
  const double w = found.optimum.at.coef[0];
  const auto f = [&](double v) { return evaluate(dataset, spec, {{v}, 0.0}).objective(); };
  const double h = 1e-3;
  const double bend = (f(w + h) - 2 * f(w) + f(w - h)) / (h * h);
  EXPECT_NEAR(named(found, "mu_m2_at_optimum").value, bend / found.smoothness[0], 1e-5);
  EXPECT_EQ(named(found, "mu_m2_at_optimum").worth, Worth::upper_bound);
  EXPECT_NEAR(named(found, "mu_m2").value, 0.1 / found.smoothness[0], 1e-15);
}

TEST(Constants, NoRecordsGradientExceedsItsLipschitzConstant) {
  core::ThreadPool pool(1);
  for (const char* loss : {"logistic", "squared"}) {
    const bool classes = std::string(loss) == "logistic";
    const auto dataset = random_dataset(30, 5, classes ? Targets::classes : Targets::numbers, 6);
    const auto spec = objective(loss, "l2", 0.1);
    const Constants found = constants(dataset, spec, pool);
    EXPECT_EQ(found.lipschitz_worth, classes ? Worth::exact : Worth::upper_bound);
    const auto& design = std::get<data::DenseDesign<double>>(dataset.design);
    const auto any = loss_of(spec);
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
      const std::vector<double> w = random_coef(random, 5, 0.7);
      if (evaluate(dataset, spec, {w, 0.0}).objective() > found.optimum.objective_at_zero) continue;
      for (std::size_t i = 0; i < 30; ++i) {
        double z = 0.0;
        design.for_each_in_record(i, [&](std::size_t j, double x) { z += x * w[j]; });
        const double slope =
            std::visit([&](const auto& l) { return l.derivative(z, dataset.target[i]); }, any);
        design.for_each_in_record(i, [&](std::size_t j, double x) {
          EXPECT_LE(std::fabs(slope * x), found.lipschitz[j]) << loss;
        });
      }
    }
  }
}

TEST(Constants, MoreFeaturesThanRecordsAreNotStronglyConvex) {
  core::ThreadPool pool(1);
  const auto dataset = random_dataset(10, 20, Targets::numbers, 6);
  const Constants found = constants(dataset, objective("squared", "l1", 0.3), pool);
  EXPECT_EQ(named(found, "mu_m2").value, 0.0);
  EXPECT_EQ(named(found, "mu_m2").worth, Worth::exact);
}

TEST(Constants, QuasiSparsityCountsStrictlyGreaterEntries) {
  const std::vector<double> coef = {3.0, -3.0, 1.0, 0.0};
  EXPECT_EQ(quasi_sparsity_alpha(coef, 0), 3.0);
  EXPECT_EQ(quasi_sparsity_alpha(coef, 1), 3.0);  // none is strictly greater than 3
  EXPECT_EQ(quasi_sparsity_alpha(coef, 2), 1.0);
  EXPECT_EQ(quasi_sparsity_alpha(coef, 3), 0.0);
  EXPECT_EQ(quasi_sparsity_alpha(coef, 4), 0.0);
}

TEST(Constants, RefusesAnIntercept) {
  core::ThreadPool pool(1);
  EXPECT_THROW(constants(random_dataset(10, 2, Targets::numbers, 1),
                         objective("squared", "l1", 0.1, Intercept::free), pool),
               InvalidArgument);
}

}  // namespace
}  // namespace southwell::lab
