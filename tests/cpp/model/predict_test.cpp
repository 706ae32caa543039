#include "southwell/model/predict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/model/input_limits.hpp"

namespace southwell::model {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
data::AnyDesign dense(const std::vector<std::vector<double>>& columns) {
  const std::size_t n = columns.at(0).size();
  auto values = std::make_shared<T[]>(n * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < n; ++i) values.get()[j * n + i] = static_cast<T>(columns[j][i]);
  }
  return data::DenseDesign<T>(values, n, columns.size());
}

data::AnyDesign sparse(const std::vector<std::vector<double>>& columns) {
  data::Compressed lists{{0}, {}, {}};
  for (const auto& column : columns) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] == 0.0) continue;
      lists.indices.push_back(static_cast<std::int32_t>(i));
      lists.values.push_back(column[i]);
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
  }
  return data::SparseDesign::from_features(lists, columns[0].size());
}

LinearModel regression() {
  LinearModel model;
  model.objective.loss = "squared";
  model.features = 3;
  model.heads = {{.coef = {{0, 2.0, 0.0}, {2, -1.0, 0.0}}, .intercept = 0.5}};
  return model;
}

LinearModel classifier(std::vector<double> classes) {
  LinearModel model;
  model.objective.loss = "logistic";
  model.features = 1;
  model.heads.resize(classes.size() > 2 ? classes.size() : 1);
  model.classes = std::move(classes);
  return model;
}

/// A classifier whose margins are the numbers given.
LinearModel identity() {
  LinearModel model = classifier({-1.0, 1.0});
  model.heads[0].coef = {{0, 1.0, 0.0}};
  return model;
}

data::Dataset scored(const std::vector<double>& margins, const std::vector<double>& target) {
  return {dense<double>({margins}), target, {}, "target"};
}

const std::vector<std::vector<double>> kColumns{{1, 0, 4}, {9, 9, 9}, {0, 3, 1}};

TEST(Margins, AreTheSameForEveryStorage) {
  const std::vector<double> expected{2.5, -2.5, 7.5};
  for (const auto& design : {dense<double>(kColumns), dense<float>(kColumns), sparse(kColumns)}) {
    EXPECT_EQ(margins(regression(), {design, {}, {}}), expected);
  }
}

TEST(Margins, MatchFeaturesByNameInAnyOrderAmongOthers) {
  LinearModel model = regression();
  model.feature_names = {"a", "b", "c"};
  const data::Dataset shuffled{
      dense<double>({kColumns[2], {5, 5, 5}, kColumns[0]}), {}, {"c", "other", "a"}};
  EXPECT_EQ(margins(model, shuffled), (std::vector<double>{2.5, -2.5, 7.5}));
}

TEST(Margins, NameTheFeaturesThatAreMissing) {
  LinearModel model = regression();
  model.feature_names = {"a", "b", "c"};
  try {
    margins(model, {dense<double>({kColumns[0]}), {}, {"a"}});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("missing: 'c'"), std::string::npos) << error.what();
  }
  // b has no coefficient: nobody misses it.
  EXPECT_NO_THROW(margins(model, {dense<double>({kColumns[0], kColumns[2]}), {}, {"a", "c"}}));
}

TEST(Margins, ByNumberNeedDenseDataOfTheModelsWidth) {
  EXPECT_THROW(margins(regression(), {dense<double>({{1}, {1}}), {}, {}}), DataError);
  EXPECT_THROW(margins(regression(), {dense<double>({{1}, {1}, {1}, {1}}), {}, {}}), DataError);
  // A sparse file says nothing about its last features where nobody has them.
  EXPECT_EQ(margins(regression(), {sparse({{1, 0}}), {}, {}}), (std::vector<double>{2.5, 0.5}));
  EXPECT_EQ(margins(regression(), {sparse({{1}, {1}, {1}, {7}}), {}, {}}),
            (std::vector<double>{1.5}));
}

TEST(Margins, AreNaNWhereAValueInUseIsMissing) {
  const auto got = margins(regression(), {dense<double>({{1, kNaN}, {kNaN, 1}, {0, 0}}), {}, {}});
  EXPECT_EQ(got[0], 2.5);
  EXPECT_TRUE(std::isnan(got[1]));
}

TEST(Labels, ComeFromTheSignOrTheLargestMargin) {
  const auto two = labels(classifier({3.0, 7.0}), {-1.0, 0.0, 1e-300, kNaN});
  EXPECT_EQ(std::vector<double>(two.begin(), two.begin() + 3), (std::vector<double>{3, 3, 7}));
  EXPECT_TRUE(std::isnan(two[3]));
  EXPECT_EQ(labels(classifier({1.0, 2.0, 3.0}), {0, 1, 1, -3, -2, -1}),
            (std::vector<double>{2, 3}));
  EXPECT_THROW(labels(regression(), {1.0}), InvalidArgument);
}

TEST(Probabilities, AddUpToOneEvenWhereTheyAreTiny) {
  const auto two = probabilities(classifier({-1.0, 1.0}), {0.0, 2.0, -800.0});
  EXPECT_EQ(two[0], 0.5);
  EXPECT_NEAR(two[3], 1 / (1 + std::exp(-2.0)), 1e-15);
  EXPECT_NEAR(two[2] + two[3], 1.0, 1e-15);
  EXPECT_EQ(two[4], 1.0);
  const auto three = probabilities(classifier({1.0, 2.0, 3.0}), {-800, -801, -900, 1, 0, -1});
  EXPECT_NEAR(three[0], 1 / (1 + std::exp(-1.0)), 1e-12);
  const double s[] = {1 / (1 + std::exp(-1.0)), 0.5, 1 / (1 + std::exp(1.0))};
  EXPECT_NEAR(three[3], s[0] / (s[0] + s[1] + s[2]), 1e-15);
  EXPECT_THROW(probabilities(regression(), {1.0}), InvalidArgument);
}

TEST(Evaluate, GivesARegressionItsErrors) {
  const data::Dataset dataset{dense<double>(kColumns), {3.5, -2.5, 5.5}, {}, "y"};
  const Evaluation got = evaluate(regression(), dataset);  // errors 1, 0, -2
  EXPECT_EQ(got.records, 3u);
  EXPECT_NEAR(got.mse, 5.0 / 3.0, 1e-15);
  EXPECT_NEAR(got.loss_value, 5.0 / 6.0, 1e-15);
  const double mean = 6.5 / 3;
  const double spread =
      std::pow(3.5 - mean, 2) + std::pow(-2.5 - mean, 2) + std::pow(5.5 - mean, 2);
  EXPECT_NEAR(got.r2, 1.0 - 5.0 / spread, 1e-14);
  EXPECT_TRUE(std::isnan(got.accuracy) && std::isnan(got.auc) && std::isnan(got.log_loss));
}

TEST(Evaluate, HasNoR2WhereTargetsAreAllTheSame) {
  const Evaluation got = evaluate(regression(), {dense<double>(kColumns), {1, 1, 1}, {}, "y"});
  EXPECT_TRUE(std::isnan(got.r2));
  EXPECT_FALSE(std::isnan(got.mse));
}

TEST(Evaluate, LeavesOutRecordsWithoutATarget) {
  const Evaluation got =
      evaluate(regression(), {dense<double>(kColumns), {3.5, kNaN, 5.5}, {}, "y"});
  EXPECT_EQ(got.records, 2u);
  EXPECT_EQ(got.left_out, 1u);
  EXPECT_EQ(got.mse, 2.5);
  EXPECT_THROW(evaluate(regression(), {dense<double>(kColumns), {}, {}}), DataError);
}

TEST(Evaluate, LeavesOutRecordsWithoutAValueThatTheModelUses) {
  // Feature 1 has no coefficient: what it lacks does not matter.
  const std::vector<std::vector<double>> columns = {
      {1, kNaN, 3, 4}, {kNaN, kNaN, 0, kNaN}, {0, 0, kNaN, 1}};
  for (const auto& design : {dense<double>(columns), dense<float>(columns), sparse(columns)}) {
    const Evaluation got = evaluate(regression(), {design, {2, 2, 2, 5}, {}, "y"});
    EXPECT_EQ(got.records, 2u);
    EXPECT_EQ(got.left_out, 2u);
    EXPECT_EQ(got.mse, (0.5 * 0.5 + 2.5 * 2.5) / 2);
    EXPECT_FALSE(std::isnan(got.r2) || std::isnan(got.loss_value));
  }
}

TEST(Evaluate, FiguresOfClassesAreThoseOfTheRecordsThatArePredicted) {
  const Evaluation some = evaluate(identity(), scored({2, kNaN, -1, 3, 1}, {1, 1, -1, kNaN, -1}));
  const Evaluation whole = evaluate(identity(), scored({2, -1, 1}, {1, -1, -1}));
  EXPECT_EQ(some.records, 3u);
  EXPECT_EQ(some.left_out, 2u);
  EXPECT_EQ(some.accuracy, whole.accuracy);
  EXPECT_EQ(some.auc, whole.auc);
  EXPECT_EQ(some.log_loss, whole.log_loss);
  EXPECT_EQ(some.loss_value, whole.loss_value);
  EXPECT_FALSE(std::isnan(some.auc) || std::isnan(some.log_loss));
  // One head of several that is not known leaves no prediction.
  LinearModel model = classifier({1.0, 2.0, 3.0});
  model.heads[1].coef = {{0, 1.0, 0.0}};
  EXPECT_EQ(evaluate(model, scored({kNaN, 1}, {1, 2})).left_out, 1u);
}

TEST(Evaluate, HasNoFiguresWhereNoRecordIsLeft) {
  const Evaluation got = evaluate(identity(), scored({kNaN, 1}, {1, kNaN}));
  EXPECT_EQ(got.records, 0u);
  EXPECT_EQ(got.left_out, 2u);
  for (const double figure :
       {got.loss_value, got.mse, got.r2, got.accuracy, got.auc, got.log_loss}) {
    EXPECT_TRUE(std::isnan(figure));
  }
}

/// The definition, pair by pair.
double auc_by_pairs(const std::vector<double>& margins, const std::vector<double>& target) {
  double wins = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    for (std::size_t k = 0; k < target.size(); ++k) {
      if (target[i] != 1.0 || target[k] != -1.0) continue;
      pairs += 1;
      wins += margins[i] > margins[k] ? 1.0 : margins[i] == margins[k] ? 0.5 : 0.0;
    }
  }
  return wins / pairs;
}

TEST(Evaluate, CountsTiesInTheAreaAsHalfExactly) {
  std::uint32_t state = 1;
  for (int round = 0; round < 50; ++round) {
    std::vector<double> margins;
    std::vector<double> target{1.0, -1.0};
    for (int i = 0; i < 30; ++i) {
      state = state * 1664525u + 1013904223u;
      margins.push_back(static_cast<double>(state >> 29));  // eight values: many ties
      if (i >= 2) target.push_back((state >> 28 & 1u) != 0 ? 1.0 : -1.0);
    }
    EXPECT_DOUBLE_EQ(evaluate(identity(), scored(margins, target)).auc,
                     auc_by_pairs(margins, target));
  }
  EXPECT_EQ(evaluate(identity(), scored({1, 1}, {1, -1})).auc, 0.5);
  EXPECT_TRUE(std::isnan(evaluate(identity(), scored({1, 2}, {1, 1})).auc));
}

TEST(Evaluate, TakesUnknownLabelsAsWrongAndOtherwiseAsTheFirstClass) {
  const Evaluation got = evaluate(identity(), scored({2, -1, -3}, {1, -1, 5}));
  EXPECT_NEAR(got.accuracy, 2.0 / 3.0, 1e-15);
  const Evaluation as_first = evaluate(identity(), scored({2, -1, -3}, {1, -1, -1}));
  EXPECT_EQ(got.log_loss, as_first.log_loss);
  EXPECT_EQ(got.loss_value, as_first.loss_value);
  EXPECT_EQ(got.auc, as_first.auc);
  EXPECT_NEAR(
      got.log_loss,
      (std::log1p(std::exp(-2.0)) + std::log1p(std::exp(-1.0)) + std::log1p(std::exp(-3.0))) / 3,
      1e-15);
}

TEST(Evaluate, OfManyClassesGivesAccuracyAndLogLoss) {
  LinearModel model = classifier({1.0, 2.0, 3.0});
  model.heads[0].coef = {{0, 1.0, 0.0}};
  model.heads[2].coef = {{0, -1.0, 0.0}};
  const data::Dataset dataset = scored({2, -3, 0}, {1, 3, 2});
  const Evaluation got = evaluate(model, dataset);
  EXPECT_NEAR(got.accuracy, 2.0 / 3.0, 1e-15);  // at 0 all margins are equal: the first class
  const auto p = probabilities(model, margins(model, dataset));
  EXPECT_NEAR(got.log_loss, -(std::log(p[0]) + std::log(p[5]) + std::log(p[7])) / 3, 1e-14);
  EXPECT_TRUE(std::isnan(got.auc) && std::isnan(got.mse));
}

TEST(Margins, OfRecordsBeyondTheLimitAreThoseOfShorterOnes) {
  LinearModel model = regression();  // 2 x1 - x3 + 0.5
  model.attachments.input_limits = input_limits_text({.norm = 2.5});
  const std::vector<std::vector<double>> columns{{3.0, 0.6, 1e300, kNaN, 3.0, -kInfinity},
                                                 {4.0, 0.8, 0.0, 0.0, kNaN, kNaN},
                                                 {0.0, 0.0, 1.0, 1.0, 0.0, 1.0}};
  for (const data::AnyDesign& design : {dense<double>(columns), sparse(columns)}) {
    const std::vector<double> got = margins(model, {design, {}, {}, ""});
    EXPECT_EQ(got[0], 2.0 * 1.5 + 0.5);  // by the second feature too, which has no coefficient
    EXPECT_EQ(got[1], 2.0 * 0.6 + 0.5);
    EXPECT_EQ(got[2], 0.5);              // its norm is beyond all numbers
    EXPECT_TRUE(std::isnan(got[3]));     // a missing value that the model uses
    EXPECT_EQ(got[4], 2.0 * 2.5 + 0.5);  // one that it does not
    EXPECT_EQ(got[5], 0.5);
  }
  // In units of the scales, by name and in another order.
  model.feature_names = {"a", "b", "c"};
  model.attachments.input_limits = input_limits_text({.norm = 0.5, .units = {3.0, 1e300, 1.0}});
  const data::Dataset named{dense<double>({{4.0}, {0.0}, {3.0}}), {}, {"b", "c", "a"}, ""};
  EXPECT_EQ(margins(model, named)[0], 2.0 * 1.5 + 0.5);
  EXPECT_EQ(used_feature_names(model).size(), 3u);
}

TEST(Margins, AreRefusedWhereSingleFeaturesHaveALimit) {
  LinearModel model = regression();
  model.attachments.input_limits = R"({"feature": 3.0})";
  EXPECT_THROW(margins(model, {dense<double>({{1.0}, {1.0}, {1.0}}), {}, {}, ""}), DataError);
}

TEST(LimitText, SaysUpToWhereAModelIsLinear) {
  LinearModel model = regression();
  EXPECT_EQ(limit_text(model), "");
  model.attachments.input_limits = input_limits_text({.norm = 2.5});
  EXPECT_EQ(
      limit_text(model),
      "Predictions are linear for records of norm 2.5 or less. A longer record is shortened to it "
      "first, in the fit and in predictions.");
  std::vector<double> many(3000, 0.1);
  many[7] = 5.0;
  model.attachments.input_limits = input_limits_text({.norm = 1.0, .units = many});
  EXPECT_EQ(record_limit(model).units, many);  // packed
  EXPECT_NE(limit_text(model).find("in units of the declared scales"), std::string::npos);
}

TEST(UsedFeatureNames, AreThoseWithACoefficient) {
  LinearModel model = regression();
  EXPECT_TRUE(used_feature_names(model).empty());
  model.feature_names = {"a", "b", "c"};
  EXPECT_EQ(used_feature_names(model), (std::vector<std::string>{"a", "c"}));
}

}  // namespace
}  // namespace southwell::model
