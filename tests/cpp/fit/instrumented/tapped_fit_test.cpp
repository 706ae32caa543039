// What a fit does, seen through the tap: every select and release with its inputs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "fit/tapped.hpp"
#include "southwell/fit/pooled_scale.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/problem/magnitude_scores.hpp"

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
  const std::size_t features = 2;
  for (std::size_t n = 0; n <= 5; ++n) {
    const std::vector<Record> base = random_records(n, features, 3 * n + 1);
    for (const Case& each : cases()) {
      FitSpec spec = small_spec(each.loss, each.penalty);
      spec.rule = each.rule;
      spec.relation = "add_or_remove_one";
      spec.records = 4;
      const FitPlan plan = plan_for(spec, base, features);
      for (const double value : kValues) {
        std::vector<Record> more = base;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(n / 2), {value, -value, 1.0});
        // Whatever the number of records, the plan is the same to the last word.
        EXPECT_EQ(to_json(plan->statement), to_json(plan_for(spec, more, features)->statement));
        for (const Stored stored : kStorages) {
          expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                              dataset_of(more, features, stored), plan, n + 5, 1,
                                              each.loss + " n " + std::to_string(n));
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TappedFit, OfManyClassesHasItsSensitivity) {
  std::vector<Record> base = random_records(9, 2, 4);
  for (std::size_t i = 0; i < base.size(); ++i) base[i][2] = static_cast<double>(i % 3);
  FitSpec spec = small_spec("logistic", "l1");
  spec.classes = {0.0, 1.0, 2.0};
  spec.intercept = true;
  const FitPlan plan = plan_for(spec, base, 2);
  for (const double value : kValues) {
    for (const double label : {0.0, 1.0, 2.0, 7.0, std::nan("")}) {
      std::vector<Record> changed = base;
      changed[3] = {value, 1.0, label};
      for (const Stored stored : kStorages) {
        expect_neighbour_within_sensitivity(dataset_of(base, 2, stored),
                                            dataset_of(changed, 2, stored), plan, 3, 2,
                                            std::to_string(value) + " " + std::to_string(label));
      }
    }
  }
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

/// Through the only door there is: a mechanism's.
std::vector<std::int64_t> scores_of(const std::vector<double>& target) {
  Tap tap;
  privacy::SeededRandomBits bits(1);
  privacy::ExponentialMechanism(1, 1).release(problem::magnitude_scores(target), bits);
  return tap.records().at(0).input;
}

TEST(MagnitudeScores, MoveNoFartherThanTheirSensitivityOnAllSmallTables) {
  const std::vector<double> values{0.0, 0x1p-58, 1.0, 3.0, kInfinity};
  const auto farthest = [](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    std::int64_t most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
    return most;
  };
  std::int64_t by_replacing = 0;
  std::int64_t by_adding = 0;
  std::vector<std::vector<double>> tables{{}};  // all of one length, in rising order of values
  for (int length = 0; length < 7; ++length) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& table : tables) {
      const std::vector<std::int64_t> scores = scores_of(table);
      std::vector<std::vector<std::int64_t>> added;
      for (const double value : values) {
        std::vector<double> with = table;
        with.push_back(value);
        added.push_back(scores_of(with));
        by_adding = std::max(by_adding, farthest(scores, added.back()));
        for (const auto& other : added) {
          by_replacing = std::max(by_replacing, farthest(other, added.back()));
        }
        if (table.empty() || value >= table.back()) longer.push_back(with);
      }
    }
    tables = std::move(longer);
  }
  EXPECT_EQ(by_replacing, 2);
  EXPECT_EQ(by_adding, 2);
}

TEST(TappedFit, FindsTheTargetScaleByAMechanismItCharges) {
  std::vector<Record> base = random_records(400, 3, 6);
  for (Record& record : base) record.back() = 100.0 * record[0];  // a median of about 67
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      FitSpec spec = small_spec(solver == "cd" ? "huber" : "squared", "l1");
      if (solver == "cd") spec.objective.huber_width = 1e4;
      spec.solver = solver;
      spec.clip.reset();
      spec.target_scale_private = true;
      spec.relation = relation;
      if (relation == "add_or_remove_one") spec.records = 400;
      const FitPlan plan = plan_for(spec, base, 3);
      Tap tap;
      const LinearModel model = fit_with(dataset_of(base, 3, Stored::f64), plan, 5);
      // The first event is the selection of the scale, at the noise that is charged.
      const TapRecord& first = tap.records()[0];
      EXPECT_EQ(first.call.mechanism, "exponential_mechanism");
      EXPECT_EQ(first.input.size(), 121u);
      EXPECT_EQ(first.call.sensitivity, 2u);
      const MechanismUse& use = model.privacy.mechanisms[0];
      EXPECT_EQ(use.step, "target_scale");
      EXPECT_EQ(use.cost.scale, first.call.scale);
      EXPECT_EQ(use.cost.shift, 2 * first.call.sensitivity);
      const double found = std::ldexp(1.0, static_cast<int>(first.output[0]) - 60);
      EXPECT_TRUE(found == 64.0 || found == 128.0) << found;
      // What follows from it says so, and all of it together keeps the budget.
      for (const PublicInput& input : model.privacy.public_inputs) {
        if (input.name == "target_scale") {
          EXPECT_EQ(std::get<double>(input.value), found);
        }
        if (input.name == "target_scale" || input.name == "clip") {
          EXPECT_EQ(input.source, Source::mechanism) << input.name;
        }
      }
      EXPECT_LE(model.privacy.epsilon_spent, 1.0);
      EXPECT_GT(model.privacy.epsilon_spent, 0.999);
      // Neighbours.
      for (const double value : kValues) {
        std::vector<Record> changed = base;
        if (relation == "add_or_remove_one") changed.push_back(base[7]);
        changed.back() = {value, 1.0, -value, value};
        expect_neighbour_within_sensitivity(dataset_of(base, 3, Stored::f64),
                                            dataset_of(changed, 3, Stored::f64), plan, {3, 3}, 1,
                                            solver + " " + std::to_string(value));
      }
    }
  }
}

TEST(TappedFit, SharesTheMechanismOfItsTargetScaleWithPooledScales) {
  std::vector<double> sizes;
  for (const Record& record : random_records(400, 3, 6)) sizes.push_back(std::fabs(record[0]));
  for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
    PooledScaleSpec spec{.epsilon = 0.5, .relation = relation};
    if (relation == "add_or_remove_one") spec.records = 400;
    const PooledScale scale(spec, sizes.size());
    Tap tap;
    privacy::SeededRandomBits bits(5);
    const double found = scale.find(sizes, bits);
    ASSERT_EQ(tap.records().size(), 1u);
    const TapRecord first = tap.records()[0];
    const MechanismUse use = scale.statement(found).mechanisms.at(0);
    EXPECT_EQ(use.cost.scale, first.call.scale);
    EXPECT_EQ(use.cost.shift, 2 * first.call.sensitivity);
    for (const double value : kValues) {
      std::vector<double> changed = sizes;
      if (relation == "add_or_remove_one") changed.push_back(0.0);
      changed.back() = value;
      privacy::SeededRandomBits others(6);
      static_cast<void>(scale.find(changed, others));
      EXPECT_LE(distance(first, tap.records().back()), first.call.sensitivity) << value;
    }
  }
}

}  // namespace
}  // namespace southwell::fit
