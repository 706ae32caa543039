#include "southwell/fit/classes_from_data.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {
namespace {

data::Dataset labelled() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  return dataset_of({{1.0, 7.0}, {2.0, 3.0}, {3.0, kNan}, {4.0, 7.0}, {5.0, 5.0}}, 1, Stored::f64);
}

TEST(ClassesFromData, AreTheLabelsThatOccurWhereLeaksAreAllowed) {
  FitSpec spec = small_spec("logistic");
  spec.classes.clear();
  EXPECT_THROW(fit(labelled(), spec), PrivacyLeak);
  EXPECT_TRUE(with_classes_of(labelled(), spec).classes.empty());
  spec.allow_leaks = true;
  const FitSpec found = with_classes_of(labelled(), spec);
  EXPECT_EQ(found.classes, (std::vector<double>{3.0, 5.0, 7.0}));
  EXPECT_TRUE(found.classes_from_data);
  const LinearModel model = fit(labelled(), spec);
  EXPECT_EQ(model.privacy.guarantee, "none (allow_leaks)");
  EXPECT_EQ(model.classes, found.classes);
  for (const PublicInput& input : model.privacy.public_inputs) {
    if (input.name == "classes") {
      EXPECT_EQ(input.source, Source::data);
    }
  }
}

TEST(ClassesFromData, AreNotReadWhereSomeAreGivenOrNoneAreNeeded) {
  FitSpec spec = small_spec("logistic");
  spec.allow_leaks = true;
  spec.classes = {7.0, 3.0};
  EXPECT_EQ(with_classes_of(labelled(), spec).classes, spec.classes);
  EXPECT_FALSE(with_classes_of(labelled(), spec).classes_from_data);
  FitSpec regression = small_spec("squared");
  regression.allow_leaks = true;
  EXPECT_TRUE(with_classes_of(labelled(), regression).classes.empty());
}

TEST(ClassesFromData, OfAPlanWithoutDataAreTwoAndFitNothing) {
  FitSpec spec = small_spec("logistic");
  spec.classes.clear();
  DataShape shape{.records = 5, .features = 1, .features_counted = false, .feature_names = {}};
  EXPECT_THROW(plan_fit(spec, shape), PrivacyLeak);
  shape.is_imagined = true;
  const FitPlan plan = plan_fit(spec, shape);
  EXPECT_EQ(plan->coordinates.heads, 1u);
  EXPECT_THROW(fit(labelled(), plan), PrivacyLeak);
}

}  // namespace
}  // namespace southwell::fit
