#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fit/seeded_fit.hpp"
#include "fit/small_data.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_plan.hpp"

namespace southwell::fit {
using namespace model;
namespace {

/// Of a refined fit without second moments: rho of each descent, in those of the first.
std::vector<double> descents_of(const std::string& loss, std::uint64_t iterations,
                                double* together) {
  FitSpec spec = small_spec(loss);
  spec.clip.reset();
  spec.release.reset();
  spec.share.reset();
  spec.step.reset();
  spec.refine = "on";
  spec.second_moment = false;
  spec.intercept = false;
  spec.iterations = iterations;
  const DataShape shape{
      .records = 100'000, .features = 300, .features_counted = false, .feature_names = {}};
  const FitPlan plan = plan_fit(spec, shape);
  for (const PublicInput& input : plan->statement.public_inputs) {
    if (input.name == "selections_per_gradient") *together = std::get<double>(input.value);
  }
  std::vector<double> out;
  for (const MechanismUse& use : plan->statement.mechanisms) {
    if (use.step != "release") continue;
    const double ratio = static_cast<double>(use.cost.shift) / static_cast<double>(use.cost.scale);
    out.push_back(static_cast<double>(use.count) * ratio * ratio);
  }
  const double first = out.front();
  for (double& each : out) each /= first;
  return out;
}

TEST(FitPlan, OfARefinedFitHasUpToThreeRoundsAndMostOfTheBudgetInTheLast) {
  const std::vector<double> sizes{1, 2, 2, 2, 2, 2, 3, 3, 3, 4};
  const std::vector<std::vector<double>> parts{{1.0}, {1.0, 2.0}, {1.0, 2.0, 3.0}};
  for (const auto& [loss, last] : {std::pair{"squared", 4.0}, std::pair{"logistic", 24.0}}) {
    for (std::uint64_t iterations = 1; iterations <= sizes.size(); ++iterations) {
      double together = 0.0;
      const std::vector<double> found = descents_of(loss, iterations, &together);
      EXPECT_EQ(together, sizes[iterations - 1]) << loss << " " << iterations;
      const std::size_t rounds = std::clamp<std::size_t>((iterations + 1) / 2, 1, 3);
      ASSERT_EQ(found.size(), rounds) << loss << " " << iterations;
      for (std::size_t k = 0; k < rounds; ++k) {
        const double expected = parts[rounds - 1][k] * (k + 1 == rounds && rounds > 1 ? last : 1.0);
        EXPECT_NEAR(found[k], expected, 0.01 * expected) << loss << " " << iterations;
      }
    }
  }
}

TEST(Fit, PrunesWhatMayBeNoiseAloneAndNothingElse) {
  const std::vector<Record> all = sparse_records(300, 25);
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  for (const std::string loss : {"squared", "logistic"}) {
    FitSpec spec = seeded_spec(loss, "l1", "refined gcd");
    spec.epsilon = 6.0;
    spec.polish = false;          // else a classifier descends once more, on what pruning leaves
    spec.objective.lower = -1e3;  // without bounds, what is not pruned is shortened
    spec.select_iterate = false;  // it would choose by other coefficients
    spec.prune = false;
    const LinearModel whole = fit(dataset, spec);
    spec.prune.reset();
    const LinearModel pruned = fit(dataset, spec);
    // What is left is as it was: what may be noise alone is decided by the rule's own noise, which
    // is there where that of the model is not determined.
    const auto is_left = [&](const Coefficient& each) {
      return std::any_of(pruned.heads[0].coef.begin(), pruned.heads[0].coef.end(),
                         [&](const Coefficient& other) { return other.index == each.index; });
    };
    Head expected = whole.heads[0];
    std::erase_if(expected.coef, [&](const Coefficient& each) { return !is_left(each); });
    ASSERT_FALSE(expected.coef.empty());
    EXPECT_LT(expected.coef.size(), whole.heads[0].coef.size()) << "nothing to prune: no test";
    double smallest = std::numeric_limits<double>::infinity();
    for (const Coefficient& each : expected.coef)
      smallest = std::min(smallest, std::fabs(each.value));
    for (const Coefficient& each : whole.heads[0].coef) {
      if (!is_left(each)) {
        EXPECT_LT(std::fabs(each.value), 1.5 * smallest) << each.index;
      }
    }
    EXPECT_EQ(pruned.heads[0].intercept, expected.intercept);
    ASSERT_EQ(pruned.heads[0].coef.size(), expected.coef.size());
    std::vector<double> along(25 + 1);
    for (const ModelStep& step : pruned.path) along[step.index] = step.value;
    for (std::size_t k = 0; k < expected.coef.size(); ++k) {
      const Coefficient& each = pruned.heads[0].coef[k];
      EXPECT_EQ(each.index, expected.coef[k].index);
      EXPECT_EQ(each.value, expected.coef[k].value);
      EXPECT_TRUE(each.noise_sd == expected.coef[k].noise_sd ||
                  (std::isnan(each.noise_sd) && std::isnan(expected.coef[k].noise_sd)));
      EXPECT_EQ(each.value, std::exchange(along[each.index], 0.0));
    }
    along[25] = 0.0;  // the intercept, which is not pruned
    EXPECT_EQ(along, std::vector<double>(along.size())) << "the path ends elsewhere";

    // A bound nearer than the noise leaves no coefficient that could tell itself from it.
    FitSpec bounded = seeded_spec(loss, "l1", "refined gcd");
    bounded.objective.lower = -1e-6;
    bounded.objective.upper = 1e-6;
    const LinearModel small = fit(dataset, bounded);
    EXPECT_FALSE(small.heads[0].coef.empty());
    for (const Coefficient& each : small.heads[0].coef) EXPECT_FALSE(each.noise_sd <= 1e-6);

    FitSpec ridge = seeded_spec(loss, "l2", "refined gcd");
    const LinearModel automatic = fit(dataset, ridge);
    ridge.prune = false;
    EXPECT_EQ(digest(automatic), digest(fit(dataset, ridge))) << "l2 asks for no zeros";
  }
}

TEST(Fit, OfAClassifierDescendsOnceMoreOnWhatPruningLeaves) {
  const std::vector<Record> all = sparse_records(300, 25);
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  FitSpec spec = seeded_spec("logistic", "l1", "refined gcd");
  spec.epsilon = 4.0;
  spec.iterations = 8;
  spec.seed_for_tests = 8;      // some features remain, and some do not
  spec.select_iterate = false;  // which would shorten coefficients and noise of one of the two
  const LinearModel model = fit(dataset, spec);
  const auto& events = model.privacy.mechanisms;
  const MechanismUse& last = events.at(events.size() - 1);
  const MechanismUse& before = events.at(events.size() - 2);
  EXPECT_EQ(last.count, 30U);
  EXPECT_EQ(before.count, 30U);
  // Half of the last descent's budget each; the first gave 4 % of it to second moments.
  const double ratio =
      static_cast<double>(last.cost.scale) / static_cast<double>(before.cost.scale);
  EXPECT_NEAR(ratio * ratio, 0.96, 1e-3);

  // Records of fewer features are clipped at a smaller norm, so what is left has less noise.
  spec.prune = false;
  const LinearModel whole = fit(dataset, spec);
  ASSERT_FALSE(model.heads[0].coef.empty());
  EXPECT_LT(model.heads[0].coef.size(), whole.heads[0].coef.size()) << "nothing to prune: no test";
  std::map<std::size_t, double> ends;
  for (const ModelStep& step : model.path) ends[step.index] = step.value;
  for (const Coefficient& each : model.heads[0].coef) {
    EXPECT_FALSE(std::fabs(each.value) < each.noise_sd);
    EXPECT_EQ(each.value, ends.at(each.index)) << "the path ends elsewhere";
    const auto same = std::find_if(whole.heads[0].coef.begin(), whole.heads[0].coef.end(),
                                   [&](const auto& other) { return other.index == each.index; });
    ASSERT_NE(same, whole.heads[0].coef.end());
    EXPECT_FALSE(each.noise_sd > same->noise_sd);
  }
}

TEST(Fit, StaysWithinBoundsThatHoldTheDescentOnWhatPruningLeaves) {
  std::vector<Record> all = sparse_records(300, 25);
  for (Record& record : all) record.back() = record[0] + record[1] > 0.0 ? 1.0 : -1.0;
  const data::Dataset dataset = dataset_of(all, 25, Stored::f64);
  std::size_t held = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    FitSpec spec = seeded_spec("logistic", "l1", "refined gcd");
    spec.seed_for_tests = seed;
    spec.epsilon = 100.0;
    spec.objective.alpha = 1e-3;
    spec.objective.lower = -0.3;
    spec.objective.upper = 0.3;
    const LinearModel model = fit(dataset, spec);
    for (const Coefficient& each : model.heads[0].coef) {
      ASSERT_LE(std::fabs(each.value), 0.3);
      held += std::fabs(each.value) == 0.3 ? 1 : 0;
    }
  }
  EXPECT_GT(held, 20u) << "bounds that hold nothing: no test";
}

}  // namespace
}  // namespace southwell::fit
