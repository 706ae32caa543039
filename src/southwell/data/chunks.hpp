#pragma once

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/progress.hpp"
#include "southwell/data/byte_source.hpp"

namespace southwell::data {

/// How a file is cut up for reading, and who is told how far it has come. What is read never
/// depends on it, save for the line limit.
struct Chunking {
  std::size_t chunk_bytes = std::size_t{1} << 20;
  /// Longer lines are refused: 2^23 columns of 17 digits fit.
  std::size_t line_limit = std::size_t{256} << 20;
  core::Progress progress{};
};

/// A run of whole lines (the last one always ends in a newline) or of whole records of a fixed
/// size.
class Chunk {
 public:
  const char* begin() const { return bytes_.get() + dropped_; }
  const char* end() const { return bytes_.get() + size_; }
  std::size_t size() const { return size_ - dropped_; }
  std::size_t lines() const { return lines_; }
  std::size_t first_line() const { return first_line_; }  ///< from 1
  std::size_t offset() const { return offset_; }          ///< of its first byte in the source

  /// Forgets bytes at the front, which hold so many newlines.
  void drop_front(std::size_t bytes, std::size_t lines) {
    dropped_ += bytes;
    offset_ += bytes;
    lines_ -= lines;
    first_line_ += lines;
  }

 private:
  friend class ChunkReader;
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  void reserve(std::size_t capacity);

  std::unique_ptr<char[], Free> bytes_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::size_t dropped_ = 0;
  std::size_t lines_ = 0;
  std::size_t first_line_ = 0;
  std::size_t offset_ = 0;
};

/// Cuts a source into chunks. An error met while reading is kept until everything before it has
/// been handed out, so that of several faults the first in the file is the one reported.
class ChunkReader {
 public:
  /// Chunks of whole lines. A newline always ends a record: none is accepted within quotes.
  static ChunkReader lines(ByteSource& source, std::string name, const Chunking& chunking) {
    return {source, std::move(name), chunking, 0};
  }
  /// Chunks of whole units of `unit` bytes; memory grows with what is received, not with `unit`.
  static ChunkReader units(ByteSource& source, std::string name, const Chunking& chunking,
                           std::size_t unit) {
    return {source, std::move(name), chunking, unit};
  }

  /// Replaces `batch` by the next chunks, at most `count`, reusing their memory; none at the end.
  void fill(std::vector<Chunk>& batch, std::size_t count);
  /// Throws what stopped the reading, if anything did. Call when no chunk is left.
  void finish() const;
  /// Tells whoever looks how far the reading has come; what they throw stops it.
  void report() const {
    if (progress_) progress_(source_->share_read());
  }
  /// Whether the source ended within a unit.
  bool ended_in_unit() const { return ended_ && !rest_.empty(); }

 private:
  ChunkReader(ByteSource& source, std::string name, const Chunking& chunking, std::size_t unit);
  bool fill(Chunk& chunk);
  bool read_until_cut(Chunk& chunk);
  std::size_t read_or_keep_failure(std::span<char> out);
  std::size_t cut(const char* bytes, std::size_t size, std::size_t searched) const;

  ByteSource* source_;
  std::string name_;
  std::size_t chunk_bytes_;
  std::size_t limit_;
  std::size_t unit_;  // 0: lines
  core::Progress progress_;
  std::vector<char> rest_;  // the start of a line or unit whose end is not yet read
  std::size_t next_line_ = 1;
  std::size_t next_offset_ = 0;
  bool ended_ = false;
  std::exception_ptr failure_;
};

/// How many chunks are parsed at once.
inline std::size_t batch_size(const core::ThreadPool& pool) {
  return pool.threads() == 1 ? 1 : 2 * static_cast<std::size_t>(pool.threads());
}

/// Calls `parse(chunk)` for all chunks, in parallel with each other and with the reading of the
/// next ones, and `take(result)` one after the other in file order. `batch` holds the first chunks.
template <class Parse, class Take>
void for_each_chunk(ChunkReader& reader, std::vector<Chunk> batch, core::ThreadPool& pool,
                    const Parse& parse, const Take& take) {
  std::vector<Chunk> next;
  while (!batch.empty()) {
    std::vector<decltype(parse(batch.front()))> results(batch.size());
    pool.run(batch.size() + 1, [&](std::size_t task) {
      if (task == 0) {
        reader.fill(next, batch_size(pool));
      } else {
        results[task - 1] = parse(batch[task - 1]);
      }
    });
    reader.report();
    for (auto& result : results) take(std::move(result));
    std::swap(batch, next);
  }
  reader.finish();
}

}  // namespace southwell::data
