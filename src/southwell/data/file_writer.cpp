#include "southwell/data/file_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/file_name.hpp"
#include "southwell/data/temporary_file.hpp"

namespace southwell::data {

namespace fs = std::filesystem;

namespace {

/// Standard output or error where it is this very file: what it holds already stays there.
int standard_descriptor(const struct stat& file) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat status{};
    const bool same = fstat(descriptor, &status) == 0 && status.st_dev == file.st_dev &&
                      status.st_ino == file.st_ino;
    if (same) return descriptor;
  }
  return -1;
}

}  // namespace

FileWriter::FileWriter(fs::path file) : file_(std::move(file)) {
  check_file_name(file_);
  const std::string unfit = unfit_to_write(file_);
  if (!unfit.empty()) throw DataError(file_.string() + ": " + unfit);
  // A link is written through, not replaced.
  std::error_code ignored;
  place_ = fs::is_symlink(file_, ignored) ? fs::weakly_canonical(file_, ignored) : file_;
  if (place_.empty()) place_ = file_;
  struct stat before{};
  const bool exists = stat(place_.c_str(), &before) == 0;
  const int standard = exists ? standard_descriptor(before) : -1;
  const bool direct = exists && (!S_ISREG(before.st_mode) || standard >= 0);
  const mode_t mode = exists && !direct ? before.st_mode & 07777 : 0666;  // less the umask
  if (!direct) remove_leftovers(place_);
  errno = 0;
  const int descriptor = standard >= 0 ? fcntl(standard, F_DUPFD_CLOEXEC, 0)
                         : direct      ? open(place_.c_str(), O_WRONLY | O_CLOEXEC)
                                       : open_temporary(place_, mode, temporary_);
  if (descriptor < 0) {
    temporary_.clear();
    fail(std::strerror(errno));
  }
  if (exists && !direct) fchmod(descriptor, mode);  // what was private stays private
  // zlib's transparent mode ("T") writes the bytes as they are: one path for both.
  stream_ = gzdopen(descriptor, is_gzip(file_) ? "wb6" : "wbT");
  if (stream_ == nullptr) {
    close(descriptor);
    remove_temporary();
    throw std::bad_alloc();
  }
  descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (descriptor_ < 0) {
    const std::string why = std::strerror(errno);
    discard();
    fail(why);
  }
}

FileWriter::~FileWriter() { discard(); }

void FileWriter::discard() {
  if (stream_ != nullptr) gzclose(std::exchange(stream_, nullptr));
  remove_temporary();
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

void FileWriter::remove_temporary() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget_temporary(temporary_);
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
  // The bytes reach the disk before the name does: a crash leaves the old file or the new one.
  if (!temporary_.empty() && (gzflush(stream_, Z_FINISH) != Z_OK || fsync(descriptor_) != 0)) {
    fail(errno != 0 ? std::strerror(errno) : "the bytes could not be written");
  }
  if (gzclose(std::exchange(stream_, nullptr)) != Z_OK) {
    fail(errno != 0 ? std::strerror(errno) : "the bytes could not be written");
  }
  if (!temporary_.empty()) {
    std::error_code error;
    fs::rename(temporary_, place_, error);
    if (error) fail(error.message());
    forget_temporary(temporary_);
    temporary_.clear();
  }
  close(std::exchange(descriptor_, -1));
}

void FileWriter::fail(const std::string& what) const {
  throw DataError(file_.string() + ": cannot be written: " + what);
}

}  // namespace southwell::data
