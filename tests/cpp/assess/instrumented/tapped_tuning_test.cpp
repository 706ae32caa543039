// What tuning reads of records, seen through the tap.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "assess/assessed.hpp"
#include "fit/tapped.hpp"
#include "fit/unit_data.hpp"
#include "southwell/assess/loss_scores.hpp"
#include "southwell/assess/tuning.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

namespace southwell::assess {
namespace {

using fit::FitSpec;
using fit::kInfinity;
using fit::Table;
using privacy::Tap;
using privacy::TapRecord;

constexpr std::uint64_t kBound = std::uint64_t{1} << 20;
const std::vector<double> kOdd{-kInfinity, -1e308, -1.0,  -0.0,      0.0,
                               0.3,        1.0,    1e308, kInfinity, std::nan("")};

/// What a mechanism is given for the choice among models.
std::vector<std::int64_t> scores_of(const std::vector<model::LinearModel>& candidates,
                                    const data::Dataset& dataset) {
  Tap tap;
  privacy::SeededRandomBits bits(3);
  privacy::ExponentialMechanism(kBound, 1000).release(loss_scores(candidates, dataset, 2.0), bits);
  return tap.records().at(0).input;
}

void expect_within_the_bound(const std::vector<std::int64_t>& here,
                             const std::vector<std::int64_t>& there, const std::string& what) {
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t k = 0; k < here.size(); ++k) {
    ASSERT_LE(std::abs(here[k] - there[k]), static_cast<std::int64_t>(kBound)) << what;
  }
}

TEST(TappedTuning, ScoresHaveTheSensitivityOfOneRecord) {
  const std::vector<std::vector<double>> of_classes{{0.0, 1.0}, {0.0, 1.0, 2.0}, {}};
  for (const std::vector<double>& classes : of_classes) {
    std::vector<model::LinearModel> candidates(
        2, small_model(classes.empty() ? "squared" : "logistic", classes));
    candidates[1].heads[0].coef[0].value = -40.0;
    const std::vector<Record> base = drawn_records(candidates[0], 5, 4);
    for (const Stored stored : fit::kStorages) {
      const auto here = scores_of(candidates, fit::dataset_of(base, 1, stored));
      for (const double x : kOdd) {
        for (const double y : kOdd) {
          std::vector<Record> changed = base;
          changed[2] = {x, y};
          const auto there = scores_of(candidates, fit::dataset_of(changed, 1, stored));
          expect_within_the_bound(here, there, std::to_string(x) + " " + std::to_string(y));
          changed = base;
          changed.push_back({x, y});
          expect_within_the_bound(here, scores_of(candidates, fit::dataset_of(changed, 1, stored)),
                                  "added");
        }
      }
    }
    const Table units{{"a", base[0]}, {"b", base[1]}, {"b", base[2]}, {"c", base[3]}};
    const auto here = scores_of(candidates, fit::dataset_of(units, 1, Stored::f64));
    for (const double x : kOdd) {
      for (const std::size_t count : {1u, 3u, 6u}) {
        const Table to = fit::with_unit(units, "b", std::vector<Record>(count, Record{x, x}));
        expect_within_the_bound(here, scores_of(candidates, fit::dataset_of(to, 1, Stored::f64)),
                                "unit");
      }
    }
  }
}

TuningSpec spec_of(const std::string& solver, const std::string& relation,
                   const std::string& way = "all") {
  TuningSpec spec{.settings = {}, .names = {}, .epsilon = 1.0, .delta = 1e-6, .choice_share = 0.4};
  spec.way = way;
  for (const double alpha : {0.01, 0.3}) {
    FitSpec one = fit::unit_spec(solver, "logistic", "l2");
    one.objective.alpha = alpha;
    one.relation = relation;
    if (relation == "add_or_remove_one") one.records = 9;
    spec.settings.push_back(one);
    spec.names.push_back(std::to_string(alpha));
  }
  return spec;
}

struct Observed {
  std::vector<TapRecord> calls;
  std::string model;
};

Observed run_of(const Tuning& tuning, const data::Dataset& dataset, const TuningSplit& split,
                const std::vector<TapRecord>* replayed = nullptr) {
  privacy::SeededRandomBits bits(5);
  if (replayed == nullptr) {
    Tap tap;
    const std::string text = to_json(tuning.find_on_parts(dataset, split, {}, bits));
    return {tap.records(), text};
  }
  Tap tap(*replayed);
  const std::string text = to_json(tuning.find_on_parts(dataset, split, {}, bits));
  EXPECT_TRUE(tap.replayed_all());
  return {tap.records(), text};
}

/// Ten units: six to fit on, two to compare on, two for figures.
TuningSplit small_split() {
  TuningSplit split{.is_held_out = std::vector<bool>(10), .is_for_figures = std::vector<bool>(10)};
  for (const std::size_t i : {1u, 4u, 7u, 9u}) split.is_held_out[i] = true;
  for (const std::size_t i : {7u, 9u}) split.is_for_figures[i] = true;
  return split;
}

std::string part_at(const TuningSplit& split, std::size_t unit) {
  if (!split.is_held_out[unit]) return model::kFitPart;
  return split.is_for_figures[unit] ? model::kTestPart : model::kChoicePart;
}

/// By its noise: the choice and the figures have scales of their own.
std::string part_of_call(const TapRecord& record, const model::Statement& statement) {
  for (const model::MechanismUse& use : statement.mechanisms) {
    if (use.cost.scale == record.call.scale && use.part != model::kFitPart) return use.part;
  }
  return model::kFitPart;
}

void expect_one_part_to_change(const Tuning& tuning, const std::vector<Record>& base) {
  const TuningSplit split = small_split();
  const Observed run = run_of(tuning, fit::dataset_of(base, 2, Stored::f64), split);
  for (const std::size_t at : {0u, 4u, 7u}) {
    for (const double value : {-1e308, 5.0, kInfinity, std::nan("")}) {
      std::vector<Record> changed = base;
      changed[at] = {value, 1.0, -value};
      const Observed other =
          run_of(tuning, fit::dataset_of(changed, 2, Stored::f64), split, &run.calls);
      ASSERT_EQ(run.calls.size(), other.calls.size());
      for (std::size_t k = 0; k < run.calls.size(); ++k) {
        ASSERT_EQ(run.calls[k].call, other.calls[k].call);
        const std::uint64_t apart = fit::distance(run.calls[k], other.calls[k]);
        ASSERT_LE(apart, run.calls[k].call.sensitivity) << "call " << k;
        if (part_of_call(run.calls[k], tuning.statement()) != part_at(split, at)) {
          ASSERT_EQ(apart, 0u) << "call " << k << ", unit " << at;
        }
      }
      EXPECT_EQ(run.model, other.model);
    }
  }
}

TEST(TappedTuning, ChangesOnePartWithOneUnit) {
  const std::vector<Record> base = fit::random_records(10, 2, 3);
  const data::Dataset dataset = fit::dataset_of(base, 2, Stored::f64);
  for (const std::string way : {"all", "runs"}) {
    for (const std::string& solver : fit::kUnitSolvers) {
      SCOPED_TRACE(solver + ", " + way);
      TuningSpec spec = spec_of(solver, "replace_one", way);
      spec.choice_share = spec.test_share.emplace(0.2);
      expect_one_part_to_change(Tuning(spec, fit::DataShape::of(dataset)), base);
    }
  }
}

/// The number of runs that bits with this seed give.
std::uint64_t runs_of_seed(const Tuning& tuning, std::uint64_t seed) {
  privacy::SeededRandomBits bits(seed);
  return tuning.plan().runs()->draw(*bits.stream(privacy::Purpose::run, 0));
}

// As many as the law gave, each scored with the noise that the statement says; the number of looks
// is not in the file.
TEST(TappedTuning, RunsAsOftenAsTheLawGave) {
  const std::vector<Record> base = fit::random_records(10, 2, 3);
  const data::Dataset dataset = fit::dataset_of(base, 2, Stored::f64);
  const Tuning tuning(spec_of("gcd", "replace_one", "runs"), fit::DataShape::of(dataset));
  const privacy::Cost score = tuning.plan().choice();
  std::set<std::uint64_t> numbers;
  std::set<std::size_t> lengths;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    privacy::SeededRandomBits bits(seed);
    Tap tap;
    std::vector<double> shares;
    fit::RunOptions options;
    options.progress = [&](double share) { shares.push_back(share); };
    const model::LinearModel model =
        tuning.find_on_parts(dataset, {small_split().is_held_out}, options, bits);
    std::uint64_t scores = 0;
    for (const TapRecord& record : tap.records()) {
      const bool is_score = record.call.scale == score.scale;
      scores += is_score ? 1u : 0u;
      if (is_score) {
        EXPECT_EQ(record.call.sensitivity, score.shift);
      }
    }
    EXPECT_EQ(scores, runs_of_seed(tuning, seed));
    numbers.insert(scores);
    lengths.insert(model.attachments.choice.size());
    for (const double share : shares) EXPECT_EQ(share, 0.0);
  }
  EXPECT_GT(numbers.size(), 3u);
  EXPECT_LE(*numbers.begin(), 4u);
  EXPECT_GT(*numbers.rbegin(), 4u);
  // The name of a setting or of the model without features, and nothing else that differs.
  EXPECT_LE(lengths.size(), 2u);
}

/// One that fails in its first stream.
class Failing final : public privacy::RandomBits {
 public:
  explicit Failing(std::uint64_t seed) : RandomBits(Taint::seeded), bits_(seed) {}
  std::uint64_t word() override { return bits_.word(); }
  std::unique_ptr<privacy::RandomBits> stream(privacy::Purpose purpose,
                                              std::uint32_t index) override {
    if (purpose == privacy::Purpose::run && index == 1) throw std::bad_alloc();
    return bits_.stream(purpose, index);
  }

 private:
  privacy::SeededRandomBits bits_;
};

TEST(TappedTuning, GoesOnAfterARunThatFails) {
  const data::Dataset dataset = fit::dataset_of(fit::random_records(10, 2, 3), 2, Stored::f64);
  const Tuning tuning(spec_of("gcd", "replace_one", "runs"), fit::DataShape::of(dataset));
  Failing bits(3);
  Tap tap;
  ASSERT_NO_THROW(tuning.find_on_parts(dataset, {small_split().is_held_out}, {}, bits));
  std::uint64_t scores = 0;
  for (const TapRecord& record : tap.records()) {
    scores += record.call.scale == tuning.plan().choice().scale ? 1u : 0u;
  }
  EXPECT_EQ(scores + 1, runs_of_seed(tuning, 3));
}

TEST(TappedTuning, DoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = fit::random_records(20, 2, 8);
  const data::Dataset dataset = fit::dataset_of(base, 2, Stored::f64);
  TuningSplit split{.is_held_out = std::vector<bool>(20)};
  for (std::size_t i = 0; i < 8; ++i) split.is_held_out[i] = true;
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    const Tuning tuning(spec_of("gcd", relation), fit::DataShape::of(dataset));
    privacy::SeededRandomBits bits(5);
    Tap tap;
    const model::LinearModel model = tuning.find_on_parts(dataset, split, {}, bits);
    const std::vector<TapRecord>& calls = tap.records();
    ASSERT_EQ(calls.size(), 2u * 6u + 1u) << "two fits of three iterations, and the choice";
    std::uint64_t charged = 0;
    double shares = 0.0;  // what ran, and what is charged, as sums of shift / scale
    double stated = 0.0;
    for (std::size_t k = 0; k < 12; ++k) {
      const double both = fit::is_selection(calls[k]) ? 2.0 : 1.0;
      shares += both * static_cast<double>(calls[k].call.sensitivity) /
                static_cast<double>(calls[k].call.scale);
    }
    for (const model::MechanismUse& use : model.privacy.mechanisms) {
      if (use.part != model::kFitPart) continue;
      charged += use.count;
      stated += static_cast<double>(use.count) * static_cast<double>(use.cost.shift) /
                static_cast<double>(use.cost.scale);
    }
    EXPECT_EQ(charged, 12u);
    EXPECT_NEAR(shares, stated, 1e-9 * stated);
    const std::vector<privacy::Composition> met = model.privacy.met_by_one_unit();
    ASSERT_EQ(met.size(), 2u);
    privacy::Composition choice;
    choice.add(
        {privacy::Cost::Kind::bounded_range, 2 * calls[12].call.sensitivity, calls[12].call.scale});
    EXPECT_EQ(met[0], choice);
    EXPECT_EQ(calls[12].call.sensitivity, kBound);
    EXPECT_LE(model.privacy.epsilon_spent, 1.0);
    EXPECT_FALSE(model.privacy.is_private) << "the bits were a script's";
  }
}

}  // namespace
}  // namespace southwell::assess
