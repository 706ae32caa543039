#pragma once

#include <memory>
#include <string>

#include "southwell/data/table/arrow_abi.hpp"
#include "southwell/data/table/typed_column.hpp"

namespace southwell::data {

/// The type of an Arrow column, of its levels if it has a dictionary.
struct ArrowType {
  CellType cells{};
  std::shared_ptr<const ArrowType> levels{};

  /// By a look at the format alone. Throws DataError, beginning with `column`, for what holds no
  /// single values: lists, structs, unions, objects, durations.
  ArrowType(const ArrowSchema& schema, const std::string& column);

  bool is_floating() const;
};

/// Whether an array has the memory that one of that type has, for so many cells.
bool is_whole(const ArrowType& type, const ArrowArray& array, std::int64_t cells);

/// The cells of an Arrow array of that type, which `owner` keeps alive. An array within a table has
/// `table` around it: its offset and its missing records count.
SharedColumn arrow_column(const ArrowType& type, const ArrowArray& array,
                          std::shared_ptr<const void> owner, const ArrowArray* table = nullptr);

}  // namespace southwell::data
