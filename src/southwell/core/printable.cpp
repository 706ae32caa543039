#include "southwell/core/printable.hpp"

#include <array>
#include <cstdio>

#include "southwell/core/utf8.hpp"

namespace southwell::core {
namespace {

bool commands(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/// What nobody sees: two names that differ in it alone look the same. (Joiners are left, which
/// some scripts are written with.)
bool hides(char32_t c) {
  return c == 0xad || c == 0x180e || c == 0x200b || (c >= 0x2060 && c <= 0x2064) ||
         (c >= 0x206a && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

/// Marks, embeddings, overrides and isolates of the bidirectional algorithm: with one of them in a
/// name, what a reader sees is not the order of what stands there.
bool directs(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

void append_hexadecimal(std::string& out, const char* format, unsigned number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, number);
  out += text.data();
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    if (bytes == 0) {
      append_hexadecimal(out, "<0x%02X>", static_cast<unsigned char>(text.front()));
    } else if (commands(code) || directs(code) || hides(code)) {
      append_hexadecimal(out, "<U+%04X>", static_cast<unsigned>(code));
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

}  // namespace southwell::core
