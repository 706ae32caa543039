#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/table/cell_column.hpp"
#include "southwell/data/table/read_table.hpp"
#include "southwell/data/table/table_assembler.hpp"
#include "southwell/data/table/table_columns.hpp"

namespace southwell::data {

/// Encodes a raw table that comes batch by batch, on all cores. A batch is let go as soon as it is
/// encoded, so the raw table need never be whole in memory; how it is cut changes no bit.
class TableBatches {
 public:
  /// `names` are those of the table's columns, and `table` is what it is called in messages. Throws
  /// DataError for names that the schema does not accept.
  TableBatches(const TableEncoding& encoding, const TableOptions& options,
               std::vector<std::string> names, std::string table);

  const std::vector<std::string>& names() const { return names_; }
  const std::string& table() const { return table_; }
  /// Whether the column is needed.
  bool reads(std::size_t column) const { return columns_.field_of[column].has_value(); }
  /// What a message calls a column.
  std::string in_words(std::size_t column) const;
  /// Throws DataError for ids in a floating type, which has merged some and lost others.
  void check_declared(std::size_t column, bool is_floating) const;

  /// One column for each name, null for those that are not read.
  void add(std::size_t records, std::vector<SharedColumn> columns);
  /// Nothing is left here.
  Dataset take();

 private:
  struct Batch {
    std::size_t records;
    std::vector<SharedColumn> columns;
  };
  /// Consecutive records of one batch.
  struct Piece {
    std::size_t batch;
    std::size_t first;
    std::size_t count;
  };
  using Part = std::vector<Piece>;

  void encode_waiting();
  EncodedRecords encode(const Part& part) const;

  const TableEncoding& encoding_;
  TableOptions options_;
  std::vector<std::string> names_;
  std::string table_;
  TableColumns columns_;
  core::ThreadPool pool_;
  TableAssembler assembler_;
  std::size_t part_records_;
  std::vector<Batch> waiting_;
  std::size_t waiting_records_ = 0;
};

}  // namespace southwell::data
