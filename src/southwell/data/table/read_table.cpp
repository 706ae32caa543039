#include "southwell/data/table/read_table.hpp"

#include <exception>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/data/table/table_columns.hpp"
#include "southwell/data/table/table_lines.hpp"

namespace southwell::data {
namespace {

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

  ParsedTable parse(const TableEncoding& encoding, const TableOptions& options) && {
    ParsedTable out;
    try {
      std::size_t number = chunk_.first_line();
      for (const char* at = chunk_.begin(); at != chunk_.end(); ++number) {
        const std::string_view line = csv_line(at, chunk_.end());
        const char* const end = line.data() + line.size();
        at = end + (*end == '\r' ? 2 : 1);
        if (is_no_record(line, columns_.field_of.size(), delimiter_)) continue;
        if (!record(line)) refuse_quotes(name_, number);
        ++decoded_.records;
      }
      out.encoded = encode_records(encoding, decoded_, options);
      out.ids = std::move(ids_);
    } catch (const DataError&) {
      out.fault = std::current_exception();
    }
    return out;
  }

 private:
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
        const TableCell cell = table_cell(at, last, delimiter_);
        if (cell.broken) return false;
        if (end == nullptr && field) add_cell(cell, *field);
        if (columns_.id == c) ids_.push_back(cell.content());
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
  /// Of cells beyond the last column, which are dropped.
  bool quotes_close(const char* at, const char* last) const {
    for (;; ++at) {
      const TableCell cell = table_cell(at, last, delimiter_);
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
  check_delimiter(options.delimiter);
  core::ThreadPool pool(options.threads);
  TableLines lines(source, name, options.delimiter, chunking);
  const TableColumns columns(lines.names, encoding, options, name);
  TableAssembler assembler(encoding, options.storage, columns.roles);
  std::vector<std::string> ids;
  for_each_chunk(
      lines.reader, std::move(lines.first), pool,
      [&](const Chunk& chunk) {
        return TableParser(columns, options, name, chunk).parse(encoding, options);
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
  return read_table(*open_text(file, options.encoding, options.progress), text_name(file), encoding,
                    options, chunking);
}

}  // namespace southwell::data
