#include "southwell/fit/held_out.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/plan_table.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::fit {
namespace {

constexpr auto kReplace = privacy::Relation::replace_one;

FitSpec held_out_spec(const std::string& loss, double share = 0.2) {
  FitSpec spec = small_spec(loss);
  spec.test_share = share;
  return spec;
}

DataShape shape_of(std::size_t records) {
  DataShape shape;
  shape.records = records;
  shape.features = 5;
  return shape;
}

TEST(HeldOut, HasAtLeastOneUnitOfEach) {
  EXPECT_EQ(held_out(0.2, 1000, kReplace).test, 200u);
  EXPECT_EQ(held_out(0.2, 1000, kReplace).fit, 800u);
  EXPECT_EQ(held_out(0.001, 10, kReplace).test, 1u);
  EXPECT_EQ(held_out(0.999, 10, kReplace).fit, 1u);
  EXPECT_EQ(held_out(0.5, 2, kReplace).fit, 1u);
  EXPECT_THROW(held_out(0.5, 1, kReplace), InvalidArgument);
}

TEST(HeldOut, ChancesAreNeverNoneAndNeverAll) {
  EXPECT_EQ(held_out(0.25, 8, kReplace).chance(), std::uint64_t{1} << 30);
  EXPECT_EQ(held_out(1e-300, 8, kReplace).chance(), 1u);
  EXPECT_EQ(held_out(std::nextafter(1.0, 0.0), 8, kReplace).chance(), (std::uint64_t{1} << 32) - 1);
}

TEST(HeldOutPlan, GivesEachPartTheWholeBudget) {
  for (const std::string loss : {"squared", "logistic"}) {
    const Statement statement = plan_fit(held_out_spec(loss), shape_of(1000))->statement;
    FitSpec alone = held_out_spec(loss);
    alone.test_share.reset();
    const Statement without = plan_fit(alone, shape_of(800))->statement;
    ASSERT_EQ(statement.parts.size(), 2u);
    EXPECT_EQ(statement.parts[0].records, 800.0);
    EXPECT_EQ(statement.parts[1].records, 200.0);
    EXPECT_EQ(statement.records, 1000.0);
    std::size_t of_fit = 0;
    for (const MechanismUse& use : statement.mechanisms) {
      if (use.part != model::kFitPart) continue;
      EXPECT_EQ(use.cost, without.mechanisms[of_fit++].cost);
    }
    EXPECT_EQ(of_fit, without.mechanisms.size());
    EXPECT_EQ(statement.mechanisms.size() - of_fit, loss == "squared" ? 2u : 1u);
    for (const privacy::Composition& met : statement.met_by_one_unit()) {
      const double epsilon = privacy::spent(met, 1e-6).epsilon;
      EXPECT_LE(epsilon, 1.0);
      EXPECT_GT(epsilon, 0.99);
    }
    EXPECT_LE(statement.epsilon_spent, 1.0);
    EXPECT_EQ(statement.guarantee, "(1, 1e-06)-DP");
    EXPECT_NO_THROW(check_guarantee(statement));
  }
}

TEST(HeldOutPlan, DecidesByTheRecordsThatItFits) {
  FitSpec spec = held_out_spec("logistic", 0.5);
  spec.iterations.reset();
  spec.clip.reset();
  const FitPlan plan = plan_fit(spec, shape_of(2000));
  spec.test_share.reset();
  const FitPlan of_half = plan_fit(spec, shape_of(1000));
  EXPECT_EQ(plan->iterations, of_half->iterations);
  EXPECT_EQ(plan->coordinates.records, 1000.0);
  EXPECT_EQ(plan->coordinates.clip, of_half->coordinates.clip);
}

TEST(HeldOutPlan, UnderAddOrRemoveOneHasPublicDivisors) {
  FitSpec spec = held_out_spec("squared");
  spec.relation = "add_or_remove_one";
  spec.records = 500;
  for (const std::size_t records : {0u, 1u, 7000u}) {
    const FitPlan plan = plan_fit(spec, shape_of(records));
    EXPECT_EQ(plan->held_out->fit, 400u);
    EXPECT_EQ(plan->coordinates.records, 400.0);
    EXPECT_EQ(plan->statement.records, 500.0);
  }
}

TEST(HeldOutPlan, IsSaidByTheTableOfPlans) {
  const PlanTable table = plan_table(held_out_spec("squared"), shape_of(1000));
  ASSERT_TRUE(table.held_out);
  EXPECT_EQ(table.held_out->fit, 800u);
  EXPECT_NE(to_json(table).find("\"test\": 200"), std::string::npos);
  const std::string text = to_text(plan_fit(held_out_spec("squared"), shape_of(1000))->statement);
  EXPECT_NE(text.find("fit: 800, test: 200"), std::string::npos) << text;
  EXPECT_NE(text.find("histogram (test)"), std::string::npos) << text;
}

TEST(HeldOutPlan, RefusesWhatCannotBe) {
  const auto refusal = [](FitSpec spec, std::size_t records = 1000) -> std::string {
    try {
      plan_fit(spec, shape_of(records));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  FitSpec pure = held_out_spec("squared");
  pure.delta = 0.0;
  EXPECT_TRUE(refusal(pure).starts_with("delta: given 0")) << refusal(pure);
  FitSpec paper = held_out_spec("squared");
  paper.mode = "paper";
  EXPECT_TRUE(refusal(paper).starts_with("test_share: given 0.2, which is only valid with mode"))
      << refusal(paper);
  EXPECT_TRUE(refusal(held_out_spec("squared"), 1).starts_with("test_share: given 0.2"));
  for (const double share : {0.0, 1.0, -0.5, std::nan("")}) {
    EXPECT_TRUE(refusal(held_out_spec("squared", share)).starts_with("test_share: given"));
  }
  // And nobody gets a model without the figures that it says it has.
  const std::vector<Record> records(10, {1.0, 1.0});
  EXPECT_THROW(fit(dataset_of(records, 1, Stored::f64), held_out_spec("squared")), InvalidArgument);
}

TEST(HeldOutPlan, AddsUpWithTheSplitOfItsStart) {
  const auto start = std::make_shared<LinearModel>();
  start->features = 5;
  start->heads.resize(1);
  FitSpec spec = held_out_spec("squared");
  start->objective = spec.objective;
  start->privacy = plan_fit(spec, shape_of(1000))->statement;
  spec.start = start;
  spec.start_name = "first.json";
  const Statement statement = plan_fit(spec, shape_of(1000))->statement;
  EXPECT_EQ(statement.parts.size(), 4u);
  EXPECT_EQ(statement.met_by_one_unit().size(), 4u);
  EXPECT_GT(statement.epsilon_spent, 1.2) << "a unit can be in the fit's part of both";
  EXPECT_NO_THROW(check_guarantee(statement));
}

}  // namespace
}  // namespace southwell::fit
