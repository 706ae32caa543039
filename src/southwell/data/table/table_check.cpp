#include "southwell/data/table/table_check.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/data/table/civil_time.hpp"
#include "southwell/data/table/table_columns.hpp"
#include "southwell/data/table/table_lines.hpp"

namespace southwell::data {
namespace {

bool is_outside(const Field& field, double value) {
  return field.bounds && (value < field.bounds->low || value > field.bounds->high);
}

/// Counts one cell, as its field's own reader takes it.
void count(const Field& field, const CellReader& reader, std::string_view text, ColumnCheck& out) {
  const auto& words = field.format.missing_values;
  if (std::find(words.begin(), words.end(), text) != words.end()) return ++out.missing, void();
  DecodedColumn cell;
  reader.add_text(text, cell);
  double number = 0.0;
  if (field.role == Role::unit) {
    if (!cell.texts.front()) ++out.not_of_type;
  } else if (field.kind == FieldKind::number) {
    // A number that counts as missing is one all the same.
    if (std::isnan(cell.numbers.front())) {
      ++(parse_number(text, number) ? out.missing : out.not_of_type);
    } else if (is_outside(field, cell.numbers.front())) {
      ++out.out_of_bounds;
    }
  } else if (field.kind == FieldKind::levels) {
    if (cell.places.front() == kMissingLevel) ++out.missing;
    if (cell.places.front() == kNoLevel) ++out.undeclared;
  } else if (field.kind == FieldKind::time) {
    const std::int64_t unit = field.type == FieldType::date ? kDay : kSecond;
    const std::int64_t moment = cell.moments.front();
    if (moment == kNoMoment) {
      ++out.not_of_type;
    } else if (is_outside(field, static_cast<double>(moment) / static_cast<double>(unit))) {
      ++out.out_of_bounds;
    }
  }
}

struct PartCheck {
  TableCheck found;
  std::exception_ptr fault;
};

/// Runs over the lines of one chunk.
class PartChecker {
 public:
  PartChecker(const TableColumns& columns, const Schema& schema, char delimiter)
      : columns_(columns), schema_(schema), delimiter_(delimiter) {
    out_.found.fields.resize(schema.fields().size());
  }

  PartCheck check(const Chunk& chunk, const std::string& name) && {
    std::size_t number = chunk.first_line();
    for (const char* at = chunk.begin(); at != chunk.end(); ++number) {
      const std::string_view line = csv_line(at, chunk.end());
      const char* const end = line.data() + line.size();
      at = end + (*end == '\r' ? 2 : 1);
      if (is_no_record(line, columns_.field_of.size(), delimiter_)) continue;
      if (record(line)) continue;
      try {
        refuse_quotes(name, number);
      } catch (const DataError&) {
        out_.fault = std::current_exception();
        break;
      }
    }
    return std::move(out_);
  }

 private:
  bool record(std::string_view line) {
    const char* const last = line.data() + line.size();
    const char* at = line.data();
    std::size_t cells = 0;
    for (bool ended = false; !ended; ++cells) {
      const TableCell cell = table_cell(at, last, delimiter_);
      if (cell.broken) return false;
      if (cells < columns_.field_of.size()) take(cells, cell);
      ended = cell.end == last;
      at = ended ? last : cell.end + 1;
    }
    const std::size_t columns = columns_.field_of.size();
    TableCheck& found = out_.found;
    ++found.records;
    if (cells < columns) ++found.short_records;
    if (cells > columns) ++found.long_records;
    for (std::size_t c = cells; c < columns; ++c) {
      if (const auto field = columns_.field_of[c]) ++found.fields[*field].missing;
    }
    return true;
  }

  void take(std::size_t column, const TableCell& cell) {
    const auto field = columns_.field_of[column];
    if (!field) return;
    count(schema_.fields()[*field], columns_.readers[*field], cell.content(),
          out_.found.fields[*field]);
  }

  const TableColumns& columns_;
  const Schema& schema_;
  char delimiter_;
  PartCheck out_;
};

}  // namespace

ColumnCheck& ColumnCheck::operator+=(const ColumnCheck& other) {
  missing += other.missing;
  out_of_bounds += other.out_of_bounds;
  undeclared += other.undeclared;
  not_of_type += other.not_of_type;
  return *this;
}

TableCheck check_table(const std::filesystem::path& file, const TableEncoding& encoding,
                       const TableOptions& options) {
  check_delimiter(options.delimiter);
  Chunking chunking;
  chunking.progress = options.progress;
  const std::string name = text_name(file);
  const auto source = open_text(file, options.encoding, options.progress);
  core::ThreadPool pool(options.threads);
  TableLines lines(*source, name, options.delimiter, chunking);
  const TableColumns columns(lines.names, encoding, options, name);
  const Schema& schema = encoding.schema();
  TableCheck out;
  out.fields.resize(schema.fields().size());
  for_each_chunk(
      lines.reader, std::move(lines.first), pool,
      [&](const Chunk& chunk) {
        return PartChecker(columns, schema, options.delimiter).check(chunk, name);
      },
      [&](const PartCheck& part) {
        if (part.fault) std::rethrow_exception(part.fault);
        out.records += part.found.records;
        out.short_records += part.found.short_records;
        out.long_records += part.found.long_records;
        for (std::size_t f = 0; f < out.fields.size(); ++f) out.fields[f] += part.found.fields[f];
      });
  return out;
}

}  // namespace southwell::data
