// Two plans of which the norm of records decides, seen through the tap.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fit/tapped.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::fit {
namespace {

constexpr std::size_t kMany = 100;  ///< features, of which auto takes records to be short or long

/// By the solver that the norm decides for, between two plans.
FitSpec decided_by_norm() {
  FitSpec spec = small_spec("logistic", "l2");
  spec.solver = "auto";
  spec.clip.reset();
  spec.iterations.reset();
  spec.intercept = true;
  spec.record_norm_private = true;
  spec.epsilon = 4.0;
  return spec;
}

/// Of a norm about 10, or well below what the plan for descent is followed up to.
std::vector<Record> long_or_short(bool is_short) {
  std::vector<Record> records = random_records(60, kMany, 8);
  for (Record& record : records) {
    for (std::size_t j = 0; j < kMany; ++j) record[j] *= is_short ? 0x1p-4 : 1.0;
  }
  return records;
}

/// In whatever order.
std::map<privacy::Cost, std::uint64_t> counts_of(const privacy::Composition& events) {
  std::map<privacy::Cost, std::uint64_t> counts;
  for (const auto& [cost, count] : events.events()) counts[cost] += count;
  return counts;
}

TEST(TappedPlans, DoWhatTheirStatementChargesAndNothingElse) {
  using Kind = privacy::Cost::Kind;
  for (const bool is_short : {false, true}) {
    const std::vector<Record> records = long_or_short(is_short);
    FitSpec spec = decided_by_norm();
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      spec.relation = relation;
      if (relation == "add_or_remove_one") spec.records = 60;
      const FitPlan plan = plan_for(spec, records, kMany);
      ASSERT_TRUE(plan->other.has_value());
      EXPECT_EQ(plan->statement.solver, "gcd");
      Tap tap;
      const LinearModel model = fit_with(dataset_of(records, kMany, Stored::f64), plan, 5);
      EXPECT_EQ(model.privacy.solver, is_short ? "sgd" : "gcd");
      privacy::Composition done;
      for (const TapRecord& record : tap.records()) {
        const Kind kind = is_selection(record) ? Kind::bounded_range : Kind::discrete_gaussian;
        done.add(
            {kind, (is_selection(record) ? 2 : 1) * record.call.sensitivity, record.call.scale});
      }
      privacy::Composition followed;
      std::size_t others = 0;
      for (const MechanismUse& use : model.privacy.mechanisms) {
        if (model.privacy.follows(use)) {
          followed.add(use.cost, use.count);
        } else {
          ++others;
        }
      }
      EXPECT_EQ(counts_of(done), counts_of(followed));
      EXPECT_GT(others, 0u);
      EXPECT_LE(privacy::spent(done, privacy::delta_of_each(*spec.delta, 2)).epsilon,
                model.privacy.epsilon_spent);
      EXPECT_LE(model.privacy.epsilon_spent, *spec.epsilon);
      EXPECT_GT(model.privacy.epsilon_spent, 0.99 * *spec.epsilon);
    }
  }
}

TEST(TappedPlans, HaveTheirSensitivity) {
  for (const bool is_short : {false, true}) {
    const std::vector<Record> base = long_or_short(is_short);
    const FitPlan plan = plan_for(decided_by_norm(), base, kMany);
    for (const double value : kValues) {
      std::vector<Record> changed = base;
      changed[7].assign(kMany + 1, value);
      changed[7][3] = 0.5;
      changed[7].back() = 1.0;
      for (const Stored stored : kStorages) {
        expect_neighbour_within_sensitivity(dataset_of(base, kMany, stored),
                                            dataset_of(changed, kMany, stored), plan, 5, 2,
                                            std::to_string(value));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(TappedPlans, HaveTheSameBits) {
  for (const bool is_short : {false, true}) {
    const std::vector<Record> records = long_or_short(is_short);
    FitSpec spec = decided_by_norm();
    spec.features = kMany;
    const auto text = [&](Stored stored) {
      return to_json(fit(dataset_of(records, kMany, stored), spec, {.bits = seeded(3)}));
    };
    const std::string expected = text(Stored::f32);
    EXPECT_NE(expected.find(is_short ? "\"solver\":\"sgd\"" : "\"solver\":\"gcd\""),
              std::string::npos)
        << expected.substr(0, 400);
    EXPECT_EQ(text(Stored::sparse), expected);
  }
}

}  // namespace
}  // namespace southwell::fit
