#pragma once

#include <string>
#include <vector>

#include "southwell/model/linear_model.hpp"
#include "southwell/problem/coordinates.hpp"

namespace southwell::fit {

/// A model that a fit may start from, and what the fit is for.
struct StartRequest {
  const model::LinearModel& start;
  const std::string& name;  ///< what the user called it
  const problem::Coordinates& coordinates;
  const std::vector<std::string>& feature_names;
  const std::vector<double>& classes;
  const std::string& relation;
  const std::string& unit;
};

/// The coefficients of all coordinates. Throws InvalidArgument unless the model is one for the same
/// features, classes, neighbours and units.
std::vector<double> start_coefficients(const StartRequest& request);

/// Refuses coefficients beyond 1e100 and brings the others into the box.
void confine(std::vector<double>& coef, const problem::Coordinates& coordinates,
             const problem::Interval& box);

}  // namespace southwell::fit
