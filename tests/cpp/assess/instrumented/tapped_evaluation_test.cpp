// What a private evaluation reads of records, seen through the tap.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assess/assessed.hpp"
#include "fit/tapped.hpp"
#include "fit/unit_data.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::assess {
namespace {

using fit::dataset_of;
using fit::kInfinity;
using fit::Row;
using fit::Table;
using privacy::Tap;
using privacy::TapRecord;

const std::vector<double> kOdd{-kInfinity, -1e308, -1.0, -0.0,       0.0,       5e-324,
                               0.3,        1.0,    2.0,  1e308,      kInfinity, std::nan(""),
                               -5.9,       7.0,    40.0, 123456789.0};

std::vector<model::LinearModel> models() {
  return {small_model("logistic", {0.0, 1.0}), small_model("squared_hinge", {-1.0, 1.0}),
          small_model("logistic", {0.0, 1.0, 2.0}), small_model("squared", {}),
          small_model("huber", {})};
}

struct Observed {
  std::vector<TapRecord> calls;
  std::string seen;
};

Observed run_of(const PrivateEvaluation& evaluation, const data::Dataset& dataset,
                const std::vector<TapRecord>* replayed = nullptr) {
  privacy::SeededRandomBits bits(replayed == nullptr ? 3 : 4);
  if (replayed == nullptr) {
    Tap tap;
    const std::string seen = to_json(evaluation.find(dataset, bits));
    return {tap.records(), seen};
  }
  Tap tap(*replayed);
  const std::string seen = to_json(evaluation.find(dataset, bits));
  EXPECT_TRUE(tap.replayed_all());
  return {tap.records(), seen};
}

/// On a neighbour, with the outputs forced: the same calls within their sensitivity, and the same
/// of everything that can be seen.
void expect_within_sensitivity(const PrivateEvaluation& evaluation, const Observed& base,
                               const data::Dataset& neighbour, const std::string& what) {
  Observed other;
  ASSERT_NO_THROW(other = run_of(evaluation, neighbour, &base.calls)) << what;
  ASSERT_EQ(base.calls.size(), other.calls.size()) << what;
  for (std::size_t k = 0; k < base.calls.size(); ++k) {
    ASSERT_EQ(base.calls[k].call, other.calls[k].call) << what;
    ASSERT_LE(fit::distance(base.calls[k], other.calls[k]), base.calls[k].call.sensitivity)
        << what << ", call " << k;
  }
  EXPECT_EQ(base.seen, other.seen) << what;
}

std::string words(double x, double y) { return std::to_string(x) + " " + std::to_string(y); }

TEST(TappedEvaluation, HasItsSensitivityOnEveryReplacedRecordOfTheValueTable) {
  for (const model::LinearModel& model : models()) {
    const std::vector<Record> base = drawn_records(model, 3, 5);
    const PrivateEvaluation evaluation(small_spec(), model, {.records = 3});
    // Far apart, so that a neighbour may move a record from one end to the other.
    std::vector<Record> from = base;
    for (const double x : {0.5, -40.0, 1e308}) {
      from[1][0] = x;
      const Observed run = run_of(evaluation, dataset_of(from, 1, Stored::f64));
      for (const double a : kOdd) {
        for (const double y : kOdd) {
          std::vector<Record> to = from;
          to[1] = {a, y};
          expect_within_sensitivity(evaluation, run, dataset_of(to, 1, Stored::f64),
                                    model.objective.loss + " " + words(a, y));
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TappedEvaluation, HasTheSmallerSensitivityWhenARecordIsAddedDownToNone) {
  for (const model::LinearModel& model : models()) {
    const PrivateEvaluation evaluation(small_spec("add_or_remove_one"), model, {.records = 0});
    for (std::size_t n = 0; n <= 3; ++n) {
      const std::vector<Record> base = drawn_records(model, n, 6);
      const Observed run = run_of(evaluation, dataset_of(base, 1, Stored::f64));
      for (const double a : kOdd) {
        for (const double y : kOdd) {
          std::vector<Record> more = base;
          more.push_back({a, y});
          expect_within_sensitivity(evaluation, run, dataset_of(more, 1, Stored::f64), words(a, y));
          if (HasFailure()) return;
        }
      }
      for (const TapRecord& call : run.calls) EXPECT_EQ(call.call.sensitivity, 1u << 20);
    }
  }
}

TEST(TappedEvaluation, OfUnitsHasTheSensitivityOfOneRecord) {
  for (const model::LinearModel& model : models()) {
    const std::vector<Record> drawn = drawn_records(model, 6, 7);
    const Table base{{"a", drawn[0]}, {"b", drawn[1]},          {"b", drawn[2]},
                     {"c", drawn[3]}, {std::nullopt, drawn[4]}, {"c", drawn[5]}};
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      fit::DataShape shape;
      shape.records = 3;
      shape.has_units = true;
      const PrivateEvaluation evaluation(small_spec(relation), model, shape);
      const Observed run = run_of(evaluation, dataset_of(base, 1, Stored::f64));
      for (const double a : kOdd) {
        for (const std::size_t count : {1u, 2u, 3u}) {
          std::vector<Record> records;
          for (std::size_t k = 0; k < count; ++k) records.push_back({a, k == 0 ? 1.0 : a});
          // All of one unit at the same place is as far as it can move.
          records.push_back(records.back());
          const bool replaces = relation == "replace_one";
          const Table to = fit::with_unit(base, replaces ? "b" : "d", records);
          expect_within_sensitivity(evaluation, run, dataset_of(to, 1, Stored::f64),
                                    relation + " " + words(a, static_cast<double>(count)));
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TappedEvaluation, ARecordWithoutAnIdHasNoShareInAnything) {
  for (const model::LinearModel& model : models()) {
    fit::DataShape shape;
    shape.records = 2;
    shape.has_units = true;
    const PrivateEvaluation evaluation(small_spec(), model, shape);
    Table table{{"a", {0.5, 1.0}}, {"b", {-0.5, 0.0}}};
    const Observed run = run_of(evaluation, dataset_of(table, 1, Stored::f64));
    table.push_back({std::nullopt, {3.0, 1.0}});
    const Observed more = run_of(evaluation, dataset_of(table, 1, Stored::f64));
    for (std::size_t k = 0; k < run.calls.size(); ++k) {
      EXPECT_EQ(run.calls[k].input, more.calls[k].input);
    }
    EXPECT_EQ(run.seen, more.seen);
  }
}

TEST(TappedEvaluation, GivesARecordItsWholeShareOfOneCell) {
  constexpr std::int64_t kThird = kShare / 3;
  const Table table{{"a", {0.5, 1.0}},          {"b", {std::nan(""), 1.0}}, {"b", {0.5, 7.0}},
                    {"b", {0.5, std::nan("")}}, {"c", {-9.0, 0.0}},         {"c", {9.0, 1.0}}};
  fit::DataShape shape;
  shape.records = 3;
  shape.has_units = true;
  for (const model::LinearModel& model :
       {small_model("logistic", {0.0, 1.0}), small_model("logistic", {0.0, 1.0, 2.0})}) {
    const Observed run =
        run_of(PrivateEvaluation(small_spec(), model, shape), dataset_of(table, 1, Stored::f64));
    const std::vector<std::int64_t>& cells = run.calls[0].input;
    EXPECT_EQ(cells[left_out_cell(cells.size())], 2 * kThird);
    EXPECT_EQ(cells[unknown_cell(cells.size())], kThird);
    if (model.classes.size() == 2) {
      EXPECT_EQ(cells[0], kShare / 2) << "beyond the end, of the first class";
      EXPECT_EQ(cells[cells.size() - 3], kShare / 2);
    }
  }
  const Observed run = run_of(PrivateEvaluation(small_spec(), small_model("squared", {}), shape),
                              dataset_of(table, 1, Stored::f64));
  EXPECT_EQ(run.calls[0].input.back(), 2 * kThird) << "without an error";
}

TEST(TappedEvaluation, DoesWhatItsStatementChargesAndNothingElse) {
  for (const model::LinearModel& model : models()) {
    for (const std::string relation : {"replace_one", "add_or_remove_one"}) {
      const PrivateEvaluation evaluation(small_spec(relation), model, {.records = 50});
      const Observed run =
          run_of(evaluation, dataset_of(drawn_records(model, 50, 8), 1, Stored::f64));
      privacy::Composition done;
      for (const TapRecord& each : run.calls) {
        EXPECT_EQ(each.call.mechanism, "discrete_gaussian_release");
        done.add({privacy::Cost::Kind::discrete_gaussian, each.call.sensitivity, each.call.scale});
      }
      const model::Statement& statement = evaluation.statement();
      ASSERT_EQ(run.calls.size(), model.classes.empty() ? 2u : 1u);
      EXPECT_EQ(done, statement.composition());
      EXPECT_EQ(privacy::spent(done, 1e-6).epsilon, statement.epsilon_spent);
      EXPECT_LE(statement.epsilon_spent, 1.0);
      const std::uint64_t expected = relation == "replace_one" ? 1'482'911 : 1u << 20;
      EXPECT_EQ(run.calls[0].call.sensitivity, expected);
    }
  }
}

TEST(TappedEvaluation, NeverCertifiesASeed) {
  for (const model::LinearModel& model : models()) {
    const data::Dataset dataset = dataset_of(drawn_records(model, 20, 8), 1, Stored::f64);
    const PrivateEvaluation evaluation(small_spec(), model, {.records = 20});
    EXPECT_TRUE(evaluation.statement().is_private);
    EXPECT_TRUE(evaluation.find(dataset).privacy.is_private);
    privacy::SeededRandomBits bits(3);
    const model::Statement given = evaluation.find(dataset, bits).privacy;
    EXPECT_FALSE(given.is_private);
    EXPECT_EQ(given.guarantee, "none (scripted)");
    EvaluationSpec seeded = small_spec();
    seeded.seed_for_tests = 3;
    const model::Statement asked = evaluate(model, dataset, seeded).privacy;
    EXPECT_EQ(asked.guarantee, "none (seeded)");
  }
}

TEST(TappedEvaluation, ReadsTheSameNumbersOfEveryStorageAndOrder) {
  for (const model::LinearModel& model : models()) {
    std::vector<Record> records = drawn_records(model, 40, 9);
    records[3] = {std::nan(""), 1.0};
    records[4] = {0.0, 7.0};
    const PrivateEvaluation evaluation(small_spec(), model, {.records = 40});
    const Observed run = run_of(evaluation, dataset_of(records, 1, Stored::f64));
    for (const Stored stored : fit::kStorages) {
      EXPECT_EQ(run.seen, run_of(evaluation, dataset_of(records, 1, stored)).seen);
    }
    std::reverse(records.begin(), records.end());
    EXPECT_EQ(run.seen, run_of(evaluation, dataset_of(records, 1, Stored::f64)).seen);
  }
}

}  // namespace
}  // namespace southwell::assess
