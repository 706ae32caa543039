#pragma once

#include <filesystem>
#include <string>

namespace southwell::ledger {

/// How a ledger is opened.
enum class Access { read, append };

/// A ledger's file, locked from here on against every other process and thread: for reading against
/// whoever appends, for appending against everybody. Where the file system keeps no locks it is
/// refused. Whatever goes wrong throws DataError, beginning with the name of the file.
class LockedFile {
 public:
  /// A new file that its owner alone can read, with this text, on the disk. Never replaces one.
  static void create(const std::filesystem::path& file, const std::string& text);

  LockedFile(const std::filesystem::path& file, Access access);
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  /// All of it.
  std::string text() const;
  /// Adds a line, and returns when file and directory are on the disk. Where that fails the file is
  /// as long as before.
  void append(const std::string& line);

 private:
  void lock(Access access);
  void expect_real_locks() const;
  void expect_same_file() const;
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_as_too_long() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace southwell::ledger
