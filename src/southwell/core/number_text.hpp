#pragma once

#include <array>
#include <charconv>
#include <cstdio>
#include <string>

namespace southwell::core {

// Every number that people read is printed by one of these. (Files for machines have formats of
// their own: model/json_text.hpp, data/write.hpp.)

/// The shortest text that reads back as the same number, so that -1e-9 is not called 0.
inline std::string number_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// Rounded to so many digits: "0.333333", "1e-06".
inline std::string rounded_text(double value, int digits = 6) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

}  // namespace southwell::core
