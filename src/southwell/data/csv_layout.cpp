#include "southwell/data/csv_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_set>

#include "southwell/core/error.hpp"
#include "southwell/core/utf8.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::data {
namespace {

std::string place(const std::string& name, std::size_t line) {
  return name + ":" + std::to_string(line) + ": ";
}

void check_bytes(std::string_view line, const std::string& where) {
  if (line.find('\0') != std::string_view::npos) {
    throw DataError(where + "the line holds a NUL byte; accepted is text");
  }
}

/// Calls f(field) for each field of a line; throws at broken quotes.
template <class F>
void for_each_field(std::string_view line, char delimiter, const std::string& where, F&& f) {
  const char* const last = line.data() + line.size();
  const char* at = line.data();
  for (std::size_t column = 0;; ++column) {
    const CsvField field = csv_field(at, last, delimiter);
    if (field.broken) {
      throw DataError(
          where + "column " + std::to_string(column) +
          " has broken quotes; accepted are quotes around a whole field, doubled within "
          "it, that close on the same line");
    }
    f(field);
    if (field.end == last) return;
    at = field.end + 1;
  }
}

/// Well-formed UTF-8 without control characters: it will be written into models as JSON.
bool is_text(std::string_view text) {
  while (!text.empty()) {
    const auto [code, bytes] = core::first_character(text);
    if (bytes == 0 || code < 0x20 || code == 0x7f) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

void check_names(const std::vector<std::string>& names, const std::string& where) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!is_text(names[j])) {
      throw DataError(where + "the name of column " + std::to_string(j) +
                      " is not text; accepted is UTF-8 without control characters");
    }
    if (!seen.insert(names[j]).second) {
      throw DataError(where + "the column name " + quoted_field(names[j]) +
                      " occurs twice; accepted are distinct names");
    }
  }
}

/// The column that the option called `option` names.
std::size_t find_column(const CsvLayout& layout, const std::string& option,
                        const std::string& given, const std::string& name) {
  const auto named = std::find(layout.names.begin(), layout.names.end(), given);
  if (named != layout.names.end()) return static_cast<std::size_t>(named - layout.names.begin());
  const auto number = column_number(given);
  if (number && *number < layout.columns) return *number;
  std::string accepted = "a column number from 0 to " + std::to_string(layout.columns - 1);
  constexpr std::size_t kFew = 8;
  for (std::size_t j = 0; j < std::min(kFew, layout.names.size()); ++j) {
    accepted += (j == 0 ? " or a column name: " : ", ") + quoted_field(layout.names[j]);
  }
  if (layout.names.size() > kFew) {
    accepted += ", ... (" + std::to_string(layout.columns) + " columns)";
  }
  throw InvalidArgument(option + ": given " + quoted_field(given) + ", accepted is for " + name +
                        " " + accepted);
}

}  // namespace

std::string undoubled(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"') ++i;
  }
  return out;
}

CsvField csv_field(const char* first, const char* last, char delimiter) {
  const auto skip_blanks = [&](const char* p) {
    while (p != last && *p != delimiter && is_blank(*p)) ++p;
    return p;
  };
  first = skip_blanks(first);
  const auto find = [last](const char* from, char c) {
    const void* found = std::memchr(from, c, static_cast<std::size_t>(last - from));
    return found == nullptr ? last : static_cast<const char*>(found);
  };
  if (first == last || *first != '"') {
    const char* const end = find(first, delimiter);
    const auto text = trimmed({first, static_cast<std::size_t>(end - first)});
    return {text, end, text.find('"') != std::string_view::npos};
  }
  const char* close = find(first + 1, '"');
  while (close != last && close + 1 != last && close[1] == '"') close = find(close + 2, '"');
  if (close == last) return {{}, last, true};
  const char* const end = skip_blanks(close + 1);
  return {trimmed({first + 1, static_cast<std::size_t>(close - first - 1)}), end,
          end != last && *end != delimiter, true};
}

bool is_blank_line(std::string_view line, char delimiter) {
  return std::all_of(line.begin(), line.end(),
                     [delimiter](char c) { return c != delimiter && is_blank(c); });
}

std::string_view csv_line(const char* first, const char* last) {
  const auto* newline =
      static_cast<const char*>(std::memchr(first, '\n', static_cast<std::size_t>(last - first)));
  if (newline != first && newline[-1] == '\r') --newline;
  return {first, static_cast<std::size_t>(newline - first)};
}

CsvLayout CsvLayout::of(std::string_view line, const std::string& name,
                        const ReadOptions& options) {
  const std::string where = place(name, 1);
  check_bytes(line, where);
  if (is_blank_line(line, options.delimiter)) {
    throw DataError(where + "the first line is blank; accepted are column names or numbers");
  }
  CsvLayout layout;
  layout.delimiter = options.delimiter;
  layout.missing = MissingWords(options.missing);
  std::size_t names = 0;
  std::size_t numbers = 0;
  for_each_field(line, options.delimiter, where, [&](const CsvField& field) {
    double value = 0.0;
    const bool is_value = layout.missing.parse(field.text, value);
    if (!is_value) ++names;
    // Neither: what is missing (an empty field, NA, a declared word), which may stand for both, and
    // a number in quotes.
    if (!field.quoted && is_value && std::isfinite(value)) ++numbers;
    ++layout.columns;
  });
  if (names > 0 && numbers > 0) {
    // One of the two is a slip; taking a record for names would lose it without a word.
    throw DataError(where +
                    "the first line mixes names and numbers; accepted are names only (a name "
                    "that is a number in quotes) or numbers only");
  }
  if (names > 0) {
    layout.names.reserve(layout.columns);
    for_each_field(line, options.delimiter, where,
                   [&](const CsvField& field) { layout.names.push_back(undoubled(field.text)); });
  }
  check_names(layout.names, where);
  if (options.target) layout.target = find_column(layout, "target", *options.target, name);
  if (options.id) layout.id = find_column(layout, options.id_input, *options.id, name);
  if (layout.id && layout.id == layout.target) {
    throw InvalidArgument(options.id_input +
                          ": given is the column of the target, accepted is another one");
  }
  layout.divide(options);
  check_features(name, layout.features, options);
  return layout;
}

void CsvLayout::divide(const ReadOptions& options) {
  std::unordered_set<std::string_view> wanted;
  if (options.only && !names.empty()) wanted.insert(options.only->begin(), options.only->end());
  for (std::size_t j = 0; j < columns; ++j) {
    Use use = Use::feature;
    if (j == target) {
      use = Use::target;
    } else if (j == id) {
      use = Use::id;
    } else if (options.only && !names.empty() && !wanted.contains(names[j])) {
      use = Use::passed_over;
    }
    if (parts.empty() || parts.back().use != use) parts.push_back({use, j, j, features});
    parts.back().last = j + 1;
    if (use == Use::feature) ++features;
  }
}

CsvLayout::Use CsvLayout::use_of(std::size_t column) const {
  for (const Columns& part : parts) {
    if (column < part.last) return part.use;
  }
  return Use::feature;
}

std::string CsvLayout::id_name() const {
  if (!id) return {};
  return names.empty() ? "id" : names[*id];
}

std::string CsvLayout::target_name() const {
  if (!target) return {};
  return names.empty() ? kDefaultTargetName : names[*target];
}

std::vector<std::string> CsvLayout::feature_names() const {
  std::vector<std::string> kept;
  if (names.empty()) return kept;
  for (const Columns& part : parts) {
    if (part.use != Use::feature) continue;
    const auto at = [&](std::size_t j) { return names.begin() + static_cast<std::ptrdiff_t>(j); };
    kept.insert(kept.end(), at(part.first), at(part.last));
  }
  return kept;
}

void CsvLayout::refuse(std::string_view line, const std::string& name, std::size_t number) const {
  const std::string where = place(name, number);
  check_bytes(line, where);
  std::size_t count = 0;
  std::optional<std::size_t> no_number;
  for_each_field(line, delimiter, where, [&](const CsvField& field) {
    double value = 0.0;
    const Use use = use_of(count);
    const bool is_number = use == Use::feature || use == Use::target;
    if (!no_number && is_number && !missing.parse(field.text, value)) no_number = count;
    ++count;
  });
  if (count != columns || !no_number) {
    throw DataError(where + "the line has " + std::to_string(count) + " fields; accepted are " +
                    std::to_string(columns) + ", as in the first line");
  }
  std::string column = "column " + std::to_string(*no_number);
  if (!names.empty()) column += " (" + quoted_field(names[*no_number]) + ")";
  throw DataError(
      where + column +
      " holds text; accepted are numbers with a decimal point, nan, inf, NA, empty fields "
      "and text that is declared missing");
}

}  // namespace southwell::data
