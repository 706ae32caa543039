#pragma once

#include <string>

#include "southwell/data/table/arrow_abi.hpp"
#include "southwell/data/table/table_batches.hpp"

namespace southwell::data {

/// A raw table as the schema says, from a stream of Arrow record batches. Columns are matched by
/// name, in any order; others are passed over, whatever their type. Whatever a record holds, it is
/// read as from a file: by its value. Throws DataError for a form that is wrong: a column that is
/// absent, of a type that holds no single values, or ids in a floating type; and where the program
/// behind the stream fails, whose own words may hold a record's value and are not passed on.
Dataset read_arrow(ArrowArrayStream& stream, const TableEncoding& encoding,
                   const TableOptions& options = {});

/// Adds the records of a stream to others, with the same columns.
void add_arrow(ArrowArrayStream& stream, TableBatches& batches);

}  // namespace southwell::data
