#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "southwell/model/linear_model.hpp"

namespace southwell::core {
class JsonPart;
}

namespace southwell::model {

/// How the privacy noise of coefficients goes together, of those for which it is stated. A model
/// carries it where its noise was followed through whitened features; elsewhere each coefficient
/// has noise of its own.
struct CoefCovariance {
  std::vector<std::size_t> index;  ///< increasing; the number of features is the intercept
  std::vector<double> values;      ///< row after row

  /// Of the noise of two coefficients, none where either has none here.
  std::optional<double> at(std::size_t a, std::size_t b) const;
};

/// As a model file has it: {"index": [..], "lower": packed rows of the lower triangle}.
std::string covariance_text(const CoefCovariance& covariance);
/// Of a model that carries one.
std::optional<CoefCovariance> covariance_of(const LinearModel& model);
/// Throws DataError for what is none of a model with so many features.
CoefCovariance covariance_in(const core::JsonPart& part, std::size_t features);
/// A model file keeps how the noise of so many coefficients goes together, and not of more.
inline constexpr std::size_t kMostTogether = 1024;
/// No text of so many coefficients is longer, in bytes.
std::size_t longest_covariance_text(std::size_t coefficients);

}  // namespace southwell::model
