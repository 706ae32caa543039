#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "southwell/data/table/read_table.hpp"

namespace southwell::data {

/// How many cells of one column do not say what its field asks for.
struct ColumnCheck {
  std::size_t missing = 0;
  std::size_t out_of_bounds = 0;  ///< counted as the bound
  std::size_t undeclared = 0;     ///< no level
  std::size_t not_of_type = 0;    ///< counted as missing

  ColumnCheck& operator+=(const ColumnCheck& other);
};

/// What a raw table holds that its schema does not expect. Not private: for whoever owns the
/// records.
struct TableCheck {
  std::size_t records = 0;
  std::size_t short_records = 0;  ///< that miss cells at their end
  std::size_t long_records = 0;   ///< that have too many
  std::vector<ColumnCheck>
      fields{};  ///< one for each field of the schema; ignored ones are not read
};

/// Reads the table as a fit would, and counts. Throws DataError as read_table does.
TableCheck check_table(const std::filesystem::path& file, const TableEncoding& encoding,
                       const TableOptions& options);

}  // namespace southwell::data
