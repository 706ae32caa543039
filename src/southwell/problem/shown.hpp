#pragma once

#include <array>
#include <charconv>
#include <string>

namespace southwell::problem {

/// A number as a message shows it: the shortest text that reads back as the same, so that -1e-9 is
/// not called 0.
inline std::string shown(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace southwell::problem
