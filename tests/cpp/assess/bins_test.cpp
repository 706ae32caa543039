#include "southwell/assess/bins.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "assess/assessed.hpp"

namespace southwell::assess {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Bins, AreInOrderWhateverAFileSaysOfScales) {
  model::LinearModel model = small_model("logistic", {0.0, 1.0});
  for (const double scale : {std::nan(""), kInfinity, -kInfinity, 0.0}) {
    model.privacy.public_inputs = {
        {"feature_scale", std::vector<double>(model.features, scale), model::Source::user}};
    const MarginBins bins(model, 16);
    EXPECT_LT(bins.of(-1.0), bins.of(1.0)) << scale;
    EXPECT_FALSE(bins.predicts_second(bins.of(-1.0))) << scale;
  }
}

TEST(Bins, OfMarginsTellThePredictedClass) {
  for (const std::size_t count : {16u, 32u, 64u}) {
    for (const double slope : {0.0, 1e-9, 0.14, 2.0, 1e9}) {
      model::LinearModel model = small_model("logistic", {0.0, 1.0});
      model.heads[0].coef[0].value = slope;
      for (const double intercept : {-3.0, 0.0, 1e-9, 2.5, 40.0}) {
        model.heads[0].intercept = intercept;
        const MarginBins bins(model, count);
        ASSERT_EQ(bins.size(), count);
        for (const double z : {-kInfinity, -1e308, -6.0, -0.1, -5e-324, -0.0, 0.0}) {
          EXPECT_FALSE(bins.predicts_second(bins.of(z))) << z;
        }
        for (const double z : {5e-324, 0.1, 6.0, 1e308, kInfinity}) {
          EXPECT_TRUE(bins.predicts_second(bins.of(z))) << z;
        }
        EXPECT_EQ(bins.of(-kInfinity), 0u);
        EXPECT_EQ(bins.of(kInfinity), count - 1);
      }
    }
  }
}

TEST(Bins, AreInOrderAndHaveTheirCentresWithin) {
  const auto check = [](const Bins& bins) {
    for (std::size_t b = 0; b + 1 < bins.size(); ++b) {
      EXPECT_GT(bins.width(b), 0.0);
      EXPECT_LE(bins.centre(b), bins.upper(b));
      EXPECT_LE(bins.upper(b), bins.centre(b + 1));
      if (b > 0) {
        EXPECT_LT(bins.upper(b - 1), bins.upper(b));
      }
      EXPECT_LE(bins.of(bins.upper(b)), b) << "at an edge is below it";
    }
  };
  model::LinearModel model = small_model("logistic", {0.0, 1.0});
  for (const std::size_t count : {16u, 32u, 64u}) {
    for (const double slope : {1e-9, 1.5, 1e9}) {
      model.heads[0].coef[0].value = slope;
      check(MarginBins(model, count));
    }
    const ErrorBins errors(count);
    ASSERT_EQ(errors.size(), count);
    check(errors);
    EXPECT_NEAR(errors.upper(count - 2), 4.0, 1e-14);
    EXPECT_LT(errors.upper(0), 0.007);
  }
}

// Public numbers alone: more bins where there are more records for the noise.
TEST(Bins, AreMoreWhereThereIsLessNoise) {
  std::size_t last = 0;
  for (const double sd : {1e9, 11.0, 5.0, 1.0, 0.1, 1e-9}) {
    const std::size_t bins = bins_for(6500.0, sd);
    EXPECT_GE(bins, last);
    EXPECT_EQ(bins % kGroups, 0u);
    EXPECT_LE(bins, kMostBins);
    last = bins;
  }
  EXPECT_EQ(last, kMostBins);
  EXPECT_EQ(bins_for(0.0, 1.0), kGroups);
}

TEST(Bins, LieWhereAModelThatHardlyTellsRecordsApartPutsThem) {
  model::LinearModel model = small_model("logistic", {0.0, 1.0});
  model.heads[0].coef[0].value = 0.01;
  model.heads[0].intercept = -2.0;
  const MarginBins bins(model, kMostBins);
  EXPECT_GE(bins.of(-1.98) - bins.of(-2.02), 25u) << "two deviations to either side";
  model.privacy.public_inputs.push_back({"feature_scale", 100.0, model::Source::user});
  const MarginBins wide(model, kMostBins);
  EXPECT_LE(wide.of(-1.98) - wide.of(-2.02), 3u);
}

}  // namespace
}  // namespace southwell::assess
