#pragma once

#include <filesystem>
#include <string>
#include <string_view>

struct gzFile_s;  // NOLINT(readability-identifier-naming): zlib calls it so

namespace southwell::data {

/// Writes a file whole or not at all: bytes go to a temporary file beside it, which takes its name
/// at `commit`; without a commit nothing is left. A file that is replaced keeps its permissions, a
/// link its place. A name ending in .gz is compressed. A pipe or a device is written to directly.
/// What an earlier writer of the same file left when it was killed is removed.
class FileWriter {
 public:
  explicit FileWriter(std::filesystem::path file);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  /// Closes, and removes what is not committed.
  void discard();
  void remove_temporary();

  std::filesystem::path file_;       ///< as given, for messages
  std::filesystem::path place_;      ///< where a link leads
  std::filesystem::path temporary_;  ///< empty when written to directly
  gzFile_s* stream_ = nullptr;
  int descriptor_ = -1;  ///< of the same open file as the stream's: it is locked until it has its
                         ///< name
};

}  // namespace southwell::data
