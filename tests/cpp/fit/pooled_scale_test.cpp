#include "southwell/fit/pooled_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/basic.hpp"

namespace southwell::fit {

using namespace model;
namespace {

Statement fitted(const std::string& relation, double delta, double epsilon = 1.0) {
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.epsilon = epsilon;
  spec.delta = delta;
  spec.relation = relation;
  if (relation == "add_or_remove_one") spec.records = 1000;
  return plan_fit(spec, {.records = 1000, .features = 5, .feature_names = {}})->statement;
}

std::string relation_other_than(const std::string& relation) {
  return relation == "replace_one" ? "add_or_remove_one" : "replace_one";
}

TEST(PooledScale, IsTheMagnitudeOfTheMedianAndSaysWhatItCost) {
  const std::vector<double> sizes(1000, 100.0);
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    PooledScaleSpec spec{.epsilon = 0.2, .relation = relation};
    if (relation == "add_or_remove_one") spec.records = 1000;
    const PooledScale scale(spec, {.records = sizes.size()});
    EXPECT_EQ(scale.find(sizes), 128.0);
    const Statement statement = scale.statement(128.0);
    EXPECT_EQ(statement.guarantee, "(0.2, 0)-DP");
    EXPECT_LE(statement.epsilon_spent, 0.2);
    EXPECT_EQ(statement.epsilon_spent, privacy::spent(statement.composition(), 0.0).epsilon);
    EXPECT_EQ(statement.mechanisms[0].cost.scale, 21u) << "20 and the weights are above 0.2";
    ASSERT_EQ(statement.mechanisms.size(), 1u);
    EXPECT_EQ(statement.mechanisms[0].step, "feature_scale");
    EXPECT_EQ(statement.mechanisms[0].cost.shift, 4u);
    EXPECT_EQ(statement.public_inputs.back().name, "feature_scale");
    EXPECT_EQ(statement.public_inputs.back().source, Source::mechanism);
    EXPECT_EQ(to_text(statement).find("solver"), std::string::npos);
  }
}

// The weights of the exponential mechanism are no reals: they add 1e-12 to its range.
TEST(PooledScale, SpendsNoMoreThanItWasAskedWithTheWeightsCharged) {
  constexpr std::size_t kMany = 1'000'000'000;
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    for (int k = 1; k <= 2000; ++k) {
      for (const double epsilon : {0.005 * k, 1.0 / k, 0.2 + 1e-15 * k, std::pow(1.003, -k)}) {
        PooledScaleSpec spec{.epsilon = epsilon, .relation = relation};
        if (relation == "add_or_remove_one") spec.records = kMany;
        const Statement statement = PooledScale(spec, {.records = kMany}).statement(1.0);
        ASSERT_EQ(statement.epsilon, epsilon);
        ASSERT_EQ(statement.epsilon_spent, privacy::spent(statement.composition(), 0.0).epsilon);
        ASSERT_LE(statement.epsilon_spent, epsilon);
        privacy::Cost cost = statement.mechanisms[0].cost;
        ASSERT_LE(
            static_cast<long double>(cost.shift) / static_cast<long double>(cost.scale) + 1e-12L,
            static_cast<long double>(epsilon));
        ASSERT_NO_THROW(check_guarantee(statement));
        if (cost.scale == 1) continue;
        --cost.scale;  // less noise is not enough
        ASSERT_GT(privacy::pure_epsilon(cost).high, epsilon);
      }
    }
  }
}

TEST(PooledScale, OfANumberOfRecordsThatIsSecretTakesAnyNumber) {
  const PooledScale scale({.epsilon = 1.0, .relation = "add_or_remove_one", .records = 100},
                          {.records = 0});
  EXPECT_GT(scale.find({}), 0.0);
  EXPECT_EQ(scale.find(std::vector<double>(500, 3.0)), 4.0);
}

TEST(PooledScale, RefusesWhatWouldBeAGuess) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double epsilon : {0.0, -1.0, nan}) {
    EXPECT_THROW(PooledScale({.epsilon = epsilon}, {.records = 1000}), InvalidArgument) << epsilon;
  }
  EXPECT_THROW(PooledScale({.epsilon = 0.039}, {.records = 1000}), InvalidArgument);
  EXPECT_NO_THROW(PooledScale({.epsilon = 0.04}, {.records = 1000}));
  EXPECT_THROW(PooledScale({.epsilon = 1.0}, {.records = 0}), DataError);
  EXPECT_THROW(PooledScale({.epsilon = 1.0, .records = 1000}, {.records = 1000}), InvalidArgument);
  EXPECT_THROW(PooledScale({.epsilon = 1.0, .relation = "add_or_remove_one"}, {.records = 1000}),
               InvalidArgument);
  EXPECT_THROW(PooledScale({.epsilon = 1.0, .relation = "other"}, {.records = 1000}),
               InvalidArgument);
  const PooledScale scale({.epsilon = 1.0}, {.records = 1000});
  EXPECT_THROW(scale.find(std::vector<double>(999, 1.0)), DataError);
}

TEST(PooledScale, OfUnitsCountsEachOnce) {
  // Half the people have nine records of size 1, the others one of size 100.
  std::vector<double> sizes;
  std::vector<std::optional<std::string>> ids;
  for (int person = 0; person < 1000; ++person) {
    for (int k = 0; k < (person % 5 < 2 ? 9 : 1); ++k) {
      sizes.push_back(person % 5 < 2 ? 1.0 : 100.0);
      ids.emplace_back("person " + std::to_string(person));
    }
  }
  const std::optional<data::Units> units = data::Units::of(ids);
  const PooledScale scale({.epsilon = 0.5, .unit = "person"}, {.records = 1000, .has_units = true});
  EXPECT_EQ(scale.find(sizes, units), 128.0);
  const Statement statement = scale.statement(128.0);
  EXPECT_EQ(statement.unit, "all records with one person");
  EXPECT_EQ(statement.records, 1000.0);
  EXPECT_THROW(static_cast<void>(scale.find(sizes)), DataError);
  EXPECT_THROW(PooledScale({.epsilon = 0.5, .unit = "person"}, {.records = 1000}), InvalidArgument);
}

TEST(PooledScale, OfASeedHasNoGuarantee) {
  const PooledScale scale({.epsilon = 1.0, .seed_for_tests = 3}, {.records = 1000});
  EXPECT_EQ(scale.statement(1.0).guarantee, "none (seeded)");
  EXPECT_EQ(scale.statement(1.0).randomness, kFixedRandomness);
}

TEST(Composed, ChargesTheMechanismsOfAllSteps) {
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    PooledScaleSpec spec{.epsilon = 0.2, .relation = relation};
    if (relation == "add_or_remove_one") spec.records = 1000;
    const Statement scale = PooledScale(spec, {.records = 1000}).statement(8.0);
    const Statement model = fitted(relation, 1e-6);
    const Statement all = composed({{"scaler", scale}, {"model", model}});
    ASSERT_EQ(all.mechanisms.size(), 1 + model.mechanisms.size());
    privacy::Composition events;
    events.add(scale.mechanisms[0].cost);
    for (const MechanismUse& use : model.mechanisms) events.add(use.cost, use.count);
    EXPECT_EQ(all.epsilon_spent, privacy::spent(events, 1e-6).epsilon);
    EXPECT_GE(all.epsilon, all.epsilon_spent);
    EXPECT_GT(all.epsilon_spent, model.epsilon_spent);
    EXPECT_LT(all.epsilon, model.epsilon + scale.epsilon);
    EXPECT_TRUE(all.is_private);
    EXPECT_NO_THROW(check_guarantee(all));
    EXPECT_EQ(all.public_inputs.front().name, "scaler.epsilon");
    EXPECT_EQ(all.public_inputs.back().name.substr(0, 6), "model.");
    EXPECT_EQ(all.covers.size(), 2u);
    EXPECT_EQ(all.not_covered.size(), model.not_covered.size() + 1);
    EXPECT_EQ(composed({{"model", model}}).guarantee, model.guarantee);
    // Pure steps stay pure.
    EXPECT_EQ(composed({{"scaler", scale}, {"model", fitted(relation, 0.0)}}).delta, 0.0);
    // Other people, or another relation.
    EXPECT_THROW(
        composed({{"scaler", scale}, {"model", fitted(relation_other_than(relation), .1)}}),
        InvalidArgument);
  }
  Statement started = fitted("replace_one", 1e-6);
  started.public_inputs.push_back({"start", std::string("model"), Source::user});
  const Statement same = PooledScale({.epsilon = 0.2}, {.records = 1000}).statement(8.0);
  EXPECT_THROW(composed({{"scaler", same}, {"model", started}}), InvalidArgument);
  EXPECT_THROW(composed({{"model", started}}), InvalidArgument);
  EXPECT_EQ(composed({{"scaler", same}}, {"warnings"}).not_covered.back(), "warnings");
  Statement of_units = same;  // of whose records there may be any number
  of_units.unit = model::unit_called("patient");
  of_units.records = 321.0;
  try {
    static_cast<void>(composed({{"scaler", of_units}, {"model", fitted("replace_one", 1e-6)}}));
    ADD_FAILURE();
  } catch (const InvalidArgument& refused) {
    const std::string words = refused.what();
    EXPECT_NE(words.find("whose unit is all records with one patient"), std::string::npos);
    EXPECT_EQ(words.find("321"), std::string::npos);
  }
  const Statement fewer = PooledScale({.epsilon = 0.2}, {.records = 999}).statement(8.0);
  EXPECT_THROW(composed({{"scaler", fewer}, {"model", fitted("replace_one", 1e-6)}}),
               InvalidArgument);
  EXPECT_THROW(composed({}), InvalidArgument);
}

TEST(Composed, IsNoBetterThanTheWorstStep) {
  const Statement seeded =
      PooledScale({.epsilon = 0.2, .seed_for_tests = 1}, {.records = 1000}).statement(8.0);
  const Statement all = composed({{"scaler", seeded}, {"model", fitted("replace_one", 1e-6)}});
  EXPECT_FALSE(all.is_private);
  EXPECT_EQ(all.guarantee, "none (seeded)");
  EXPECT_EQ(all.randomness, kFixedRandomness);
}

TEST(Composed, PromisesNothingWhereTheStepsTogetherDoNot) {
  const Statement one = fitted("replace_one", 0.0, 600.0);
  EXPECT_TRUE(one.is_private);
  const Statement all = composed({{"first", one}, {"second", one}});
  EXPECT_FALSE(all.is_private);
  EXPECT_TRUE(all.guarantee.starts_with("none (epsilon 1")) << all.guarantee;
  EXPECT_TRUE(all.guarantee.ends_with(" promises nothing)")) << all.guarantee;
  EXPECT_EQ(PooledScale({.epsilon = 2000.0}, {.records = 1000}).statement(8.0).guarantee,
            "none (epsilon 2000 promises nothing)");
}

}  // namespace
}  // namespace southwell::fit
