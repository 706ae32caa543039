#include "southwell/assess/private_evaluation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "assess/assessed.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/predict.hpp"
#include "support/other_float_environments.hpp"

namespace southwell::assess {
namespace {

EvaluationSpec rich_spec() {
  EvaluationSpec spec = small_spec();
  spec.epsilon = 1000.0;
  spec.seed_for_tests = 5;
  return spec;
}

data::Dataset drawn_dataset(const model::LinearModel& model, std::size_t n) {
  return fit::dataset_of(drawn_records(model, n, 11), 1, Stored::f64);
}

void expect_near(const PrivateFigures& figures, const std::string& name, double exact,
                 double within) {
  const Figure* const figure = figures.find(name);
  ASSERT_NE(figure, nullptr) << name;
  EXPECT_NEAR(figure->value, exact, within) << name;
  EXPECT_LE(figure->low, figure->value) << name;
  EXPECT_GE(figure->high, figure->value) << name;
  EXPECT_LT(figure->noise_sd, figure->sampling_sd) << name;
}

TEST(PrivateEvaluation, OfTwoClassesIsNearTheExactFiguresWhereNoiseIsSmall) {
  const model::LinearModel model = small_model("logistic", {0.0, 1.0});
  const data::Dataset dataset = drawn_dataset(model, 20'000);
  const model::Evaluation exact = model::evaluate(model, dataset);
  const PrivateFigures figures = evaluate(model, dataset, rich_spec());
  expect_near(figures, "accuracy", exact.accuracy, 5e-5);
  expect_near(figures, "auc", exact.auc, 5e-4);
  expect_near(figures, "log_loss", exact.log_loss, 1e-3);
  expect_near(figures, "loss_value", exact.loss_value, 1e-3);
  EXPECT_EQ(figures.roc.true_positive_rate.size(), kMostBins + 1);
  EXPECT_TRUE(
      std::is_sorted(figures.roc.true_positive_rate.begin(), figures.roc.true_positive_rate.end()));
  double right = figures.confusion[0].value + figures.confusion[3].value;
  EXPECT_NEAR(right, exact.accuracy, 5e-5);
  ASSERT_GT(figures.calibration.size(), 5u);
  for (const CalibrationPoint& point : figures.calibration) {
    // Of a bin with few records none may be of the second class.
    EXPECT_NEAR(point.observed.value, point.predicted, 5.0 * point.observed.sampling_sd + 0.02);
  }
}

TEST(PrivateEvaluation, CountsAnUnknownLabelAsWrongAndLeavesOutWhatIsMissing) {
  const model::LinearModel model = small_model("logistic", {0.0, 1.0});
  std::vector<Record> records = drawn_records(model, 5000, 12);
  for (std::size_t i = 0; i < 500; ++i) records[i][1] = 7.0;
  for (std::size_t i = 500; i < 1000; ++i) records[i][1] = std::nan("");
  for (std::size_t i = 1000; i < 1500; ++i) records[i][0] = std::nan("");
  const data::Dataset dataset = fit::dataset_of(records, 1, Stored::f64);
  const PrivateFigures figures = evaluate(model, dataset, rich_spec());
  expect_near(figures, "accuracy", model::evaluate(model, dataset).accuracy, 2e-4);
}

TEST(PrivateEvaluation, OfManyClassesIsTheirConfusionMatrix) {
  const model::LinearModel model = small_model("logistic", {0.0, 1.0, 2.0});
  const data::Dataset dataset = drawn_dataset(model, 9000);
  const PrivateFigures figures = evaluate(model, dataset, rich_spec());
  expect_near(figures, "accuracy", model::evaluate(model, dataset).accuracy, 1e-4);
  ASSERT_EQ(figures.confusion.size(), 9u);
  double all = 0.0;
  for (const Figure& share : figures.confusion) all += share.value;
  EXPECT_NEAR(all, 1.0, 1e-4);
  EXPECT_EQ(figures.find("auc"), nullptr);
}

TEST(PrivateEvaluation, OfARegressionIsNearTheExactFiguresWhereNoiseIsSmall) {
  const model::LinearModel model = small_model("squared", {});
  const data::Dataset dataset = drawn_dataset(model, 20'000);
  const model::Evaluation exact = model::evaluate(model, dataset);
  const PrivateFigures figures = evaluate(model, dataset, rich_spec());
  expect_near(figures, "mse", exact.mse, 2e-3);
  expect_near(figures, "loss_value", exact.loss_value, 1e-3);
  expect_near(figures, "r2", exact.r2, 1e-3);
  std::vector<double> margins = model::margins(model, dataset);
  std::vector<double> sizes;
  double sum = 0.0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    sizes.push_back(std::fabs(dataset.target[i] - margins[i]));
    sum += sizes.back();
  }
  std::sort(sizes.begin(), sizes.end());
  expect_near(figures, "mae", sum / 20'000.0, 2e-3);
  expect_near(figures, "median_error", sizes[10'000], 4e-3);
  expect_near(figures, "error_quantile_90", sizes[18'000], 8e-3);
}

TEST(PrivateEvaluation, SaysSoWhereTheBudgetDeterminesNothing) {
  EvaluationSpec spec = small_spec();
  spec.epsilon = 0.01;
  for (const model::LinearModel& model :
       {small_model("logistic", {0.0, 1.0}), small_model("squared", {})}) {
    const PrivateFigures figures = evaluate(model, drawn_dataset(model, 30), spec);
    const Figure* const hard = figures.find(model.classes.empty() ? "r2" : "auc");
    EXPECT_FALSE(hard->is_determined());
    EXPECT_NE(to_text(figures).find(kNotDetermined), std::string::npos);
    EXPECT_NE(to_json(figures).find("\"value\": null"), std::string::npos);
    EXPECT_EQ(to_json(figures).find("nan"), std::string::npos);
  }
}

TEST(PrivateEvaluation, StatesWhatItCoversAndThatTheModelIsAnothersPromise) {
  const model::LinearModel model = small_model("squared", {});
  const model::Statement statement =
      PrivateEvaluation(small_spec(), model, {.records = 50}).statement();
  EXPECT_EQ(statement.guarantee, "(1, 1e-06)-DP");
  EXPECT_TRUE(statement.is_private);
  ASSERT_EQ(statement.mechanisms.size(), 2u);
  EXPECT_NE(statement.covers[0].find("figures"), std::string::npos);
  EXPECT_NE(statement.not_covered[0].find("its own statement"), std::string::npos);
  EvaluationSpec seeded = small_spec();
  seeded.seed_for_tests = 1;
  EXPECT_EQ(PrivateEvaluation(seeded, model, {.records = 50}).statement().guarantee,
            "none (seeded)");
}

TEST(PrivateEvaluation, UnderAddOrRemoveOneShowsNoNumberOfRecords) {
  EvaluationSpec spec = small_spec("add_or_remove_one");
  spec.records = 1000;
  for (const model::LinearModel& model :
       {small_model("logistic", {0.0, 1.0}), small_model("squared", {})}) {
    for (const std::size_t n : {0u, 1u, 77u, 54'321u}) {
      const PrivateFigures figures = evaluate(model, drawn_dataset(model, n), spec);
      EXPECT_EQ(figures.privacy.records, 1000.0);
      for (const std::string& text :
           {to_json(figures), to_html(figures, model::HtmlForm::page), to_text(figures)}) {
        // As a number of its own: digits of noise may be anything.
        EXPECT_FALSE(std::regex_search(text, std::regex("[^0-9.]54321[^0-9]")));
      }
    }
  }
}

TEST(PrivateEvaluation, IsTheSameInEveryFloatEnvironment) {
  EvaluationSpec spec = small_spec();
  spec.seed_for_tests = 9;
  for (const model::LinearModel& model :
       {small_model("logistic", {0.0, 1.0}), small_model("squared", {})}) {
    const data::Dataset dataset = drawn_dataset(model, 200);
    const PrivateFigures expected = evaluate(model, dataset, spec);
    test::for_each_other_float_environment([&] {
      const PrivateFigures got = evaluate(model, dataset, spec);
      EXPECT_EQ(got.privacy.epsilon_spent, expected.privacy.epsilon_spent);
      for (std::size_t k = 0; k < expected.figures.size(); ++k) {
        const Figure& here = got.figures[k].figure;
        const Figure& there = expected.figures[k].figure;
        if (!there.is_determined()) continue;
        EXPECT_EQ(here.value, there.value);
        if (std::isnan(there.noise_sd)) continue;  // an end of its interval is open
        EXPECT_EQ(here.noise_sd, there.noise_sd);
      }
    });
  }
}

TEST(PrivateEvaluation, OfARegressionIsRightOrNotDeterminedWhereTargetsAreFarFromTheIntercept) {
  // What features explain is six target scales away from what the intercept says.
  model::LinearModel model = small_model("squared", {});
  model.heads[0].coef = {{0, 6.0, 0.0}};
  model.heads[0].intercept = 0.0;
  std::vector<Record> records(20'000);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (Record& record : records) record = {1.0 + 0.1 * normal(random), 6.0 + normal(random)};
  EvaluationSpec spec = rich_spec();
  spec.target_scale = 1.0;
  const data::Dataset dataset = fit::dataset_of(records, 1, Stored::f64);
  const PrivateFigures figures = evaluate(model, dataset, spec);
  const model::Evaluation exact = model::evaluate(model, dataset);
  EXPECT_NEAR(exact.mse, 1.36, 0.03);
  expect_near(figures, "mse", exact.mse, 0.03 * exact.mse);
  EXPECT_FALSE(figures.find("r2")->is_determined());
  spec.target_scale = 8.0;
  EXPECT_NEAR(evaluate(model, dataset, spec).find("r2")->value, exact.r2, 0.05);
}

TEST(PrivateEvaluation, OfARegressionHasNoMeansWhereErrorsAreBeyondTheHistogram) {
  const model::LinearModel model = small_model("squared", {});
  const std::vector<Record> records(5000, Record{0.0, 1000.0});
  EvaluationSpec spec = rich_spec();
  spec.target_scale = 10.0;
  const PrivateFigures figures = evaluate(model, fit::dataset_of(records, 1, Stored::f64), spec);
  for (const char* name : {"mse", "r2", "mean_error", "mae", "loss_value"}) {
    EXPECT_FALSE(figures.find(name)->is_determined()) << name;
  }
}

TEST(PrivateEvaluation, AsksForATargetScaleThatNobodyHasSaid) {
  model::LinearModel model = small_model("squared", {});
  EvaluationSpec spec = small_spec();
  spec.target_scale.reset();
  const auto refused = [&] {
    EXPECT_THROW(PrivateEvaluation(spec, model, {.records = 50}), InvalidArgument);
  };
  std::erase_if(model.privacy.public_inputs, [](const model::PublicInput& input) {
    return model::Statement::is_named(input, "target_scale");
  });
  refused();
  model.privacy.public_inputs.push_back({"target_scale", 1.0, model::Source::standard});
  refused();
  model.privacy.public_inputs.back().source = model::Source::user;
  EXPECT_NO_THROW(PrivateEvaluation(spec, model, {.records = 50}));
}

TEST(PrivateEvaluation, RefusesWhatItCannotDo) {
  const model::LinearModel classes = small_model("logistic", {0.0, 1.0});
  model::LinearModel regression = small_model("squared", {});
  const auto refuses = [](EvaluationSpec spec, const model::LinearModel& model) {
    EXPECT_THROW(PrivateEvaluation(spec, model, {.records = 50}), InvalidArgument);
  };
  EvaluationSpec spec = small_spec();
  spec.delta = 0.0;
  refuses(spec, classes);
  spec = small_spec();
  spec.epsilon = -1.0;
  refuses(spec, classes);
  spec = small_spec();
  spec.relation = "other";
  refuses(spec, classes);
  spec = small_spec();
  spec.records = 50;
  refuses(spec, classes);
  spec = small_spec();
  spec.unit = "patient";
  refuses(spec, classes);
  spec = small_spec();
  spec.target_scale = 1.0;
  refuses(spec, classes);
  spec.target_scale = 0.0;
  refuses(spec, regression);
  regression.privacy.public_inputs.clear();
  refuses(small_spec(), regression);
  const PrivateEvaluation planned(small_spec(), classes, {.records = 50});
  EXPECT_THROW(planned.find(drawn_dataset(classes, 49)), DataError);
  data::Dataset without = drawn_dataset(classes, 50);
  without.target_name.clear();
  EXPECT_THROW(planned.find(without), DataError);
}

}  // namespace
}  // namespace southwell::assess
