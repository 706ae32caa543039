// What a fit that holds units out reads of records, seen through the tap.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fit/tapped.hpp"
#include "fit/unit_data.hpp"
#include "southwell/assess/held_out_fit.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::assess {
namespace {

using fit::Case;
using fit::dataset_of;
using fit::FitSpec;
using fit::kInfinity;
using fit::Record;
using fit::Stored;
using fit::Table;
using privacy::Tap;
using privacy::TapRecord;

FitSpec spec_of(const std::string& solver, const Case& each, const std::string& relation) {
  FitSpec spec = fit::unit_spec(solver, each.loss, each.penalty);
  spec.test_share = 0.4;
  spec.relation = relation;
  if (relation == "add_or_remove_one") spec.records = 9;
  return spec;
}

const std::vector<Case> kCases{
    {"squared", "l1", ""}, {"logistic", "l2", ""}, {"huber", "none", ""}};

void turn(std::vector<bool>& split, std::size_t places) {
  std::rotate(split.begin(), split.begin() + static_cast<std::ptrdiff_t>(places % split.size()),
              split.end());
}

/// The split as it is drawn, or that of a shell which looks at the records for it: a test double,
/// for the shipped code has no such fault in it.
std::vector<bool> split_of(const data::Dataset& dataset, const fit::FitPlan& plan,
                           privacy::RandomBits& bits) {
  std::vector<bool> split =
      drawn_split(*plan->held_out, dataset.units(), *bits.stream(privacy::Purpose::split, 0));
  if (!fault(Fault::split_follows_the_target)) return split;
  turn(split, static_cast<std::size_t>(std::count_if(dataset.target.begin(), dataset.target.end(),
                                                     [](double y) { return y > 0.5; })));
  return split;
}

/// The same of a table with ids: the double turns the split by what they are.
std::vector<bool> split_of(const Table& table, const fit::FitPlan& plan,
                           privacy::RandomBits& bits) {
  const data::Dataset dataset = dataset_of(table, 2, Stored::f64);
  std::vector<bool> split = split_of(dataset, plan, bits);
  if (!fault(Fault::split_follows_the_target)) return split;
  std::size_t sum = 0;
  for (const fit::Row& row : table) sum += row.id ? static_cast<std::size_t>(row.id->front()) : 0;
  turn(split, sum);
  return split;
}

struct Observed {
  std::vector<TapRecord> calls;
  std::string model;
};

Observed run_of(const data::Dataset& dataset, const fit::FitPlan& plan,
                const std::vector<bool>& split, std::uint64_t seed,
                const std::vector<TapRecord>* replayed = nullptr) {
  privacy::SeededRandomBits bits(seed);
  const auto model = [&] { return to_json(fit_and_assess_parts(dataset, plan, split, {}, bits)); };
  if (replayed == nullptr) {
    Tap tap;
    const std::string text = model();
    return {tap.records(), text};
  }
  Tap tap(*replayed);
  const std::string text = model();
  EXPECT_TRUE(tap.replayed_all());
  return {tap.records(), text};
}

/// How many calls the figures are.
std::size_t figure_calls(const fit::FitPlan& plan) { return plan->classes.empty() ? 2 : 1; }

/// On a neighbour with the outputs forced: the same calls within their sensitivity, those of one
/// part alone on other numbers, the same model.
void expect_one_part_within_sensitivity(const Observed& base, const Observed& other,
                                        std::size_t of_figures, const std::string& what) {
  ASSERT_EQ(base.calls.size(), other.calls.size()) << what;
  bool fit_moved = false;
  bool figures_moved = false;
  for (std::size_t k = 0; k < base.calls.size(); ++k) {
    ASSERT_EQ(base.calls[k].call, other.calls[k].call) << what;
    const std::uint64_t apart = fit::distance(base.calls[k], other.calls[k]);
    ASSERT_LE(apart, base.calls[k].call.sensitivity) << what << ", call " << k;
    (k + of_figures < base.calls.size() ? fit_moved : figures_moved) |= apart > 0;
  }
  EXPECT_FALSE(fit_moved && figures_moved) << what << ": both parts moved";
  EXPECT_EQ(base.model, other.model) << what;
}

TEST(TappedHeldOut, ChangesOnePartWithOneUnit) {
  const std::vector<Record> base = fit::random_records(10, 2, 3);
  std::size_t moved = 0;
  for (const std::string& solver : fit::kUnitSolvers) {
    for (const Case& each : kCases) {
      const fit::FitPlan plan = fit::plan_for(spec_of(solver, each, "replace_one"), base, 2);
      for (const Stored stored : fit::kStorages) {
        const data::Dataset dataset = dataset_of(base, 2, stored);
        privacy::SeededRandomBits bits(7);
        const Observed run = run_of(dataset, plan, split_of(dataset, plan, bits), 11);
        for (std::size_t at = 0; at < base.size(); ++at) {
          for (const double value : {-1e308, -1.0, 5.0, kInfinity, std::nan("")}) {
            std::vector<Record> changed = base;
            changed[at] = {value, 1.0, -value};
            const data::Dataset neighbour = dataset_of(changed, 2, stored);
            privacy::SeededRandomBits same(7);
            const Observed other =
                run_of(neighbour, plan, split_of(neighbour, plan, same), 11, &run.calls);
            expect_one_part_within_sensitivity(
                run, other, figure_calls(plan),
                solver + " " + each.loss + " " + std::to_string(at) + " " + std::to_string(value));
            if (HasFailure()) return;
            for (std::size_t k = 0; k < run.calls.size(); ++k) {
              moved += fit::distance(run.calls[k], other.calls[k]) > 0 ? 1u : 0u;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(moved, 500u) << "a change that changes nothing shows nothing";
}

TEST(TappedHeldOut, ChangesOnePartWhenAUnitIsAddedDownToNone) {
  for (std::size_t n = 0; n <= 4; ++n) {
    const std::vector<Record> base = fit::random_records(n, 2, 20 + n);
    for (const Case& each : kCases) {
      const fit::FitPlan plan = fit::plan_for(spec_of("gcd", each, "add_or_remove_one"), base, 2);
      std::vector<Record> more = base;
      more.push_back({3.0, -4.0, 1.0});
      EXPECT_EQ(
          to_json(plan->statement),
          to_json(fit::plan_for(spec_of("gcd", each, "add_or_remove_one"), more, 2)->statement));
      for (const bool held_out : {false, true}) {
        std::vector<bool> split(n);
        for (std::size_t i = 0; i < n; ++i) split[i] = i % 2 == 0;
        const Observed run = run_of(dataset_of(base, 2, Stored::f64), plan, split, 3);
        split.push_back(held_out);
        const Observed other = run_of(dataset_of(more, 2, Stored::f64), plan, split, 3, &run.calls);
        expect_one_part_within_sensitivity(run, other, figure_calls(plan),
                                           each.loss + " n " + std::to_string(n));
        for (const TapRecord& call : run.calls) EXPECT_LE(call.call.sensitivity, 1u << 20);
      }
    }
  }
}

TEST(TappedHeldOut, KeepsAUnitInOnePart) {
  const std::vector<Record> drawn = fit::random_records(9, 2, 5);
  Table base;
  const std::vector<std::optional<std::string>> ids{"a", "b", "b", "c",         "d",
                                                    "c", "e", "b", std::nullopt};
  for (std::size_t i = 0; i < ids.size(); ++i) base.push_back({ids[i], drawn[i]});
  for (const Case& each : kCases) {
    const fit::FitPlan plan = fit::plan_for(spec_of("gcd", each, "replace_one"), base, 2);
    ASSERT_EQ(plan->held_out->test, 2u);
    for (const std::string out : {"b", "d"}) {
      // The split by name: a neighbour has the same one, whatever it does to the units' numbers.
      const auto split_by_name = [&](const Table& table, const data::Dataset& dataset) {
        std::vector<bool> split(dataset.units());
        for (std::size_t i = 0; i < table.size(); ++i) {
          if (table[i].id == out || table[i].id == "a") {
            split[dataset.record_units->unit_of(i)] = true;
          }
        }
        return split;
      };
      const data::Dataset dataset = dataset_of(base, 2, Stored::f64);
      const Observed run = run_of(dataset, plan, split_by_name(base, dataset), 4);
      for (const std::size_t count : {1u, 2u, 5u}) {
        for (const double value : {-1e3, 0.5, kInfinity}) {
          const Table to =
              with_unit(base, "b", std::vector<Record>(count, Record{value, -value, 1.0}));
          const data::Dataset neighbour = dataset_of(to, 2, Stored::f64);
          const Observed other =
              run_of(neighbour, plan, split_by_name(to, neighbour), 4, &run.calls);
          expect_one_part_within_sensitivity(run, other, figure_calls(plan),
                                             each.loss + " " + out + std::to_string(count));
        }
      }
    }
  }
}

// Whatever a unit is called, the others stay where they were.
TEST(TappedHeldOut, DoesNotFollowTheIds) {
  const std::vector<Record> drawn = fit::random_records(10, 2, 3);
  Table base;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    base.push_back({std::string(1, static_cast<char>('a' + i)), drawn[i]});
  }
  for (const Case& each : kCases) {
    const fit::FitPlan plan = fit::plan_for(spec_of("gcd", each, "replace_one"), base, 2);
    privacy::SeededRandomBits bits(7);
    const Observed run =
        run_of(dataset_of(base, 2, Stored::f64), plan, split_of(base, plan, bits), 11);
    for (std::size_t at = 0; at < base.size(); ++at) {
      for (const char* const id : {"p", "q", "zz"}) {
        Table to = base;
        to[at] = {id, {-1.0, 1.0, 0.5}};
        privacy::SeededRandomBits same(7);
        const Observed other =
            run_of(dataset_of(to, 2, Stored::f64), plan, split_of(to, plan, same), 11, &run.calls);
        expect_one_part_within_sensitivity(run, other, figure_calls(plan), each.loss + " " + id);
      }
    }
  }
}

TEST(TappedHeldOut, DoesWhatItsStatementChargesAndNothingElse) {
  const std::vector<Record> base = fit::random_records(20, 2, 8);
  for (const Case& each : kCases) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      const fit::FitPlan plan = fit::plan_for(spec_of("gcd", each, relation), base, 2);
      privacy::SeededRandomBits bits(9);
      const data::Dataset dataset = dataset_of(base, 2, Stored::f64);
      Tap tap;
      const model::LinearModel model =
          fit_and_assess_parts(dataset, plan, split_of(dataset, plan, bits), {}, bits);
      privacy::Composition of_fit;
      privacy::Composition of_figures;
      const std::vector<TapRecord>& calls = tap.records();
      const std::size_t fitted = calls.size() - figure_calls(plan);
      ASSERT_EQ(calls.size(), 6 + figure_calls(plan));
      for (std::size_t k = 0; k < calls.size(); ++k) {
        using Kind = privacy::Cost::Kind;
        const auto& call = calls[k].call;
        if (fit::is_selection(calls[k])) {
          of_fit.add({Kind::bounded_range, 2 * call.sensitivity, call.scale});
        } else {
          const Kind kind = call.mechanism == "discrete_laplace_release" ? Kind::discrete_laplace
                                                                         : Kind::discrete_gaussian;
          (k < fitted ? of_fit : of_figures).add({kind, call.sensitivity, call.scale});
        }
      }
      const std::vector<privacy::Composition> met = model.privacy.met_by_one_unit();
      ASSERT_EQ(met.size(), 2u);
      EXPECT_EQ(met[0], of_fit);
      EXPECT_EQ(met[1], of_figures);
      EXPECT_EQ(model.privacy.epsilon_spent, std::max(privacy::spent(of_fit, 1e-6).epsilon,
                                                      privacy::spent(of_figures, 1e-6).epsilon));
      EXPECT_LE(model.privacy.epsilon_spent, 1.0);
    }
  }
}

TEST(TappedHeldOut, DrawsAnotherSplitForEveryFit) {
  const fit::HeldOut by_size = fit::held_out(0.4, 20, privacy::Relation::replace_one);
  const fit::HeldOut by_chance = fit::held_out(0.4, 20, privacy::Relation::add_or_remove_one);
  for (const fit::HeldOut& parts : {by_size, by_chance}) {
    std::set<std::vector<bool>> seen;
    std::vector<int> times(20);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      privacy::SeededRandomBits bits(seed);
      const std::vector<bool> split = drawn_split(parts, 20, bits);
      for (std::size_t i = 0; i < 20; ++i) times[i] += split[i] ? 1 : 0;
      if (parts.relation == privacy::Relation::replace_one) {
        EXPECT_EQ(std::count(split.begin(), split.end(), true), 8);
      }
      seen.insert(split);
    }
    EXPECT_GT(seen.size(), 190u);
    // Expected 80 of 200, standard deviation 7, limit 6 of them.
    for (const int count : times) EXPECT_NEAR(count, 80, 6 * 7);
  }
}

TEST(TappedHeldOut, NeverCertifiesASeed) {
  const std::vector<Record> base = fit::random_records(20, 2, 8);
  FitSpec spec = spec_of("gcd", kCases[0], "replace_one");
  EXPECT_TRUE(fit_and_assess(dataset_of(base, 2, Stored::f64), spec).privacy.is_private);
  EXPECT_EQ(fit_and_assess(dataset_of(base, 2, Stored::f64), spec, {.bits = fit::seeded(4)})
                .privacy.guarantee,
            "none (scripted)");
  spec.seed_for_tests = 3;
  EXPECT_EQ(fit_and_assess(dataset_of(base, 2, Stored::f64), spec).privacy.guarantee,
            "none (seeded)");
}

}  // namespace
}  // namespace southwell::assess
