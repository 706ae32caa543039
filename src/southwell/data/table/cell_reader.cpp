#include "southwell/data/table/cell_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "southwell/core/number_text.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/civil_time.hpp"
#include "southwell/data/table/hashed_words.hpp"

namespace southwell::data {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
/// From here on whole numbers share a floating one.
constexpr double kSharedWhole = 0x1p53;

/// The digits of a whole number of any length: 7, +7, 007 and 7.0 have the same.
std::optional<std::string> whole_digits(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view whole = text.substr(0, text.find('.'));
  const std::string_view behind = text.substr(std::min(whole.size() + 1, text.size()));
  if (whole.empty() || whole.find_first_not_of(kDigits) != whole.npos ||
      behind.find_first_not_of('0') != behind.npos) {
    return std::nullopt;
  }
  const std::string digits(whole.substr(std::min(whole.find_first_not_of('0'), whole.size() - 1)));
  return (negative && digits != "0" ? "-" : "") + digits;
}

}  // namespace

CellReader::CellReader(const Field& field) : field_(field) {
  for (const std::string& word : field.format.missing_values) {
    double number = 0.0;
    if (parse_number(word, number) && !std::isnan(number)) missing_numbers_.push_back(number);
  }
  plain_numbers_ = field.kind == FieldKind::number && field.role != Role::unit &&
                   missing_numbers_.empty() && field.format.decimal == '.' &&
                   field.format.group.empty();
  const auto add_level = [this](const std::string& text, std::int32_t place) {
    by_text_.emplace(text, place);
    double number = 0.0;
    if (parse_number(text, number) && !std::isnan(number)) by_number_.emplace(number, place);
  };
  if (field.type == FieldType::boolean) {
    for (const std::string& word : field.format.false_values) add_level(word, 0);
    for (const std::string& word : field.format.true_values) add_level(word, 1);
    return;
  }
  for (std::size_t k = 0; k < field.levels.size(); ++k) {
    add_level(field.levels[k], static_cast<std::int32_t>(k));
  }
  for (const auto& [other, level] : field.aliases) {
    const auto at = std::find(field.levels.begin(), field.levels.end(), level);
    add_level(other, static_cast<std::int32_t>(at - field.levels.begin()));
  }
}

bool CellReader::is_missing(std::string_view text) const {
  const auto& words = field_.format.missing_values;
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool CellReader::is_missing(double number) const {
  return std::isnan(number) || std::find(missing_numbers_.begin(), missing_numbers_.end(),
                                         number) != missing_numbers_.end();
}

double CellReader::number_in(std::string_view text) const {
  double value = kMissing;
  if (field_.format.decimal == '.' && field_.format.group.empty()) {
    return parse_number(text, value) && !is_missing(value) ? value : kMissing;
  }
  std::string plain;
  for (const char c : text) {
    if (!field_.format.group.empty() && c == field_.format.group.front()) continue;
    if (c == '.' && field_.format.decimal != '.') return kMissing;  // a point is no digit here
    plain += c == field_.format.decimal ? '.' : c;
  }
  return parse_number(plain, value) && !is_missing(value) ? value : kMissing;
}

std::int32_t CellReader::place_of(double number) const {
  if (is_missing(number)) return kMissingLevel;
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? kNoLevel : found->second;
}

std::int32_t CellReader::place_of(std::string_view text) const {
  if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
  if (is_missing(text)) return kMissingLevel;
  if (by_number_.empty() && missing_numbers_.empty()) return kNoLevel;
  double number = 0.0;
  if (!parse_number(text, number) || std::isnan(number)) return kNoLevel;
  return place_of(number);
}

std::int64_t CellReader::moment_in(std::string_view text) const {
  if (is_missing(text)) return kNoMoment;
  const std::string& pattern = field_.format.time;
  return (pattern.empty() ? parse_iso_time(text) : parse_time(text, pattern)).value_or(kNoMoment);
}

void CellReader::add_words(std::string_view text, DecodedColumn& out) const {
  const bool missing = is_missing(text);
  if (!missing) append_words(text, field_.hashed_features, out.words);
  out.places.push_back(missing ? kMissingLevel : 0);
  out.word_ends.push_back(out.words.size());
}

/// An id is compared as text: of an integer, as its digits.
void CellReader::add_id(std::string_view text, DecodedColumn& out) const {
  if (is_missing(text)) {
    out.texts.emplace_back(std::nullopt);
  } else if (field_.type == FieldType::string) {
    out.texts.emplace_back(std::string(text));
  } else {
    out.texts.push_back(whole_digits(text));
  }
}

void CellReader::add_text(std::string_view cell, DecodedColumn& out) const {
  const std::string_view text = trimmed(cell);
  if (field_.role == Role::unit) return add_id(text, out);
  switch (field_.kind) {
    case FieldKind::number:
      out.numbers.push_back(is_missing(text) ? kMissing : number_in(text));
      return;
    case FieldKind::levels:
      out.places.push_back(place_of(text));
      return;
    case FieldKind::time:
      out.moments.push_back(moment_in(text));
      return;
    case FieldKind::hashed:
      return add_words(text, out);
    case FieldKind::text:
      return;
  }
}

void CellReader::add_number(double cell, DecodedColumn& out) const {
  if (std::isnan(cell)) return add_missing(out);
  if (reads_ids()) {
    const bool is_whole = std::fabs(cell) < kSharedWhole && std::trunc(cell) == cell;
    return is_whole ? add_whole(static_cast<std::int64_t>(cell), out) : add_missing(out);
  }
  if (field_.kind == FieldKind::number) {
    out.numbers.push_back(is_missing(cell) ? kMissing : cell);
  } else if (field_.kind == FieldKind::levels) {
    out.places.push_back(place_of(cell));
  } else {
    add_text(core::number_text(cell), out);
  }
}

void CellReader::add_whole(std::int64_t cell, DecodedColumn& out) const {
  if (field_.role == Role::unit || field_.kind == FieldKind::hashed) {
    add_text(std::to_string(cell), out);
  } else {
    add_number(static_cast<double>(cell), out);
  }
}

void CellReader::add_truth(bool cell, DecodedColumn& out) const {
  if (field_.type == FieldType::boolean) {
    out.places.push_back(cell ? 1 : 0);
  } else if (field_.kind == FieldKind::levels && by_text_.contains(cell ? "true" : "false")) {
    add_text(cell ? "true" : "false", out);
  } else if (field_.kind == FieldKind::levels && by_text_.contains(cell ? "True" : "False")) {
    add_text(cell ? "True" : "False", out);
  } else {
    add_whole(cell ? 1 : 0, out);
  }
}

void CellReader::add_moment(std::int64_t cell, DecodedColumn& out) const {
  if (field_.role == Role::unit) {
    add_missing(out);  // moments that differ by less than their unit would be one id
  } else if (field_.kind == FieldKind::time) {
    out.moments.push_back(cell);
  } else {
    add_text(iso_text(cell), out);
  }
}

void CellReader::add_missing(DecodedColumn& out) const {
  if (field_.role == Role::unit) return out.texts.emplace_back(std::nullopt), void();
  switch (field_.kind) {
    case FieldKind::number:
      out.numbers.push_back(kMissing);
      return;
    case FieldKind::levels:
      out.places.push_back(kMissingLevel);
      return;
    case FieldKind::time:
      out.moments.push_back(kNoMoment);
      return;
    case FieldKind::hashed:
      out.places.push_back(kMissingLevel);
      out.word_ends.push_back(out.words.size());
      return;
    case FieldKind::text:
      return;
  }
}

}  // namespace southwell::data
