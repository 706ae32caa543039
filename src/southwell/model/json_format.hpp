#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "southwell/model/json_text.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

// What writing and reading a model file have in common.

inline constexpr const char* kFormat = "southwell.linear_model";
inline constexpr int kFormatVersion = 1;
/// Nothing longer is written, and nothing longer is read: a fit whose model could be longer is
/// refused before it uses a record (model_size.hpp).
inline constexpr std::size_t kLargestFile = std::size_t{1} << 28;
/// No part of a file lies deeper; what is deeper is not looked at.
inline constexpr int kDeepest = 16;

/// Text to JSON. Throws DataError, beginning with `name`, for what is none, for a key that occurs
/// twice in one object and for what lies too deep: nothing after it is looked at.
nlohmann::json parsed(const std::string& text, const std::string& name,
                      const std::string& accepted);

/// JSON has no infinite numbers and no NaN. Here null stands for them where the key says which.
inline nlohmann::json or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

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
