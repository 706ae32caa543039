#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace southwell::core {

/// No part of a file lies deeper; what is deeper is not looked at.
inline constexpr std::size_t kDeepest = 16;

/// Text to JSON. Throws DataError, beginning with `name`, for what is none, for a key that occurs
/// twice in one object and for what lies too deep: nothing after it is looked at.
nlohmann::json parsed(const std::string& text, const std::string& name, const std::string& accepted,
                      std::size_t deepest = kDeepest);

/// JSON to text; bytes that are not UTF-8 become U+FFFD.
std::string dumped(const nlohmann::json& content, int indent);

}  // namespace southwell::core
