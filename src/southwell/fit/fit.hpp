#pragma once

#include <cstddef>
#include <memory>

#include "southwell/core/progress.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::fit {

struct RunOptions {
  core::Progress progress{};                    ///< shares of the iterations; may throw to stop
  std::unique_ptr<privacy::RandomBits> bits{};  ///< for tests; absent: the operating system's
  std::size_t shards = 1;                       ///< row blocks summed apart; changes no bit
};

/// Fits as planned. What is in the records decides nothing but the model: no message, no exception,
/// no number of iterations.
LinearModel fit(const data::Dataset& dataset, const FitPlan& plan, RunOptions options = {});

/// Plans and fits.
LinearModel fit(const data::Dataset& dataset, const FitSpec& spec, RunOptions options = {});

}  // namespace southwell::fit
