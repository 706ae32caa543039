#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/data/chunks.hpp"

namespace southwell::data {

/// A cell of a line of CSV.
struct TableCell {
  std::string_view text;  ///< without quotes around it; quotes within still doubled
  const char* end;        ///< the delimiter after it, or the end of the line
  bool quoted = false;
  bool broken = false;  ///< a quote that does not close, or text after it

  /// What it says: blanks around it do not count, doubled quotes are single.
  std::string content() const;
};

/// The cell at `first` of a line that ends at `last` (its line break excluded).
TableCell table_cell(const char* first, const char* last, char delimiter);

[[noreturn]] void refuse_quotes(const std::string& name, std::size_t line);

/// The names in the first line of the file called `name`.
std::vector<std::string> table_header(std::string_view line, const std::string& name,
                                      char delimiter);

/// Whether a line of a table with so many columns is no record: a blank line is none, but in a
/// table of one column, where it is a missing cell.
bool is_no_record(std::string_view line, std::size_t columns, char delimiter);

/// A raw table whose first line has been read.
struct TableLines {
  TableLines(ByteSource& source, const std::string& name, char delimiter, const Chunking& chunking);

  ChunkReader reader;
  std::vector<Chunk> first{};  ///< the first chunk, without the first line
  std::vector<std::string> names{};
};

}  // namespace southwell::data
