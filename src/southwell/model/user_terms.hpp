#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "southwell/data/table/table_encoding.hpp"
#include "southwell/model/coef_covariance.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// A coefficient as whoever knows the table would say it: per year of age, or how much a level is
/// above the mean of its levels.
struct NaturalCoefficient {
  double value = 0.0;
  double noise_sd = 0.0;
  std::string per;  ///< "per unit", "per day"; empty where the feature is its own unit
};

/// A head in the units of the raw table. The margin of a record that has all its cells is the
/// intercept, plus value times what each number says after its transform, plus the value of each of
/// its levels, plus every other feature times its value as it is encoded. A missing number counts
/// as the middle of its bounds, a missing level as the mean of the levels.
struct NaturalHead {
  std::vector<NaturalCoefficient> coef;  ///< one for each of the head's
  double intercept = 0.0;                ///< where all numbers are 0 and every level is the mean
  double intercept_noise_sd = 0.0;
};

/// What has to be said beside such numbers, a sentence on a line.
inline constexpr const char* kTableUnits[] = {
    "In table units: per unit of a column as it stands in the table; a level against the mean of "
    "them.",
    "The intercept there: of a record whose numbers, transformed, are 0 and whose levels are the "
    "mean."};

/// Post-processing: a function of the model and of its schema. Noise goes the same linear way, each
/// coefficient's by itself where there is no covariance.
NaturalHead in_user_terms(const Head& head, const data::TableEncoding& table,
                          const std::optional<CoefCovariance>& covariance = std::nullopt);

}  // namespace southwell::model
