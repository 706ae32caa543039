#pragma once

#include <cstddef>
#include <string>

#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_spec.hpp"

namespace southwell::assess {

/// What a private choice among so many settings of a fit would be, by public numbers alone.
struct PlannedTuning {
  std::size_t settings = 0;
  bool by_runs = false;          ///< a secret number of runs, else all of them
  double epsilon_of_each = 0.0;  ///< that a fit has of the budget
  std::string expectation;       ///< whether an untuned fit is likely to be better, in words
};

/// Settings that cost what the given one does. Throws as Tuning does.
PlannedTuning planned_tuning(const fit::FitSpec& spec, const fit::DataShape& shape,
                             std::size_t settings);

/// The table of a plan as JSON (fit/plan_table.hpp), with this in `tuning`.
std::string with_planned_tuning(const std::string& table, const PlannedTuning& planned);

}  // namespace southwell::assess
