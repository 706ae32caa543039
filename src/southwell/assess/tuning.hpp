#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::assess {

/// The public inputs of tuning.
struct TuningSpec {
  /// One fit in several settings. Their budgets and test shares are not used: what follows is.
  std::vector<fit::FitSpec> settings;
  std::vector<std::string> names;  ///< what each setting is called, such as "alpha=0.1"
  double epsilon = 0.0;            ///< of all of it together
  double delta = 0.0;
  double test_share = 0.2;  ///< of the units, which the settings are compared on
};

/// A private choice among settings: every setting is fitted on one part of the units, and the
/// exponential mechanism chooses among the models by their clipped losses on the other part. All
/// fits are charged together, and the choice beside them (tuning.md); no model but the chosen one
/// leaves. Decided to the last number before a record is used.
class Tuning {
 public:
  /// Throws InvalidArgument, naming the input, for settings that are not one fit in several
  /// settings, DataError, and CalibrationError where the budget does not reach for so many fits.
  Tuning(const TuningSpec& spec, const fit::DataShape& shape);

  /// That of the first setting's model, if it were chosen.
  model::Statement statement() const { return statement_of(0, plans_.front()->statement); }
  /// The budget's epsilon that each setting is fitted with.
  double epsilon_of_each() const { return epsilon_of_each_; }

  /// Spends the budget on these records, once.
  model::LinearModel find(const data::Dataset& dataset, fit::RunOptions options = {}) const;
  /// The same once the split is drawn.
  model::LinearModel find_on_parts(const data::Dataset& dataset,
                                   const std::vector<bool>& is_held_out,
                                   const fit::RunOptions& options, privacy::RandomBits& bits) const;

 private:
  void check_settings() const;
  void calibrate(const fit::DataShape& shape);
  bool plan_within(double epsilon, const fit::DataShape& shape);
  std::vector<model::MechanismUse> mechanisms_of(std::size_t chosen) const;
  model::Statement statement_of(std::size_t chosen, const model::Statement& of_fit) const;
  double loss_cap() const;

  TuningSpec spec_;
  privacy::Budget budget_;
  std::vector<fit::FitPlan> plans_;  ///< of every setting
  privacy::Cost choice_{};
  double epsilon_of_each_ = 0.0;
};

}  // namespace southwell::assess
