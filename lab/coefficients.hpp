#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/objectives.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::lab {

/// Coefficients from a file, with what the file says about where they come from.
struct CoefficientsFile {
  Coefficients at;
  std::optional<ObjectiveSpec> objective{};  ///< a model and `lab optimum --json` name theirs
  std::optional<bool>
      standardized{};  ///< whether they are of standardised data, where that is known
  problem::RecordLimit record_limit{};  ///< of a model, in the order of the data's features
};

/// By extension, each also .gz:
/// - .csv, .npy: as fit::read_feature_numbers reads them, with the column `coef`.
/// - .json: a model, or what `lab optimum --json` prints. Features go by their names where both
///   the file and the data have them, by their index elsewhere.
/// Throws DataError with the place, what was given and what is accepted.
CoefficientsFile read_coefficients(const std::filesystem::path& file,
                                   const std::vector<std::string>& feature_names,
                                   std::size_t features);

}  // namespace southwell::lab
