#include "southwell/data/table/read_arrow.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/table/arrow_columns.hpp"

namespace southwell::data {
namespace {

constexpr const char* kTable = "table";

[[noreturn]] void refuse_failure() {
  throw DataError(
      "table: the program that makes it failed, and its message is not shown: it may hold a "
      "record's value. Run the query by itself to see it");
}

void get_schema(ArrowArrayStream& stream, ArrowSchema& schema) {
  if (stream.get_schema(&stream, &schema) != 0) refuse_failure();
  if (std::string_view(schema.format) == "+s") return;
  throw DataError("table: given a single column, accepted is a table: columns with names");
}

std::vector<std::string> names_in(const ArrowSchema& schema) {
  std::vector<std::string> names;
  for (std::int64_t c = 0; c < schema.n_children; ++c) {
    const char* const name = schema.children[c]->name;
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

using Types = std::vector<std::optional<ArrowType>>;

/// Of the columns that are read; no record is needed for that.
Types types_in(const ArrowSchema& schema, const TableBatches& batches) {
  Types types(batches.names().size());
  for (std::size_t c = 0; c < types.size(); ++c) {
    if (!batches.reads(c)) continue;
    types[c].emplace(*schema.children[c], batches.in_words(c));
    batches.check_declared(c, types[c]->is_floating());
  }
  return types;
}

void add_records(ArrowArrayStream& stream, const Types& types, TableBatches& batches) {
  while (true) {
    auto batch = std::make_shared<ArrowOwner<ArrowArray>>();
    if (stream.get_next(&stream, &batch->held()) != 0) refuse_failure();
    if (batch->is_empty()) return;
    const ArrowArray& table = **batch;
    if (table.n_children != static_cast<std::int64_t>(types.size()) || table.length < 0 ||
        table.offset < 0) {
      refuse_failure();
    }
    std::vector<SharedColumn> columns(types.size());
    for (std::size_t c = 0; c < types.size(); ++c) {
      if (!types[c]) continue;
      const ArrowArray& column = *table.children[c];
      if (!is_whole(*types[c], column, table.offset + table.length)) refuse_failure();
      columns[c] = arrow_column(*types[c], column, batch, &table);
    }
    batches.add(static_cast<std::size_t>(table.length), std::move(columns));
  }
}

}  // namespace

void add_arrow(ArrowArrayStream& stream, TableBatches& batches) {
  ArrowOwner<ArrowSchema> schema;
  get_schema(stream, schema.held());
  if (names_in(*schema) != batches.names()) {
    throw DataError(batches.table() +
                    ": given other columns in a later part, accepted are the same");
  }
  add_records(stream, types_in(*schema, batches), batches);
}

Dataset read_arrow(ArrowArrayStream& stream, const TableEncoding& encoding,
                   const TableOptions& options) {
  ArrowOwner<ArrowSchema> schema;
  get_schema(stream, schema.held());
  TableBatches batches(encoding, options, names_in(*schema), kTable);
  add_records(stream, types_in(*schema, batches), batches);
  return batches.take();
}

}  // namespace southwell::data
