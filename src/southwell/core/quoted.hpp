#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace southwell::core {

/// What somebody gave, for a message: cut where it is long, and what a terminal would obey or hide
/// (control characters, marks of direction) as an escape, so that it can be seen.
inline std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  const auto byte = [&](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const auto escape = [&](const char* form, unsigned code) {
    std::array<char, 8> written{};
    std::snprintf(written.data(), written.size(), form, code);
    out += written.data();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (byte(i) & 0xc0u) != 0x80u;
    if (out.size() >= kMost && starts) return out + "...";
    const unsigned third = 0x2000u + ((byte(i + 1) & 0x3fu) << 6) + (byte(i + 2) & 0x3fu);
    if (byte(i) < 0x20 || byte(i) == 0x7f) {
      escape("\\x%02x", byte(i));
    } else if (byte(i) == 0xc2 && byte(i + 1) < 0xa0) {
      escape("\\x%02x", byte(++i));  // U+0080 to U+009F
    } else if (byte(i) == 0xe2 && ((third >= 0x200b && third <= 0x200f) ||
                                   (third >= 0x2028 && third <= 0x202e) ||
                                   (third >= 0x2060 && third <= 0x206f))) {
      escape("\\u%04x", third);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// The same in quotes.
inline std::string quoted(std::string_view text) { return "'" + shortened(text) + "'"; }

}  // namespace southwell::core
