#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fit/tapped.hpp"

// Neighbours of every kind, for the fits that a function makes of losses and penalties.

namespace southwell::fit {

using SpecOf = std::function<FitSpec(const Case& each)>;

/// Whether the two runs have the same bits. Where coordinates or samples are drawn they must: the
/// sensitivity is that of sums over one of them. What is released is forced either way.
enum class Runs { with_the_same_bits, with_bits_of_their_own };
inline std::pair<std::uint64_t, std::uint64_t> seeds_of(Runs runs, std::uint64_t seed) {
  return {seed, runs == Runs::with_the_same_bits ? seed : seed + 1};
}

/// All records of the value table in place of the second of three.
inline void expect_its_sensitivity_on_the_value_table(const SpecOf& spec_of) {
  const std::size_t features = 2;
  const std::vector<Record> base{{0.5, -1.25, 1.0}, {-2.0, 0.25, -1.0}, {1.0, 1.0, 3.0}};
  for (const Case& each : cases()) {
    FitSpec spec = spec_of(each);
    spec.intercept = each.penalty == "l1";
    const FitPlan plan = plan_for(spec, base, features);
    for (const Stored stored : kStorages) {
      const data::Dataset dataset = dataset_of(base, features, stored);
      for (const double a : kValues) {
        for (const double b : kValues) {
          for (const double y : kValues) {
            if (&a - kValues.data() > 4 && &b - kValues.data() > 4 && stored != Stored::f64) {
              continue;  // kept short: these are the same numbers
            }
            std::vector<Record> changed = base;
            changed[1] = {a, b, y};
            expect_neighbour_within_sensitivity(
                dataset, dataset_of(changed, features, stored), plan, {17, 17}, 1,
                each.loss + " " + each.penalty + " " + std::to_string(a) + " " + std::to_string(b) +
                    " " + std::to_string(y));
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

inline void expect_its_sensitivity_in_every_tail(const SpecOf& spec_of) {
  const std::size_t features = 11;  // a tail of every vector width
  for (std::size_t n = 1; n <= 33; ++n) {
    const std::vector<Record> base = random_records(n, features, n);
    for (const Case& each : cases()) {
      FitSpec spec = spec_of(each);
      spec.threads = n % 3 == 0 ? 1 : n % 3 == 1 ? 2 : 7;
      const FitPlan plan = plan_for(spec, base, features);
      const Stored stored = kStorages[n % 3];
      for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
        std::vector<Record> changed = base;
        for (std::size_t j = 0; j <= features; ++j) changed[at][j] = j % 2 == 0 ? 1e3 : -1e30;
        expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                            dataset_of(changed, features, stored), plan, {n, n},
                                            1 + n % 4,
                                            each.loss + " " + each.penalty + " n " +
                                                std::to_string(n) + " at " + std::to_string(at));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

inline void expect_half_the_sensitivity_when_a_record_is_added(
    const SpecOf& spec_of, Runs runs = Runs::with_the_same_bits) {
  const std::size_t features = 2;
  for (std::size_t n = 0; n <= 5; ++n) {
    const std::vector<Record> base = random_records(n, features, 3 * n + 1);
    for (const Case& each : cases()) {
      FitSpec spec = spec_of(each);
      spec.relation = "add_or_remove_one";
      spec.records = 4;
      const FitPlan plan = plan_for(spec, base, features);
      for (const double value : kValues) {
        std::vector<Record> more = base;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(n / 2), {value, -value, 1.0});
        // Whatever the number of records, the plan is the same to the last word.
        EXPECT_EQ(to_json(plan->statement), to_json(plan_for(spec, more, features)->statement));
        for (const Stored stored : kStorages) {
          expect_neighbour_within_sensitivity(
              dataset_of(base, features, stored), dataset_of(more, features, stored), plan,
              seeds_of(runs, n + 5), 1, each.loss + " n " + std::to_string(n));
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

inline void expect_its_sensitivity_of_many_classes(FitSpec spec, std::size_t features) {
  std::vector<Record> base = random_records(9, features, 4);
  for (std::size_t i = 0; i < base.size(); ++i) base[i].back() = static_cast<double>(i % 3);
  spec.classes = {0.0, 1.0, 2.0};
  const FitPlan plan = plan_for(spec, base, features);
  for (const double value : kValues) {
    for (const double label : {0.0, 1.0, 2.0, 7.0, std::nan("")}) {
      for (const double other : {1.0, 1e3}) {
        std::vector<Record> changed = base;
        changed[3].assign(features, -value);
        changed[3].push_back(label);
        changed[3][0] = value;
        changed[3][1] = other;
        for (const Stored stored : kStorages) {
          expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                              dataset_of(changed, features, stored), plan, 3, 2,
                                              std::to_string(value) + " " + std::to_string(label));
        }
      }
    }
  }
}

}  // namespace southwell::fit
