#include "lab/simulator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "lab/same_law.hpp"
#include "lab/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::lab {
namespace {

constexpr std::size_t kRuns = 1500;  // of each side; 400 would already tell the mutant apart
constexpr std::size_t kFeatures = 8;

/// Eight features that matter almost alike, so that the choice among them is the noise's.
data::Dataset even_dataset(Targets kind, bool is_sparse) {
  constexpr std::size_t kRecords = 300;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> rows(kRecords * kFeatures);
  std::vector<double> target(kRecords);
  for (std::size_t i = 0; i < kRecords; ++i) {
    double sum = 0.5 * normal(random);
    for (std::size_t j = 0; j < kFeatures; ++j) {
      const double x = is_sparse && random() % 3 != 0 ? 0.0 : normal(random);
      rows[i * kFeatures + j] = (1.0 + 0.2 * static_cast<double>(j % 3)) * x;
      sum += (1.0 + 0.02 * static_cast<double>(j)) * x;
    }
    target[i] = kind == Targets::classes ? (sum > 0.0 ? 1.0 : -1.0) : sum;
  }
  data::Dataset dense = dense_dataset(rows, std::move(target));
  dense.target_name = "y";
  if (!is_sparse) return dense;
  data::Compressed by_record;
  by_record.offsets.push_back(0);
  for (std::size_t i = 0; i < kRecords; ++i) {
    for (std::size_t j = 0; j < kFeatures; ++j) {
      const double x = rows[i * kFeatures + j];
      if (x == 0.0) continue;
      by_record.indices.push_back(static_cast<std::int32_t>(j));
      by_record.values.push_back(x);
    }
    by_record.offsets.push_back(static_cast<std::int64_t>(by_record.indices.size()));
  }
  core::ThreadPool pool(1);
  dense.design = data::SparseDesign::from_records(std::move(by_record), kFeatures, pool);
  return dense;
}

/// A plan, and a setting at which a wrong clip, noise or rule shows in the objective.
struct Cell {
  const char* name;
  ObjectiveSpec objective;
  const char* mode;
  const char* solver_or_rule;  ///< cd, sgd, or a rule of gcd
  double epsilon;
  std::uint64_t iterations;
  SimulatedSetting setting;
  bool is_sparse = false;
  const char* other_rule = nullptr;  ///< whose law is another one
  // Of certified gcd; null: automatic.
  const char* selection = nullptr;
  const char* release = nullptr;

  bool is_greedy() const { return std::string(solver_or_rule).starts_with("gs_"); }
};

std::ostream& operator<<(std::ostream& out, const Cell& cell) { return out << cell.name; }

struct Sample {
  std::vector<double> objectives;
  std::vector<std::size_t> first;
};

class SimulatorLaw : public testing::TestWithParam<Cell> {
 protected:
  SimulatorLaw()
      : dataset_(even_dataset(
            GetParam().objective.loss == "squared" ? Targets::numbers : Targets::classes,
            GetParam().is_sparse)) {}

  fit::FitPlan plan(const char* rule) const {
    const Cell& cell = GetParam();
    fit::FitSpec spec;
    spec.objective = cell.objective;
    spec.epsilon = cell.epsilon;
    spec.delta = 1e-5;
    spec.mode = cell.mode;
    if (cell.objective.loss == "logistic") spec.classes = {-1.0, 1.0};
    spec.solver = cell.is_greedy() ? "gcd" : cell.solver_or_rule;
    if (cell.is_greedy()) spec.rule = rule;
    if (cell.selection != nullptr) spec.selection = cell.selection;
    if (cell.release != nullptr) spec.release = cell.release;
    spec.iterations = cell.iterations;
    spec.clip = cell.setting.clip;
    spec.step = cell.setting.step;
    spec.feature_scale_from_data = true;
    spec.allow_leaks = true;
    spec.threads = 1;
    return plan_fit(spec, fit::DataShape::of(dataset_));
  }

  Sample fitted() const {
    const fit::FitPlan planned = plan(GetParam().solver_or_rule);
    Sample out;
    for (std::size_t run = 0; run < kRuns; ++run) {
      fit::RunOptions options;
      options.bits = std::make_unique<privacy::SeededRandomBits>(run);
      const model::LinearModel model = fit::fit(dataset_, planned, std::move(options));
      Coefficients at{std::vector<double>(kFeatures), 0.0};
      for (const model::Coefficient& each : model.heads[0].coef) at.coef[each.index] = each.value;
      out.objectives.push_back(evaluate(dataset_, GetParam().objective, at).objective());
      if (!model.path.empty()) out.first.push_back(model.path.front().index);
    }
    return out;
  }

  /// Samples of every setting, with other seeds than the fits'.
  std::vector<Sample> simulated(const std::vector<SimulatedSetting>& settings,
                                const char* rule) const {
    core::ThreadPool pool(1);
    const Simulator simulator(dataset_, plan(rule), pool);
    std::vector<Sample> out(settings.size());
    for (std::size_t run = 0; run < kRuns; ++run) {
      const std::vector<Simulated> found = simulator.run(settings, 1'000'000 + run);
      for (std::size_t s = 0; s < settings.size(); ++s) {
        out[s].objectives.push_back(found[s].objective);
        out[s].first.push_back(found[s].first);
      }
    }
    return out;
  }

  data::Dataset dataset_;
};

TEST_P(SimulatorLaw, IsThatOfTheProductsOwnFitsAndNotThatOfAClipLargerByATwentieth) {
  const SimulatedSetting own = GetParam().setting;
  const Sample fits = fitted();
  // Other settings beside: a lane has to keep to itself.
  const std::vector<Sample> lanes = simulated(
      {{7.0, 0.1}, own, {1e-3, 9.0}, {1.05 * own.clip, own.step}}, GetParam().solver_or_rule);
  EXPECT_LT(smirnov_ratio(fits.objectives, lanes[1].objectives), 1.0);
  EXPECT_GT(smirnov_ratio(fits.objectives, lanes[3].objectives), 1.0) << "the mutant passes";
  EXPECT_GT(smirnov_ratio(fits.objectives, lanes[0].objectives), 1.0);
  if (!fits.first.empty()) {  // sgd has no path
    EXPECT_LT(chi_squared_ratio(fits.first, lanes[1].first, kFeatures), 1.0);
  }
  if (GetParam().is_greedy()) {
    EXPECT_GT(chi_squared_ratio(fits.first, lanes[0].first, kFeatures), 1.0);
  }
  if (GetParam().other_rule == nullptr) return;
  const std::vector<Sample> other = simulated({own}, GetParam().other_rule);
  EXPECT_GT(smirnov_ratio(fits.objectives, other[0].objectives), 1.0) << "any rule passes";
}

ObjectiveSpec box() {
  ObjectiveSpec spec = objective("squared", "box", {});
  spec.lower = -1.0;
  spec.upper = 0.3;
  return spec;
}

ObjectiveSpec bounded_net() {
  ObjectiveSpec spec = objective("squared", "elastic_net", 0.1);
  spec.l1_ratio = 0.5;
  spec.lower = 0.0;
  spec.upper = 0.3;
  return spec;
}

// In a box the rules differ: a coefficient near its bound has a slope but no room.
const SimulatedSetting kBoxed{0.5, 0.5};
const SimulatedSetting kFree{0.4, 0.8};
// Many turns, so that which coordinates had how many of them does not hide the clip.
const SimulatedSetting kTurns{0.1, 0.2};
const SimulatedSetting kRecords{0.3, 0.01};

INSTANTIATE_TEST_SUITE_P(
    Cells, SimulatorLaw,
    testing::Values(
        Cell{"box_paper_gs_s", box(), "paper", "gs_s", 8.0, 8, kBoxed, false, "gs_r"},
        Cell{"box_paper_gs_r", box(), "paper", "gs_r", 8.0, 8, kBoxed, false, "gs_q"},
        Cell{"box_paper_gs_q", box(), "paper", "gs_q", 8.0, 8, kBoxed, false, "gs_r"},
        Cell{"box_certified_gs_s", box(), "certified", "gs_s", 12.0, 8, kBoxed, false, "gs_r"},
        Cell{"box_certified_gs_r", box(), "certified", "gs_r", 12.0, 8, kBoxed, false, "gs_q"},
        Cell{"box_certified_gs_q", box(), "certified", "gs_q", 12.0, 8, kBoxed, false, "gs_r"},
        Cell{"bounded_paper", bounded_net(), "paper", "gs_s", 8.0, 8, kBoxed},
        Cell{"bounded_certified", bounded_net(), "certified", "gs_s", 12.0, 8, kBoxed},
        Cell{"l1_paper", objective("squared", "l1", 0.1), "paper", "gs_s", 8.0, 4, kFree},
        Cell{"l1_certified", objective("squared", "l1", 0.1), "certified", "gs_s", 4.0, 4, kFree},
        Cell{"exponential_laplace", objective("squared", "l1", 0.1), "certified", "gs_s", 4.0, 4,
             kFree, false, nullptr, "exponential", "laplace"},
        Cell{"permute_and_flip", objective("squared", "l1", 0.1), "certified", "gs_s", 4.0, 4,
             kFree, false, nullptr, "permute_and_flip", "laplace"},
        Cell{"noisy_max", objective("squared", "l1", 0.1), "certified", "gs_s", 4.0, 4, kFree,
             false, nullptr, "noisy_max", "laplace"},
        Cell{"gaussian", objective("squared", "l1", 0.1), "certified", "gs_s", 4.0, 4, kFree, false,
             nullptr, "exponential", "gaussian"},
        Cell{"l2_paper", objective("logistic", "l2", 0.1), "paper", "gs_s", 8.0, 4, kFree},
        Cell{"l2_certified", objective("logistic", "l2", 0.1), "certified", "gs_s", 4.0, 4, kFree},
        Cell{"sparse_paper", objective("logistic", "l1", 0.01), "paper", "gs_s", 8.0, 4, kFree,
             true},
        Cell{"sparse_certified", objective("logistic", "l1", 0.01), "certified", "gs_s", 4.0, 4,
             kFree, true},
        Cell{"cd_paper", objective("squared", "l1", 0.02), "paper", "cd", 20.0, 80, kTurns},
        Cell{"cd_certified", objective("logistic", "l2", 0.1), "certified", "cd", 20.0, 80, kTurns},
        Cell{"cd_box", box(), "certified", "cd", 20.0, 80, kTurns},
        Cell{"cd_sparse", objective("logistic", "l1", 0.01), "paper", "cd", 20.0, 80, kTurns, true},
        Cell{"sgd", objective("squared", "l1", 0.1), "paper", "sgd", 30.0, 1000, kRecords},
        Cell{"sgd_l2", objective("logistic", "l2", 0.1), "paper", "sgd", 30.0, 1000, kRecords},
        Cell{"sgd_sparse", objective("logistic", "l1", 0.01), "paper", "sgd", 30.0, 1000, kRecords,
             true}),
    [](const auto& cell) { return std::string(cell.param.name); });

fit::FitSpec small_spec() {
  fit::FitSpec spec;
  spec.objective = objective("squared", "l1", 0.1);
  spec.epsilon = 4.0;
  spec.delta = 1e-5;
  spec.iterations = 3;
  spec.refine = "off";
  spec.solver = "gcd";
  spec.target_scale = 1.0;
  return spec;
}

TEST(Simulator, GivesASettingTheSameRunWhateverIsBesideItAndOnAnyNumberOfThreads) {
  const data::Dataset dataset = even_dataset(Targets::numbers, false);
  const fit::FitPlan plan = plan_fit(small_spec(), fit::DataShape::of(dataset));
  core::ThreadPool one(1);
  core::ThreadPool three(3);
  std::vector<SimulatedSetting> many(100, {0.4, 0.8});
  for (std::size_t s = 0; s < many.size(); s += 2) many[s] = {static_cast<double>(s + 1), 0.3};
  const auto alone = Simulator(dataset, plan, one).run(std::vector{many[1]}, 9);
  const auto among = Simulator(dataset, plan, three).run(many, 9);
  for (std::size_t s = 1; s < many.size(); s += 2) {
    EXPECT_EQ(among[s].objective, alone[0].objective);
    EXPECT_EQ(among[s].first, alone[0].first);
  }
  EXPECT_NE(among[0].objective, alone[0].objective);
  EXPECT_NE(Simulator(dataset, plan, one).run(std::vector{many[1]}, 10)[0].objective,
            alone[0].objective);
}

/// DP-SGD with l1 on sparse records, at an alpha of so much of the noise of a step of clip 1.
struct SparseDescent {
  data::Dataset dataset = even_dataset(Targets::classes, true);
  fit::FitSpec spec;
  core::ThreadPool pool{1};

  explicit SparseDescent(double alpha) {
    spec.objective = objective("logistic", "l1", alpha);
    spec.classes = {-1.0, 1.0};
    spec.solver = "sgd";
    spec.mode = "paper";
    spec.epsilon = 30.0;
    spec.delta = 1e-5;
    spec.iterations = 500;
    spec.clip = 1.0;
    spec.step = 0.01;
    spec.iterate = "last";
    spec.allow_leaks = true;
    spec.feature_scale_from_data = true;
  }
  fit::FitPlan plan() const { return plan_fit(spec, fit::DataShape::of(dataset)); }
  double noise() const {
    const fit::FitPlan planned = plan();
    return planned->noise(problem::Coordinates(planned->coordinates), 0).gradient;
  }
};

TEST(Simulator, TakesStepsOfLittleShrinkageTogetherWithoutAChangeThatASearchSees) {
  SparseDescent descent(1e-3);
  descent.spec.objective.alpha = 0.9e-3 * descent.noise();
  const Simulator simulator(descent.dataset, descent.plan(), descent.pool);
  const SimulatedSetting own{1.0, 0.01};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    // The second lane shrinks by more than a thousandth, so both go step by step.
    const double apart =
        simulator.run(std::vector{own, SimulatedSetting{0.5, 0.01}}, seed)[0].objective;
    const double together = simulator.run(std::vector{own}, seed)[0].objective;
    EXPECT_NE(apart, together) << "the same way twice";
    EXPECT_NEAR(together, apart, 1e-4 * apart);
  }
}

TEST(Simulator, TakesNoStepWhereNoneLeavesZeroAndNeitherDoesAFit) {
  SparseDescent descent(1e-3);
  descent.spec.objective.alpha = 20.0 * descent.noise();
  const fit::FitPlan plan = descent.plan();
  const double found = Simulator(descent.dataset, plan, descent.pool)
                           .run(std::vector{SimulatedSetting{1.0, 0.01}}, 1)[0]
                           .objective;
  EXPECT_NEAR(found, std::numbers::ln2, 1e-12);
  fit::RunOptions options;
  options.bits = std::make_unique<privacy::SeededRandomBits>(1);
  EXPECT_TRUE(fit::fit(descent.dataset, plan, std::move(options)).heads[0].coef.empty());
}

TEST(Simulator, RefusesWhatItDoesNotSimulate) {
  core::ThreadPool pool(1);
  data::Dataset dataset = even_dataset(Targets::numbers, false);
  const auto simulator = [&](const fit::FitSpec& spec) {
    Simulator(dataset, plan_fit(spec, fit::DataShape::of(dataset)), pool);
  };
  EXPECT_NO_THROW(simulator(small_spec()));
  fit::FitSpec spec = small_spec();
  spec.intercept = true;
  EXPECT_THROW(simulator(spec), InvalidArgument);
  spec = small_spec();
  spec.refine = "on";
  EXPECT_THROW(simulator(spec), InvalidArgument);
  spec = small_spec();
  spec.solver = "cd";
  spec.release = "laplace";
  EXPECT_THROW(simulator(spec), InvalidArgument);
  spec = small_spec();
  spec.objective = objective("squared", "box", {});
  spec.objective.lower = 0.5;
  spec.objective.upper = 1.0;
  EXPECT_THROW(simulator(spec), InvalidArgument);
  spec = small_spec();
  spec.solver = "sgd";
  EXPECT_THROW(simulator(spec), InvalidArgument);  // certified
  dataset.target[3] = std::nan("");
  EXPECT_THROW(simulator(small_spec()), DataError);
}

}  // namespace
}  // namespace southwell::lab
