#pragma once

#include <sys/types.h>

#include <filesystem>

namespace southwell::data {

/// A new file beside `file`, open for writing; `name` becomes its name. It is locked as long as it
/// is open, so that nobody takes it for a leftover. Returns -1, with errno, if there can be none.
int open_temporary(const std::filesystem::path& file, mode_t mode, std::filesystem::path& name);

/// The file has its final name, or is gone.
void forget_temporary(const std::filesystem::path& name);

/// Removes every temporary file that is open in this process: for a signal's handler, which may
/// call nothing that allocates or locks, before it ends the program.
void unlink_temporaries() noexcept;

/// Removes what writers of `file` left behind when they were killed: regular files of this user,
/// named as `open_temporary` names them, that nobody holds open for writing. Locks tell that on one
/// running system; of files that were made on another, which may be a machine that shares this
/// directory, those that are older than a day are taken. Never fails.
void remove_leftovers(const std::filesystem::path& file);

}  // namespace southwell::data
