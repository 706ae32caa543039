#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/row_blocks.hpp"
#include "southwell/data/table/decoded.hpp"
#include "southwell/data/table/read_table.hpp"
#include "southwell/data/table/table_encoding.hpp"
#include "southwell/data/units.hpp"

namespace southwell::data {

/// Records by their entries that are not zero.
struct SparseRows {
  std::vector<std::int64_t> ends{};  ///< where a record's entries end
  std::vector<std::int32_t> indices{};
  std::vector<double> values{};
};

/// Some consecutive records, encoded.
struct EncodedRecords {
  std::size_t records = 0;
  std::variant<RowBlock<double>, RowBlock<float>, SparseRows> rows{};
  std::vector<double> target{};
  std::vector<std::optional<std::string>> units{};
};

/// Which columns are read beside the features.
struct RolesRead {
  bool target = true;  ///< if the schema has one
  bool unit = true;
};

/// Encodes some records; a function of them and of the schema.
EncodedRecords encode_records(const TableEncoding& encoding, const DecodedRecords& decoded,
                              const TableOptions& options);

/// The number that stands for a class: its level where that is a number, else its place.
std::vector<double> class_values(const Field& target);

/// Puts encoded records one behind the other.
class TableAssembler {
 public:
  TableAssembler(const TableEncoding& encoding, Storage storage, RolesRead roles);

  void add(EncodedRecords part);
  /// Nothing is left here.
  Dataset take(core::ThreadPool& pool);

 private:
  template <class T>
  void add_rows(RowBlock<T> rows);
  void add_rows(SparseRows rows);

  const TableEncoding& encoding_;
  RolesRead roles_;
  std::variant<RowBlocks<double>, RowBlocks<float>, Compressed> rows_;
  std::vector<double> target_;
  std::optional<UnitCounter> units_;
};

}  // namespace southwell::data
