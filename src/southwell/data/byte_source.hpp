#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "southwell/core/progress.hpp"

namespace southwell::data {

/// Bytes in order, each handed out once: a regular file, a pipe, a gzip stream or memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the front of `out`, which is not empty, and returns how much; 0 only at the end. May
  /// give less than asked.
  virtual std::size_t read(std::span<char> out) = 0;
  /// How many bytes are left, where that is known without reading them.
  virtual std::optional<std::size_t> size_left() const { return std::nullopt; }
  /// The share of the file that has been read, from 0 to 1; 0 where it cannot be known (a pipe).
  virtual double share_read() const { return 0.0; }
};

/// Reads until `out` is full or the source ends.
std::size_t read_fully(ByteSource& source, std::span<char> out);

/// All that is left, as text. Throws DataError, naming the file, if that is more than `most` bytes.
std::string read_all(ByteSource& source, const std::string& name, std::size_t most);

/// Bytes the caller keeps alive, handed out at most `step` at a time.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes, std::size_t step = static_cast<std::size_t>(-1))
      : left_(bytes), step_(step) {}
  std::size_t read(std::span<char> out) override;
  std::optional<std::size_t> size_left() const override { return left_.size(); }

 private:
  std::string_view left_;
  std::size_t step_;
};

/// `raw` itself, or what it unpacks to if it begins like a gzip file (one member or several; zeros
/// after a member are passed over).
/// `name` is the file's, for messages.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> raw, const std::string& name);

/// A regular file or a pipe, unpacked if its content is gzip: the first bytes of a pipe are waited
/// for. `progress` is asked again and again while a pipe is silent, and may throw.
std::unique_ptr<ByteSource> open_source(const std::filesystem::path& file,
                                        const core::Progress& progress = {});

/// How the bytes of a text stand for characters. It is declared, never detected.
enum class Encoding { utf_8, latin_1 };

/// A text file, in UTF-8 from here on, or - for standard input, which is unpacked too.
std::unique_ptr<ByteSource> open_text(const std::filesystem::path& file, Encoding encoding,
                                      const core::Progress& progress = {});
/// What messages call it.
std::string text_name(const std::filesystem::path& file);

}  // namespace southwell::data
