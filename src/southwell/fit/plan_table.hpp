#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "southwell/fit/fit_plan.hpp"

namespace southwell::fit {

/// What one budget and one number of iterations would buy.
struct PlanRow {
  double epsilon = 0.0;
  std::uint64_t iterations = 0;
  std::uint64_t selections = 0;
  double selection_epsilon = std::numeric_limits<double>::quiet_NaN();  ///< eta of each
  std::uint64_t releases = 0;
  double release_scale = 0.0;  ///< of the last kind of release, in sensitivities
  double coef_noise_sd = 0.0;  ///< of one coefficient
  /// The least coefficient, of a feature of the declared scale, that one selection finds among
  /// features without effect with probability 0.9; NaN where nothing is selected, or where no
  /// effect is large enough.
  double smallest_effect = std::numeric_limits<double>::quiet_NaN();
  double epsilon_spent = 0.0;
};

struct PlanTable {
  std::string solver;
  std::string why;  ///< that one
  double delta = 0.0;
  std::size_t chosen = 0;  ///< the row of the automatic choice at the budget asked for
  std::vector<PlanRow> rows;
  bool in_target_scales = false;      ///< effects and their noise, where a mechanism finds the unit
  std::vector<std::string> warnings;  ///< of the fit asked for (guarantee.hpp)
  std::optional<HeldOut> held_out;    ///< what it would leave out for figures
};

/// What the budget of `spec` would buy on data of this shape, for a range of iterations, and what
/// other budgets would: all from public numbers. Rows that no noise can pay for are left out.
PlanTable plan_table(const FitSpec& spec, const DataShape& shape);
std::string to_json(const PlanTable& table);

}  // namespace southwell::fit
