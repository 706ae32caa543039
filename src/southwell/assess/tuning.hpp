#pragma once

#include <cstddef>
#include <vector>

#include "southwell/assess/tuning_plan.hpp"
#include "southwell/assess/tuning_spec.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::assess {

/// Which units are held out of the fits, and which of those for figures; all others are compared
/// on. Without figures the second list is empty.
struct TuningSplit {
  std::vector<bool> is_held_out;
  std::vector<bool> is_for_figures{};
};

/// A private choice among settings, in one of two ways (tuning.md). Every setting is fitted on one
/// part of the units, and the exponential mechanism chooses among the models by their clipped
/// losses on the other part; or runs, whose number is secret, fit settings drawn at random, and the
/// one with the best noisy score is kept. No model but that one leaves. Decided to the last number
/// before a record is used.
class Tuning {
 public:
  /// Throws InvalidArgument, naming the input, for settings that are not one fit in several
  /// settings, DataError, and CalibrationError where the budget does not reach for so many fits.
  Tuning(const TuningSpec& spec, const fit::DataShape& shape) : plan_(spec, shape) {}

  const TuningPlan& plan() const { return plan_; }
  /// That of the first setting's model, if it were chosen.
  model::Statement statement() const { return plan_.statement(); }
  /// The budget's epsilon that each fit has.
  double epsilon_of_each() const { return plan_.epsilon_of_each(); }

  /// Spends the budget on these records, once.
  model::LinearModel find(const data::Dataset& dataset, fit::RunOptions options = {}) const;
  /// The same once the split is drawn.
  model::LinearModel find_on_parts(const data::Dataset& dataset, const TuningSplit& split,
                                   const fit::RunOptions& options, privacy::RandomBits& bits) const;

 private:
  TuningPlan plan_;
};

}  // namespace southwell::assess
