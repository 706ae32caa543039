#pragma once

#include <cstddef>
#include <string_view>

namespace southwell::core {

/// One character of UTF-8 text.
struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the bytes are no character
};

/// The character at the front of `text`, which is not empty.
inline Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  if (lead < 0xc2 || lead > 0xf4) return {};
  char32_t code = lead & (0x3fu >> more);
  for (std::size_t k = 1; k <= more; ++k) {
    if ((byte(k) & 0xc0u) != 0x80u) return {};
    code = code << 6 | (byte(k) & 0x3fu);
  }
  // Not longer than needed, no surrogate, not above the last one.
  const char32_t least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
  if (code < least || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, more + 1};
}

}  // namespace southwell::core
