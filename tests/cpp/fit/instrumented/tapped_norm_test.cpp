// What a descent by the norm of a record does, seen through the tap.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "fit/tapped_sensitivity.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/problem/gradient/moment_sums.hpp"
#include "southwell/problem/magnitude_scores.hpp"

namespace southwell::fit {
namespace {

constexpr std::uint64_t kBound = problem::ProductClip::kBound;

/// Of the loss logistic, whatever the case's own; the norm declared or found.
FitSpec by_norm(const Case& each, bool found) {
  FitSpec spec = small_spec("logistic", each.penalty);
  spec.solver = "sgd";
  spec.refine = "on";
  spec.clip.reset();
  spec.iterations = 4;
  if (found) {
    spec.record_norm_private = true;
    spec.epsilon = 400.0;  // a handful of records is to tell a norm from noise
  } else {
    spec.record_norm = 1.0;
  }
  return spec;
}
FitSpec declared(const Case& each) { return by_norm(each, false); }
FitSpec found(const Case& each) { return by_norm(each, true); }
/// With a factor for all margins at the end.
FitSpec calibrated(const Case& each) {
  FitSpec spec = declared(each);
  spec.record_norm = 0.5;  // not dense
  spec.iterations = 2;
  spec.epsilon = 400.0;  // so that margins get long, and records fill the factor's clip
  spec.calibrate_probabilities = true;
  return spec;
}

/// A regression on records of a small norm, with a factor for all predictions at the end.
FitSpec of_regression(const Case& each) {
  FitSpec spec = small_spec(each.loss == "huber" ? "huber" : "squared",
                            each.penalty == "none" ? "none" : "l2");
  spec.solver = "sgd";
  spec.refine = "on";
  spec.clip.reset();
  spec.iterations = 2;
  spec.record_norm = 0.5;  // well below sqrt(features); the budget is too small to whiten
  spec.calibrate_probabilities = true;
  return spec;
}

/// So much budget that second moments of few records are worth their release.
FitSpec whitened(const Case& each) {
  FitSpec spec = by_norm(each, false);
  spec.record_norm.reset();  // records are taken to be dense
  spec.epsilon = 500.0;
  spec.calibrate_probabilities = true;
  return spec;
}

constexpr std::size_t kSome = 40;  ///< features

/// Of their features one in four is not 0.
std::vector<Record> quarter_full_records() {
  std::vector<Record> all = random_records(700, kSome, 9);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < kSome; ++j) {
      if ((i + 3 * j) % 4 != 0) all[i][j] = 0.0;
    }
  }
  return all;
}

/// For every storage, thread and shard; the model's file has `words` in it.
void expect_the_same_bits(const std::vector<Record>& all, FitSpec spec, const std::string& words) {
  spec.features = kSome;
  const auto text = [&](Stored stored, std::size_t shards) {
    return to_json(
        fit(dataset_of(all, kSome, stored), spec, {.bits = seeded(3), .shards = shards}));
  };
  const std::string expected = text(Stored::f64, 1);
  EXPECT_NE(expected.find(words), std::string::npos);
  for (const Stored stored : kStorages) {
    for (const int threads : {1, 7}) {
      spec.threads = threads;
      EXPECT_EQ(text(stored, 3), expected);
    }
  }
}

TEST(TappedNorm, HasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(declared);
}
TEST(TappedNorm, HasItsSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(declared);
}
TEST(TappedNorm, HasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(declared);
}

TEST(TappedNorm, CalibratedHasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(calibrated);
}
TEST(TappedNorm, CalibratedHasItsSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(calibrated);
}
TEST(TappedNorm, CalibratedHasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(calibrated);
}

TEST(TappedNorm, OfARegressionHasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(of_regression);
}
TEST(TappedNorm, OfARegressionHasItsSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(of_regression);
}
TEST(TappedNorm, OfARegressionHasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(of_regression);
}

TEST(TappedNorm, OfARegressionDoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = random_records(30, 4, 8);
  for (const std::string loss : {"squared", "huber"}) {
    for (const bool intercept : {false, true}) {
      FitSpec spec = of_regression({loss, "l2", ""});
      spec.intercept = intercept;
      const FitPlan plan = plan_for(spec, base, 4);
      Tap tap;
      const LinearModel model = fit_with(dataset_of(base, 4, Stored::f64), plan, 5);
      // The intercept alone, all coefficients, the factor; the squared loss has its room beside
      // the first two.
      const std::size_t room = loss == "squared" ? 1 : 0;
      const std::size_t own = intercept ? 1 : 0;
      std::vector<std::size_t> expected(intercept ? 6 : 0, 1 + room);
      expected.insert(expected.end(), 2, 4 + own + room);
      expected.insert(expected.end(), 10, 1 + own);
      std::vector<std::size_t> sizes;
      privacy::Composition done;
      for (const TapRecord& record : tap.records()) {
        ASSERT_FALSE(is_selection(record));
        EXPECT_EQ(record.call.sensitivity, 2 * kBound);
        sizes.push_back(record.input.size());
        done.add(
            {privacy::Cost::Kind::discrete_gaussian, record.call.sensitivity, record.call.scale});
      }
      EXPECT_EQ(sizes, expected);
      EXPECT_EQ(done, model.privacy.composition());
      EXPECT_LE(model.privacy.epsilon_spent, *spec.epsilon);
    }
  }
}

TEST(TappedNorm, OfARegressionHasTheSameBits) {
  FitSpec spec = of_regression({"squared", "l2", ""});
  spec.epsilon = 0.1;  // with more, so many records would be whitened
  spec.intercept = true;
  expect_the_same_bits(quarter_full_records(), spec, "\"calibrate\"");
}

TEST(TappedNorm, WhitenedHasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(whitened);
}
TEST(TappedNorm, WhitenedHasItsSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(whitened);
}
TEST(TappedNorm, WhitenedHasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(whitened);
}

TEST(TappedNorm, FoundByAMechanismHasItsSensitivity) {
  std::vector<Record> base = random_records(60, 2, 3);
  const FitPlan plan = plan_for(found({"", "l2", ""}), base, 2);
  for (const double a : kValues) {
    for (const double b : {0.0, 1.0, 1e308, std::nan("")}) {
      for (const Stored stored : kStorages) {
        std::vector<Record> changed = base;
        changed[7] = {a, b, 1.0};
        expect_neighbour_within_sensitivity(dataset_of(base, 2, stored),
                                            dataset_of(changed, 2, stored), plan, 5, 2,
                                            std::to_string(a) + " " + std::to_string(b));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(TappedNorm, OfManyClassesHasItsSensitivity) {
  for (const bool intercept : {false, true}) {
    FitSpec spec = declared({"", "l2", ""});
    spec.intercept = intercept;
    spec.record_norm = 0.01;  // what is long is clipped in every release
    expect_its_sensitivity_of_many_classes(spec, 3);
  }
}

TEST(TappedNorm, CalibratedOfManyClassesHasItsSensitivity) {
  for (const bool intercept : {false, true}) {
    FitSpec spec = calibrated({"", "l2", ""});
    spec.intercept = intercept;
    expect_its_sensitivity_of_many_classes(spec, 3);
  }
}

TEST(TappedNorm, OfManyClassesHasTheSameBits) {
  std::vector<Record> all = quarter_full_records();
  for (std::size_t i = 0; i < all.size(); ++i) all[i].back() = static_cast<double>(i % 5);
  FitSpec spec = declared({"", "l2", ""});
  spec.classes = {0.0, 1.0, 2.0, 3.0, 4.0};
  spec.intercept = true;
  spec.calibrate_probabilities = true;
  expect_the_same_bits(all, spec, "\"multiclass\"");
}

TEST(TappedNorm, DoesWhatItsStatementChargesAndNothingElse) {
  using Kind = privacy::Cost::Kind;
  std::vector<Record> base = random_records(60, 4, 8);
  for (const double first : {-1.0, 1.0}) {
    base[0].back() = first;
    for (const int kind : {0, 1, 2}) {
      const bool is_found = kind == 1;
      const std::size_t last = kind == 2 ? 10 : 0;  // releases of the factor
      for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
        FitSpec spec = by_norm({"", "l2", ""}, is_found);
        spec.intercept = true;
        spec.select_iterate = false;  // tests of refined fits have it
        spec.calibrate_probabilities = last > 0;
        spec.relation = relation;
        if (relation == "add_or_remove_one") spec.records = 60;
        const FitPlan plan = plan_for(spec, base, 4);
        Tap tap;
        const LinearModel model = fit_with(dataset_of(base, 4, Stored::f64), plan, 5);
        privacy::Composition done;
        for (const TapRecord& record : tap.records()) {
          if (is_selection(record)) {
            EXPECT_EQ(record.call.sensitivity, problem::kMagnitudeSensitivity);
            done.add({Kind::bounded_range, 2 * record.call.sensitivity, record.call.scale});
          } else {
            done.add({Kind::discrete_gaussian, record.call.sensitivity, record.call.scale});
            if (is_found && record.input.size() == 25) continue;  // so much budget whitens
            EXPECT_EQ(record.call.sensitivity, (relation == "replace_one" ? 2 : 1) * kBound);
            EXPECT_EQ(record.input.size(),
                      &record - tap.records().data() < 4 || is_found ? 5u : 2u);
          }
        }
        EXPECT_EQ(tap.records().size(), (is_found ? 6u : 4u) + last);
        EXPECT_EQ(done, model.privacy.composition());
        EXPECT_NEAR(privacy::spent(done, *spec.delta).epsilon, model.privacy.epsilon_spent, 1e-12);
        EXPECT_LE(model.privacy.epsilon_spent, *spec.epsilon);
      }
    }
  }
}

TEST(TappedNorm, WhitenedDoesWhatItsStatementCharges) {
  using Kind = privacy::Cost::Kind;
  const std::vector<Record> dense = random_records(60, 4, 8);
  std::vector<Record> sparse = dense;  // of a norm that is far below that of whole records
  for (Record& record : sparse) {
    for (std::size_t j = 0; j < 4; ++j) record[j] *= 0.01;
  }
  for (const bool is_found : {false, true}) {
    for (const bool calibrates : {false, true}) {
      for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
        FitSpec spec = whitened({"", "l2", ""});
        spec.record_norm_private = is_found;
        spec.intercept = true;
        spec.calibrate_probabilities = calibrates;
        spec.select_iterate = false;
        spec.relation = relation;
        if (relation == "add_or_remove_one") spec.records = 60;
        for (const std::vector<Record>& records : {dense, sparse}) {
          const FitPlan plan = plan_for(spec, records, 4);
          Tap tap;
          const LinearModel model = fit_with(dataset_of(records, 4, Stored::f64), plan, 5);
          privacy::Composition done;
          std::size_t matrices = 0;
          for (const TapRecord& record : tap.records()) {
            const Kind kind = is_selection(record) ? Kind::bounded_range : Kind::discrete_gaussian;
            const std::uint64_t times = is_selection(record) ? 2 : 1;
            done.add({kind, times * record.call.sensitivity, record.call.scale});
            if (record.input.size() != 25) continue;  // four features and a 1
            ++matrices;
            EXPECT_EQ(record.call.sensitivity, relation == "replace_one" ? problem::kReplacedMoments
                                                                         : problem::kAddedMoments);
          }
          EXPECT_EQ(matrices, 1u);
          EXPECT_EQ(tap.records().size(), 5u + (is_found ? 1u : 0u) + (calibrates ? 10u : 0u));
          EXPECT_EQ(done, model.privacy.composition());
          EXPECT_LE(model.privacy.epsilon_spent, *spec.epsilon);
        }
      }
    }
  }
}

TEST(TappedNorm, ReleasesTheInterceptAsAFeatureOfItsSize) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}}) {
    // At 0 the slopes are 1/2: what is clipped of records is their norm.
    FitSpec spec = declared({"", "none", ""});
    spec.intercept = true;
    spec.iterations = 10;
    spec.record_norm = 0.5;  // not dense
    spec.epsilon = 4.0;
    const std::vector<Record> records(n, Record{0.5, 0.0, 1.0});
    const FitPlan plan = plan_for(spec, records, 2);
    Tap tap;
    fit_with(dataset_of(records, 2, Stored::f64), plan, 6);
    const std::vector<std::int64_t>& sums = tap.records()[0].input;
    const auto each = [&](std::size_t c) {
      return static_cast<double>(sums[c]) / static_cast<double>(n);
    };
    // Where time is short it is as large as a record.
    EXPECT_NEAR(each(2), (n == 1 ? 1.0 : 0.25) * each(0), 1.0);
    const double part = n == 1 ? 1.0 : 0.5;  // a wide slope limit is not reached
    EXPECT_NEAR(std::hypot(each(0), each(2)), part * static_cast<double>(kBound), 2.0);
  }
}

}  // namespace
}  // namespace southwell::fit
