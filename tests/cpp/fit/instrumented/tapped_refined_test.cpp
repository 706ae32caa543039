// What refined fits do, seen through the tap.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fit/tapped_sensitivity.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/gradient/moment_sums.hpp"

namespace southwell::fit {
namespace {

FitSpec refined(const std::string& solver, const Case& each) {
  FitSpec spec = small_spec(each.loss, each.penalty);
  spec.solver = solver;
  spec.refine = "on";
  spec.clip.reset();
  spec.step.reset();
  spec.release.reset();
  spec.share.reset();
  spec.iterations = solver == "gcd" ? 3 : 4;
  spec.select_iterate = true;
  return spec;
}
/// With that much of it the few records of these tests are enough for a matrix of second moments.
constexpr double kWhitens = 500.0;
SpecOf whitened(const std::string& solver) {
  return [solver](const Case& each) {
    FitSpec spec = refined(solver, each);
    spec.epsilon = kWhitens;
    return spec;
  };
}
SpecOf specs_of(const std::string& solver) {
  return [solver](const Case& each) { return refined(solver, each); };
}

TEST(TappedRefinedGcd, HasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(specs_of("gcd"));
}
TEST(TappedRefinedSgd, HasItsL2SensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(specs_of("sgd"));
}
TEST(TappedRefinedGcd, HasItsSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(specs_of("gcd"));
}
TEST(TappedRefinedSgd, HasItsL2SensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(specs_of("sgd"));
}
TEST(TappedRefinedGcd, HasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(specs_of("gcd"));
}
TEST(TappedRefinedSgd, HasHalfTheL2SensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(specs_of("sgd"));
}

TEST(TappedWhitened, FitsHaveTheirSensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(whitened("gcd"));
  expect_its_sensitivity_on_the_value_table(whitened("sgd"));
}
TEST(TappedWhitened, FitsHaveTheirSensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(whitened("gcd"));
  expect_its_sensitivity_in_every_tail(whitened("sgd"));
}
TEST(TappedWhitened, FitsHaveTheirSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(whitened("gcd"));
  expect_half_the_sensitivity_when_a_record_is_added(whitened("sgd"));
}
TEST(TappedWhitened, FitsReleaseAMatrixOfSecondMoments) {
  const std::vector<Record> records = random_records(20, 3, 5);
  for (const std::string solver : {"gcd", "sgd"}) {
    FitSpec spec = whitened(solver)({"squared", "l2", ""});
    spec.intercept = true;
    Tap tap;
    fit_with(dataset_of(records, 3, Stored::f64), plan_for(spec, records, 3), 2);
    const auto is_matrix = [](const TapRecord& record) {
      return !is_selection(record) && record.call.sensitivity == problem::kReplacedMoments;
    };
    const auto found = std::find_if(tap.records().begin(), tap.records().end(), is_matrix);
    ASSERT_NE(found, tap.records().end()) << solver;
    if (solver == "sgd") {
      EXPECT_EQ(found->input.size(), 16u);  // three features and a 1
    }
  }
}

/// Every matrix is a sum over records of products of whole numbers with themselves.
TEST(TappedWhitened, FitsReleaseTheMomentsOfMappedRecordsToo) {
  const std::vector<Record> records = random_records(20, 3, 5);
  for (const std::string solver : {"gcd", "sgd"}) {
    FitSpec spec = whitened(solver)({"squared", "l2", ""});
    spec.intercept = true;
    Tap tap;
    fit_with(dataset_of(records, 3, Stored::f64), plan_for(spec, records, 3), 2);
    std::vector<std::vector<std::int64_t>> matrices;
    for (const TapRecord& record : tap.records()) {
      const bool is_matrix =
          !is_selection(record) && record.call.sensitivity == problem::kReplacedMoments;
      if (is_matrix) matrices.push_back(record.input);
    }
    ASSERT_GE(matrices.size(), 2u) << solver;
    const std::vector<std::int64_t>& mapped = matrices.back();
    ASSERT_EQ(mapped.size(), matrices[matrices.size() - 2].size()) << solver;
    EXPECT_NE(mapped, matrices[matrices.size() - 2]) << solver;
    const auto dims = static_cast<std::size_t>(std::sqrt(static_cast<double>(mapped.size())));
    double trace = 0.0;
    for (std::size_t a = 0; a < dims; ++a) {
      trace += static_cast<double>(mapped[a * dims + a]);
      for (std::size_t b = 0; b < dims; ++b) {
        const auto entry = static_cast<double>(mapped[a * dims + b]);
        const auto most =
            static_cast<double>(mapped[a * dims + a]) * static_cast<double>(mapped[b * dims + b]);
        EXPECT_EQ(mapped[a * dims + b], mapped[b * dims + a]);
        EXPECT_LE(entry * entry, most);
      }
    }
    EXPECT_GT(trace, 0.0);
    EXPECT_LE(trace, static_cast<double>(records.size() * problem::kAddedMoments));
  }
}

TEST(TappedRefinedGcd, OfManyClassesHasItsSensitivity) {
  expect_its_sensitivity_of_many_classes(refined("gcd", {"logistic", "l1", ""}), 3);
}

/// The events of a fit are those of its statement, in number and scale, whatever the records are.
void expect_the_transcript_of_the_statement(const FitSpec& spec,
                                            const std::vector<Record>& records) {
  using Kind = privacy::Cost::Kind;
  const FitPlan plan = plan_for(spec, records, records.front().size() - 1);
  Tap tap;
  const LinearModel model =
      fit_with(dataset_of(records, records.front().size() - 1, Stored::f64), plan, 5);
  privacy::Composition done;
  const bool replaces = spec.relation.value_or("replace_one") == "replace_one";
  const std::uint64_t of_a_sum = (replaces ? 2u : 1u) << 20;
  const std::uint64_t of_losses = 1u << 20;
  const std::uint64_t of_moments = replaces ? problem::kReplacedMoments : problem::kAddedMoments;
  for (const TapRecord& record : tap.records()) {
    const std::uint64_t sensitivity = record.call.sensitivity;
    EXPECT_TRUE(sensitivity == of_a_sum ||
                sensitivity == (is_selection(record) ? of_losses : of_moments));
    if (is_selection(record)) {
      EXPECT_EQ(record.call.mechanism, "exponential_mechanism");
      done.add({Kind::bounded_range, 2 * sensitivity, record.call.scale});
    } else {
      EXPECT_EQ(record.call.mechanism, "discrete_gaussian_release");
      done.add({Kind::discrete_gaussian, sensitivity, record.call.scale});
    }
  }
  privacy::Composition stated;  // in the order of their events, as above
  const privacy::Composition statement = model.privacy.composition();
  for (const auto& event : done.events()) {
    for (const auto& other : statement.events()) {
      if (other.cost == event.cost) stated.add(other.cost, other.count);
    }
  }
  EXPECT_EQ(done, stated);
  EXPECT_EQ(done.events().size(), statement.events().size());
  EXPECT_NEAR(privacy::spent(done, *spec.delta).epsilon, model.privacy.epsilon_spent, 1e-12);
  EXPECT_LE(model.privacy.epsilon_spent, spec.epsilon);
  EXPECT_GE(model.privacy.epsilon_spent, 0.99 * *spec.epsilon);
}

TEST(TappedRefined, DoesWhatItsStatementChargesAndNothingElse) {
  std::vector<Record> base = random_records(20, 4, 8);
  for (const double first : {-1.0, 1.0}) {
    base[0].back() = first;
    for (const std::string solver : {"gcd", "sgd"}) {
      for (const Case& each : cases()) {
        for (const bool intercept : {false, true}) {
          for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
            FitSpec spec = refined(solver, each);
            spec.intercept = intercept;
            spec.relation = relation;
            if (relation == "add_or_remove_one") spec.records = 20;
            expect_the_transcript_of_the_statement(spec, base);
            spec.epsilon = kWhitens;
            expect_the_transcript_of_the_statement(spec, base);
          }
        }
      }
    }
  }
}

TEST(TappedRefined, DrawsTheNoiseOfEveryReleaseAfresh) {
  const std::vector<Record> records(3, {1.0, 0.5, -1.0});
  for (const std::string solver : {"gcd", "sgd"}) {
    FitSpec spec = refined(solver, {"squared", "none", ""});
    spec.intercept = true;
    Tap tap;
    fit_with(dataset_of(records, 2, Stored::f64), plan_for(spec, records, 2), 6);
    std::set<std::int64_t> noise;
    std::size_t releases = 0;
    for (const TapRecord& record : tap.records()) {
      if (is_selection(record)) continue;
      for (std::size_t k = 0; k < record.input.size(); ++k) {
        noise.insert(record.output[k] - record.input[k]);
        ++releases;
      }
    }
    EXPECT_GT(releases, 15u);
    EXPECT_EQ(noise.size(), releases);
  }
}

TEST(TappedRefined, ReleasesTheSecondMomentsOfWhatItChose) {
  // One feature of scale 2: squares of 1, 4 and 16 in units of 4, and the clip is at 4.
  FitSpec spec = refined("gcd", {"squared", "none", ""});
  spec.select_iterate = false;
  spec.iterations = 1;
  spec.feature_scale = {2.0};
  const std::vector<Record> records{{1.0, 1.0}, {-2.0, 1.0}, {4.0, -1.0}, {std::nan(""), 1.0}};
  const FitPlan plan = plan_for(spec, records, 1);
  Tap tap;
  const LinearModel model = fit_with(dataset_of(records, 1, Stored::f64), plan, 6);
  const TapRecord& moments = tap.records()[1];  // after the selection, before the descent
  ASSERT_EQ(moments.call.mechanism, "discrete_gaussian_release");
  ASSERT_EQ(moments.input.size(), 1u);
  const auto unit = static_cast<double>(problem::ProductClip::kBound);
  EXPECT_NEAR(static_cast<double>(moments.input[0]), (0.25 + 1.0 + 1.0) * unit, 3.0);
  EXPECT_EQ(moments.call.scale, model.privacy.mechanisms[1].cost.scale);
  EXPECT_EQ(model.privacy.mechanisms[1].count, 1u);
}

TEST(TappedRefined, LaterSelectionsHearSlopesOfAQuarterInFull) {
  // Eight records tell too little for coefficients to move: all slopes stay near a half, and
  // features of 1 are beyond their clip of .35. At a limit of .6 a record would give 5/6 of K.
  FitSpec spec = refined("gcd", {"logistic", "none", ""});
  spec.intercept = false;
  spec.select_iterate = false;
  const std::vector<Record> records(8, Record{1.0, 1.0, 1.0, 1.0, 1.0});
  const FitPlan plan = plan_for(spec, records, 4);
  Tap tap;
  fit_with(dataset_of(records, 4, Stored::f64), plan, 6);
  std::vector<std::int64_t> largest;
  for (const TapRecord& record : tap.records()) {
    if (!is_selection(record)) continue;
    largest.push_back(*std::max_element(record.input.begin(), record.input.end()));
  }
  EXPECT_EQ(largest, std::vector<std::int64_t>(3, 8 * problem::ProductClip::kBound));
}

TEST(TappedRefined, RoomIsWhatARecordLeavesOfItsBound) {
  // A record of norm 3/5 of the clip leaves 4/5, one of norm 0 all of it, a long one nothing.
  FitSpec spec = refined("sgd", {"squared", "none", ""});
  spec.iterations = 1;
  const FitPlan plan = plan_for(spec, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, 1);
  const double clip = plan->coordinates.clip;
  const std::vector<Record> records{{0.6 * clip, -1.0}, {0.0, 1.0}, {2.0 * clip, -1.0}};
  Tap tap;
  fit_with(dataset_of(records, 1, Stored::f64), plan, 6);
  const TapRecord& record = tap.records()[0];
  ASSERT_EQ(record.input.size(), 2u);
  const auto unit = static_cast<double>(problem::ProductClip::kBound);
  EXPECT_NEAR(static_cast<double>(record.input[0]), (0.6 + 1.0) * unit, 2.0);
  EXPECT_NEAR(static_cast<double>(record.input[1]), (0.8 + 1.0) * unit, 2.0);
}

}  // namespace
}  // namespace southwell::fit
