#include "lab/objective_spec.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "lab/coefficients.hpp"
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
  bad.push_back(objective("squared", "l1", 0.1));
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

class CoefficientsFileTest : public testing::Test {
 protected:
  CoefficientsFile read(const std::string& name, const std::string& text) {
    const std::string file = testing::TempDir() + "southwell_" + name;
    std::ofstream(file) << text;
    return read_coefficients(file, {"a", "b,c", "d"}, 3);
  }
};

TEST_F(CoefficientsFileTest, ReadsEachForm) {
  const std::vector<double> expected = {0.0, -2.5, 1e-3};
  const auto plain = read("v.csv", "feature,coef\r\nd,1e-3\r\nb,c,-2.5\r\n(intercept),4\r\n");
  EXPECT_EQ(plain.at.coef, expected);
  EXPECT_EQ(plain.at.intercept, 4.0);
  EXPECT_FALSE(plain.objective);
  const auto model = read("m.json", R"({"coef": [[{"index": 1, "value": -2.5},
      {"index": 2, "value": 0.001}]], "intercept": [4], "loss": "huber", "penalty": "l1",
      "alpha": 0.5, "huber_width": 2, "l1_ratio": null})");
  EXPECT_EQ(model.at.coef, expected);
  EXPECT_EQ(model.at.intercept, 4.0);
  ASSERT_TRUE(model.objective);
  EXPECT_EQ(model.objective->alpha, 0.5);
  EXPECT_EQ(model.objective->huber_width, 2.0);
  EXPECT_FALSE(model.objective->l1_ratio);
  const auto optimum = read("o.json", R"({"support": [{"index": 1, "value": -2.5},
      {"index": 2, "value": 0.001}], "intercept": 0})");
  EXPECT_EQ(optimum.at.coef, expected);
}

TEST_F(CoefficientsFileTest, RefusesWhatIsNotOne) {
  EXPECT_THROW(read("1.csv", "name,value\na,1\n"), DataError);
  EXPECT_THROW(read("2.csv", "feature,coef\nz,1\n"), DataError);
  EXPECT_THROW(read("3.csv", "feature,coef\na,one\n"), DataError);
  EXPECT_THROW(read("4.csv", "feature,coef\na\n"), DataError);
  EXPECT_THROW(read("5.json", "{"), DataError);
  EXPECT_THROW(read("6.json", "{}"), DataError);
  EXPECT_THROW(read("7.json", R"({"coef": [{"index": 3, "value": 1}]})"), DataError);
  EXPECT_THROW(read("8.json", R"({"coef": [[], []]})"), InvalidArgument);
  EXPECT_THROW(read("9.txt", ""), DataError);
  EXPECT_THROW(read_coefficients("no/such.csv", {}, 3), DataError);
  EXPECT_THROW(read_coefficients("no/such.json", {}, 3), DataError);
}

}  // namespace
}  // namespace southwell::lab
