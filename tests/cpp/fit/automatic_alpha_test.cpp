#include "southwell/fit/automatic_alpha.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {
namespace {

FitSpec spec_of(const std::string& loss, const std::string& penalty) {
  FitSpec spec = small_spec(loss, penalty);
  spec.objective.alpha.reset();
  spec.clip.reset();
  spec.iterations.reset();
  return spec;
}

DataShape shape_of(std::size_t records, std::size_t features) {
  return {.records = records, .features = features, .features_counted = false, .feature_names = {}};
}

double alpha_of(const FitPlan& plan) { return plan->spec.objective.alpha.value_or(0.0); }

const PublicInput* noted(const Statement& statement, const std::string& name) {
  for (const PublicInput& input : statement.public_inputs) {
    if (input.name == name) return &input;
  }
  return nullptr;
}

/// An eighth of the universal threshold, for slopes and features of size 1.
double threshold(double records, double features) {
  return 0.125 * std::sqrt(2.0 * std::log(2.0 * features) / records);
}

TEST(AutomaticAlpha, IsWhatScikitLearnsDefaultsMeanForL2) {
  for (const std::string loss : {"squared", "huber", "logistic", "squared_hinge"}) {
    const FitPlan plan = plan_fit(spec_of(loss, "l2"), shape_of(1000, 30));
    EXPECT_EQ(alpha_of(plan), 1.0 / 1000.0) << loss;
    EXPECT_EQ(plan->coordinates.l2, 1.0 / 1000.0) << loss;
    ASSERT_NE(noted(plan->statement, "alpha"), nullptr);
    EXPECT_EQ(noted(plan->statement, "alpha")->source, Source::standard);
  }
  EXPECT_EQ(noted(plan_fit(spec_of("squared", "none"), shape_of(1000, 30))->statement, "alpha"),
            nullptr);
}

TEST(AutomaticAlpha, DividesByThePublicNumberOfRecords) {
  FitSpec spec = spec_of("squared", "l2");
  spec.relation = "add_or_remove_one";
  spec.records = 500;
  EXPECT_EQ(alpha_of(plan_fit(spec, shape_of(1, 30))), 1.0 / 500.0);
}

TEST(AutomaticAlpha, IsAnEighthOfTheUniversalThresholdForL1) {
  EXPECT_DOUBLE_EQ(alpha_of(plan_fit(spec_of("squared", "l1"), shape_of(1000, 30))),
                   threshold(1000, 30));
  EXPECT_DOUBLE_EQ(alpha_of(plan_fit(spec_of("logistic", "l1"), shape_of(1000, 30))),
                   0.5 * threshold(1000, 30))
      << "slopes at 0 are 1/2";
  EXPECT_DOUBLE_EQ(alpha_of(plan_fit(spec_of("squared_hinge", "l1"), shape_of(1000, 30))),
                   threshold(1000, 30));
  FitSpec huber = spec_of("huber", "l1");
  huber.target_scale = 100.0;
  EXPECT_DOUBLE_EQ(alpha_of(plan_fit(huber, shape_of(1000, 30))), 1.5 * threshold(1000, 30))
      << "no slope is above the width";
}

TEST(AutomaticAlpha, ScalesWithTheDeclaredScales) {
  FitSpec spec = spec_of("squared", "l1");
  const double one = alpha_of(plan_fit(spec, shape_of(1000, 3)));
  spec.target_scale = 8.0;
  spec.feature_scale = {4.0};
  EXPECT_EQ(alpha_of(plan_fit(spec, shape_of(1000, 3))), 32.0 * one);
  spec.feature_scale = {64.0, 4.0, 16.0};
  EXPECT_EQ(alpha_of(plan_fit(spec, shape_of(1000, 3))), 32.0 * one) << "the smallest counts";
}

TEST(AutomaticAlpha, OfAnElasticNetHasAShareOfBoth) {
  FitSpec spec = spec_of("squared", "elastic_net");
  spec.objective.l1_ratio = 0.25;
  spec.target_scale = 8.0;
  const FitPlan plan = plan_fit(spec, shape_of(1000, 30));
  const problem::ObjectiveSpec& objective = plan->spec.objective;
  const double l1 = 0.25 * 8.0 * threshold(1000, 30);
  const double l2 = 0.75 / 1000.0;
  EXPECT_DOUBLE_EQ(*objective.alpha, l1 + l2);
  EXPECT_DOUBLE_EQ(*objective.alpha * *objective.l1_ratio, l1);
  EXPECT_NEAR(problem::curvature(plan->penalty), l2, 1e-12);
  EXPECT_EQ(noted(plan->statement, "l1_ratio")->value, PublicInput::Value(0.25)) << "as asked";
  EXPECT_EQ(std::get<double>(noted(plan->statement, kL2Strength)->value), l2);
  EXPECT_DOUBLE_EQ(std::get<double>(noted(plan->statement, kL1Strength)->value), l1);
  spec.objective.l1_ratio = 0.0;
  EXPECT_EQ(alpha_of(plan_fit(spec, shape_of(1000, 30))), 1.0 / 1000.0);
}

std::vector<Record> records_with_targets_times(double factor) {
  std::vector<Record> out;
  for (int i = 0; i < 1000; ++i) {
    Record record;
    for (int j = 0; j < 6; ++j) record.push_back(std::sin(7.0 * i + 3.0 * j * j));
    record.push_back(factor * (3.0 * record[0] - record[1] + std::cos(i)));
    out.push_back(record);
  }
  return out;
}

TEST(AutomaticAlpha, FollowsATargetScaleThatAMechanismFinds) {
  // Nothing is declared of the target, and one four times as large has a model four times as large.
  for (const std::string penalty : {"l1", "elastic_net"}) {
    FitSpec spec = spec_of("squared", penalty);
    spec.target_scale.reset();
    spec.seed_for_tests = 5;
    const FitPlan plan = plan_fit(spec, shape_of(1000, 6));
    EXPECT_TRUE(plan->alpha_waits());
    EXPECT_EQ(noted(plan->statement, "alpha")->source, Source::mechanism);
    const LinearModel one = fit(dataset_of(records_with_targets_times(1.0), 6, Stored::f64), spec);
    const LinearModel four = fit(dataset_of(records_with_targets_times(4.0), 6, Stored::f64), spec);
    ASSERT_FALSE(one.heads[0].coef.empty());
    ASSERT_EQ(one.heads[0].coef.size(), four.heads[0].coef.size());
    for (std::size_t k = 0; k < one.heads[0].coef.size(); ++k) {
      const double expected = 4.0 * one.heads[0].coef[k].value;
      // Logarithms of scales round, and so do a net's two parts as their sum and a ratio.
      EXPECT_NEAR(four.heads[0].coef[k].value, expected, 1e-9 * std::fabs(expected)) << penalty;
    }
    const double scale = std::get<double>(noted(one.privacy, "target_scale")->value);
    const double share = penalty == "l1" ? 1.0 : 0.5;
    EXPECT_DOUBLE_EQ(*one.objective.alpha - (1.0 - share) / 1000.0,
                     share * scale * threshold(1000, 6));
    EXPECT_EQ(std::get<double>(noted(one.privacy, "alpha")->value), *one.objective.alpha);
    EXPECT_EQ(noted(one.privacy, "alpha")->source, Source::mechanism);
  }
}

}  // namespace
}  // namespace southwell::fit
