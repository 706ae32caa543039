#include "southwell/fit/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/plan_table.hpp"
#include "southwell/model/guarantee.hpp"

namespace southwell::fit {
namespace {

FitSpec plain(const std::string& loss, const std::string& penalty = "none") {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.penalty = penalty;
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  if (loss == "logistic") spec.classes = {0.0, 1.0};
  return spec;
}

DataShape shape_of(std::size_t records, std::size_t features) {
  return {.records = records, .features = features, .features_counted = false, .feature_names = {}};
}

std::string why(const Statement& statement) {
  for (const PublicInput& input : statement.public_inputs) {
    if (input.name == model::kSolverChoice) return std::get<std::string>(input.value);
  }
  return "";
}

TEST(Planner, ChoosesTheSolverAndSaysWhy) {
  const FitPlan few = plan_fit(plain("squared"), shape_of(20'000, 10));
  EXPECT_EQ(few->statement.solver, "sgd");
  EXPECT_NE(why(few->statement).find("enough to release whole gradients"), std::string::npos);
  EXPECT_EQ(few->solver_reason, why(few->statement));
  EXPECT_NE(to_text(few->statement).find("(chosen automatically: n mu / p is"), std::string::npos);
  const FitPlan many = plan_fit(plain("logistic"), shape_of(1000, 500));
  EXPECT_EQ(many->statement.solver, "gcd");
  FitSpec asked = plain("squared");
  asked.solver = "gcd";
  const FitPlan given = plan_fit(asked, shape_of(20'000, 10));
  EXPECT_EQ(given->statement.solver, "gcd");
  EXPECT_EQ(why(given->statement), "");
}

TEST(Planner, SaysWhereClassifiersWhitenAndWhy) {
  const auto whitening = [](const Statement& statement) -> std::string {
    for (const PublicInput& input : statement.public_inputs) {
      if (input.name == "whitening") return std::get<std::string>(input.value);
    }
    return "";
  };
  const FitPlan plan = plan_fit(plain("logistic"), shape_of(20'000, 10));
  EXPECT_NE(whitening(plan->statement).find("at least 8 k^1.5"), std::string::npos);
  EXPECT_NE(to_text(plan->statement).find("that their second moments whiten"), std::string::npos);
  const auto& uses = plan->statement.mechanisms;
  EXPECT_TRUE(std::any_of(uses.begin(), uses.end(),
                          [](const MechanismUse& use) { return use.step == "moments"; }));
  EXPECT_EQ(whitening(plan_fit(plain("logistic"), shape_of(1000, 10))->statement), "");
}

TEST(Planner, ChoosesTheSameForATableOfPlansAndAFit) {
  for (const std::string loss : {"squared", "logistic"}) {
    for (const std::size_t features : {10u, 2000u}) {
      const FitSpec spec = plain(loss);
      const FitPlan plan = plan_fit(spec, shape_of(5000, features));
      const PlanTable table = plan_table(spec, shape_of(5000, features));
      EXPECT_EQ(table.solver, plan->statement.solver);
      EXPECT_EQ(table.why, plan->solver_reason);
      EXPECT_EQ(table.warnings, warnings_of(plan->statement));
      EXPECT_EQ(table.rows[table.chosen].iterations, plan->iterations);
    }
  }
}

TEST(Planner, ChoosesASolverThatHasWhatWasGiven) {
  const auto chosen = [](const std::function<void(FitSpec&)>& change) {
    FitSpec spec = plain("squared");
    spec.target_scale = 1.0;
    change(spec);
    const FitPlan plan = plan_fit(spec, shape_of(20'000, 10));
    return std::pair{plan->statement.solver, why(plan->statement)};
  };
  using Choice = std::pair<std::string, std::string>;
  EXPECT_EQ(chosen([](FitSpec& s) { s.rule = "gs_q"; }), (Choice{"gcd", "rule is its own"}));
  EXPECT_EQ(chosen([](FitSpec& s) {
              s.rule = "gs_q";
              s.share = 0.5;
            }),
            (Choice{"gcd", "rule and share are its own"}));
  EXPECT_EQ(chosen([](FitSpec& s) { s.mode = "paper"; }),
            (Choice{"gcd", "it is the published algorithm"}));
  EXPECT_EQ(chosen([](FitSpec& s) { s.batch_size = 100; }).first, "sgd");
  EXPECT_THROW(chosen([](FitSpec& s) {
                 s.batch_size = 100;
                 s.rule = "gs_q";
               }),
               InvalidArgument);
}

TEST(Planner, RefusesBeforeTheDataWhatNoSolverHas) {
  const auto check = [](const std::function<void(FitSpec&)>& change) {
    FitSpec spec = plain("squared");
    change(spec);
    check_inputs(spec, shape_of(1, 1));
  };
  EXPECT_NO_THROW(check([](FitSpec&) {}));
  EXPECT_NO_THROW(check([](FitSpec& s) { s.rule = "gs_q"; }));
  EXPECT_NO_THROW(check([](FitSpec& s) { s.batch_size = 1; }));
  EXPECT_THROW(check([](FitSpec& s) { s.margin_correction = true; }), InvalidArgument);
  EXPECT_THROW(check([](FitSpec& s) {
                 s.batch_size = 1;
                 s.rule = "gs_q";
               }),
               InvalidArgument);
  EXPECT_THROW(check([](FitSpec& s) { s.objective.loss = "logistic"; }), PrivacyLeak);
  EXPECT_NO_THROW(check([](FitSpec& s) {
    s.objective.loss = "logistic";
    s.allow_leaks = true;
    s.class_weight = {1.0, 2.0, 3.0};
  })) << "how many classes there are is not known yet";
}

TEST(Planner, FindsTheTargetsScaleUnlessItIsNotNeeded) {
  const auto is_found = [](const std::function<void(FitSpec&)>& change) {
    FitSpec spec = plain("squared");
    change(spec);
    return plan_fit(spec, shape_of(2000, 10))->private_scale.has_value();
  };
  EXPECT_TRUE(is_found([](FitSpec&) {}));
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    EXPECT_TRUE(is_found([&](FitSpec& s) { s.solver = solver; }));
  }
  EXPECT_TRUE(is_found([](FitSpec& s) { s.delta = 0.0; }));
  EXPECT_FALSE(is_found([](FitSpec& s) { s.target_scale = 3.0; }));
  EXPECT_FALSE(is_found([](FitSpec& s) { s.clip = 3.0; }));
  EXPECT_FALSE(is_found([](FitSpec& s) { s.mode = "paper"; }));
  EXPECT_FALSE(is_found([](FitSpec& s) {
    s.objective.loss = "logistic";
    s.classes = {0.0, 1.0};
  }));
  try {
    plan_fit(plain("squared"), shape_of(100, 10));
    ADD_FAILURE() << "so few records are a guess";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("target_scale: given nothing"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--target-scale 100"), std::string::npos);
  }
}

TEST(Planner, RenewsThePenaltyInFullWhereAScaleIsFound) {
  FitSpec spec = plain("squared");
  spec.objective.penalty = "elastic_net";
  spec.objective.l1_ratio = 0.3;
  Decisions plan = *plan_fit(spec, shape_of(2000, 10));
  for (const double scale : {1.0, 0x1p50, 0x1p60}) {
    plan.settle_target_scale(scale);
    EXPECT_EQ(plan.coordinates.l2, problem::curvature(plan.penalty)) << scale;
  }
}

TEST(Planner, NotesAStepWhereThereIsOne) {
  const auto has_step = [](const char* loss) {
    FitSpec spec = plain(loss);
    spec.solver = "sgd";
    if (std::string(loss) == "logistic") spec.classes = {0.0, 1.0};
    const Statement statement = plan_fit(spec, shape_of(2000, 10))->statement;
    return std::any_of(statement.public_inputs.begin(), statement.public_inputs.end(),
                       [](const PublicInput& input) { return input.name == "step"; });
  };
  EXPECT_TRUE(has_step("squared"));
  EXPECT_FALSE(has_step("logistic"));  // every coordinate has its own
}

TEST(Planner, PacesGcdForWhitenedFeaturesOnlyWhereTheirMomentsAreReleased) {
  PublicFacts of{.records = 5000, .coordinates = 50, .features = 50, .budget = {1.0, 1e-6}};
  const RefinedRule measured = refined_gcd_rule(of);
  EXPECT_TRUE(measured.whitens);
  EXPECT_EQ(measured.schedule.longest, 30.0);
  of.measures_features = false;
  const RefinedRule plain_features = refined_gcd_rule(of);
  EXPECT_FALSE(plain_features.whitens);
  EXPECT_EQ(plain_features.schedule.longest, 7.0);
  EXPECT_EQ(plain_features.schedule.momentum, 0.5);
}

TEST(Planner, WarnsWhereNothingIsDeclaredOfFeatures) {
  const auto warnings = [](const std::function<void(FitSpec&)>& change) {
    FitSpec spec = plain("squared");
    change(spec);
    return warnings_of(plan_fit(spec, shape_of(2000, 10))->statement);
  };
  const std::vector<std::string> told = warnings([](FitSpec&) {});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("taken to be centred and about 1 in size"), std::string::npos);
  EXPECT_TRUE(warnings([](FitSpec& s) { s.feature_scale = {1.0}; }).empty());
  EXPECT_TRUE(warnings([](FitSpec& s) {
                s.feature_scale_from_data = true;
                s.allow_leaks = true;
              }).empty());
  Statement found = plan_fit(plain("squared"), shape_of(2000, 10))->statement;
  found.found_amiss = {"something is amiss"};
  EXPECT_EQ(warnings_of(found), (std::vector{told[0], std::string("something is amiss")}));
  EXPECT_NE(to_text(found).find("something is amiss"), std::string::npos);
}

}  // namespace
}  // namespace southwell::fit
