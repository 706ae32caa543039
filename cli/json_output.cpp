#include "json_output.hpp"

#include <cmath>

#include <fmt/core.h>

namespace southwell::cli {

void print_json(const nlohmann::json& content) {
  // Only ASCII: what a terminal would obey, or hide, is an escape.
  fmt::print("{}\n", content.dump(1, ' ', true));
}

nlohmann::json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace southwell::cli
