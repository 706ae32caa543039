// What a fit does, seen through the tap: every select and release with its inputs.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fit/tapped.hpp"
#include "fit/tapped_sensitivity.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::fit {
namespace {

TEST(TappedFit, HasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  const std::size_t features = 2;
  const std::vector<Record> all{{0.5, -1.25, 1.0}, {-2.0, 0.25, -1.0}, {1.0, 1.0, 3.0}};
  std::size_t tried = 0;
  const auto try_all = [&](const data::Dataset& dataset, std::vector<Record> changed,
                           std::size_t at, const FitPlan& plan, Stored stored,
                           const std::string& what) {
    for (const double a : kValues) {
      for (const double b : kValues) {
        for (const double y : kValues) {
          changed[at] = {a, b, y};
          expect_neighbour_within_sensitivity(
              dataset, dataset_of(changed, features, stored), plan, 17, 1,
              what + " " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(y));
          if (HasFailure()) return;
          ++tried;
        }
      }
    }
  };
  for (const Case& each : cases()) {
    FitSpec spec = small_spec(each.loss, each.penalty);
    spec.rule = each.rule;
    spec.intercept = each.penalty == "l1";
    for (std::size_t n = 1; n <= all.size(); ++n) {
      const std::vector<Record> base(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
      const FitPlan plan = plan_for(spec, base, features);
      for (std::size_t at = 0; at < n; ++at) {
        // Six places for three storages: each has its turn in every case, alone or not.
        const Stored stored = kStorages[(n + at) % kStorages.size()];
        try_all(dataset_of(base, features, stored), base, at, plan, stored,
                each.loss + " " + each.penalty + " n " + std::to_string(n));
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_EQ(tried, cases().size() * 6 * 1000);
}

TEST(TappedFit, IsTheSameOnManyThreadsWhereEachHasWork) {
  // Slopes are found, and scores made, in parts of about 31 000: below that one thread does all.
  const struct {
    std::size_t records;
    std::size_t features;
  } shapes[] = {{70'000, 2}, {3, 70'000}};
  for (const auto& [n, p] : shapes) {
    const std::vector<Record> base = random_records(n, p, n);
    for (const Stored stored : kStorages) {
      const data::Dataset dataset = dataset_of(base, p, stored);
      std::vector<Record> changed = base;
      changed.back().assign(p + 1, -1e308);
      const data::Dataset neighbour = dataset_of(changed, p, stored);
      std::vector<TapRecord> alone;
      for (const int threads : {1, 2, 7}) {
        FitSpec spec = small_spec("logistic", "l1");
        spec.threads = threads;
        const FitPlan plan = plan_for(spec, base, p);
        Tap tap;
        fit_with(dataset, plan, 4);
        if (threads == 1) alone = tap.records();
        ASSERT_EQ(tap.records().size(), alone.size());
        for (std::size_t k = 0; k < alone.size(); ++k) {
          ASSERT_EQ(tap.records()[k].input, alone[k].input) << n << " " << threads << " " << k;
        }
      }
      FitSpec spec = small_spec("squared");
      spec.threads = 2;
      expect_neighbour_within_sensitivity(dataset, neighbour, plan_for(spec, base, p), 5, 3,
                                          "n " + std::to_string(n));
      if (HasFailure()) return;
    }
  }
}

TEST(TappedFit, HasItsSensitivityInEveryTailThreadAndShard) {
  const std::size_t features = 3;
  for (std::size_t n = 1; n <= 33; ++n) {
    const std::vector<Record> base = random_records(n, features, n);
    for (const Case& each : cases()) {
      FitSpec spec = small_spec(each.loss, each.penalty);
      spec.rule = each.rule;
      spec.threads = n % 3 == 0 ? 1 : n % 3 == 1 ? 2 : 7;
      const FitPlan plan = plan_for(spec, base, features);
      const Stored stored = kStorages[n % 3];
      for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
        std::vector<Record> changed = base;
        changed[at] = {1e308, -kInfinity, 1e3, -1e3};
        expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                            dataset_of(changed, features, stored), plan, n,
                                            1 + n % 4,
                                            each.loss + " " + each.penalty + " n " +
                                                std::to_string(n) + " at " + std::to_string(at));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(TappedFit, HasHalfTheSensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(
      [](const Case& each) {
        FitSpec spec = small_spec(each.loss, each.penalty);
        spec.rule = each.rule;
        return spec;
      },
      Runs::with_bits_of_their_own);
}

TEST(TappedFit, OfManyClassesHasItsSensitivity) {
  FitSpec spec = small_spec("logistic", "l1");
  spec.intercept = true;
  expect_its_sensitivity_of_many_classes(spec, 2);
}

TEST(TappedFit, DoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = random_records(20, 4, 8);
  for (const std::string selection : {"exponential", "permute_and_flip", "noisy_max"}) {
    for (const std::string release : {"laplace", "gaussian"}) {
      for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
        FitSpec spec = small_spec("squared", "l1");
        spec.selection = selection;
        spec.release = release;
        spec.relation = relation;
        if (relation == "add_or_remove_one") spec.records = 20;
        spec.iterations = 7;
        const FitPlan plan = plan_for(spec, base, 4);
        Tap tap;
        const LinearModel model = fit_with(dataset_of(base, 4, Stored::f64), plan, 5);
        ASSERT_EQ(tap.records().size(), 14u);
        privacy::Composition done;
        for (std::size_t k = 0; k < 14; ++k) {
          const TapRecord& record = tap.records()[k];
          EXPECT_EQ(is_selection(record), k % 2 == 0);
          using Kind = privacy::Cost::Kind;
          const std::uint64_t shift = (k % 2 == 0 ? 2 : 1) * record.call.sensitivity;
          const Kind kind =
              k % 2 != 0 ? (release == "laplace" ? Kind::discrete_laplace : Kind::discrete_gaussian)
              : selection == "exponential" ? Kind::bounded_range
                                           : Kind::pure;
          done.add({kind, shift, record.call.scale});
          const std::uint64_t sensitivity = (relation == "replace_one" ? 2u : 1u) * std::uint64_t{1}
                                            << 20;
          EXPECT_EQ(record.call.sensitivity, sensitivity);
        }
        EXPECT_EQ(done, model.privacy.composition());
        EXPECT_EQ(privacy::spent(done, *spec.delta).epsilon, model.privacy.epsilon_spent);
        EXPECT_LE(model.privacy.epsilon_spent, spec.epsilon);
      }
    }
  }
}

TEST(TappedFit, NeverCertifiesASeed) {
  const std::vector<Record> base = random_records(20, 4, 8);
  FitSpec spec = small_spec("squared");
  spec.seed_for_tests = 3;
  const LinearModel model = fit(dataset_of(base, 4, Stored::f64), spec);
  EXPECT_FALSE(model.privacy.is_private);
  EXPECT_EQ(model.privacy.guarantee, "none (seeded)");
}

TEST(TappedFit, AddsWhatItsStartCost) {
  const std::vector<Record> base = random_records(200, 4, 8);
  const data::Dataset dataset = dataset_of(base, 4, Stored::f64);
  const auto first = std::make_shared<const LinearModel>(fit(dataset, small_spec("squared")));
  FitSpec spec = small_spec("squared");
  spec.start = first;
  spec.start_name = "first.json";
  const LinearModel second = fit(dataset, spec);
  EXPECT_TRUE(second.privacy.is_private);
  const auto both = first->privacy.composition() +
                    plan_for(small_spec("squared"), base, 4)->statement.composition();
  EXPECT_EQ(second.privacy.composition(), both);
  EXPECT_EQ(second.privacy.epsilon_spent, privacy::spent(both, 1e-6).epsilon);
  EXPECT_GT(second.privacy.epsilon_spent, 1.2);
  EXPECT_GE(std::stod(second.privacy.guarantee.substr(1)), second.privacy.epsilon_spent);
}

TEST(TappedFit, GivesAContributionAtTheClipItsWholeBound) {
  // One record exactly at the clip: the sum is K, neither more nor less.
  FitSpec spec = small_spec("squared");
  spec.iterations = 1;
  for (const Stored stored : kStorages) {
    const data::Dataset dataset = dataset_of({{1.0, -1.0}}, 1, stored);
    Tap tap;
    fit_with(dataset, plan_for(spec, {{1.0, -1.0}}, 1), 1);
    EXPECT_EQ(tap.records()[1].input[0], std::int64_t{1} << 20);
  }
}

TEST(TappedFit, OfASteepNegativeSlopeChoosesIt) {
  // The score of a coordinate is the size of its slope: the second feature's is the steepest, and
  // negative.
  std::vector<Record> records;
  for (int i = 0; i < 50; ++i) records.push_back({0.1, 1.0, 0.9});
  FitSpec spec = small_spec("squared");
  spec.epsilon = 100.0;
  spec.iterations = 1;
  const LinearModel model =
      fit_with(dataset_of(records, 2, Stored::f64), plan_for(spec, records, 2), 4);
  EXPECT_EQ(model.path[0].index, 1u);
  EXPECT_GT(model.path[0].value, 0.0);
}

}  // namespace
}  // namespace southwell::fit
