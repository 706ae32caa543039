#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fit/leaky_plan.hpp"
#include "fit/small_data.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/privacy/tap.hpp"

// What the tests of tapped fits share: replay on neighbours.

namespace southwell::fit {

using privacy::Tap;
using privacy::TapRecord;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline const std::vector<double> kValues{-kInfinity, -1e308, -1.0,  -0.0,      0.0,
                                         5e-324,     1.0,    1e308, kInfinity, std::nan("")};
inline const std::vector<Stored> kStorages{Stored::f64, Stored::f32, Stored::sparse};

inline std::unique_ptr<privacy::RandomBits> seeded(std::uint64_t seed) {
  return std::make_unique<privacy::SeededRandomBits>(seed);
}

inline LinearModel fit_with(const data::Dataset& dataset, const FitPlan& plan, std::uint64_t seed,
                            std::size_t shards = 1) {
  LinearModel model =
      fit(dataset, leaky_plan(dataset, plan), {.bits = seeded(seed), .shards = shards});
  model.privacy.mechanisms = plan->statement.mechanisms;  // what a leaky fit does not tell
  return model;
}

inline FitPlan plan_for(const FitSpec& spec, const std::vector<Record>& records,
                        std::size_t features) {
  return plan_fit(spec, DataShape::of(dataset_of(records, features, Stored::f64)));
}

inline bool is_selection(const TapRecord& record) {
  return record.call.mechanism != "discrete_laplace_release" &&
         record.call.mechanism != "discrete_gaussian_release";
}

/// How far the inputs of a call are apart: the largest entry for a selection, the l2 norm for a
/// release, rounded up, in integers.
inline std::uint64_t distance(const TapRecord& here, const TapRecord& there) {
  std::uint64_t most = 0;
  Uint128 squares = 0;
  for (std::size_t j = 0; j < here.input.size(); ++j) {
    const auto apart = static_cast<std::uint64_t>(std::abs(here.input[j] - there.input[j]));
    most = std::max(most, apart);
    squares += static_cast<Uint128>(apart) * apart;
  }
  if (is_selection(here)) return most;
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(squares)));
  while (static_cast<Uint128>(root) * root > squares) --root;
  while (static_cast<Uint128>(root) * root < squares) ++root;
  return root;
}

/// Replays on a neighbour what happened on a dataset, its outputs forced: the same calls, inputs
/// within the declared sensitivity, the same public results. `seeds` are those of the two runs: the
/// same where coordinates or samples are drawn: the sensitivity is that of sums over one of them.
inline void expect_neighbour_within_sensitivity(const data::Dataset& dataset,
                                                const data::Dataset& neighbour, const FitPlan& plan,
                                                std::pair<std::uint64_t, std::uint64_t> seeds,
                                                std::size_t shards, const std::string& what) {
  std::vector<TapRecord> run;
  LinearModel first;
  {
    Tap tap;
    first = fit_with(dataset, plan, seeds.first);
    run = tap.records();
  }
  Tap tap(run);
  LinearModel second;
  ASSERT_NO_THROW(second = fit_with(neighbour, plan, seeds.second, shards)) << what;
  ASSERT_TRUE(tap.replayed_all()) << what;
  for (std::size_t k = 0; k < run.size(); ++k) {
    ASSERT_EQ(run[k].call, tap.records()[k].call) << what;
    ASSERT_EQ(run[k].input.size(), tap.records()[k].input.size()) << what;
    ASSERT_LE(distance(run[k], tap.records()[k]), run[k].call.sensitivity)
        << what << ", call " << k;
  }
  EXPECT_EQ(to_json(first), to_json(second)) << what;
}
inline void expect_neighbour_within_sensitivity(const data::Dataset& dataset,
                                                const data::Dataset& neighbour, const FitPlan& plan,
                                                std::uint64_t seed, std::size_t shards,
                                                const std::string& what) {
  expect_neighbour_within_sensitivity(dataset, neighbour, plan, {seed, seed + 1}, shards, what);
}

inline std::vector<Record> random_records(std::size_t n, std::size_t features, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Record> records(n, Record(features + 1));
  for (Record& record : records) {
    for (double& value : record) value = static_cast<float>(normal(random));
    record.back() = record[0] > 0.0 ? 1.0 : -1.0;
  }
  return records;
}

struct Case {
  std::string loss;
  std::string penalty;
  std::string rule;
};
inline std::vector<Case> cases() {
  return {{"squared", "none", "gs_s"},
          {"squared", "l1", "gs_q"},
          {"squared", "elastic_net", "gs_r"},
          {"logistic", "l1", "gs_s"},
          {"logistic", "l2", "gs_q"},
          {"huber", "box", "gs_q"},
          {"huber", "l2", "gs_s"},
          {"squared_hinge", "box", "gs_r"}};
}

}  // namespace southwell::fit
