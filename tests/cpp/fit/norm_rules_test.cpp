#include "southwell/fit/norm_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace southwell::fit {
namespace {

PublicFacts facts(double records, std::size_t features) {
  return {.records = records,
          .coordinates = features + 1,
          .features = features,
          .budget = {1.0, 1e-6},
          .intercept = true,
          .record_norm = std::sqrt(static_cast<double>(features)),
          .by_norm = true,
          .slopes = {.first = 0.5, .limit = 0.6, .later = 0.25}};
}

TEST(NormRules, WhitenWhereTheSignalPaysForSecondMoments) {
  const WhiteningChoice enough = whitening_choice(facts(10'000, 20));
  EXPECT_TRUE(enough.whitens);
  EXPECT_NE(enough.why.find("at least 8 k^1.5 = 770 for k = 21"), std::string::npos) << enough.why;
  EXPECT_FALSE(whitening_choice(facts(2'000, 20)).whitens);
  EXPECT_FALSE(whitening_choice(facts(1e7, 128)).whitens);  // with the intercept one too many
  EXPECT_TRUE(whitening_choice(facts(1e7, 127)).whitens);
}

TEST(NormRules, DoNotWhitenWhatIsSparseOrHasManyClasses) {
  PublicFacts of = facts(10'000, 20);
  of.record_norm = 2.0;  // below a quarter of 20, squared
  EXPECT_FALSE(whitening_choice(of).whitens);
  of.by_schema = true;  // there units are those of the encoding
  EXPECT_TRUE(whitening_choice(of).whitens);
  of.heads = 3;
  EXPECT_FALSE(whitening_choice(of).whitens);
  of.heads = 1;
  of.slopes = {};  // a regression is whitened elsewhere
  EXPECT_FALSE(whitening_choice(of).whitens);
}

TEST(NormRules, InWhitenedFeaturesAreStableAndEnd) {
  for (const double records : {3e3, 1e5, 1e8}) {
    for (const double dims : {1.0, 4.5, 21.0}) {
      const NormDescentRule rule = whitened_descent_rule(facts(records, 20), dims);
      EXPECT_GE(rule.iterations, 30u);
      EXPECT_LE(rule.iterations, 400u);
      EXPECT_LE(rule.step * dims, 30.0);  // heavy ball is stable up to 68
      const double curvatures = 0.25 * rule.step * static_cast<double>(rule.iterations);
      EXPECT_LE(curvatures, 30.0 * 1.001);
      EXPECT_DOUBLE_EQ(rule.clip, rule.slope_limit * std::sqrt(dims));
    }
  }
}

TEST(NormRules, GiveAnInterceptTimeEnoughWhereThereIsLittle) {
  for (const double records : {60.0, 300.0, 1e3, 1e4, 1e6}) {
    const NormDescentRule rule = norm_descent_rule(facts(records, 400), 1.0);
    EXPECT_GE(rule.intercept_size, 0.25);
    EXPECT_LE(rule.intercept_size, 1.0);
    const double time = rule.intercept_step * static_cast<double>(rule.iterations);
    EXPECT_GE(time, rule.intercept_size < 1.0 ? 9.99 : 1.0) << records;
    EXPECT_LE(time, 60.01) << records;
  }
  EXPECT_EQ(norm_descent_rule(facts(1e4, 400), 1.0).intercept_size, 0.25);
  EXPECT_GT(norm_descent_rule(facts(60.0, 400), 1.0).intercept_size, 0.8);
}

TEST(NormRules, GiveAnInterceptItsTimeWhateverThePenaltyOfFeatures) {
  PublicFacts of = facts(560.0, 400);
  const NormDescentRule free = norm_descent_rule(of, 0.01);
  of.l2 = 1.0 / 560.0;  // far more than a record of this norm curves the loss
  const NormDescentRule penalised = norm_descent_rule(of, 0.01);
  EXPECT_LT(penalised.step, 0.1 * free.step);
  EXPECT_DOUBLE_EQ(penalised.intercept_step, free.intercept_step);
}

TEST(NormRules, DoNotWhitenWhereARecordHidesAnIntercept) {
  PublicFacts of = facts(30'000, 120);
  of.budget.epsilon = 4.0;
  EXPECT_TRUE(whitening_choice(of).whitens);
  of.record_norm *= 100.0;  // what noise a matrix then has is more than the 1 of an intercept
  EXPECT_FALSE(whitening_choice(of).whitens);
  of.intercept = false;
  EXPECT_TRUE(whitening_choice(of).whitens);
}

}  // namespace
}  // namespace southwell::fit
