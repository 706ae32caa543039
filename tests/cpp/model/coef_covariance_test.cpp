#include "southwell/model/coef_covariance.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fit/golden_model.hpp"
#include "southwell/core/error.hpp"

namespace southwell::model {
using fit::kGoldenModel;
namespace {

// Of the features 0 and 2 of three, and of the intercept.
const CoefCovariance kCovariance{{0, 2, 3}, {4.0, 1.0, -0.5, 1.0, 9.0, 0.25, -0.5, 0.25, 1.0}};

TEST(CoefCovariance, ComesBackFromAModelFile) {
  LinearModel model = from_json(kGoldenModel, "golden");
  EXPECT_FALSE(covariance_of(model));
  model.attachments.coef_covariance = covariance_text(kCovariance);
  const auto back = covariance_of(from_json(to_json(model), "again"));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->index, kCovariance.index);
  EXPECT_EQ(back->values, kCovariance.values);
  EXPECT_LE(covariance_text(kCovariance).size(), longest_covariance_text(3));
}

TEST(CoefCovariance, HasNothingOfOtherCoefficients) {
  EXPECT_EQ(kCovariance.at(2, 3), 0.25);
  EXPECT_EQ(kCovariance.at(1, 2), std::nullopt);
  EXPECT_EQ(kCovariance.at(2, 4), std::nullopt);
}

TEST(CoefCovariance, RefusesWhatIsNone) {
  LinearModel model = from_json(kGoldenModel, "golden");
  for (const CoefCovariance& wrong :
       {CoefCovariance{{2, 0}, {1.0, 0.0, 0.0, 1.0}}, CoefCovariance{{4}, {1.0}},
        CoefCovariance{{0}, {std::numeric_limits<double>::infinity()}},
        CoefCovariance{{0}, {-1e-9}}, CoefCovariance{{0, 1}, {1.0, 2.1, 2.1, 4.0}}}) {
    model.attachments.coef_covariance = covariance_text(wrong);
    EXPECT_THROW(check_attachments(model.attachments, 3, "model"), DataError)
        << covariance_text(wrong);
  }
  CoefCovariance large;
  for (std::size_t k = 0; k <= kMostTogether; ++k) large.index.push_back(k);
  large.values.resize(large.index.size() * large.index.size());
  model.attachments.coef_covariance = covariance_text(large);
  EXPECT_THROW(check_attachments(model.attachments, 2 * kMostTogether, "model"), DataError);
  model.attachments.coef_covariance = R"({"index":[0,1],"lower":{"count":0,"float64":""}})";
  EXPECT_THROW(check_attachments(model.attachments, 3, "model"), DataError);
}

}  // namespace
}  // namespace southwell::model
