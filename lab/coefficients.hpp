#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/objective_spec.hpp"

namespace southwell::lab {

/// Coefficients from a file, with what the file says about the objective they belong to.
struct CoefficientsFile {
  Coefficients at;
  std::optional<ObjectiveSpec> objective;  ///< a model and `lab optimum --json` name theirs
};

/// By extension:
/// - .csv, .npy: as model::read_feature_numbers reads them, with the column `coef`;
/// - .json: a model, or what `lab optimum --json` prints: `coef` or `support` a list of
///   {"index", "value"}, and `intercept`.
CoefficientsFile read_coefficients(const std::filesystem::path& file,
                                   const std::vector<std::string>& feature_names,
                                   std::size_t features);

}  // namespace southwell::lab
