#include "lab/objectives.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/small_data.hpp"
#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

TEST(ObjectiveSpec, WhatDoesNotApplyIsRefused) {
  std::vector<ObjectiveSpec> bad;
  bad.push_back(objective("squared", "none", 0.1));
  bad.push_back(objective("squared", "box", 0.1));
  bad.push_back(objective("squared", "l1", {}));
  bad.push_back(objective("squared", "elastic_net", 0.1));  // no l1_ratio
  bad.push_back(objective("squared", "box", {}));           // no end
  bad.push_back(objective("huber", "none", {}));            // no width
  bad.push_back(objective("squared", "l1", 0.1));
  bad.back().l1_ratio = 0.5;
  bad.push_back(objective("squared", "none", {}));
  bad.back().lower = 0.0;
  bad.push_back(objective("squared", "l2", 0.1));
  bad.back().huber_width = 1.0;
  for (const auto& spec : bad) {
    EXPECT_THROW((loss_of(spec), penalty_of(spec)), InvalidArgument) << spec.loss << spec.penalty;
  }
}

TEST(ObjectiveSpec, EvaluatesTheFormulasOfTheInterfaces) {
  const auto dataset = dense_dataset({1, 2, 3, 4}, {1, -1});
  const Coefficients at{{0.5, -0.25}, 0.1};
  // margins 0.1 and 0.6
  const auto squared = evaluate(dataset, objective("squared", "l1", 2.0), at);
  EXPECT_NEAR(squared.loss_value, (0.9 * 0.9 + 1.6 * 1.6) / 4.0, 1e-15);
  EXPECT_NEAR(squared.penalty_value, 2.0 * 0.75, 1e-15);
  EXPECT_NEAR(squared.objective(), squared.loss_value + squared.penalty_value, 1e-15);
  const auto hinge = evaluate(dataset, objective("squared_hinge", "l2", 2.0), at);
  EXPECT_NEAR(hinge.loss_value, (0.9 * 0.9 + 1.6 * 1.6) / 4.0, 1e-15);
  EXPECT_NEAR(hinge.penalty_value, 0.25 + 0.0625, 1e-15);
  EXPECT_THROW(evaluate(dataset, objective("squared", "l1", 2.0), {{1.0}, 0.0}), DataError);
}

TEST(ObjectiveSpec, WhatDependsOnAnOptimumThatWasNotFoundIsRefusedWithTheReason) {
  solvers::Optimum optimum;
  optimum.gap = 0.5;
  optimum.ended = "the bound on its work was met";
  try {
    require_reached(optimum);
    ADD_FAILURE() << "accepted";
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(optimum.ended), std::string::npos) << message;
    EXPECT_NE(message.find("0.5"), std::string::npos) << message;
  }
  optimum.reached = true;
  EXPECT_NO_THROW(require_reached(optimum));
}

}  // namespace
}  // namespace southwell::lab
