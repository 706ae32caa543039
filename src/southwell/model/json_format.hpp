#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "southwell/core/json_parse.hpp"
#include "southwell/model/json_text.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

// What writing and reading a model file have in common.

inline constexpr const char* kFormat = "southwell.linear_model";
inline constexpr int kFormatVersion = 2;
/// Nothing longer is written, and nothing longer is read: a fit whose model could be longer is
/// refused before it uses a record (fit/planned_model.hpp).
inline constexpr std::size_t kLargestFile = std::size_t{1} << 28;
/// JSON has no infinite numbers and no NaN. Here null stands for them where the key says which.
inline nlohmann::json or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

/// Laws of the number of runs.
inline constexpr const char* kPoisson = "poisson";
inline constexpr const char* kNegativeBinomial = "negative_binomial";

/// SHA-256, in hexadecimal, of the content without its checksum, in canonical form (json_text.hpp).
std::string checksum(const nlohmann::json& content);

inline constexpr std::size_t kChecksumDigits = 64;
/// The length of the file that would be written, unchecked.
std::size_t text_length(const LinearModel& model);

/// Throws DataError, beginning with `name`, for a model that cannot be: what is not accepted by a
/// reader is not written either.
void check(const LinearModel& model, const std::string& name);
/// The same of all but coefficients, path and what the mechanisms cost: what is known of a model
/// before it is fitted.
void check_form(const LinearModel& model, const std::string& name);

}  // namespace southwell::model
