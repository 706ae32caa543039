#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "southwell/data/table/table_encoding.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// A coefficient as whoever knows the table would say it: per year of age.
struct NaturalCoefficient {
  double value = 0.0;
  double noise_sd = 0.0;
  std::string per;  ///< "per unit", "per day"; empty where the feature is its own unit
};

/// A head in the units of the raw table. A margin is the intercept plus value times what the record
/// says, number by number (after its transform), level by level (1 or 0), and for every other
/// feature as it is encoded; a missing number counts as the middle of its bounds, a missing level
/// as an equal share of each.
struct NaturalHead {
  std::vector<NaturalCoefficient> coef;  ///< one for each of the head's
  double intercept = 0.0;                ///< where all numbers are 0 and no level applies
};

/// What has to be said beside such numbers, a sentence on a line.
inline constexpr const char* kTableUnits[] = {
    "In table units: per unit of the column as it stands in the table.",
    "The intercept there: of a record whose numbers, transformed, are 0 and that has no level."};

/// Post-processing: a function of the model and of its schema.
NaturalHead in_user_terms(const Head& head, const data::TableEncoding& table);

}  // namespace southwell::model
