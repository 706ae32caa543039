#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

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
  /// The file of a ledger, which the whole cost is charged to before the first record is used.
  std::optional<std::string> ledger{};
};

/// Fits as planned. What is in the records decides nothing but the model: no message, no exception,
/// no number of iterations. A plan that holds units out is refused: assess/held_out_fit.hpp has the
/// whole of it.
LinearModel fit(const data::Dataset& dataset, const FitPlan& plan, RunOptions options = {});

/// Plans and fits.
LinearModel fit(const data::Dataset& dataset, const FitSpec& spec, RunOptions options = {});

/// Throws DataError for data of another form than the plan's. No value of a record is looked at.
void check_dataset(const data::Dataset& dataset, const FitPlan& plan);
/// The bits of a fit: those given, a seed's, or the operating system's.
std::unique_ptr<privacy::RandomBits> bits_of(const FitPlan& plan, RunOptions& options);
/// The same for the units that a plan which holds some out fits on, with the bits given.
LinearModel fit_part(const data::Dataset& part, const FitPlan& plan, const RunOptions& options,
                     privacy::RandomBits& bits);

/// The model that such a fit starts from without a start: no feature has an effect. It looks at no
/// record.
LinearModel start_model(const FitPlan& plan, const privacy::RandomBits& bits);

}  // namespace southwell::fit
