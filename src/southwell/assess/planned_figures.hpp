#pragma once

#include <string>
#include <vector>

#include "southwell/assess/figure.hpp"
#include "southwell/fit/fit_plan.hpp"

namespace southwell::assess {

/// Figures and their intervals as a fit that holds units out would have them, from public numbers
/// alone: the noise is the plan's, and the records are those of a law that is made up. Two classes:
/// half of each, with normal margins of standard deviation 2. A regression: normal errors of half
/// the target scale, or of 1 where it is yet to be found, for a target twice as wide. More classes:
/// three of four predictions right.
struct PlannedFigures {
  std::string law;  ///< in words
  std::vector<NamedFigure> figures;
};

/// Of none where no unit is held out.
PlannedFigures planned_figures(const fit::FitPlan& plan);

/// The table of a plan as JSON (fit/plan_table.hpp), with the half widths to expect in `figures`.
std::string with_planned_figures(const std::string& table, const fit::FitPlan& plan);

/// How wide an interval is to either side.
double half_width(const Figure& figure);

}  // namespace southwell::assess
