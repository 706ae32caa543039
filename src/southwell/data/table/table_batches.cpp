#include "southwell/data/table/table_batches.hpp"

#include <algorithm>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/chunks.hpp"

namespace southwell::data {
namespace {

/// Records that one thread encodes at a time: enough to be worth it, and not too much memory.
std::size_t records_at_once(std::size_t features) {
  constexpr std::size_t kNumbers = std::size_t{1} << 21;
  return std::clamp<std::size_t>(kNumbers / (features + 1), 64, 16384);
}

}  // namespace

TableBatches::TableBatches(const TableEncoding& encoding, const TableOptions& options,
                           std::vector<std::string> names, std::string table)
    : encoding_(encoding),
      options_(options),
      names_(std::move(names)),
      table_(std::move(table)),
      columns_(names_, encoding, options, table_),
      pool_(options.threads),
      assembler_(encoding, options.storage, columns_.roles),
      part_records_(records_at_once(encoding.is_sparse() ? 0 : encoding.features())) {
  if (options.id) {
    throw InvalidArgument("id: given " + core::quoted(*options.id) +
                          ", accepted for a CSV file alone");
  }
}

std::string TableBatches::in_words(std::size_t column) const {
  return table_ + ": the column " + core::quoted(names_[column]);
}

void TableBatches::check_declared(std::size_t column, bool is_floating) const {
  const std::optional<std::size_t>& field = columns_.field_of[column];
  if (!is_floating || !field || encoding_.schema().fields()[*field].role != Role::unit) return;
  throw DataError(in_words(column) +
                  ": ids of units in a floating type, which cannot tell all of them apart; "
                  "accepted are whole numbers and text");
}

void TableBatches::add(std::size_t records, std::vector<SharedColumn> columns) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c]) check_declared(c, columns[c]->is_floating());
  }
  waiting_.push_back({records, std::move(columns)});
  waiting_records_ += records;
  if (waiting_records_ >= part_records_ * batch_size(pool_)) encode_waiting();
}

EncodedRecords TableBatches::encode(const Part& part) const {
  std::size_t records = 0;
  for (const Piece& piece : part) records += piece.count;
  DecodedRecords decoded = columns_.empty(records);
  decoded.records = records;
  for (const Piece& piece : part) {
    const Batch& batch = waiting_[piece.batch];
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const std::optional<std::size_t>& field = columns_.field_of[c];
      if (!field) continue;
      batch.columns[c]->read(piece.first, piece.count, columns_.readers[*field],
                             decoded.columns[*field]);
    }
  }
  return encode_records(encoding_, decoded, options_);
}

void TableBatches::encode_waiting() {
  std::vector<Part> parts;
  std::size_t room = 0;
  for (std::size_t b = 0; b < waiting_.size(); ++b) {
    for (std::size_t first = 0; first < waiting_[b].records;) {
      if (room == 0) {
        parts.emplace_back();
        room = part_records_;
      }
      const std::size_t count = std::min(room, waiting_[b].records - first);
      parts.back().push_back({b, first, count});
      first += count;
      room -= count;
    }
  }
  const std::size_t at_once = batch_size(pool_);
  for (std::size_t done = 0; done < parts.size(); done += at_once) {
    std::vector<EncodedRecords> encoded(std::min(at_once, parts.size() - done));
    pool_.run(encoded.size(), [&](std::size_t k) { encoded[k] = encode(parts[done + k]); });
    if (options_.progress) options_.progress(0.0);
    for (EncodedRecords& part : encoded) assembler_.add(std::move(part));
  }
  waiting_.clear();
  waiting_records_ = 0;
}

Dataset TableBatches::take() {
  encode_waiting();
  return assembler_.take(pool_);
}

}  // namespace southwell::data
