#include "southwell/data/table/table_columns.hpp"

#include <algorithm>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::data {
namespace {

bool is_read(Role role, const RolesRead& roles) {
  switch (role) {
    case Role::feature:
      return true;
    case Role::target:
      return roles.target;
    case Role::unit:
      return roles.unit;
    case Role::ignored:
      break;
  }
  return false;
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kFew = 8;
  std::string list;
  for (std::size_t k = 0; k < std::min(kFew, names.size()); ++k) {
    list += (k == 0 ? "" : ", ") + core::quoted(names[k]);
  }
  return names.size() > kFew ? list + ", ..." : list;
}

/// A header of one name with a delimiter in it was most likely written with another one.
std::string delimiter_hint(const std::vector<std::string>& names) {
  const bool may_be_several =
      names.size() == 1 && names.front().find_first_of(kDelimiters) != std::string::npos;
  return may_be_several ? "; fields with something else than a comma between them are read with "
                          "--delimiter, in Python CsvFile"
                        : "";
}

}  // namespace

TableColumns::TableColumns(const std::vector<std::string>& names, const TableEncoding& encoding,
                           const TableOptions& options, const std::string& table)
    : field_of(names.size()),
      roles{.target = options.use != TableUse::predict,
            .unit = options.use == TableUse::fit || options.use == TableUse::assess} {
  const auto only_place = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    if (std::find(found + 1, names.end(), name) != names.end()) {
      throw DataError(table + ": the column name " + core::quoted(name) +
                      " occurs twice; accepted is every name once");
    }
    return static_cast<std::size_t>(found - names.begin());
  };
  const std::vector<Field>& fields = encoding.schema().fields();
  readers.reserve(fields.size());
  std::vector<std::string> absent;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    readers.emplace_back(fields[f]);
    if (!is_read(fields[f].role, roles)) continue;
    if (const auto column = only_place(fields[f].name)) {
      field_of[*column] = f;
    } else {
      absent.push_back(fields[f].name);
    }
  }
  if (!absent.empty()) {
    throw DataError(table + ": columns of the schema are absent: " + some_names(absent) +
                    "; accepted is a table that has them, in any order (it has " +
                    some_names(names) + ")" + delimiter_hint(names));
  }
  if (!options.id) return;
  id = only_place(*options.id);
  if (!id) {
    throw InvalidArgument("id: given " + core::quoted(*options.id) +
                          ", accepted is a column name: " + some_names(names));
  }
}

DecodedRecords TableColumns::empty(std::size_t expected) const {
  DecodedRecords out{0, std::vector<DecodedColumn>(readers.size())};
  for (const std::optional<std::size_t>& field : field_of) {
    if (field) out.columns[*field].numbers.reserve(expected);
  }
  return out;
}

}  // namespace southwell::data
