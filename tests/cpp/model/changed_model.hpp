#pragma once

// A model's file, changed, and what loading it says.

#include <string>

#include "southwell/core/error.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::model {

/// The text of a changed model whose checksum fits the change.
inline std::string signed_text(nlohmann::json content) {
  content["checksum"] = checksum(content);
  return content.dump();
}

inline std::string refusal(const std::string& text) {
  try {
    from_json(text, "model.json");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}
inline std::string refusal_of(const nlohmann::json& content) {
  return refusal(signed_text(content));
}

}  // namespace southwell::model
