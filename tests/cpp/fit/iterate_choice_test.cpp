#include "southwell/fit/iterate_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fit/seeded_fit.hpp"
#include "fit/small_data.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {
namespace {

/// What a choice at a large budget keeps of these coefficients, between a feature and an intercept
/// that a target follows: y = x + 3.
struct Kept {
  double share = 0.0;
  Solved solved;
};
Kept kept_of(std::vector<double> coef, std::vector<double> null_noise_sd = {}) {
  std::vector<Record> records;
  for (int i = 0; i < 400; ++i) {
    const double x = i % 2 == 0 ? 1.0 : -1.0;
    records.push_back({x, x + 3.0});
  }
  const data::Dataset dataset = dataset_of(records, 1, Stored::f64);
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.intercept = true;
  spec.epsilon = 100.0;
  spec.delta = 1e-6;
  spec.target_scale = 1.0;
  spec.seed_for_tests = 3;
  const FitPlan plan = plan_fit(spec, DataShape::of(dataset));
  EXPECT_TRUE(plan->choice);
  core::ThreadPool pool(1);
  privacy::SeededRandomBits bits(3);
  const problem::RecordWeights weights;
  const problem::RecordFactors factors;
  const problem::Coordinates coordinates(plan->coordinates);
  const core::Progress progress;
  const Work work{.dataset = dataset,
                  .loss = plan->loss,
                  .penalty = plan->penalty,
                  .classes = {},
                  .coordinates = coordinates,
                  .weights = weights,
                  .factors = factors,
                  .start = plan->start,
                  .iterations = 1,
                  .step = 1.0,
                  .slope_scale = 1.0,
                  .slope_scale_doubt = 0.2,
                  .record_norm = 1.0,
                  .multiclass = {},
                  .shards = 1,
                  .progress = progress,
                  .pool = pool,
                  .bits = bits};
  Kept out;
  out.solved = {.coef = std::move(coef),
                .path = {{0, 0.5, 9.0}, {1, 0.1, 3.0}},
                .noise_sd = {0.1, 0.2},
                .null_coef = {0.0, 3.0},
                .null_noise_sd = std::move(null_noise_sd),
                .slope_scale = 1.0,
                .noisy = {0, 1}};  // with noise of their own: no covariance
  out.share = plan->choice->apply(out.solved, work);
  return out;
}

TEST(IterateChoice, KeepsTheLastIterateWhereItIsGood) {
  const Kept kept = kept_of({0.9, 3.1});
  EXPECT_EQ(kept.share, 1.0);
  EXPECT_EQ(kept.solved.coef, (std::vector{0.9, 3.1}));
  EXPECT_EQ(kept.solved.noise_sd, (std::vector{0.1, 0.2}));
}

TEST(IterateChoice, KeepsAPartOfAModelThatWentTooFar) {
  const Kept kept = kept_of({4.0, 3.0});
  EXPECT_EQ(kept.share, 0.25);
  EXPECT_DOUBLE_EQ(kept.solved.coef[0], 1.0);
  EXPECT_DOUBLE_EQ(kept.solved.noise_sd[0], 0.025);
  EXPECT_DOUBLE_EQ(kept.solved.path[0].value, 1.0) << "the path ends elsewhere";
}

TEST(IterateChoice, KeepsNothingOfAModelThatIsWorseThanNone) {
  const Kept kept = kept_of({-1e6, 1e9});
  EXPECT_EQ(kept.share, 0.0);
  EXPECT_EQ(kept.solved.coef, (std::vector{0.0, 3.0}));
}

TEST(IterateChoice, LeavesTheInterceptTheNoiseOfTheModelWithoutFeatures) {
  // That of a part is at most the sum of both; a coefficient that is gone has none.
  EXPECT_EQ(kept_of({-1e6, 1e9}, {0.0, 0.3}).solved.noise_sd, (std::vector{0.0, 0.3}));
  const Kept part = kept_of({4.0, 3.0}, {0.0, 0.3});
  ASSERT_EQ(part.share, 0.25);
  EXPECT_DOUBLE_EQ(part.solved.noise_sd[0], 0.025);
  EXPECT_DOUBLE_EQ(part.solved.noise_sd[1], 0.75 * 0.3 + 0.25 * 0.2);
  EXPECT_EQ(kept_of({0.9, 3.1}, {0.0, std::nan("")}).solved.noise_sd, (std::vector{0.1, 0.2}));
}

TEST(IterateChoice, OfAClassifierWithoutFeaturesKeepsTheNoiseOfItsIntercept) {
  // Labels that no feature tells: most fits keep the intercept alone, which has its noise still.
  std::vector<Record> records = sparse_records(1500, 6);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].back() = i % 3 == 0 ? 1.0 : -1.0;
  const data::Dataset dataset = dataset_of(records, 6, Stored::f64);
  FitSpec spec = seeded_spec("logistic", "none", "refined sgd");
  spec.intercept = true;
  spec.record_norm = 1.0;
  spec.epsilon = 0.3;
  spec.calibrate_probabilities = false;
  spec.iterations.reset();
  int without_features = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    spec.seed_for_tests = seed;
    spec.select_iterate = false;
    const double whole = fit(dataset, spec).heads[0].intercept_noise_sd;
    spec.select_iterate = true;
    const LinearModel kept = fit(dataset, spec);
    if (!kept.heads[0].coef.empty()) continue;
    ++without_features;
    EXPECT_GE(kept.heads[0].intercept_noise_sd, whole);
    EXPECT_LE(kept.heads[0].intercept_noise_sd, 1.25 * whole);  // the choice has its part
  }
  EXPECT_GT(without_features, 0);
}

TEST(IterateChoice, IsSaidByTheModel) {
  const data::Dataset dataset = dataset_of(sparse_records(300, 25), 25, Stored::f64);
  FitSpec spec = seeded_spec("squared", "none", "refined gcd");
  spec.select_iterate = true;
  const LinearModel model = fit(dataset, spec);
  EXPECT_NE(model.attachments.choice.find("\"kept\":"), std::string::npos);
  bool is_said = false;
  for (const PublicInput& input : model.privacy.public_inputs) {
    is_said = is_said || (input.name == "select_iterate" && input.source == Source::mechanism);
  }
  EXPECT_TRUE(is_said);
  spec.select_iterate = false;
  EXPECT_TRUE(fit(dataset, spec).attachments.choice.empty());
}

}  // namespace
}  // namespace southwell::fit
