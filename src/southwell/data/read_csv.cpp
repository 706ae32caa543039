#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/data/row_blocks.hpp"

namespace southwell::data {
namespace {

/// What one chunk holds, up to its first fault.
template <class T>
struct ParsedRows {
  RowBlock<T> block;
  std::vector<std::string> ids;
  bool any_record = false;
  std::optional<std::size_t> trailing_blank;  // the first of the blank lines at its end
  std::exception_ptr fault;
};

/// Runs over the lines of one chunk.
template <class T>
class CsvParser {
 public:
  CsvParser(const CsvLayout& layout, const std::string& name, const Chunk& chunk)
      : layout_(layout),
        name_(name),
        delimiter_(layout.delimiter),
        numbers_may_miss_(layout.missing.hold_numbers()),
        at_(chunk.begin()),
        end_(chunk.end()),
        line_(chunk.first_line()) {
    // A record takes at least a byte per column: short lines cannot ask for much memory.
    const std::size_t most = std::min(chunk.lines(), chunk.size() / layout.columns + 1);
    rows_.block = RowBlock<T>(most, layout.features);
  }

  ParsedRows<T> parse() && {
    try {
      for (; at_ != end_; ++line_) {
        line_end_ = nullptr;
        if (blank_line()) continue;
        rows_.any_record = true;
        if (rows_.trailing_blank) refuse_blank(name_, *rows_.trailing_blank);
        const char* const start = at_;
        if (!record()) layout_.refuse(csv_line(start, end_), name_, line_);
        ++rows_.block.records;
      }
    } catch (const DataError&) {
      rows_.fault = std::current_exception();
    }
    return std::move(rows_);
  }

  [[noreturn]] static void refuse_blank(const std::string& name, std::size_t line) {
    throw DataError(name + ":" + std::to_string(line) +
                    ": the line is blank; accepted are blank lines at the end only");
  }

 private:
  bool blank_line() {
    if (*at_ != '\n' && *at_ != '\r' && !is_blank(*at_)) return false;
    const std::string_view line = csv_line(at_, end_);
    if (!is_blank_line(line, delimiter_)) return false;
    if (!rows_.trailing_blank) rows_.trailing_blank = line_;
    at_ = next_line(line);
    return true;
  }

  bool record() {
    const std::size_t i = rows_.block.records;
    const std::size_t stride = rows_.block.capacity();
    for (const CsvLayout::Columns& part : layout_.parts) {
      bool good = false;
      switch (part.use) {
        case CsvLayout::Use::feature:
          good = fields(part.first, part.last, rows_.block.column(part.feature) + i, stride);
          break;
        case CsvLayout::Use::target:
          good = fields(part.first, part.last, rows_.block.target() + i, 0);
          break;
        default:
          good = texts(part);
      }
      if (!good) return false;
    }
    return true;
  }

  /// Columns [first, last) of the line into out[0], out[stride], ...
  template <class Out>
  bool fields(std::size_t first, std::size_t last, Out* out, std::size_t stride) {
    for (std::size_t j = first; j < last; ++j, out += stride) {
      double value = 0.0;
      const char* const stop = parse_decimal(at_, end_, value);
      if (stop != at_ && *stop == (j + 1 < layout_.columns ? delimiter_ : '\n') &&
          !numbers_may_miss_) {
        at_ = stop + 1;
      } else if (!careful_number(value, j + 1 == layout_.columns)) {
        return false;
      }
      *out = static_cast<Out>(value);
    }
    return true;
  }

  /// Columns that may hold anything.
  bool texts(const CsvLayout::Columns& part) {
    for (std::size_t j = part.first; j < part.last; ++j) {
      const CsvField field = careful_field();
      if (field.broken || field.text.find('\0') != std::string_view::npos) return false;
      if (!pass(field, j + 1 == layout_.columns)) return false;
      if (part.use == CsvLayout::Use::id) rows_.ids.push_back(undoubled(field.text));
    }
    return true;
  }

  /// A field with quotes, blanks, a sign, a name, nothing in it, or a carriage return after it.
  bool careful_number(double& value, bool is_last) {
    const CsvField field = careful_field();
    return !field.broken && layout_.missing.parse(field.text, value) && pass(field, is_last);
  }
  CsvField careful_field() {
    if (line_end_ == nullptr) {
      line_rest_ = csv_line(at_, end_);
      line_end_ = line_rest_.data() + line_rest_.size();
    }
    return csv_field(at_, line_end_, delimiter_);
  }
  bool pass(const CsvField& field, bool is_last) {
    if (is_last != (field.end == line_end_)) return false;
    at_ = is_last ? next_line(line_rest_) : field.end + 1;
    return true;
  }

  const char* next_line(std::string_view line) const {
    const char* p = line.data() + line.size();
    return p + (*p == '\r' ? 2 : 1);
  }

  const CsvLayout& layout_;
  const std::string& name_;
  char delimiter_;
  bool numbers_may_miss_;
  const char* at_;
  const char* end_;
  std::size_t line_;
  std::string_view line_rest_;      // from the first careful field to the end of the line
  const char* line_end_ = nullptr;  // null: not looked for yet
  ParsedRows<T> rows_;
};

template <class T>
Dataset read_records(ChunkReader& reader, std::vector<Chunk> batch, const CsvLayout& layout,
                     const std::string& name, core::ThreadPool& pool) {
  RowBlocks<T> blocks(layout.features);
  std::optional<std::size_t> blank;
  std::vector<std::string> ids;
  for_each_chunk(
      reader, std::move(batch), pool,
      [&](const Chunk& chunk) { return CsvParser<T>(layout, name, chunk).parse(); },
      [&](ParsedRows<T> rows) {
        if (blank && rows.any_record) CsvParser<T>::refuse_blank(name, *blank);
        if (rows.fault) std::rethrow_exception(rows.fault);
        if (!blank) blank = rows.trailing_blank;
        blocks.add(std::move(rows.block));
        std::move(rows.ids.begin(), rows.ids.end(), std::back_inserter(ids));
      });
  std::vector<double> target;
  auto design = blocks.take(pool, layout.target ? &target : nullptr);
  return {std::move(design),    std::move(target), layout.feature_names(),
          layout.target_name(), layout.id_name(),  std::move(ids)};
}

}  // namespace

Dataset read_csv(ByteSource& source, const std::string& name, const ReadOptions& options,
                 const Chunking& chunking) {
  check_csv_options(options);
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
    throw DataError(name +
                    ":1: the file is empty; accepted are lines of numbers, with or without "
                    "a line of column names first");
  }
  const std::string_view first = csv_line(batch[0].begin(), batch[0].end());
  const CsvLayout layout = CsvLayout::of(first, name, options);
  if (!layout.names.empty()) {
    const bool carriage_return = first.data()[first.size()] == '\r';
    batch[0].drop_front(first.size() + (carriage_return ? 2 : 1), 1);
  }
  return options.storage == Storage::f32
             ? read_records<float>(reader, std::move(batch), layout, name, pool)
             : read_records<double>(reader, std::move(batch), layout, name, pool);
}

}  // namespace southwell::data
