#include "southwell/data/chunks.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "southwell/core/error.hpp"

namespace southwell::data {

void Chunk::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  // realloc moves long buffers by their page table, and keeps what was read.
  auto* bytes = static_cast<char*>(std::realloc(bytes_.get(), capacity));
  if (bytes == nullptr) throw std::bad_alloc();
  static_cast<void>(bytes_.release());
  bytes_.reset(bytes);
  capacity_ = capacity;
}

ChunkReader::ChunkReader(ByteSource& source, std::string name, const Chunking& chunking,
                         std::size_t unit)
    : source_(&source),
      name_(std::move(name)),
      chunk_bytes_(std::max<std::size_t>(chunking.chunk_bytes, 1)),
      limit_(unit == 0 ? chunking.line_limit : std::numeric_limits<std::size_t>::max() / 4),
      unit_(unit),
      progress_(chunking.progress) {}

void ChunkReader::fill(std::vector<Chunk>& batch, std::size_t count) {
  batch.resize(count);
  std::size_t filled = 0;
  while (filled < count && !ended_ && fill(batch[filled])) ++filled;
  batch.resize(filled);
}

void ChunkReader::finish() const {
  if (failure_) std::rethrow_exception(failure_);
}

/// The length of the longest run of whole lines or units at the front; 0 if there is none yet.
/// `searched` bytes are known to hold no newline.
std::size_t ChunkReader::cut(const char* bytes, std::size_t size, std::size_t searched) const {
  if (unit_ != 0) return size - size % unit_;
  const void* newline = memrchr(bytes + searched, '\n', size - searched);
  return newline == nullptr
             ? 0
             : static_cast<std::size_t>(static_cast<const char*>(newline) - bytes) + 1;
}

std::size_t ChunkReader::read_or_keep_failure(std::span<char> out) {
  std::size_t filled = 0;
  try {
    while (filled < out.size()) {
      const std::size_t count = source_->read(out.subspan(filled));
      if (count == 0) break;
      filled += count;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  return filled;
}

/// Reads until there is something to cut off; false at the end of the source.
bool ChunkReader::read_until_cut(Chunk& chunk) {
  std::size_t size = rest_.size();
  std::size_t want = std::min(std::max(chunk_bytes_, 2 * size), limit_ + 1);
  for (std::size_t searched = 0;;) {
    chunk.reserve(want + 1);  // one more, for the newline that the last line may lack
    if (searched == 0 && size > 0) std::memcpy(chunk.bytes_.get(), rest_.data(), size);
    size += read_or_keep_failure({chunk.bytes_.get() + size, want - size});
    chunk.size_ = cut(chunk.bytes_.get(), size, searched);
    if (size < want) {
      if (unit_ == 0 && chunk.size_ < size && !failure_) {
        chunk.bytes_[size] = '\n';
        chunk.size_ = ++size;
      }
      rest_.assign(chunk.begin() + chunk.size_, chunk.begin() + size);
      return false;
    }
    if (chunk.size_ > 0) break;
    if (size > limit_) {
      throw DataError(name_ + ":" + std::to_string(next_line_) + ": the line is longer than " +
                      std::to_string(limit_) + " bytes; accepted are shorter lines");
    }
    searched = size;
    want = std::min(2 * size, limit_ + 1);
  }
  rest_.assign(chunk.begin() + chunk.size_, chunk.begin() + size);
  return true;
}

bool ChunkReader::fill(Chunk& chunk) {
  chunk.size_ = 0;
  chunk.dropped_ = 0;
  try {
    ended_ = !read_until_cut(chunk);
  } catch (...) {
    failure_ = std::current_exception();
    ended_ = true;
  }
  chunk.first_line_ = next_line_;
  chunk.offset_ = next_offset_;
  chunk.lines_ =
      unit_ != 0 ? 0 : static_cast<std::size_t>(std::count(chunk.begin(), chunk.end(), '\n'));
  next_line_ += chunk.lines_;
  next_offset_ += chunk.size_;
  return chunk.size_ > 0;
}

}  // namespace southwell::data
