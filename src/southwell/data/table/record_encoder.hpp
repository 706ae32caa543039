#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "southwell/data/table/decoded.hpp"
#include "southwell/data/table/table_encoding.hpp"

namespace southwell::data {

/// An entry of an encoded record.
struct RecordEntry {
  std::size_t feature;
  double value;
};

/// Encodes records one by one: each is a function of its own cells and of the schema. It keeps room
/// to work in, so every thread has its own.
class RecordEncoder {
 public:
  explicit RecordEncoder(const TableEncoding& encoding);

  /// The entries of record i that are not zero, by feature; good until the next call.
  const std::vector<RecordEntry>& encode(const DecodedRecords& records, std::size_t i);

 private:
  using Block = TableEncoding::Block;
  /// One block of features, with what it takes to make them.
  struct Step {
    Block block;
    const Field* field;
    std::optional<NumberMap> map;
    std::size_t main_first;  ///< the place of its first feature among the field's main ones
  };

  void add(std::size_t feature, double value) {
    if (value != 0.0) entries_.push_back({feature, value});
  }
  void add_block(const Step& step, const DecodedColumn& column, std::size_t i);
  void add_one_of(const Block& block, std::int32_t place);
  void add_part(const Block& block, std::int64_t moment);
  void add_words(const Block& block, const DecodedColumn& column, std::size_t i);
  void add_hinges(const Block& block, double z);
  void add_bins(const Block& block, double z);
  void add_products(const Block& block);

  std::vector<Step> steps_;
  /// Of every field: its entries that products are made of, by their place among them.
  std::vector<std::vector<RecordEntry>> mains_;
  std::vector<std::size_t> main_counts_;
  std::vector<bool> is_multiplied_;
  std::vector<RecordEntry> entries_;
};

}  // namespace southwell::data
