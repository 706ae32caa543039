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
/// - .csv: a header `feature,coef`, then one line per coefficient that is not zero; a feature is
///   named as in the data, or x1 .. xp where the data have no names; `(intercept)` is the
///   intercept. `generate --truth` writes this form.
/// - .npy: one number per feature.
/// - .json: a model, or what `lab optimum --json` prints: `coef` or `support` a list of
///   {"index", "value"}, and `intercept`.
CoefficientsFile read_coefficients(const std::filesystem::path& file,
                                   const std::vector<std::string>& feature_names,
                                   std::size_t features);

}  // namespace southwell::lab
