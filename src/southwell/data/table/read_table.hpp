#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "southwell/core/progress.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/chunks.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/table/table_encoding.hpp"

namespace southwell::data {

/// What a raw table is read for: a fit needs its target and its units, and so does an assessment, a
/// private evaluation; an exact evaluation the target, a prediction neither.
enum class TableUse { fit, assess, evaluate, predict };

struct TableOptions {
  TableUse use = TableUse::fit;
  char delimiter = ',';                          ///< of CSV
  Encoding encoding = Encoding::utf_8;           ///< of CSV
  std::optional<std::string> id = std::nullopt;  ///< the column that says which record is which
  Storage storage = Storage::as_given;           ///< of a dense design
  int threads = 0;                               ///< 0: all cores
  core::Progress progress{};
};

/// A raw table as the schema says: CSV whose first line names the columns, also .gz, or - for
/// standard input. Columns are matched by name, in any order; others are passed over. Whatever a
/// record holds, it is read: a cell that does not fit is missing or no level, a short record misses
/// cells, a long one has too many, a blank line is none. Throws DataError for a form that is wrong:
/// a column that is absent, names that occur twice, quotes that do not close on their line.
Dataset read_table(const std::filesystem::path& file, const TableEncoding& encoding,
                   const TableOptions& options = {});

/// The same below the file system. `name` is the file's, for messages.
Dataset read_table(ByteSource& source, const std::string& name, const TableEncoding& encoding,
                   const TableOptions& options, const Chunking& chunking = {});

}  // namespace southwell::data
