#include "southwell/data/file_writer.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "southwell/core/error.hpp"

namespace southwell::data {

namespace fs = std::filesystem;

FileWriter::FileWriter(fs::path file) : file_(std::move(file)) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file_, ignored);
  if (fs::is_directory(status)) {
    throw DataError(file_.string() + ": is a directory; accepted is the name of a file to write");
  }
  const bool direct = fs::exists(status) && !fs::is_regular_file(status);
  if (!direct) temporary_ = file_.string() + ".part-" + std::to_string(getpid());
  const fs::path& path = direct ? file_ : temporary_;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    temporary_.clear();
    fail(std::strerror(errno));
  }
  // zlib's transparent mode ("T") writes the bytes as they are: one path for both.
  stream_ = gzdopen(descriptor, file_.extension() == ".gz" ? "wb6" : "wbT");
  if (stream_ == nullptr) {
    close(descriptor);
    unlink(path.c_str());
    throw std::bad_alloc();
  }
}

FileWriter::~FileWriter() {
  if (stream_ != nullptr) gzclose(stream_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto part = static_cast<unsigned>(std::min<std::size_t>(bytes.size(), 1u << 30));
    if (gzwrite(stream_, bytes.data(), part) != static_cast<int>(part)) {
      fail(errno != 0 ? std::strerror(errno) : "the bytes could not be written");
    }
    bytes.remove_prefix(part);
  }
}

void FileWriter::commit() {
  errno = 0;
  if (gzclose(std::exchange(stream_, nullptr)) != Z_OK) {
    fail(errno != 0 ? std::strerror(errno) : "the bytes could not be written");
  }
  if (temporary_.empty()) return;
  std::error_code error;
  fs::rename(temporary_, file_, error);
  if (error) fail(error.message());
  temporary_.clear();
}

void FileWriter::fail(const std::string& what) const {
  throw DataError(file_.string() + ": cannot be written: " + what);
}

}  // namespace southwell::data
