#include "southwell/ledger/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <thread>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"

namespace southwell::ledger {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 26;
// Whoever holds the lock writes one line. Counted in tries: no clock decides anything here.
constexpr int kTries = 30000;
constexpr std::chrono::milliseconds kBetweenTries{2};

/// Closes when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw DataError(file.string() + ": " + what);
}

int opened(const fs::path& file, int flags) {
  int descriptor = -1;
  do {
    descriptor = open(file.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

void synced(int descriptor, const fs::path& file) {
  if (fault(Fault::ledger_is_not_synced)) return;
  while (fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    refuse(file, std::string("cannot be brought to the disk: ") + std::strerror(errno));
  }
}

/// The name of the file is on the disk as well.
void sync_directory(const fs::path& file) {
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const Descriptor open_directory(opened(directory, O_RDONLY | O_DIRECTORY));
  if (open_directory.number() < 0) {
    refuse(file, std::string("its directory cannot be opened: ") + std::strerror(errno));
  }
  synced(open_directory.number(), file);
}

/// All bytes, or an error number.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void LockedFile::create(const fs::path& file, const std::string& text) {
  const Descriptor created(opened(file, O_WRONLY | O_CREAT | O_EXCL));
  if (created.number() < 0) {
    refuse(file, errno == EEXIST ? "is there already; accepted is a new file: a ledger that was "
                                   "made anew would forget what is spent"
                                 : std::string("cannot be created: ") + std::strerror(errno));
  }
  try {
    if (fchmod(created.number(), 0600) != 0) {
      refuse(file, std::string("cannot be kept to its owner: ") + std::strerror(errno));
    }
    if (const int error = write_all(created.number(), text); error != 0) {
      refuse(file, std::string("cannot be written: ") + std::strerror(error));
    }
    synced(created.number(), file);
    sync_directory(file);
    LockedFile(file, Access::append);  // a place without locks is found out now
  } catch (...) {
    unlink(file.c_str());
    throw;
  }
}

LockedFile::LockedFile(const fs::path& file, Access access)
    : file_(file),
      descriptor_(opened(file, access == Access::append ? O_RDWR | O_APPEND : O_RDONLY)) {
  if (descriptor_ < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
  try {
    struct stat status{};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      fail("is no regular file; accepted is a ledger");
    }
    lock(access);
    expect_same_file();
    if (access == Access::append) expect_real_locks();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

LockedFile::~LockedFile() { close(descriptor_); }

void LockedFile::fail(const std::string& what) const { refuse(file_, what); }

void LockedFile::lock(Access access) {
  if (fault(Fault::ledger_is_not_locked)) return;
  const int kind = access == Access::append ? LOCK_EX : LOCK_SH;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    if (flock(descriptor_, kind | LOCK_NB) == 0) return;
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) {
      fail(std::string("cannot be locked: ") + std::strerror(errno) +
           "; accepted is a file system that keeps locks");
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  fail("is locked by another process, and was for a minute");
}

/// There are file systems that answer yes and lock nothing. Only who is told that somebody else has
/// the lock knows that there is one: of any other error nothing follows.
void LockedFile::expect_real_locks() const {
  if (fault(Fault::ledger_is_not_locked)) return;
  const Descriptor other(opened(file_, O_RDWR));  // where locks are the server's, that is asked for
  if (other.number() < 0) fail(std::string("cannot be opened again: ") + std::strerror(errno));
  int error = 0;
  do {
    error = flock(other.number(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error != EWOULDBLOCK) {
    fail("is on a file system that does not keep locks; accepted is one that does");
  }
}

/// Nobody has put another file in its place while this one waited for the lock.
void LockedFile::expect_same_file() const {
  struct stat here{};
  struct stat there{};
  const bool is_same = fstat(descriptor_, &here) == 0 && stat(file_.c_str(), &there) == 0 &&
                       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  if (!is_same) fail("was replaced while it was opened; accepted is a ledger that stays in place");
}

std::string LockedFile::text() const {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got =
        pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > kLargestFile) fail_as_too_long();
  }
}

void LockedFile::fail_as_too_long() const {
  fail("is longer than " + std::to_string(kLargestFile >> 20) +
       " MiB; accepted is a ledger up to that");
}

void LockedFile::append(const std::string& line) {
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  if (before < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
  if (static_cast<std::size_t>(before) + line.size() > kLargestFile) fail_as_too_long();
  if (const int error = write_all(descriptor_, line); error != 0) {
    // What was written of it goes again: it was not a whole line, and nothing rests on it.
    const bool is_mended = ftruncate(descriptor_, before) == 0;
    fail(std::string("cannot be written: ") + std::strerror(error) +
         (is_mended ? "" : "; its last line is cut off now"));
  }
  synced(descriptor_, file_);
  sync_directory(file_);
}

}  // namespace southwell::ledger
