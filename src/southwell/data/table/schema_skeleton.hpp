#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "southwell/data/byte_source.hpp"

namespace southwell::data {

/// What stands in a schema for what somebody has yet to say. It is no type, no number, no date and
/// no list, so that a schema that still has one is refused, by name, wherever it is used.
std::string to_fill_in(std::string_view hint);

/// The hints for what is most often not known.
inline constexpr std::string_view kTypeHint = "number, integer, boolean, string, date or datetime";
inline constexpr std::string_view kLowHint = "no record is below, known without looking at them";
inline constexpr std::string_view kHighHint = "no record is above, known without looking at them";
inline constexpr std::string_view kLevelsHint =
    "the list of levels; or encode: hash or role: ignore under southwell, and no constraints";

/// A schema of these fields as text to be edited, one field on a line, with what to do said in
/// front.
std::string schema_text(const nlohmann::ordered_json& fields,
                        const nlohmann::ordered_json& missing_values);

/// A schema with the names of a raw table, each type to be filled in. Of the table it takes the
/// first line alone; no record is looked at. Throws DataError where that names no columns.
std::string schema_skeleton(ByteSource& source, const std::string& name, char delimiter);

}  // namespace southwell::data
