#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace southwell::fit {

/// Numbers that belong to features, from a file: coefficients or scales.
struct FeatureNumbers {
  std::vector<std::optional<double>> of_feature;
  std::optional<double> intercept;
};

/// By extension, each also .gz:
/// - .csv with the header `feature,COLUMN`: a line for each feature that has a number, in any
/// order,
///   named as in the data, or x1 .. xp where the data have no names; `(intercept)` is the
///   intercept. `generate --truth` writes this form with the column `coef`.
/// - .csv without a header: one number per line, one for each feature in order.
/// - .npy: one number for each feature.
/// Throws DataError with file, line and what is accepted.
FeatureNumbers read_feature_numbers(const std::filesystem::path& file, const std::string& column,
                                    const std::vector<std::string>& feature_names,
                                    std::size_t features);

}  // namespace southwell::fit
