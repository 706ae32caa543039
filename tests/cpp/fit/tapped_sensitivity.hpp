#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fit/tapped.hpp"

// Neighbours of every kind, for the fits that a function makes of losses and penalties.

namespace southwell::fit {

using SpecOf = std::function<FitSpec(const Case& each)>;

// Both runs have the same bits: DP-CD's coordinates are public, and what is released is forced.

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

inline void expect_half_the_sensitivity_when_a_record_is_added(const SpecOf& spec_of) {
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
        EXPECT_EQ(to_json(plan->statement), to_json(plan_for(spec, more, features)->statement));
        for (const Stored stored : kStorages) {
          expect_neighbour_within_sensitivity(dataset_of(base, features, stored),
                                              dataset_of(more, features, stored), plan, {n, n}, 1,
                                              each.loss + " n " + std::to_string(n));
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace southwell::fit
