#pragma once

#include <string>

namespace southwell::data {

// Schemas from what others wrote about a table. What such a file does not say is marked as in
// schema_skeleton.hpp, and the schema does not run until it is filled in.

/// From the metadata of SmartNoise SQL: YAML, database - schema - table - columns with type, lower,
/// upper, nullable and private_id. Throws DataError, with file and line, for anything else.
std::string schema_from_smartnoise(const std::string& text, const std::string& name);

/// From CSV on the Web: JSON whose `tableSchema` has `columns` with a datatype, which may have a
/// minimum and a maximum. Throws DataError for anything else.
std::string schema_from_csvw(const std::string& text, const std::string& name);

}  // namespace southwell::data
