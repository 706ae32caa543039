#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "southwell/core/printable.hpp"

namespace southwell::core {

/// What somebody gave, for a message: printable, and cut where it is long.
inline std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out = printable(text);
  if (out.size() <= kMost) return out;
  std::size_t end = kMost;
  while ((static_cast<unsigned char>(out[end]) & 0xc0u) == 0x80u) --end;  // no half a character
  return out.substr(0, end) + "...";
}

/// The same in quotes.
inline std::string quoted(std::string_view text) { return "'" + shortened(text) + "'"; }

}  // namespace southwell::core
