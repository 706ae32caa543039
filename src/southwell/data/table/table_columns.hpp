#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "southwell/data/table/cell_reader.hpp"
#include "southwell/data/table/read_table.hpp"
#include "southwell/data/table/table_assembler.hpp"

namespace southwell::data {

/// Which column of a table is which field of its schema, by name. Form alone: it looks at names.
struct TableColumns {
  /// Throws DataError, beginning with `table`, for a column that is absent and for a name that
  /// occurs twice among those that are needed.
  TableColumns(const std::vector<std::string>& names, const TableEncoding& encoding,
               const TableOptions& options, const std::string& table);

  std::vector<std::optional<std::size_t>> field_of{};  ///< by column; absent: passed over
  std::optional<std::size_t> id{};                     ///< the column of the options' id
  RolesRead roles{};
  std::vector<CellReader> readers{};  ///< one for each field

  /// Room for the cells of some records.
  DecodedRecords empty(std::size_t expected) const;
};

}  // namespace southwell::data
