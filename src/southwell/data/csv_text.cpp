#include "southwell/data/csv_text.hpp"

#include <cmath>

#include "southwell/core/utf8.hpp"
#include "southwell/data/parse_number.hpp"

namespace southwell::data {
namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

/// Whether a program that opens the file may take the text for more than text, or for marked.
bool begins_like_a_formula(std::string_view text) {
  if (text.empty() || is_blank(text.front())) {
    if (text.starts_with('\t')) return true;
    text = trimmed(text);
  }
  // Marks that nobody sees, and spaces that are none of ours, hide what comes after them.
  constexpr std::u32string_view kUnseen = U"\ufeff\u00a0\u200b\u200e\u200f\u202a\u202b\u202d\u202e";
  while (!text.empty()) {
    const core::Utf8Character first = core::first_character(text);
    if (first.bytes == 0 || kUnseen.find(first.code) == std::u32string_view::npos) break;
    text.remove_prefix(first.bytes);
  }
  if (text.empty()) return false;
  constexpr std::u32string_view kFirst = U"=+-@\r'\uff1d\uff0b\uff0d\uff20";
  if (kFirst.find(core::first_character(text).code) == std::u32string_view::npos) return false;
  double number = 0.0;
  return !(parse_number(text, number) && std::isfinite(number));
}

}  // namespace

void append_csv_text(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

void append_spreadsheet_text(std::string& out, std::string_view text) {
  if (begins_like_a_formula(text)) {
    append_quoted(out, "'" + std::string(text));
  } else {
    append_csv_text(out, text);
  }
}

}  // namespace southwell::data
