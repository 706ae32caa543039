#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "southwell/assess/figure.hpp"
#include "southwell/assess/record_sums.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::assess {

/// The public inputs of an evaluation; those of a fit under the same names.
struct EvaluationSpec {
  double epsilon = 0.0;
  double delta = 0.0;
  std::optional<std::string> relation{};
  std::optional<std::uint64_t> records{};
  std::optional<std::string> unit{};
  /// Of a regression: the unit that errors are counted in, up to four of it, and targets are taken
  /// to be about as far as that from the model's intercept. Where it is absent, that of the fit.
  std::optional<double> target_scale{};
  std::optional<std::uint64_t> seed_for_tests{};
  /// What the caller knows besides that the statement does not cover.
  std::vector<std::string> not_covered_either{};
};

/// Figures of a model on given records that protect these records: few sums of whole numbers with
/// noise (record_sums.md), and what can be computed from them. Decided to the last number before a
/// record is used. The model is public here: what it says of the records that it was fitted on is
/// for its own statement to promise.
class PrivateEvaluation {
 public:
  /// Throws InvalidArgument, naming the input, what was given and what is accepted, DataError for
  /// data without records under replace_one, and CalibrationError where no noise meets the budget.
  /// Of the shape's features nothing is asked.
  PrivateEvaluation(const EvaluationSpec& spec, const model::LinearModel& model,
                    const fit::DataShape& shape);

  const model::Statement& statement() const { return statement_; }

  /// Spends the budget on these records; `ledger` is the file of one that is charged for it before
  /// the first of them is used. Throws DataError where they have no target, or lack a feature of
  /// the model.
  PrivateFigures find(const data::Dataset& dataset,
                      const std::optional<std::string>& ledger = std::nullopt) const;
  PrivateFigures find(const data::Dataset& dataset, privacy::RandomBits& bits) const;

 private:
  void decide_target_scale();
  void describe(std::vector<model::MechanismUse> mechanisms);
  void check_form(const data::Dataset& dataset) const;
  std::size_t cells() const;
  /// A function of public numbers.
  std::size_t bins() const;
  Sensitive<std::vector<std::int64_t>> histogram_of(const AssessedRecords& records) const;

  EvaluationSpec spec_;
  model::LinearModel model_;
  privacy::Relation relation_;
  std::string unit_;
  std::uint64_t records_;
  double target_scale_ = 1.0;
  privacy::Cost histogram_{};
  std::optional<privacy::Cost> moments_;  ///< of a regression
  model::Statement statement_;
};

/// The same in one step, for the form that the data have.
PrivateFigures evaluate(const model::LinearModel& model, const data::Dataset& dataset,
                        const EvaluationSpec& spec);

}  // namespace southwell::assess
