#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace southwell::core {

/// Text from a file, fit for a terminal: control characters become question marks.
inline std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    if (byte(i) < 0x20 || byte(i) == 0x7f) {
      out += '?';
    } else if (byte(i) == 0xc2 && i + 1 < text.size() && byte(i + 1) < 0xa0) {
      out += '?';  // U+0080 to U+009F, which some terminals obey
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace southwell::core
