#include "southwell/assess/held_out_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "assess/drawn.hpp"
#include "fit/unit_data.hpp"
#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/figure_mechanisms.hpp"
#include "southwell/model/predict.hpp"

namespace southwell::assess {
namespace {

using fit::FitSpec;
using fit::Record;
using fit::Stored;

FitSpec spec_of(std::size_t classes) {
  FitSpec spec;
  spec.objective.loss = classes == 0 ? "squared" : "logistic";
  spec.objective.penalty = "l2";
  for (std::size_t k = 0; k < classes; ++k) spec.classes.push_back(static_cast<double>(k));
  spec.feature_scale = {1.0};
  spec.features = 2;
  spec.epsilon = 4.0;
  spec.delta = 1e-6;
  spec.test_share = 0.25;
  spec.threads = 1;
  return spec;
}

TEST(HeldOutFit, CarriesFiguresNearThoseOfAnyOtherRecords) {
  for (const std::size_t classes : {0u, 2u, 3u}) {
    const data::Dataset fresh = fit::dataset_of(drawn(20'000, classes, 2), 2, Stored::f64);
    for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
      const model::LinearModel model =
          fit_and_assess(fit::dataset_of(drawn(8000, classes, 1), 2, stored), spec_of(classes));
      EXPECT_EQ(model.privacy.guarantee, "(4, 1e-06)-DP");
      const auto figures = figures_of(model);
      ASSERT_TRUE(figures);
      const model::Evaluation exact = model::evaluate(model, fresh);
      const Figure* const figure = figures->find(classes == 0 ? "r2" : "accuracy");
      ASSERT_NE(figure, nullptr);
      const double sd = std::hypot(figure->noise_sd, figure->sampling_sd);
      EXPECT_NEAR(figure->value, classes == 0 ? exact.r2 : exact.accuracy, 5.5 * sd + 0.005);
      EXPECT_LT(sd, 0.1);
    }
  }
}

TEST(HeldOutFit, IsReadBackWithItsFigures) {
  for (const std::size_t classes : {0u, 2u, 3u}) {
    FitSpec spec = spec_of(classes);
    if (classes == 3) spec.class_names = {"low", "middle", "high"};
    const model::LinearModel model =
        fit_and_assess(fit::dataset_of(drawn(2000, classes, 3), 2, Stored::f64), spec);
    const model::LinearModel read = model::from_json(model::to_json(model), "m.json");
    EXPECT_EQ(read.attachments, model.attachments);
    EXPECT_EQ(read.privacy.parts.size(), 2u);
    EXPECT_EQ(model::to_json(read.privacy), model::to_json(model.privacy));
    EXPECT_EQ(to_json(*figures_of(read)), to_json(*figures_of(model)));
    EXPECT_EQ(model.attachments.parts,
              R"([{"name":"fit","records":1500.0},{"name":"test","records":500.0}])");
    const std::string page = model_html(read, model::HtmlForm::page);
    EXPECT_NE(page.find("How well it predicts"), std::string::npos);
    EXPECT_NE(page.find(classes == 0 ? "r2" : "accuracy"), std::string::npos);
    EXPECT_NE(page.find("fit: 1500, test: 500"), std::string::npos);
    EXPECT_LE(model.attachments.evaluation.size(), fit::longest_figures_text(classes));
  }
}

TEST(HeldOutFit, OfABareFitHasNone) {
  FitSpec spec = spec_of(2);
  spec.test_share.reset();
  spec.seed_for_tests = 4;
  const data::Dataset dataset = fit::dataset_of(drawn(500, 2, 3), 2, Stored::f64);
  const model::LinearModel model = fit_and_assess(dataset, spec);
  EXPECT_FALSE(figures_of(model));
  EXPECT_EQ(to_json(model), to_json(fit::fit(dataset, spec)));
}

// Nothing that is fitted knows the records held out: labels there are the wrong way round, and the
// model is as good on the others as if they were not.
TEST(HeldOutFit, FitsAndAssessesDifferentRecords) {
  std::vector<Record> records = drawn(4000, 2, 5);
  const fit::FitPlan plan =
      fit::plan_fit(spec_of(2), fit::DataShape::of(fit::dataset_of(records, 2, Stored::f64)));
  privacy::SystemRandomBits bits;
  const std::vector<bool> split =
      drawn_split(*plan->held_out, 4000, *bits.stream(privacy::Purpose::split, 0));
  for (std::size_t i = 0; i < 4000; ++i) {
    if (split[i]) records[i].back() = 1.0 - records[i].back();
  }
  const model::LinearModel model =
      fit_and_assess_parts(fit::dataset_of(records, 2, Stored::f64), plan, split, {}, bits);
  EXPECT_LT(figures_of(model)->find("accuracy")->value, 0.2);
  const data::Dataset fresh = fit::dataset_of(drawn(4000, 2, 6), 2, Stored::f64);
  EXPECT_GT(model::evaluate(model, fresh).accuracy, 0.85);
}

TEST(HeldOutFit, ServesEverySolverAndUnits) {
  fit::Table table;
  const std::vector<Record> records = drawn(300, 2, 7);
  for (std::size_t i = 0; i < records.size(); ++i) {
    table.push_back({std::to_string(i / 2), records[i]});
  }
  for (const std::string& solver : fit::kUnitSolvers) {
    FitSpec spec = fit::unit_spec(solver, "logistic", "l2");
    spec.classes = {0.0, 1.0};
    spec.features = 2;
    spec.test_share = 0.2;
    for (const Stored stored : {Stored::f64, Stored::sparse}) {
      const model::LinearModel model = fit_and_assess(fit::dataset_of(table, 2, stored), spec);
      EXPECT_EQ(model.privacy.parts.at(1).records, 30.0) << solver;
      EXPECT_TRUE(figures_of(model)->find("accuracy")) << solver;
      EXPECT_TRUE(model.privacy.is_private);
    }
  }
  FitSpec batches = fit::unit_spec("sgd", "logistic", "l2");
  batches.classes = {0.0, 1.0};
  batches.features = 2;
  batches.batch_size = 50;
  batches.test_share = 0.2;
  EXPECT_TRUE(fit_and_assess(fit::dataset_of(records, 2, Stored::f64), batches).privacy.is_private);
}

TEST(HeldOutFit, RefusesOtherDataThanItWasPlannedFor) {
  const fit::FitPlan plan = fit::plan_fit(
      spec_of(2), fit::DataShape::of(fit::dataset_of(drawn(100, 2, 3), 2, Stored::f64)));
  EXPECT_THROW(fit_and_assess(fit::dataset_of(drawn(101, 2, 3), 2, Stored::f64), plan), DataError);
}

TEST(Figures, OfADamagedFileAreRefused) {
  model::LinearModel model;
  model.classes = {0.0, 1.0, 2.0};
  for (const std::string text :
       {R"({"accuracy":1})", R"({"accuracy":{"value":1}})", R"({"roc":{"true_positive_rate":[1]}})",
        R"({"confusion_matrix":{"shares":[[]]}})", R"({"errors":3})", R"([])"}) {
    model.attachments.evaluation = text;
    EXPECT_THROW(figures_of(model), DataError) << text;
  }
}

}  // namespace
}  // namespace southwell::assess
