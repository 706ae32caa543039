#pragma once

#include <fast_float/fast_float.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace southwell::data {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The longest plain decimal number at the front of [first, last), rounded to the nearest double:
/// an optional minus, digits with at most one point, an optional exponent. Too large is infinite,
/// too small 0. Returns where it ends; `first` if there is none.
inline const char* parse_decimal(const char* first, const char* last, double& value) {
  // Short whole numbers are common, and exact as they are.
  const char* p = first;
  std::uint32_t whole = 0;
  while (p != last && is_digit(*p) && p - first < 8) {
    whole = whole * 10 + static_cast<std::uint32_t>(*p++ - '0');
  }
  if (p != first && p != last && !is_digit(*p) && *p != '.' && *p != 'e' && *p != 'E') {
    value = whole;
    return p;
  }
  // Names such as nan(...) are not plain numbers: look before fast_float does.
  const char* digit = first + (first != last && *first == '-');
  if (digit == last || !(is_digit(*digit) || *digit == '.')) return first;
  const auto [end, error] = fast_float::from_chars(first, last, value);
  return error == std::errc() || error == std::errc::result_out_of_range ? end : first;
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// `name` is in lower case.
inline bool equals_any_case(std::string_view text, std::string_view name) {
  if (text.size() != name.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != name[i]) return false;
  }
  return true;
}

/// The whole of `text` as a number: a decimal number, nan, inf or infinity in any case, with an
/// optional sign. False if it is anything else.
inline bool parse_number(std::string_view text, double& value) {
  bool minus = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    minus = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || text.front() == '-') return false;
  const char* const last = text.data() + text.size();
  if (equals_any_case(text, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (equals_any_case(text, "inf") || equals_any_case(text, "infinity")) {
    value = std::numeric_limits<double>::infinity();
  } else if (parse_decimal(text.data(), last, value) != last) {
    return false;
  }
  if (minus) value = -value;
  return true;
}

/// What a CSV field may hold: a number, or nothing or NA for a missing one (NaN).
inline bool parse_value(std::string_view text, double& value) {
  if (text.empty() || equals_any_case(text, "na")) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  return parse_number(text, value);
}

}  // namespace southwell::data
