#include "southwell/data/table/schema_import.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/core/words.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/schema_skeleton.hpp"
#include "southwell/data/table/yaml_mapping.hpp"

namespace southwell::data {
namespace {

using core::JsonPart;
using nlohmann::ordered_json;

/// A field as far as it is known.
struct KnownField {
  std::string name;
  std::string type;  ///< empty: not known
  std::optional<ordered_json> low{}, high{};
  bool is_unit = false;
  bool is_ignored = false;
  bool never_missing = false;
};

ordered_json constraints_of(const KnownField& field) {
  if (field.type == "string") return {{"enum", to_fill_in(kLevelsHint)}};
  if (field.type.empty() || field.type == "boolean") return nullptr;
  return {{"minimum", field.low.value_or(to_fill_in(kLowHint))},
          {"maximum", field.high.value_or(to_fill_in(kHighHint))}};
}

ordered_json to_json(const KnownField& field) {
  ordered_json out{{"name", field.name},
                   {"type", field.type.empty() ? to_fill_in(kTypeHint) : field.type}};
  const bool is_id = field.is_unit || field.is_ignored;
  const ordered_json constraints = is_id ? ordered_json() : constraints_of(field);
  if (!constraints.is_null()) out["constraints"] = constraints;
  if (is_id) {
    out["southwell"] = {{"role", field.is_unit ? "unit" : "ignore"}};
  } else if (field.never_missing) {
    out["southwell"] = {{"missing", "middle"}};
  }
  return out;
}

std::string text_of(const std::vector<KnownField>& fields, const ordered_json& missing_values) {
  ordered_json list = ordered_json::array();
  for (const KnownField& field : fields) list.push_back(to_json(field));
  return schema_text(list, missing_values);
}

// SmartNoise.

[[noreturn]] void refuse(const std::string& name, std::size_t line, const std::string& found,
                         const std::string& accepted) {
  throw DataError(name + ":" + std::to_string(line) + ": " + found + "; accepted is " + accepted);
}

/// The one mapping below; a text beside it, such as the engine's name, is passed over.
const YamlEntry& only_mapping(const YamlEntry& around, const std::string& what,
                              const std::string& name) {
  const YamlEntry* found = nullptr;
  for (const YamlEntry& entry : around.entries) {
    if (entry.entries.empty()) continue;
    if (found != nullptr) {
      refuse(name, entry.line, "a second " + what + ", " + core::quoted(entry.key),
             "one " + what + " in a file");
    }
    found = &entry;
  }
  if (found == nullptr) {
    refuse(name, around.line, "no " + what, "database, schema, table and columns, nested");
  }
  return *found;
}

bool is_true(const YamlEntry* entry) {
  return entry != nullptr && equals_any_case(entry->text, "true");
}

ordered_json number_in(const YamlEntry& entry, const std::string& name) {
  double value = 0.0;
  if (!parse_number(entry.text, value)) {
    refuse(name, entry.line, entry.key + ": given " + core::quoted(entry.text), "a number");
  }
  const auto whole = static_cast<std::int64_t>(std::clamp(value, -1e15, 1e15));
  return static_cast<double>(whole) == value ? ordered_json(whole) : ordered_json(value);
}

KnownField smartnoise_column(const YamlEntry& column, const std::string& name) {
  constexpr std::array<std::string_view, 5> kTypes{"int", "float", "string", "boolean", "datetime"};
  constexpr std::array<const char*, 5> kOurs{"integer", "number", "string", "boolean", "datetime"};
  KnownField out{column.key, ""};
  const YamlEntry* const type = column.find("type");
  const auto known = type == nullptr ? std::nullopt : core::index_of(kTypes, type->text);
  if (type != nullptr && !known && type->text != "unknown") {
    refuse(name, type->line, "type: given " + core::quoted(type->text),
           "one of " + core::listed(kTypes));
  }
  if (known) out.type = kOurs[*known];
  if (const YamlEntry* low = column.find("lower")) out.low = number_in(*low, name);
  if (const YamlEntry* high = column.find("upper")) out.high = number_in(*high, name);
  const YamlEntry* const nullable = column.find("nullable");
  out.never_missing = nullable != nullptr && equals_any_case(nullable->text, "false");
  out.is_unit = is_true(column.find("private_id"));
  return out;
}

// CSV on the Web.

/// Text, the first of a list, or what the first language says.
std::string first_text(const JsonPart& part) {
  if (part.content().is_string()) return part.text();
  std::optional<std::string> found;
  const auto take = [&](const JsonPart& each) {
    if (!found) found = first_text(each);
  };
  if (part.content().is_array()) {
    part.for_each(take);
  } else {
    part.for_each_member([&](const std::string&, const JsonPart& each) { take(each); });
  }
  if (!found) part.refuse("nothing in it", "a title");
  return *found;
}

/// By the name that the specification gives a type; empty where it is none of ours.
std::string type_named(const std::string& datatype) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"integer", "integer"},
      {"int", "integer"},
      {"long", "integer"},
      {"short", "integer"},
      {"byte", "integer"},
      {"nonNegativeInteger", "integer"},
      {"positiveInteger", "integer"},
      {"nonPositiveInteger", "integer"},
      {"negativeInteger", "integer"},
      {"unsignedLong", "integer"},
      {"unsignedInt", "integer"},
      {"unsignedShort", "integer"},
      {"unsignedByte", "integer"},
      {"number", "number"},
      {"decimal", "number"},
      {"double", "number"},
      {"float", "number"},
      {"boolean", "boolean"},
      {"date", "date"},
      {"dateTime", "datetime"},
      {"datetime", "datetime"},
      {"dateTimeStamp", "datetime"},
      {"string", "string"},
      {"normalizedString", "string"},
      {"token", "string"},
      {"language", "string"}};
  for (const auto& [theirs, ours] : kTypes) {
    if (theirs == datatype) return std::string(ours);
  }
  return {};
}

/// A bound as it stands there: a number, also where it is in quotes, or a date.
std::optional<ordered_json> bound_in(const JsonPart& datatype, core::Words keys,
                                     const std::string& type) {
  for (const std::string_view key : keys) {
    const auto bound = datatype.find(std::string(key).c_str());
    if (!bound) continue;
    if (bound->content().is_number()) return ordered_json(bound->content());
    double value = 0.0;
    const bool is_number = type == "integer" || type == "number";
    if (!is_number) return ordered_json(bound->text());
    if (!parse_number(bound->text(), value)) {
      bound->refuse("given " + core::quoted(bound->text()), "a number");
    }
    return ordered_json(value);
  }
  return std::nullopt;
}

KnownField csvw_column(const JsonPart& column, ordered_json& format) {
  constexpr std::array<std::string_view, 3> kLow{"minimum", "minInclusive", "minExclusive"};
  constexpr std::array<std::string_view, 3> kHigh{"maximum", "maxInclusive", "maxExclusive"};
  const auto titles = column.find("titles");
  KnownField out{titles ? first_text(*titles) : column.at("name").text(), ""};
  if (const auto required = column.find("required")) out.never_missing = required->flag();
  const auto datatype = column.find("datatype");
  if (!datatype) return out;
  if (datatype->content().is_string()) {
    out.type = type_named(datatype->text());
    return out;
  }
  const auto base = datatype->find("base");
  out.type = base ? type_named(base->text()) : "string";
  out.low = bound_in(*datatype, kLow, out.type);
  out.high = bound_in(*datatype, kHigh, out.type);
  // Theirs are patterns of another kind, such as dd.MM.yyyy.
  if (datatype->find("format") && (out.type == "date" || out.type == "datetime")) {
    format = to_fill_in("a pattern of %Y %m %d %H %M %S");
  } else if (datatype->find("format")) {
    format = to_fill_in("default, or decimalChar, groupChar, trueValues or falseValues instead");
  }
  return out;
}

/// The one table of a file that may describe several.
JsonPart csvw_table(const JsonPart& root) {
  const auto tables = root.find("tables");
  if (!tables) return root;
  if (!tables->content().is_array() || tables->content().size() != 1) {
    tables->refuse("given not one table", "a list of one");
  }
  return JsonPart(tables->content()[0], root.file(), "tables[0]");
}

}  // namespace

std::string schema_from_smartnoise(const std::string& text, const std::string& name) {
  const YamlEntry root{"", "", parse_yaml_mapping(text, name), 1};
  const YamlEntry& database = only_mapping(root, "database", name);
  const YamlEntry& schema = only_mapping(database, "schema", name);
  const YamlEntry& table = only_mapping(schema, "table", name);
  const bool by_row = is_true(table.find("row_privacy"));
  std::vector<KnownField> fields;
  for (const YamlEntry& column : table.entries) {
    if (column.entries.empty()) continue;  // of the table, such as its number of rows
    fields.push_back(smartnoise_column(column, name));
    if (by_row) fields.back().is_ignored = std::exchange(fields.back().is_unit, false);
  }
  if (fields.empty()) refuse(name, table.line, "no column", "a table with columns");
  return text_of(fields, {""});
}

std::string schema_from_csvw(const std::string& text, const std::string& name) {
  const nlohmann::json content =
      core::parsed(text, name, "CSV on the Web: {\"tableSchema\": {\"columns\": [...]}}");
  const JsonPart root(content, name);
  const JsonPart table = csvw_table(root);
  const JsonPart schema = table.at("tableSchema");
  ordered_json fields = ordered_json::array();
  schema.at("columns").for_each([&](const JsonPart& column) {
    if (const auto made = column.find("virtual"); made && made->flag()) return;
    ordered_json format;
    ordered_json field = to_json(csvw_column(column, format));
    if (!format.is_null()) field["format"] = format;
    if (const auto missing = column.find("null")) {
      field["missingValues"] = missing->content().is_string() ? ordered_json{missing->text()}
                                                              : ordered_json(missing->texts());
    }
    fields.push_back(std::move(field));
  });
  if (fields.empty()) schema.refuse("columns: none", "a table with columns");
  return schema_text(fields, {""});
}

}  // namespace southwell::data
