#pragma once

#include <cstddef>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/accounting/repeated_runs.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::assess {

/// Fits to choose between, by their losses on records that none of them has seen.
struct Comparison {
  const std::vector<fit::FitPlan>& fits;
  const data::Dataset& fitted;
  const data::Dataset& compared;
  privacy::Cost choice;
  double loss_cap = 1.0;  ///< what a record's loss counts at most
};

/// The model of a setting; after the last one comes the model without features.
struct Candidate {
  std::size_t setting = 0;
  model::LinearModel model;
};

/// The best of a secret number of runs, each of which draws a setting or the model without features
/// with equal chances, fits it and scores it with Gaussian noise (tuning.md). Runs are as many as
/// the law gave, whatever they take, and one that fails scores lowest. Progress is asked now and
/// then by the clock whether to stop, and is told nothing.
Candidate best_of_runs(const Comparison& of, const privacy::RunLaw& law,
                       const fit::RunOptions& options, privacy::RandomBits& bits);

}  // namespace southwell::assess
