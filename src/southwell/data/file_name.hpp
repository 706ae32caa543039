#pragma once

#include <filesystem>
#include <string>

namespace southwell::data {

/// Throws InvalidArgument for a name that no file can have: an empty one, or one with a NUL byte,
/// which the system would take for its end.
void check_file_name(const std::filesystem::path& file);

/// Whether a name of data stands for standard input.
inline bool is_standard_input(const std::filesystem::path& file) { return file == "-"; }

/// Why `file` cannot be the name of a file to write, where that can be told by looking at it: for
/// example "is a directory; accepted is ...". Empty if nothing speaks against it.
std::string unfit_to_write(const std::filesystem::path& file);

}  // namespace southwell::data
