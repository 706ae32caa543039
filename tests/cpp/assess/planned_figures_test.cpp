#include "southwell/assess/planned_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "fit/small_data.hpp"

namespace southwell::assess {
namespace {

fit::FitPlan plan_of(const std::string& loss, std::size_t classes, double epsilon) {
  fit::FitSpec spec;
  spec.objective.loss = loss;
  for (std::size_t k = 0; k < classes; ++k) spec.classes.push_back(static_cast<double>(k));
  if (classes == 0) spec.target_scale = 20.0;
  spec.epsilon = epsilon;
  spec.delta = 1e-6;
  spec.test_share = 0.2;
  fit::DataShape shape;
  shape.records = 25'000;
  shape.features = 3;
  return fit::plan_fit(spec, shape);
}

Figure figure_of(const fit::FitPlan& plan, const std::string& name) {
  for (const NamedFigure& each : planned_figures(plan).figures) {
    if (each.name == name) return each.figure;
  }
  ADD_FAILURE() << name;
  return {};
}

// The law is known: accuracy and AUC of normal margins of sd 2, by numerical integration.
TEST(PlannedFigures, AreThoseOfTheirLaw) {
  const fit::FitPlan two = plan_of("logistic", 2, 1.0);
  EXPECT_NEAR(figure_of(two, "accuracy").value, 0.782, 0.01);
  EXPECT_NEAR(figure_of(two, "auc").value, 0.868, 0.01);
  EXPECT_NEAR(figure_of(two, "accuracy").sampling_sd, std::sqrt(0.782 * 0.218 / 5000.0), 1e-3);
  const fit::FitPlan errors = plan_of("squared", 0, 1.0);
  EXPECT_NEAR(std::sqrt(figure_of(errors, "mse").value), 10.0, 0.1);
  EXPECT_NEAR(figure_of(errors, "median_error").value, 6.745, 0.1);
  EXPECT_NEAR(figure_of(plan_of("logistic", 5, 1.0), "accuracy").value, 0.75, 1e-6);
}

// More budget, narrower intervals; never narrower than those without noise.
TEST(PlannedFigures, NarrowWithTheBudget) {
  for (const auto& [loss, classes, name] :
       {std::tuple{"logistic", 2u, "auc"}, std::tuple{"logistic", 2u, "accuracy"},
        std::tuple{"squared", 0u, "mae"}, std::tuple{"logistic", 4u, "accuracy"}}) {
    double last = 1e300;
    for (const double epsilon : {0.5, 1.0, 4.0}) {
      const Figure figure = figure_of(plan_of(loss, classes, epsilon), name);
      EXPECT_LT(half_width(figure), last) << name;
      EXPECT_GT(half_width(figure), 1.95 * figure.sampling_sd) << name;
      last = half_width(figure);
    }
  }
}

TEST(PlannedFigures, AreInTheTable) {
  const fit::FitPlan plan = plan_of("logistic", 2, 1.0);
  const nlohmann::json out = nlohmann::json::parse(with_planned_figures("{}", plan));
  EXPECT_NEAR(out["figures"]["auc"]["half_width"], half_width(figure_of(plan, "auc")), 1e-12);
  EXPECT_TRUE(out["figures_of"].is_string());
}

}  // namespace
}  // namespace southwell::assess
