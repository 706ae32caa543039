#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "southwell/core/json_part.hpp"
#include "southwell/model/json_text.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

// Long lists of a model file, packed: numbers in base64 (base64.hpp) instead of a line each, which
// takes an eighth of the room and a hundredth of the time. docs/model_file.md is for whoever reads
// them with another tool.

/// Lists up to this length stay readable. The length is that of the released model, so that the
/// form of a file tells nothing else.
inline constexpr std::size_t kReadable = 1024;

/// Whether the coefficients of all heads are packed.
bool is_packed(const std::vector<Head>& heads);

/// {"count", "index" or "present" or neither, "noise_sd", "noise_share" or not, "value"}
void add_packed(JsonText& out, const Head& head, std::size_t features);
/// {"count", "gradient", "head" or not, "index", "value"}
void add_packed(JsonText& out, const std::vector<ModelStep>& path, std::size_t heads);
/// {"count", "float64"}
nlohmann::json packed(const std::vector<double>& numbers);

/// Throw DataError for strings that do not hold `count` numbers, before they take room for them.
/// What the numbers may be is for `check` to say.
std::vector<Coefficient> packed_coef(const core::JsonPart& part, std::size_t features);
std::vector<ModelStep> packed_path(const core::JsonPart& part);
std::vector<double> packed_numbers(const core::JsonPart& part);
/// A number for all features, or a list of one for each, packed or not.
std::vector<double> feature_numbers(const core::JsonPart& part);

/// No packed coefficients or steps are longer, in bytes of a file.
std::uint64_t longest_packed_coef(std::size_t heads, std::size_t features, std::uint64_t count);
std::uint64_t longest_packed_path(std::size_t heads, std::uint64_t count);

}  // namespace southwell::model
