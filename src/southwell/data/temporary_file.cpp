#include "southwell/data/temporary_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace southwell::data {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".part-";
constexpr std::time_t kOld = 86400;  // seconds of a day

/// Eight digits that are this running system's own: it has one table of locks.
const std::string& system_digits() {
  static const std::string digits = [] {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id.size() >= 8 ? id.substr(0, 8) : "00000000";
  }();
  return digits;
}

/// The part of a name before the first dash, which is taken off with it.
std::string_view next_part(std::string_view& name) {
  const std::string_view part = name.substr(0, name.find('-'));
  name.remove_prefix(std::min(name.size(), part.size() + 1));
  return part;
}

bool has_only(std::string_view part, std::string_view digits) {
  return part.find_first_not_of(digits) == std::string_view::npos;
}

/// Whether `name` is that of a temporary file for `target`, to the letter: eight digits of a
/// system, a process, a time in nanoseconds. Nobody calls a file of their own that.
bool is_temporary_name(std::string_view name, std::string_view target) {
  constexpr std::string_view kDecimal = "0123456789";
  if (!name.starts_with(target)) return false;
  name.remove_prefix(target.size());
  if (!name.starts_with(kMark)) return false;
  name.remove_prefix(kMark.size());
  const std::string_view system = next_part(name);
  const std::string_view process = next_part(name);
  return system.size() == 8 && has_only(system, "0123456789abcdef") && !process.empty() &&
         has_only(process, kDecimal) && name.size() >= 10 && has_only(name, kDecimal);
}

bool is_from_here(std::string_view name, std::string_view target) {
  name.remove_prefix(target.size() + kMark.size());
  return system_digits() != "00000000" && name.starts_with(system_digits() + "-");
}

/// The names of temporary files that are open, for a signal's handler to remove.
std::array<std::atomic<char*>, 16> open_names{};

void remember(const std::string& name) {
  char* const copy = strdup(name.c_str());
  if (copy == nullptr) return;
  for (std::atomic<char*>& slot : open_names) {
    char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, copy)) return;
  }
  std::free(copy);  // more than anybody has open: these stay for the next run to clear up
}

void remove_if_left(const fs::path& leftover, bool from_here) {
  const int descriptor =
      open(leftover.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status{};
  const bool is_ours = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                       status.st_uid == geteuid() && status.st_nlink == 1;
  const bool is_old = status.st_mtime < std::time(nullptr) - kOld;
  // The lock is held until the name is gone: a writer that has just made the file sees that.
  if (is_ours && (from_here || is_old) && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    unlink(leftover.c_str());
  }
  close(descriptor);
}

}  // namespace

int open_temporary(const fs::path& file, mode_t mode, fs::path& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    // Nobody has to be unable to guess it: a file that is there already is left alone.
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    name = file.string() + std::string(kMark) + system_digits() + "-" + std::to_string(getpid()) +
           "-" + std::to_string(now);
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    // Known before it is there: a signal that comes in between would leave it behind.
    remember(name.string());
    const int descriptor = open(name.c_str(), flags, mode);
    if (descriptor < 0) {
      const int why = errno;
      forget_temporary(name);
      errno = why;
      if (why == EEXIST) continue;
      return descriptor;
    }
    // Before it was locked somebody who clears up may have taken it for a leftover. A file system
    // without locks has nobody who could.
    struct stat status{};
    const bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && (fstat(descriptor, &status) != 0 || status.st_nlink > 0)) {
      return descriptor;
    }
    close(descriptor);
    forget_temporary(name);
    errno = EBUSY;
  }
  return -1;
}

void forget_temporary(const fs::path& name) {
  for (std::atomic<char*>& slot : open_names) {
    char* known = slot.load();
    if (known == nullptr || name.string() != known) continue;
    if (slot.compare_exchange_strong(known, nullptr)) std::free(known);
    return;
  }
}

void unlink_temporaries() noexcept {
  for (const std::atomic<char*>& slot : open_names) {
    if (const char* name = slot.load()) unlink(name);
  }
}

void remove_leftovers(const fs::path& file) {
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string target = file.filename().string();
  if (target.empty()) return;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_temporary_name(name, target)) {
      remove_if_left(entry->path(), is_from_here(name, target));
    }
  }
}

}  // namespace southwell::data
