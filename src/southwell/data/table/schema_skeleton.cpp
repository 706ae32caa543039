#include "southwell/data/table/schema_skeleton.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/chunks.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/json_field.hpp"
#include "southwell/data/table/table_lines.hpp"

namespace southwell::data {
namespace {

constexpr const char* kHowTo =
    "Fill in what says so, from what is known without looking at the records. A number or an "
    "integer "
    "takes constraints {minimum, maximum}, a string {enum: [...]}. One field takes southwell: "
    "{role: target}; an id takes {role: unit} or {role: ignore}. southwell schema check says what "
    "is "
    "left, docs/tables.md has every key.";

/// On one line, with a blank after every comma and colon.
std::string spaced(const nlohmann::ordered_json& part) {
  if (!part.is_structured()) {
    return part.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  std::string out;
  for (const auto& [key, value] : part.items()) {
    out += (out.empty() ? "" : ", ") + (part.is_object() ? spaced(key) + ": " : "") + spaced(value);
  }
  return part.is_object() ? "{" + out + "}" : "[" + out + "]";
}

/// The first line, its newline included. The bytes after it that came along are not looked at.
std::string first_line(ByteSource& source, const std::string& name) {
  std::string text;
  std::array<char, 4096> piece{};
  while (const std::size_t count = source.read(piece)) {
    const std::string_view got(piece.data(), count);
    text += got.substr(0, got.find('\n'));
    if (got.find('\n') != std::string_view::npos) break;
    if (text.size() > Chunking().line_limit) {
      throw DataError(name + ":1: the first line does not end; accepted are column names");
    }
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text + '\n';
}

/// Whether a first line is a record rather than names, by its form.
bool holds_numbers(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const std::string& text) {
    double value = 0.0;
    return parse_value(text, value);
  });
}

void check_names(const std::vector<std::string>& names, const std::string& where) {
  // Nothing of what may be a record is shown.
  if (holds_numbers(names)) {
    throw DataError(where + "the first line names no columns; accepted are their names");
  }
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!is_name(names[j])) {
      throw DataError(where + "the name of column " + std::to_string(j) +
                      " is empty or no text; accepted is UTF-8 without control characters");
    }
    if (!seen.insert(names[j]).second) {
      throw DataError(where + "the column name " + core::quoted(names[j]) +
                      " occurs twice; accepted is every name once");
    }
  }
}

}  // namespace

std::string to_fill_in(std::string_view hint) { return "FILL IN: " + std::string(hint); }

std::string schema_text(const nlohmann::ordered_json& fields,
                        const nlohmann::ordered_json& missing_values) {
  std::string out = "{\"description\": " + spaced(kHowTo) + ",\n \"fields\": [";
  for (std::size_t k = 0; k < fields.size(); ++k) {
    out += (k == 0 ? "\n  " : ",\n  ") + spaced(fields[k]);
  }
  return out + "],\n \"missingValues\": " + spaced(missing_values) + "}\n";
}

std::string schema_skeleton(ByteSource& source, const std::string& name, char delimiter) {
  const std::string text = first_line(source, name);
  const std::string_view line = csv_line(text.data(), text.data() + text.size());
  const std::vector<std::string> names = table_header(line, name, delimiter);
  check_names(names, name + ":1: ");
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  for (const std::string& each : names) {
    fields.push_back({{"name", each}, {"type", to_fill_in(kTypeHint)}});
  }
  return schema_text(fields, {""});
}

}  // namespace southwell::data
