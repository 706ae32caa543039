#include "southwell/data/table/table_lines.hpp"

#include <cstring>

#include "southwell/core/error.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/parse_number.hpp"

namespace southwell::data {

std::string TableCell::content() const {
  return quoted ? undoubled(trimmed(text)) : std::string(trimmed(text));
}

TableCell table_cell(const char* first, const char* last, char delimiter) {
  const auto find = [last](const char* from, char c) {
    const void* found = std::memchr(from, c, static_cast<std::size_t>(last - from));
    return found == nullptr ? last : static_cast<const char*>(found);
  };
  const auto skip_blanks = [&](const char* p) {
    while (p != last && *p != delimiter && is_blank(*p)) ++p;
    return p;
  };
  const char* const start = skip_blanks(first);
  if (start == last || *start != '"') {
    const char* const end = find(start, delimiter);
    return {{start, static_cast<std::size_t>(end - start)}, end};
  }
  const char* close = find(start + 1, '"');
  while (close != last && close + 1 != last && close[1] == '"') close = find(close + 2, '"');
  if (close == last) return {{}, last, true, true};
  const char* const end = skip_blanks(close + 1);
  return {{start + 1, static_cast<std::size_t>(close - start - 1)},
          end,
          true,
          end != last && *end != delimiter};
}

void refuse_quotes(const std::string& name, std::size_t line) {
  throw DataError(name + ":" + std::to_string(line) +
                  ": broken quotes; accepted are quotes around a whole cell, doubled within it, "
                  "that close on the same line");
}

std::vector<std::string> table_header(std::string_view line, const std::string& name,
                                      char delimiter) {
  std::vector<std::string> names;
  const char* const last = line.data() + line.size();
  for (const char* at = line.data();; ++at) {
    const TableCell cell = table_cell(at, last, delimiter);
    if (cell.broken) refuse_quotes(name, 1);
    names.push_back(cell.content());
    if (cell.end == last) return names;
    at = cell.end;
  }
}

bool is_no_record(std::string_view line, std::size_t columns, char delimiter) {
  return columns != 1 && is_blank_line(line, delimiter);
}

TableLines::TableLines(ByteSource& source, const std::string& name, char delimiter,
                       const Chunking& chunking)
    : reader(ChunkReader::lines(source, name, chunking)) {
  reader.fill(first, 1);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (!first.empty() &&
      std::string_view(first[0].begin(), first[0].size()).starts_with(kByteOrderMark)) {
    first[0].drop_front(kByteOrderMark.size(), 0);
  }
  if (first.empty()) {
    reader.finish();
    throw DataError(name + ":1: the file is empty; accepted is a first line of column names");
  }
  const std::string_view line = csv_line(first[0].begin(), first[0].end());
  names = table_header(line, name, delimiter);
  const bool carriage_return = line.data()[line.size()] == '\r';
  first[0].drop_front(line.size() + (carriage_return ? 2 : 1), 1);
}

}  // namespace southwell::data
