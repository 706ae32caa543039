#include "southwell/data/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/file_name.hpp"

namespace southwell::data {
namespace {

class FileSource : public ByteSource {
 public:
  // A pipe without a writer does not keep `open` waiting; reading waits, and can be stopped.
  FileSource(const std::filesystem::path& file, const core::Progress& progress)
      : FileSource(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), file.string(),
                   progress) {}
  /// Of a descriptor that is closed at the end, or a negative one and `errno`.
  FileSource(int descriptor, std::string name, const core::Progress& progress)
      : name_(std::move(name)), progress_(progress), descriptor_(descriptor) {
    struct stat status{};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) fail("cannot be opened");
    if (S_ISREG(status.st_mode)) {
      // Somebody may have read the beginning of standard input.
      const auto read_already = std::max(lseek(descriptor_, 0, SEEK_CUR), off_t{0});
      size_ = static_cast<std::size_t>(std::max(status.st_size - read_already, off_t{0}));
      size_left_ = size_;
      posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
  }
  ~FileSource() override {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<char> out) override {
    const std::size_t most = std::min(out.size(), static_cast<std::size_t>(SSIZE_MAX));
    ssize_t got = 0;
    do {
      if (!size_left_) wait();
      got = ::read(descriptor_, out.data(), most);
    } while (got < 0 && (errno == EINTR || errno == EAGAIN));
    if (got < 0) fail("cannot be read");
    const auto count = static_cast<std::size_t>(got);
    if (size_left_) *size_left_ -= std::min(*size_left_, count);
    return count;
  }
  std::optional<std::size_t> size_left() const override { return size_left_; }
  double share_read() const override {
    if (size_ == 0) return 0.0;
    return 1.0 - static_cast<double>(*size_left_) / static_cast<double>(size_);
  }

 private:
  /// Until a pipe has bytes or has ended. Whoever watches is asked from time to time: a signal may
  /// have come in another thread, or just before the wait.
  void wait() {
    constexpr int kMilliseconds = 50;
    pollfd pipe{.fd = descriptor_, .events = POLLIN, .revents = 0};
    while (true) {
      const int ready = poll(&pipe, 1, progress_ ? kMilliseconds : -1);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;
      if (progress_) progress_(0.0);
    }
  }
  [[noreturn]] void fail(const char* what) {
    const int error = errno;
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    throw DataError(name_ + ": " + what + ": " + std::strerror(error));
  }

  std::string name_;
  core::Progress progress_;
  int descriptor_ = -1;
  std::size_t size_ = 0;  // 0 if it is not a regular file
  std::optional<std::size_t> size_left_;
};

/// Another source with its first bytes, which were looked at, put back.
class PutBackSource : public ByteSource {
 public:
  PutBackSource(std::string first, std::unique_ptr<ByteSource> rest)
      : first_(std::move(first)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> out) override {
    if (given_ == first_.size()) return rest_->read(out);
    const std::size_t count = std::min(out.size(), first_.size() - given_);
    std::memcpy(out.data(), first_.data() + given_, count);
    given_ += count;
    return count;
  }
  std::optional<std::size_t> size_left() const override {
    auto left = rest_->size_left();
    if (left) *left += first_.size() - given_;
    return left;
  }
  double share_read() const override { return rest_->share_read(); }

 private:
  std::string first_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(kInputBytes) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> out) override {
    const auto room = static_cast<uInt>(std::min<std::size_t>(out.size(), UINT_MAX));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        if (between_members_) return 0;
        throw DataError(name_ + ": the gzip stream is cut short; accepted is a whole one");
      }
      if (between_members_) {
        // Zeros after a member pad a tape's block; gzip itself passes over them.
        while (stream_.avail_in > 0 && *stream_.next_in == 0) {
          ++stream_.next_in;
          --stream_.avail_in;
        }
        if (stream_.avail_in == 0) continue;
        inflateReset(&stream_);
        between_members_ = false;
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        // What was unpacked before the fault is handed out first; the next call comes here again.
        if (stream_.avail_out != room) break;
        throw DataError(name_ + ": the gzip stream is corrupt; accepted is a whole one");
      }
    }
    return room - stream_.avail_out;
  }
  double share_read() const override { return packed_->share_read(); }

 private:
  bool refill() {
    const std::size_t count = packed_->read(input_);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  static constexpr std::size_t kInputBytes = std::size_t{1} << 17;
  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false;
};

/// Latin-1 as UTF-8: a byte from 0x80 on becomes two.
class LatinSource : public ByteSource {
 public:
  explicit LatinSource(std::unique_ptr<ByteSource> latin) : latin_(std::move(latin)) {}

  std::size_t read(std::span<char> out) override {
    if (half_) {
      out[0] = *std::exchange(half_, std::nullopt);
      return 1;
    }
    // They go to the back, and come to the front as they are read: none is written over.
    const std::span<char> bytes = out.last((out.size() + 1) / 2);
    const std::size_t count = latin_->read(bytes);
    std::size_t written = 0;
    for (const char c : bytes.first(count)) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80u) {
        out[written++] = c;
        continue;
      }
      out[written++] = static_cast<char>(0xc0u | (byte >> 6));
      const char second = static_cast<char>(0x80u | (byte & 0x3fu));
      if (written == out.size()) {
        half_ = second;  // of the last byte of a room of odd size
      } else {
        out[written++] = second;
      }
    }
    return written;
  }
  double share_read() const override { return latin_->share_read(); }

 private:
  std::unique_ptr<ByteSource> latin_;
  std::optional<char> half_;
};

}  // namespace

std::size_t read_fully(ByteSource& source, std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const std::size_t count = source.read(out.subspan(filled));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

std::string read_all(ByteSource& source, const std::string& name, std::size_t most) {
  std::string text;
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + kPiece);
    const std::size_t got = read_fully(source, std::span(text).subspan(before));
    text.resize(before + got);
    if (text.size() > most) {
      throw DataError(name + ": longer than " + std::to_string(most >> 20) +
                      " MiB, which is the most that is accepted here");
    }
    if (got < kPiece) return text;
  }
}

std::size_t MemorySource::read(std::span<char> out) {
  const std::size_t count = std::min({out.size(), left_.size(), step_});
  if (count > 0) std::memcpy(out.data(), left_.data(), count);
  left_.remove_prefix(count);
  return count;
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> raw, const std::string& name) {
  std::array<char, 2> magic{};
  const std::size_t count = read_fully(*raw, magic);
  auto whole = std::make_unique<PutBackSource>(std::string(magic.data(), count), std::move(raw));
  if (count == 2 && magic[0] == '\x1f' && magic[1] == '\x8b') {
    return std::make_unique<GzipSource>(std::move(whole), name);
  }
  return whole;
}

std::unique_ptr<ByteSource> open_source(const std::filesystem::path& file,
                                        const core::Progress& progress) {
  check_file_name(file);
  return unpacked(std::make_unique<FileSource>(file, progress), file.string());
}

std::unique_ptr<ByteSource> open_text(const std::filesystem::path& file, Encoding encoding,
                                      const core::Progress& progress) {
  auto source =
      is_standard_input(file)
          ? unpacked(std::make_unique<FileSource>(dup(STDIN_FILENO), text_name(file), progress),
                     text_name(file))
          : open_source(file, progress);
  return encoding == Encoding::latin_1 ? std::make_unique<LatinSource>(std::move(source))
                                       : std::move(source);
}

std::string text_name(const std::filesystem::path& file) {
  return is_standard_input(file) ? "standard input" : file.string();
}

}  // namespace southwell::data
