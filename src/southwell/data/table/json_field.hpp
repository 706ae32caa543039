#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "southwell/core/json_part.hpp"
#include "southwell/core/words.hpp"
#include "southwell/data/table/field.hpp"

namespace southwell::data {

/// One member of `fields`. `part` is called by the field's name in messages; `missing_values` is
/// what the whole table says. Internal: schema.cpp uses it.
Field parse_field(const core::JsonPart& part, const std::vector<std::string>& missing_values);

/// Refuses a key under `southwell` that is none of those accepted.
void check_own_keys(const core::JsonPart& own, core::Words accepted);

/// Text that can be a name in tables and files: not empty, UTF-8 without control characters.
bool is_name(std::string_view text);

}  // namespace southwell::data
