#include "southwell/data/table/read_table.hpp"

#include <cstring>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/table_columns.hpp"

namespace southwell::data {
namespace {

/// A cell of a line of CSV.
struct TableCell {
  std::string_view text;  ///< without quotes around it; quotes within still doubled
  const char* end;        ///< the delimiter after it, or the end of the line
  bool quoted = false;
  bool broken = false;  ///< a quote that does not close, or text after it
};

TableCell cell_at(const char* first, const char* last, char delimiter) {
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

[[noreturn]] void refuse_quotes(const std::string& name, std::size_t line) {
  throw DataError(name + ":" + std::to_string(line) +
                  ": broken quotes; accepted are quotes around a whole cell, doubled within it, "
                  "that close on the same line");
}

/// The names of the columns.
std::vector<std::string> header_of(std::string_view line, const std::string& name, char delimiter) {
  std::vector<std::string> names;
  const char* const last = line.data() + line.size();
  for (const char* at = line.data();; ++at) {
    const TableCell cell = cell_at(at, last, delimiter);
    if (cell.broken) refuse_quotes(name, 1);
    names.push_back(cell.quoted ? undoubled(trimmed(cell.text)) : std::string(trimmed(cell.text)));
    if (cell.end == last) return names;
    at = cell.end;
  }
}

struct ParsedTable {
  EncodedRecords encoded;
  std::vector<std::string> ids;
  std::exception_ptr fault;
};

/// Runs over the lines of one chunk.
class TableParser {
 public:
  TableParser(const TableColumns& columns, const TableOptions& options, const std::string& name,
              const Chunk& chunk)
      : columns_(columns),
        delimiter_(options.delimiter),
        name_(name),
        chunk_(chunk),
        decoded_(columns.empty(chunk.lines())) {}

  ParsedTable parse(const TableEncoding& encoding, Storage storage) && {
    ParsedTable out;
    try {
      std::size_t number = chunk_.first_line();
      for (const char* at = chunk_.begin(); at != chunk_.end(); ++number) {
        const std::string_view line = csv_line(at, chunk_.end());
        const char* const end = line.data() + line.size();
        at = end + (*end == '\r' ? 2 : 1);
        if (is_no_record(line)) continue;
        if (!record(line)) refuse_quotes(name_, number);
        ++decoded_.records;
      }
      out.encoded = encode_records(encoding, decoded_, storage);
      out.ids = std::move(ids_);
    } catch (const DataError&) {
      out.fault = std::current_exception();
    }
    return out;
  }

 private:
  /// A blank line is none, but in a table of one column, where it is a missing cell.
  bool is_no_record(std::string_view line) const {
    if (columns_.field_of.size() == 1) return false;
    for (const char c : line) {
      if (c == delimiter_ || !is_blank(c)) return false;
    }
    return true;
  }

  bool record(std::string_view line) {
    const char* const last = line.data() + line.size();
    const char* at = line.data();
    bool ended = false;  // a short record misses its last cells
    for (std::size_t c = 0; c < columns_.field_of.size(); ++c) {
      const std::optional<std::size_t>& field = columns_.field_of[c];
      if (ended) {
        if (field) columns_.readers[*field].add_missing(decoded_.columns[*field]);
        if (columns_.id == c) ids_.emplace_back();
        continue;
      }
      const char* end = field ? plain_number(at, last, *field) : nullptr;
      if (end == nullptr || columns_.id == c) {
        const TableCell cell = cell_at(at, last, delimiter_);
        if (cell.broken) return false;
        if (end == nullptr && field) add_cell(cell, *field);
        if (columns_.id == c) ids_.push_back(text_in(cell));
        end = cell.end;
      }
      ended = end == last;
      at = ended ? last : end + 1;
    }
    return ended || quotes_close(at, last);
  }

  /// Where a cell ends that is nothing but a decimal number, which is then added; null otherwise.
  const char* plain_number(const char* at, const char* last, std::size_t field) {
    if (!columns_.readers[field].takes_plain_numbers()) return nullptr;
    double value = 0.0;
    const char* const stop = parse_decimal(at, last, value);
    if (stop == at || (stop != last && *stop != delimiter_)) return nullptr;
    decoded_.columns[field].numbers.push_back(value);
    return stop;
  }

  void add_cell(const TableCell& cell, std::size_t field) {
    const bool doubled = cell.quoted && cell.text.find('"') != std::string_view::npos;
    columns_.readers[field].add_text(
        doubled ? std::string_view(undoubled_ = undoubled(cell.text)) : cell.text,
        decoded_.columns[field]);
  }
  static std::string text_in(const TableCell& cell) {
    return cell.quoted ? undoubled(trimmed(cell.text)) : std::string(trimmed(cell.text));
  }
  /// Of cells beyond the last column, which are dropped.
  bool quotes_close(const char* at, const char* last) const {
    for (;; ++at) {
      const TableCell cell = cell_at(at, last, delimiter_);
      if (cell.broken) return false;
      if (cell.end == last) return true;
      at = cell.end;
    }
  }

  const TableColumns& columns_;
  char delimiter_;
  const std::string& name_;
  const Chunk& chunk_;
  DecodedRecords decoded_;
  std::vector<std::string> ids_;
  std::string undoubled_;
};

}  // namespace

Dataset read_table(ByteSource& source, const std::string& name, const TableEncoding& encoding,
                   const TableOptions& options, const Chunking& chunking) {
  core::ThreadPool pool(options.threads);
  auto reader = ChunkReader::lines(source, name, chunking);
  std::vector<Chunk> batch;
  reader.fill(batch, 1);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (!batch.empty() &&
      std::string_view(batch[0].begin(), batch[0].size()).starts_with(kByteOrderMark)) {
    batch[0].drop_front(kByteOrderMark.size(), 0);
  }
  if (batch.empty()) {
    reader.finish();
    throw DataError(name + ":1: the file is empty; accepted is a first line of column names");
  }
  const std::string_view first = csv_line(batch[0].begin(), batch[0].end());
  const TableColumns columns(header_of(first, name, options.delimiter), encoding, options, name);
  const bool carriage_return = first.data()[first.size()] == '\r';
  batch[0].drop_front(first.size() + (carriage_return ? 2 : 1), 1);

  TableAssembler assembler(encoding, options.storage, columns.roles);
  std::vector<std::string> ids;
  for_each_chunk(
      reader, std::move(batch), pool,
      [&](const Chunk& chunk) {
        return TableParser(columns, options, name, chunk).parse(encoding, options.storage);
      },
      [&](ParsedTable part) {
        if (part.fault) std::rethrow_exception(part.fault);
        assembler.add(std::move(part.encoded));
        std::move(part.ids.begin(), part.ids.end(), std::back_inserter(ids));
      });
  Dataset out = assembler.take(pool);
  if (options.id) {
    out.id_name = *options.id;
    out.ids = std::move(ids);
  }
  return out;
}

Dataset read_table(const std::filesystem::path& file, const TableEncoding& encoding,
                   const TableOptions& options) {
  Chunking chunking;
  chunking.progress = options.progress;
  return read_table(*open_source(file, options.progress), file.string(), encoding, options,
                    chunking);
}

}  // namespace southwell::data
