#pragma once

#include <nlohmann/json.hpp>

namespace southwell::cli {

void print_json(const nlohmann::json& content);
/// A number, or null where JSON has none (infinity).
nlohmann::json number_or_null(double value);

}  // namespace southwell::cli
